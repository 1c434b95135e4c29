// Statements on the contracts of a merchant account with providers.
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type ContractRow = {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly methods: readonly string[];
  readonly currencies: readonly string[];
  readonly channels: readonly string[];
  readonly countries: readonly string[];
  readonly operations: readonly string[];
  readonly token_types: readonly string[];
};

/** False: the account has one of this name. */
export async function insertContract(
  db: TenantRunner,
  contract: { id: string; name: string; provider: string; priority: number },
): Promise<boolean> {
  const rows = await db.run(
    'insert_contract',
    `INSERT INTO payment.contracts (id, merchant_account_id, name, provider, priority)
     VALUES (:id, :merchant_account_id, :name, :provider, :priority)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...contract, id: bytes(contract.id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

export type ContractDetails = ContractRow & {
  readonly priority: number;
  readonly enabled: boolean;
  readonly authorization_days: number;
  /** What a person of the account decided, while that holds. */
  readonly held: 'open' | 'closed' | null;
  /** Null: nothing was decided, or it holds until it is given up. */
  readonly held_until: Date | null;
  /** When each credential was set; never what it is. */
  readonly credentials_set: Readonly<Record<string, string>>;
  /** For secrets that prove messages: when each value was set, the newest first. */
  readonly checks_set: Readonly<Record<string, readonly string[]>>;
};

/** All contracts, in the order in which they are tried. */
export async function listContracts(db: TenantRunner): Promise<readonly ContractDetails[]> {
  return db.run<ContractDetails>(
    'list_contracts',
    `SELECT
       id, name, provider, priority, enabled, methods, currencies, channels, countries, operations,
       token_types, authorization_days, credentials_set, checks_set,
       CASE
         WHEN held_until > payment.now() THEN held
       END AS held,
       nullif(held_until, 'infinity') AS held_until
     FROM payment.contracts
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY priority, id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type ContractChange = Pick<
  ContractDetails,
  'priority' | 'enabled' | 'methods' | 'currencies' | 'channels' | 'countries'
>;

const UNCHANGED = {
  priority: null,
  enabled: null,
  methods: null,
  currencies: null,
  channels: null,
  countries: null,
} as const;

/** Changes what is given and leaves the rest. */
export async function updateContract(db: TenantRunner, id: string, change: Partial<ContractChange>): Promise<boolean> {
  const rows = await db.run(
    'update_contract',
    `UPDATE payment.contracts
     SET
       priority = coalesce(:priority::int, priority),
       enabled = coalesce(:enabled::boolean, enabled),
       methods = coalesce(:methods::text[], methods),
       currencies = coalesce(:currencies::text[], currencies),
       channels = coalesce(:channels::text[], channels),
       countries = coalesce(:countries::text[], countries)
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
     RETURNING id`,
    { ...UNCHANGED, ...change, id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}
