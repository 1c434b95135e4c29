// Statements on the credentials of contracts: sealed bytes, and when each was set.
import { type TenantRunner, bytes } from '../../../kit/database.ts';

type Sealed = { readonly credentials_sealed: string | null };

export async function findSealed(db: TenantRunner, contract_id: string): Promise<string | undefined> {
  const rows = await db.run<Sealed>(
    'find_credentials',
    `SELECT credentials_sealed
     FROM payment.contracts
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id`,
    { contract_id: bytes(contract_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0]?.credentials_sealed ?? undefined;
}

/** Two people who set different ones at once: the second adds to what the first has set. */
export async function lockSealed(tx: TenantRunner, contract_id: string): Promise<string | undefined> {
  const rows = await tx.run<Sealed>(
    'lock_credentials',
    `SELECT credentials_sealed
     FROM payment.contracts
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id
     FOR NO KEY UPDATE`,
    { contract_id: bytes(contract_id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
  return rows[0]?.credentials_sealed ?? undefined;
}

/** `names`: those that were set just now. */
export async function updateSealed(
  tx: TenantRunner,
  { contract_id, ...change }: { contract_id: string; credentials_sealed: Buffer; names: readonly string[] },
): Promise<void> {
  await tx.run(
    'update_credentials',
    `UPDATE payment.contracts
     SET
       credentials_sealed = :credentials_sealed,
       credentials_set = credentials_set
         || (SELECT jsonb_object_agg(name, payment.now()) FROM unnest(:names::text[]) AS name)
     WHERE id = :contract_id
       AND merchant_account_id = :merchant_account_id`,
    { ...change, contract_id: bytes(contract_id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
}
