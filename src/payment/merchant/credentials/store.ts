// Statements on the credentials of contracts: sealed bytes, and when each was set.
import { type Batching, type TenantRunner, bytes } from '../../../kit/database.ts';

/** When each value of a credential that proves messages was set, the newest first. */
export type ChecksSet = Readonly<Record<string, readonly string[]>>;

export type SealedRow = {
  readonly credentials_sealed: string | null;
  readonly checks_sealed: string | null;
  readonly checks_set: ChecksSet;
};

export async function findSealed(db: TenantRunner, contract_id: string): Promise<SealedRow | undefined> {
  const rows = await db.batchRead<SealedRow>(
    'find_credentials',
    `SELECT credentials_sealed, checks_sealed, checks_set
     FROM payment.contracts
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id`,
    { contract_id: bytes(contract_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** `at`: the database's moment, as operations have it. */
export type LockedRow = SealedRow & { readonly at: Date };

/** Two people who set different ones at once: the second adds to what the first has set. */
export async function lockSealed(tx: TenantRunner, contract_id: string): Promise<LockedRow | undefined> {
  const rows = await tx.run<LockedRow>(
    'lock_credentials',
    `SELECT credentials_sealed, checks_sealed, checks_set, payment.now() AS at
     FROM payment.contracts
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id
     FOR NO KEY UPDATE`,
    { contract_id: bytes(contract_id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
  return rows[0];
}

/** `names`: those that were set just now; `removed`: those that there are no more. */
export async function updateSealed(
  tx: TenantRunner,
  {
    contract_id,
    ...change
  }: {
    readonly contract_id: string;
    readonly credentials_sealed: Buffer;
    readonly names: readonly string[];
    readonly removed: readonly string[];
  },
): Promise<void> {
  await tx.run(
    'update_credentials',
    `UPDATE payment.contracts
     SET
       credentials_sealed = :credentials_sealed,
       credentials_set = (credentials_set - :removed::text[])
         || coalesce(
           (SELECT jsonb_object_agg(name, payment.now()) FROM unnest(:names::text[]) AS name),
           '{}'
         )
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id`,
    { ...change, contract_id: bytes(contract_id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
}

export async function updateChecks(
  tx: TenantRunner,
  {
    contract_id,
    checks_sealed,
    checks_set,
  }: { readonly contract_id: string; readonly checks_sealed: Buffer; readonly checks_set: ChecksSet },
): Promise<void> {
  await tx.run(
    'update_checks',
    `UPDATE payment.contracts
     SET checks_sealed = :checks_sealed, checks_set = :checks_set::jsonb
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id`,
    {
      checks_sealed,
      checks_set: JSON.stringify(checks_set),
      contract_id: bytes(contract_id),
      merchant_account_id: bytes(tx.merchant_account_id),
    },
  );
}

export type WhoseContract = { readonly merchant_account_id: string; readonly provider: string };

/** Undefined: there is no such contract. */
export async function findWhoseContract(db: Batching, contract_id: string): Promise<WhoseContract | undefined> {
  const rows = await db.batchRead<WhoseContract>(
    'find_whose_contract',
    `-- any account: a message comes in with nothing but the contract of its address
     SELECT merchant_account_id, provider
     FROM payment.account_of_contract(:contract_id)`,
    { contract_id: bytes(contract_id) },
  );
  return rows[0];
}
