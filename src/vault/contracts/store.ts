// Statements on the credentials of contracts with providers: sealed bytes only.
import { type Runner, bytes } from '../../kit/database.ts';

export type ContractKey = {
  readonly contract_id: string;
  readonly merchant_account_id: string;
  readonly destination: string;
};

/**
 * False: the contract is another account's or another provider's, or the data key is closed (a rotation is about to
 * destroy it).
 */
export async function putCredentials(
  db: Runner,
  row: ContractKey & { readonly credentials_sealed: Buffer; readonly data_key_id: bigint },
): Promise<boolean> {
  const rows = await db.run(
    'put_contract_credentials',
    `INSERT INTO vault.contracts (id, merchant_account_id, destination, credentials_sealed)
     SELECT :contract_id, :merchant_account_id, :destination, :credentials_sealed
     WHERE EXISTS (
       SELECT 1
       FROM vault.data_keys
       WHERE id = :data_key_id
         AND state IN ('active', 'retired')
     )
     ON CONFLICT (id) DO UPDATE SET
       credentials_sealed = excluded.credentials_sealed,
       changed_at = vault.now()
     WHERE contracts.merchant_account_id = excluded.merchant_account_id
       AND contracts.destination = excluded.destination
     RETURNING 1`,
    { ...row, contract_id: bytes(row.contract_id), merchant_account_id: bytes(row.merchant_account_id) },
  );
  return rows.length > 0;
}

export async function findCredentials(
  db: Runner,
  { contract_id, merchant_account_id, destination }: ContractKey,
): Promise<string | undefined> {
  const rows = await db.run<{ credentials_sealed: string }>(
    'find_contract_credentials',
    `SELECT credentials_sealed
     FROM vault.contracts
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id
       AND destination = :destination`,
    { destination, contract_id: bytes(contract_id), merchant_account_id: bytes(merchant_account_id) },
  );
  return rows[0]?.credentials_sealed;
}

/** Accounts that have credentials for a destination, for who looks at all of them; in no order that means anything. */
export async function findAccountsOf(db: Runner, destination: string, most: number): Promise<readonly string[]> {
  const rows = await db.run<{ merchant_account_id: string }>(
    'find_contracts_of_destination',
    `SELECT merchant_account_id
     FROM vault.contracts
     WHERE id > :after
       AND destination = :destination
     ORDER BY id
     LIMIT :most`,
    { after: bytes('0'.repeat(24)), destination, most },
  );
  return rows.map(({ merchant_account_id }) => merchant_account_id);
}
