// Statements on Idempotency-Keys, on the money zone's own key, and on rows that are older than what is kept under it.
import { type Runner, type TenantRunner, bytes } from '../kit/database.ts';
import type { Key } from '../kit/http/idempotency.ts';

/**
 * The check value of the key that this database belongs to, 64 hex. Undefined: no process has used a key with it yet.
 */
export async function findKeyCheck(db: Runner): Promise<string | undefined> {
  const rows = await db.run<{ check_value: string }>(
    'find_key_check',
    `-- any account: the key is the zone's
     SELECT check_value FROM payment.secret_key`,
  );
  return rows[0]?.check_value;
}

/** Keeps the check value unless there is one, and answers the one that stands: that of the first process. */
export async function keepKeyCheck(db: Runner, check_value: string): Promise<string> {
  await db.run(
    'keep_key_check',
    `-- any account: the key is the zone's
     INSERT INTO payment.secret_key (check_value)
     VALUES (:check_value)
     ON CONFLICT DO NOTHING`,
    { check_value: bytes(check_value) },
  );
  const kept = await findKeyCheck(db);
  if (kept === undefined) throw new Error('a check value that was kept is there');
  return kept;
}

export type SealedSample = {
  readonly kind: 'saved card' | 'endpoint' | 'contract' | 'checks' | 'person' | 'sign-on';
  readonly merchant_account_id: string | null;
  /** The customer, or the id of what it belongs to. */
  readonly whose: string;
  readonly sealed: string;
};

/** Some of what is sealed under the key, of every kind and of any account; none: nothing is. */
export async function findSealedSamples(db: Runner, room: number): Promise<readonly SealedSample[]> {
  return db.run<SealedSample>(
    'find_sealed_samples',
    `-- any account: the key is the zone's
     SELECT kind, merchant_account_id, whose, sealed
     FROM payment.sealed_samples(:room)`,
    { room },
  );
}

export type OldCardId = { readonly merchant_account_id: string; readonly card_unique_id: string };

/** Ids of the vault that still stand in rows of an earlier version. */
export async function findOldCardIds(db: Runner, room: number): Promise<readonly OldCardId[]> {
  return db.run<OldCardId>(
    'find_old_card_ids',
    `-- any account: rows of an earlier version, of all of them
     SELECT merchant_account_id, card_unique_id FROM payment.old_card_ids(:room)`,
    { room },
  );
}

/** Puts digests in their place; the same twice changes nothing. */
export async function putCardDigests(
  db: Runner,
  replaced: readonly (OldCardId & { readonly digest: string })[],
): Promise<void> {
  await db.run(
    'put_card_digests',
    `-- any account: rows of an earlier version, of all of them
     SELECT payment.put_card_digests(:accounts, :ids, :digests)`,
    {
      accounts: replaced.map((one) => bytes(one.merchant_account_id)),
      ids: replaced.map((one) => one.card_unique_id),
      digests: replaced.map((one) => bytes(one.digest)),
    },
  );
}

export type OpenEntry = { readonly merchant_account_id: string; readonly subject: string; readonly shown: string };

/** Entries of lists that show a card's id in clear, as an earlier version wrote them. */
export async function findOpenEntries(db: Runner, room: number): Promise<readonly OpenEntry[]> {
  return db.run<OpenEntry>(
    'find_open_card_entries',
    `-- any account: rows of an earlier version, of all of them
     SELECT merchant_account_id, subject, shown FROM payment.open_card_entries(:room)`,
    { room },
  );
}

export async function sealEntries(
  db: Runner,
  entries: readonly (OpenEntry & { readonly sealed: Buffer })[],
): Promise<void> {
  await db.run(
    'seal_card_entries',
    `-- any account: rows of an earlier version, of all of them
     SELECT payment.seal_card_entries(:accounts, :subjects, :seals)`,
    {
      accounts: entries.map((one) => bytes(one.merchant_account_id)),
      subjects: entries.map((one) => bytes(one.subject)),
      seals: entries.map((one) => bytes(one.sealed.toString('hex'))),
    },
  );
}

export type { Key } from '../kit/http/idempotency.ts';

/**
 * The part `new_key` of a statement: an Idempotency-Key is taken in the commit of what it stands for. `is`: ':' of a
 * parameter.
 */
const keyPart = (is: ':' | '', object_id: string, from: string) => `new_key AS (
    INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, fingerprint, object_id)
    SELECT :merchant_account_id, ${is}route, ${is}key::text, ${is}key_fingerprint, ${object_id}
    ${from}
    WHERE ${is}key IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING object_id
  )`;

/**
 * `guard` names the part that allows the work; null: nothing forbids it. No row: there is no key, or another request
 * has it.
 */
export const newKey = (guard: string | null, object_id: string): string =>
  keyPart(':', object_id, guard === null ? '' : `FROM ${guard}`);

/** Takes the key of each row of `guard`, and gives back the rows whose keys were taken. */
export const newKeys = (guard: string, object_id: string): string => keyPart('', object_id, `FROM ${guard}`);

/** Parameters of both. */
export function keyParameters(key: Key | undefined) {
  return { key: key?.key ?? null, route: key?.route ?? null, key_fingerprint: bytes(key?.fingerprint) };
}

/** Takes a key before the work, within its transaction. False: it was used before. */
export async function takeKey(tx: TenantRunner, key: Key, object_id: string): Promise<boolean> {
  const rows = await tx.run('take_key', `WITH ${newKey(null, ':object_id')} SELECT 1 AS taken FROM new_key`, {
    ...keyParameters(key),
    merchant_account_id: bytes(tx.merchant_account_id),
    object_id: bytes(object_id),
  });
  return rows.length > 0;
}

/** What was answered to a request and cannot be read anew for its repeat. */
export type Kept = Readonly<Record<string, string | number | boolean | null>>;

/** Keeps with a key what its request did, within the transaction that took it. */
export async function keepDone(tx: TenantRunner, { route, key }: Key, done: Kept): Promise<void> {
  await tx.run(
    'keep_done',
    `UPDATE payment.idempotency_keys
     SET done = :done::json
     WHERE merchant_account_id = :merchant_account_id
       AND route = :route
       AND key = :key`,
    { merchant_account_id: bytes(tx.merchant_account_id), route, key, done: JSON.stringify(done) },
  );
}

export type UsedKey = { readonly object_id: string; readonly fingerprint: string };

/** The earlier use of a key, and the body that it came with. */
export async function findUsedKey(
  db: TenantRunner,
  key: Key | undefined,
): Promise<(UsedKey & { readonly done: Kept | null }) | undefined> {
  if (!key) return undefined;
  const rows = await db.run<UsedKey & { readonly done: Kept | null }>(
    'find_used_key',
    `SELECT object_id, fingerprint, done
     FROM payment.idempotency_keys
     WHERE merchant_account_id = :merchant_account_id
       AND route = :route
       AND key = :key`,
    { merchant_account_id: bytes(db.merchant_account_id), route: key.route, key: key.key },
  );
  return rows[0];
}
