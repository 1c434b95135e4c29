// Statements on merchant accounts and their keys.
import type { Rule } from '../../core/risk/rules.ts';
import { type Batching, type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { PUBLISHED } from '../versions-store.ts';
import type { ContractRow } from './contract-store.ts';
import type { AccountSettings, Settings } from './settings.ts';

export type KeyOwnerRow = {
  readonly key_id: string;
  readonly merchant_account_id: string;
  readonly name: string;
  readonly settings: Partial<AccountSettings>;
  readonly kind: 'private' | 'public';
  readonly environment: string;
  /** Null: everything its kind may. */
  readonly scopes: readonly Scope[] | null;
  readonly contracts: readonly ContractRow[];
};

export type KeyRow = {
  readonly id: string;
  readonly digest: string;
  readonly kind: 'private' | 'public';
  readonly label: string;
  /** Null: everything its kind may. */
  readonly scopes: readonly Scope[] | null;
  readonly revoked_at: Date | null;
  readonly created_at: Date;
  /** The time at which a rolled key is revoked. */
  readonly ends_at: Date | null;
  /** It is revoked, or its time is over. */
  readonly ended: boolean;
  readonly last_used_at: Date | null;
  /** When a browser last brought it, and it is a private one. */
  readonly in_page_at: Date | null;
};

/** The account a key belongs to, with what every request needs to know of it. */
export async function findKeyOwner(db: Pick<Batching, 'batchRead'>, digest: string): Promise<KeyOwnerRow | undefined> {
  // this read waits for no commit, so that reads go on where writes are refused
  const rows = await db.batchRead<KeyOwnerRow>(
    'find_key_owner',
    `-- any account: the key says which one it is
     SELECT key_id, merchant_account_id, name, settings, kind, environment, scopes, contracts
     FROM payment.account_of_key(:digest)`,
    { digest: bytes(digest) },
  );
  return rows[0];
}

/**
 * Makes an account with risk rules as its version 1; an account that exists keeps everything it has. Without rules
 * there is no version.
 */
export async function insertAccount(
  db: TenantRunner,
  { name, rules, by }: { readonly name: string; readonly rules: readonly Rule[]; readonly by: string },
): Promise<void> {
  await db.run(
    'insert_account',
    `WITH made AS (
       INSERT INTO payment.merchant_accounts (
         merchant_account_id, name,
         settings)
       VALUES (
         :merchant_account_id, :name,
         CASE WHEN :rules::jsonb = '[]' THEN '{}' ELSE :settings::jsonb END)
       ON CONFLICT DO NOTHING
       RETURNING merchant_account_id
     )
     INSERT INTO payment.risk_versions (merchant_account_id, version, rules, by_name, note)
     SELECT merchant_account_id, 1, :rules, :by, 'rules of a new account'
     FROM made
     WHERE :rules::jsonb <> '[]'`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      name,
      rules: JSON.stringify(rules),
      settings: JSON.stringify({ risk: { version: 1, rules, lists: [] } }),
      by,
    },
  );
}

export type SettingsRow = { readonly name: string; readonly settings: Partial<Settings> };

/**
 * Name and settings of an account, as stored: what is absent is the default. Without the rules in force, which may be
 * long: whoever pays asks for the account.
 */
export async function findSettings(db: TenantRunner): Promise<SettingsRow | undefined> {
  const rows = await db.run<SettingsRow>(
    'find_settings',
    `SELECT name, settings - ${PUBLISHED} AS settings
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** Name, settings and rules in force. */
export async function findAccountRow(db: TenantRunner): Promise<Pick<KeyOwnerRow, 'name' | 'settings'> | undefined> {
  const rows = await db.run<Pick<KeyOwnerRow, 'name' | 'settings'>>(
    'find_account',
    `SELECT name, settings
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

export async function updateSettings(db: TenantRunner, settings: Partial<Settings>): Promise<void> {
  await db.run(
    'update_settings',
    `UPDATE payment.merchant_accounts
     SET settings = settings || :settings::jsonb
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id), settings: JSON.stringify(settings) },
  );
}

/** Stores a key. False: its text is or was a key already, of this account or another. */
export async function insertKey(
  db: TenantRunner,
  key: Pick<KeyRow, 'id' | 'digest' | 'kind' | 'label' | 'scopes'> & { environment: string },
): Promise<boolean> {
  const rows = await db.run(
    'insert_key',
    `INSERT INTO payment.api_keys (
       id, merchant_account_id, digest, kind, environment, label, scopes)
     VALUES (:id, :merchant_account_id, :digest, :kind, :environment, :label, :scopes::text[])
     ON CONFLICT (digest) DO NOTHING
     RETURNING 1`,
    { ...key, id: bytes(key.id), digest: bytes(key.digest), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

/** Locks an account until the end of the transaction, so that what is counted of it does not change. */
export async function lockAccount(db: TenantRunner): Promise<void> {
  await db.run(
    'lock_account',
    `SELECT 1
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id
     FOR NO KEY UPDATE`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export async function listKeys(db: TenantRunner): Promise<readonly KeyRow[]> {
  return db.run<KeyRow>(
    'list_keys',
    `SELECT
       id, digest, kind, label, scopes, revoked_at, created_at, ends_at, last_used_at, in_page_at,
       revoked_at IS NOT NULL OR coalesce(ends_at <= payment.now(), false) AS ended
     FROM payment.api_keys
     WHERE merchant_account_id = :merchant_account_id
     ORDER BY id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export async function revokeKeyRow(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'revoke_key',
    `UPDATE payment.api_keys
     SET revoked_at = payment.now()
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND revoked_at IS NULL
     RETURNING id`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

/** Ends a key after some hours. False: it ends sooner, or is revoked, and stays as it is. */
export async function endKeyLater(db: TenantRunner, id: string, hours: number): Promise<boolean> {
  const rows = await db.run(
    'end_key_later',
    `UPDATE payment.api_keys
     SET ends_at = payment.now() + make_interval(hours => :hours)
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND revoked_at IS NULL
       AND (ends_at IS NULL OR ends_at > payment.now() + make_interval(hours => :hours))
     RETURNING id`,
    { id: bytes(id), hours, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

export async function findEndedKeys(
  db: Runner,
  room: number,
): Promise<readonly { readonly id: string; readonly merchant_account_id: string }[]> {
  return db.run<{ id: string; merchant_account_id: string }>(
    'find_ended_keys',
    `-- any account: the rolled keys of all of them
     SELECT id, merchant_account_id FROM payment.ended_keys(:room)`,
    { room },
  );
}

/** Notes the use of a key, to the minute: a key that is always in use costs one write a minute. */
export async function touchKey(db: TenantRunner, digest: string, in_page: boolean): Promise<void> {
  await db.run(
    'touch_key',
    `UPDATE payment.api_keys
     SET
       last_used_at = payment.now(),
       in_page_at = CASE WHEN :in_page THEN payment.now() ELSE in_page_at END
     WHERE digest = :digest
       AND merchant_account_id = :merchant_account_id
       AND (:in_page
         OR last_used_at IS NULL
         OR last_used_at < payment.now() - interval '1 minute')`,
    { digest: bytes(digest), in_page, merchant_account_id: bytes(db.merchant_account_id) },
  );
}
