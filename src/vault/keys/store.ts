// Statements on the keys of the card zone: data keys, wrapped, and the hashes of the callers' API keys.
import { type Database, type Runner, bytes } from '../../kit/database.ts';

export type DataKeyRow = {
  readonly id: bigint;
  readonly version: number;
  readonly kek_ref: string;
  readonly wrapped: string;
};

export async function findDataKey(
  db: Runner,
  purpose: string,
  merchant_account_id: string | null,
): Promise<DataKeyRow | undefined> {
  const rows = await db.run<DataKeyRow>(
    'find_data_key',
    `SELECT id, version, kek_ref, wrapped FROM vault.data_keys WHERE state = 'active' AND purpose = :purpose
       AND coalesce(merchant_account_id, '\\x000000000000000000000000') = coalesce(:merchant_account_id::bytea, '\\x000000000000000000000000')`,
    { purpose, merchant_account_id: bytes(merchant_account_id) },
  );
  return rows[0];
}

export async function insertDataKey(
  db: Runner,
  key: { purpose: string; merchant_account_id: string | null; version: number; kek_ref: string; wrapped: Buffer },
): Promise<void> {
  await db.run(
    'insert_data_key',
    `INSERT INTO vault.data_keys (purpose, merchant_account_id, version, kek_ref, wrapped)
     VALUES (:purpose, :merchant_account_id, :version, :kek_ref, :wrapped) ON CONFLICT DO NOTHING`,
    { ...key, merchant_account_id: bytes(key.merchant_account_id) },
  );
}

export type VaultKeyRow = {
  readonly merchant_account_id: string;
  readonly kind: 'private' | 'public';
  readonly environment: string;
  readonly page_inputs: boolean;
  readonly registered_origins: readonly string[];
};

export async function findApiKey(db: Runner, digest: string): Promise<VaultKeyRow | undefined> {
  const rows = await db.run<VaultKeyRow>(
    'find_api_key',
    `SELECT merchant_account_id, kind, environment, page_inputs, registered_origins FROM vault.api_keys WHERE digest = :digest`,
    { digest: bytes(digest) },
  );
  return rows[0];
}

export async function putApiKey(
  db: Database,
  key: Omit<VaultKeyRow, 'kind'> & { readonly id: string; readonly digest: string; readonly kind: string },
): Promise<void> {
  await db.run(
    'put_api_key',
    `INSERT INTO vault.api_keys (id, digest, merchant_account_id, kind, environment, page_inputs, registered_origins)
     VALUES (:id, :digest, :merchant_account_id, :kind, :environment, :page_inputs, string_to_array(:registered_origins, ' '))
     ON CONFLICT (digest) DO UPDATE SET page_inputs = excluded.page_inputs, registered_origins = excluded.registered_origins`,
    {
      ...key,
      digest: bytes(key.digest),
      merchant_account_id: bytes(key.merchant_account_id),
      registered_origins: key.registered_origins.join(' '),
    },
  );
}

export async function removeApiKey(db: Database, id: string): Promise<void> {
  await db.run('remove_api_key', `DELETE FROM vault.api_keys WHERE id = :id`, { id });
}
