// Statements on payloads of wallets: a digest of what the wallet names one by, and nothing of what it holds.
import { type Runner, bytes } from '../../kit/database.ts';

/** False: it was taken before. */
export async function insertPayload(
  db: Runner,
  used: { readonly merchant_account_id: string; readonly digest: string; readonly delete_after: Date },
): Promise<boolean> {
  const rows = await db.run(
    'insert_wallet_payload',
    `INSERT INTO vault.wallet_payloads (merchant_account_id, digest, delete_after)
     VALUES (:merchant_account_id, :digest, :delete_after)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...used, merchant_account_id: bytes(used.merchant_account_id), digest: bytes(used.digest) },
  );
  return rows.length > 0;
}
