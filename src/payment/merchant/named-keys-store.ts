// Statements on existing keys that the operator has named for an account (decision 159).
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';

/** Somebody works in them, or was invited; two stand for more. */
export async function countAccountsWithPeople(db: Runner): Promise<number> {
  const rows = await db.run<{ count: number }>(
    'count_accounts_with_people',
    `-- any account: whether there is more than one
     SELECT payment.accounts_with_people() AS count`,
  );
  return rows[0]?.count ?? 0;
}

export async function isNamed(db: TenantRunner, digest: string): Promise<boolean> {
  const rows = await db.run(
    'find_named_key',
    `SELECT 1
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id
       AND settings -> 'named_keys' ? :digest`,
    { merchant_account_id: bytes(db.merchant_account_id), digest },
  );
  return rows.length > 0;
}

/** Names these in the place of those that were named before. False: there is no such account. */
export async function nameKeys(db: TenantRunner, digests: readonly string[]): Promise<boolean> {
  const rows = await db.run(
    'name_keys',
    `UPDATE payment.merchant_accounts
     SET settings = settings || jsonb_build_object('named_keys', :digests::jsonb)
     WHERE merchant_account_id = :merchant_account_id
     RETURNING 1`,
    { merchant_account_id: bytes(db.merchant_account_id), digests: JSON.stringify(digests) },
  );
  return rows.length > 0;
}

export type HolderRow = { readonly id: string; readonly merchant_account_id: string; readonly name: string };

/** Whose key a text is or was; undefined: it never was one, or was freed. */
export async function findHolder(db: Runner, digest: string): Promise<HolderRow | undefined> {
  const rows = await db.run<HolderRow>(
    'find_holder_of_key',
    `-- any account: the key says which one it is
     SELECT id, merchant_account_id, name FROM payment.holder_of_key(:digest)`,
    { digest: bytes(digest) },
  );
  return rows[0];
}

/** A revoked key keeps its row, under the hash of what cannot be a key. False: it is not revoked. */
export async function freeKey(db: TenantRunner, id: string): Promise<boolean> {
  const rows = await db.run(
    'free_key',
    `UPDATE payment.api_keys
     SET digest = sha256(convert_to('freed ' || encode(id, 'hex'), 'UTF8'))
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND revoked_at IS NOT NULL
     RETURNING 1`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.length > 0;
}

/** Else the account could import it again. */
export async function unnameKey(db: TenantRunner, digest: string): Promise<void> {
  await db.run(
    'unname_key',
    `UPDATE payment.merchant_accounts
     SET settings = jsonb_set(settings, '{named_keys}', (settings -> 'named_keys') - :digest::text)
     WHERE merchant_account_id = :merchant_account_id
       AND settings -> 'named_keys' ? :digest::text`,
    { merchant_account_id: bytes(db.merchant_account_id), digest },
  );
}
