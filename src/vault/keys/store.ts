// Statements on the keys of the card zone: data keys, wrapped, and the hashes of the callers' API keys.
import type { Scope } from '../../core/keys/scopes.ts';
import { type Database, type Runner, bytes } from '../../kit/database.ts';

export type Purpose = 'card' | 'fingerprint';
export type KeyState = 'announced' | 'active' | 'retired' | 'closed' | 'destroyed';
export type DataKeyRow = {
  readonly id: bigint;
  readonly purpose: Purpose;
  readonly merchant_account_id: string | null;
  readonly version: number;
  readonly state: KeyState;
  readonly kek_ref: string;
  /** Null: destroyed. */
  readonly wrapped: string | null;
};
export type KeyEpoch = { readonly epoch: bigint; readonly kek_ref: string | null };

/** The count of key changes, and the key-encryption key that wraps now. */
export async function getKeyEpoch(db: Runner): Promise<KeyEpoch> {
  const rows = await db.run<KeyEpoch>('get_key_epoch', `SELECT epoch, kek_ref FROM vault.key_epoch WHERE one = true`);
  const [row] = rows;
  if (!row) throw new Error('vault.key_epoch has its row');
  return row;
}

/** Sets the key-encryption key of a database that has none yet. */
export async function setFirstKek(db: Runner, kek_ref: string): Promise<void> {
  await db.run(
    'set_first_kek',
    `UPDATE vault.key_epoch
     SET kek_ref = :kek_ref, epoch = epoch + 1
     WHERE one = true
       AND kek_ref IS NULL`,
    { kek_ref },
  );
}

/** The keys a merchant's cards, or all fingerprints, are written and looked up with. */
export async function findDataKeys(
  db: Runner,
  purpose: Purpose,
  merchant_account_id: string | null,
): Promise<readonly DataKeyRow[]> {
  return db.run<DataKeyRow>(
    'find_data_keys',
    `SELECT id, purpose, merchant_account_id, version, state, kek_ref, wrapped
     FROM vault.data_keys
     WHERE purpose = :purpose
       AND coalesce(merchant_account_id, '\\x000000000000000000000000')
         = coalesce(:merchant_account_id::bytea, '\\x000000000000000000000000')
       AND state IN ('announced', 'active', 'retired')`,
    { purpose, merchant_account_id: bytes(merchant_account_id) },
  );
}

export async function findDataKeyById(db: Runner, id: bigint): Promise<DataKeyRow | undefined> {
  const rows = await db.run<DataKeyRow>(
    'find_data_key_by_id',
    `SELECT id, purpose, merchant_account_id, version, state, kek_ref, wrapped
     FROM vault.data_keys
     WHERE id = :id`,
    { id },
  );
  return rows[0];
}

/** Which of these keys were destroyed. */
export async function findDestroyed(db: Runner, ids: readonly bigint[]): Promise<readonly bigint[]> {
  const rows = await db.run<{ id: bigint }>(
    'find_destroyed_keys',
    `SELECT id
     FROM vault.data_keys
     WHERE id = ANY (:ids::bigint[])
       AND state = 'destroyed'`,
    { ids },
  );
  return rows.map(({ id }) => id);
}

export type NewDataKey = {
  readonly purpose: Purpose;
  readonly merchant_account_id: string | null;
  readonly version: number;
  readonly state: 'announced' | 'active';
  readonly kek_ref: string;
  readonly wrapped: Buffer;
};

/**
 * Stores a data key, unless there is one of that version, or another key wraps by now: the lock makes a change of the
 * key-encryption key wait for this statement, and this statement see that change. True: stored.
 */
export async function insertDataKey(db: Runner, key: NewDataKey): Promise<boolean> {
  const rows = await db.run(
    'insert_data_key',
    `WITH same_epoch AS (
       SELECT kek_ref
       FROM vault.key_epoch
       WHERE one = true
         AND kek_ref = :kek_ref
       FOR SHARE
     )
     INSERT INTO vault.data_keys (purpose, merchant_account_id, version, state, kek_ref, wrapped)
     SELECT :purpose, :merchant_account_id::bytea, :version, :state, kek_ref, :wrapped::bytea
     FROM same_epoch
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { ...key, merchant_account_id: bytes(key.merchant_account_id) },
  );
  return rows.length > 0;
}

export type VaultKeyRow = {
  readonly key_id: string;
  readonly merchant_account_id: string;
  readonly kind: 'private' | 'public';
  readonly environment: string;
  /** Null: everything its kind may. */
  readonly scopes: readonly Scope[] | null;
  readonly page_inputs: boolean;
  readonly registered_origins: readonly string[];
};

export async function findApiKey(db: Runner, digest: string): Promise<VaultKeyRow | undefined> {
  const rows = await db.run<VaultKeyRow>(
    'find_api_key',
    `SELECT
       id AS key_id, merchant_account_id, kind, environment, scopes, page_inputs, registered_origins
     FROM vault.api_keys
     WHERE digest = :digest`,
    { digest: bytes(digest) },
  );
  return rows[0];
}

/**
 * Stores an API key. A repeat of the same key updates its settings. A text that is another key here (such as the key of
 * a hosted page, which every payer sees) stays as it is, because anybody may import it.
 */
export async function putApiKey(
  db: Database,
  key: Omit<VaultKeyRow, 'kind' | 'key_id'> & { readonly id: string; readonly digest: string; readonly kind: string },
): Promise<void> {
  await db.run(
    'put_api_key',
    `INSERT INTO vault.api_keys (
       id, digest, merchant_account_id, kind, environment, scopes, page_inputs,
       registered_origins)
     VALUES (
       :id, :digest, :merchant_account_id, :kind, :environment, :scopes::text[], :page_inputs,
       string_to_array(:registered_origins, ' '))
     ON CONFLICT (digest) DO UPDATE SET
       scopes = excluded.scopes,
       page_inputs = excluded.page_inputs,
       registered_origins = excluded.registered_origins
     WHERE api_keys.id = excluded.id`,
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
