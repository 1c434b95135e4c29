// Statements of key rotation. Old is every data key with an id up to that of the newest one when the rotation began,
// and every key wrapped by the key-encryption key of that moment.
import { type Runner, bytes } from '../../kit/database.ts';
import type { DataKeyRow, Purpose } from '../keys/store.ts';

export type RotationKind = 'kek' | 'data' | 'fingerprint';
export type RotationRow = {
  readonly id: bigint;
  readonly kind: RotationKind;
  readonly from_ref: string;
  readonly from_id: bigint;
  readonly cursor: string;
  readonly started_at: Date;
};

export async function findRotation(db: Runner, kind: RotationKind): Promise<RotationRow | undefined> {
  const rows = await db.run<RotationRow>(
    'find_rotation',
    `SELECT id, kind, from_ref, from_id, cursor, started_at
     FROM vault.rotations
     WHERE kind = :kind
       AND finished_at IS NULL`,
    { kind },
  );
  return rows[0];
}

/** False: there is one under way. */
export async function insertRotation(db: Runner, kind: RotationKind, actor: string): Promise<boolean> {
  const rows = await db.run(
    'insert_rotation',
    `INSERT INTO vault.rotations (
       kind, actor, from_ref, from_id)
     SELECT
       :kind, :actor, kek_ref, (SELECT coalesce(max(id), 0) FROM vault.data_keys WHERE id > 0)
     FROM vault.key_epoch
     WHERE one = true
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    { kind, actor },
  );
  return rows.length > 0;
}

export async function finishRotation(db: Runner, id: bigint): Promise<void> {
  await db.run('finish_rotation', `UPDATE vault.rotations SET finished_at = vault.now() WHERE id = :id`, { id });
}

export async function moveCursor(db: Runner, id: bigint, cursor: string): Promise<void> {
  await db.run('move_rotation', `UPDATE vault.rotations SET cursor = :cursor WHERE id = :id`, {
    id,
    cursor: bytes(cursor),
  });
}

/** Tells every process that keys were changed. */
export async function bumpEpoch(db: Runner): Promise<void> {
  await db.run('bump_key_epoch', `UPDATE vault.key_epoch SET epoch = epoch + 1 WHERE one = true`);
}

/** Switches the key: from now on nothing is wrapped by the old one. False: the present key was another one already. */
export async function switchKek(db: Runner, from_ref: string, to_ref: string): Promise<boolean> {
  const rows = await db.run(
    'switch_kek',
    `UPDATE vault.key_epoch
     SET kek_ref = :to_ref, epoch = epoch + 1
     WHERE one = true
       AND kek_ref = :from_ref
     RETURNING 1`,
    { from_ref, to_ref },
  );
  return rows.length > 0;
}

export async function findKeysOfKek(db: Runner, kek_ref: string): Promise<readonly DataKeyRow[]> {
  return db.run<DataKeyRow>(
    'find_keys_of_kek',
    `SELECT id, purpose, merchant_account_id, version, state, kek_ref, wrapped
     FROM vault.data_keys
     WHERE kek_ref = :kek_ref
       AND state <> 'destroyed'
     ORDER BY id
     LIMIT 200`,
    { kek_ref },
  );
}

export async function countKeysOfKek(db: Runner, kek_ref: string): Promise<number> {
  const rows = await db.run<{ n: number }>(
    'count_keys_of_kek',
    `SELECT count(*)::int AS n
     FROM vault.data_keys
     WHERE kek_ref = :kek_ref
       AND state <> 'destroyed'`,
    { kek_ref },
  );
  return rows[0]?.n ?? 0;
}

export async function rewrapKeys(
  db: Runner,
  asked: {
    readonly from_ref: string;
    readonly to_ref: string;
    readonly ids: readonly bigint[];
    readonly wrapped: readonly string[];
  },
): Promise<void> {
  await db.run(
    'rewrap_keys',
    `UPDATE vault.data_keys k
     SET kek_ref = :to_ref, wrapped = n.wrapped
     FROM (SELECT unnest(:ids::bigint[]) AS id, unnest(:wrapped::bytea[]) AS wrapped) n
     WHERE k.id = n.id
       AND k.kek_ref = :from_ref
       AND k.state <> 'destroyed'`,
    { ...asked, wrapped: asked.wrapped.map((hex) => bytes(hex)) },
  );
}

/** Keys of cvc generations that the old key-encryption key wraps. */
export async function findCvcKeysOfKek(
  db: Runner,
  kek_ref: string,
): Promise<readonly { readonly generation: number; readonly kek_ref: string; readonly wrapped: string }[]> {
  return db.run(
    'find_cvc_keys_of_kek',
    `SELECT generation, kek_ref, wrapped
     FROM vault.cvc_keys
     WHERE slot IN (0, 1, 2, 3, 4, 5, 6, 7)
       AND kek_ref = :kek_ref`,
    { kek_ref },
  );
}

/** Old keys of a purpose and state, oldest first. */
export async function findOldKeys(
  db: Runner,
  asked: { readonly purpose: Purpose; readonly state: string; readonly from_id: bigint; readonly after: bigint },
): Promise<readonly DataKeyRow[]> {
  return db.run<DataKeyRow>(
    'find_old_keys',
    `SELECT id, purpose, merchant_account_id, version, state, kek_ref, wrapped
     FROM vault.data_keys
     WHERE purpose = :purpose
       AND state = :state
       AND id > :after
       AND id <= :from_id
     ORDER BY id
     LIMIT 100`,
    asked,
  );
}

export async function moveKey(
  db: Runner,
  move: { readonly id: bigint; readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await db.run(
    'move_data_key',
    `UPDATE vault.data_keys
     SET state = :to
     WHERE id = :id
       AND state = :from
     RETURNING 1`,
    move,
  );
  return rows.length > 0;
}

/** Old keys that nothing is written with any more. */
export async function closeKeys(db: Runner, purpose: Purpose, from_id: bigint): Promise<void> {
  await db.run(
    'close_keys',
    `UPDATE vault.data_keys
     SET state = 'closed'
     WHERE purpose = :purpose
       AND state = 'retired'
       AND id <= :from_id`,
    { purpose, from_id },
  );
}

/** Destroys the closed keys that no card is sealed with. What they sealed cannot be read any more. */
export async function destroyKeys(
  db: Runner,
  purpose: Purpose,
  from_id: bigint,
): Promise<readonly { readonly id: bigint; readonly merchant_account_id: string | null; readonly version: number }[]> {
  return db.run(
    'destroy_keys',
    `UPDATE vault.data_keys k
     SET state = 'destroyed', wrapped = NULL, destroyed_at = vault.now()
     WHERE purpose = :purpose
       AND state = 'closed'
       AND id <= :from_id
       AND NOT EXISTS (SELECT FROM vault.cards c WHERE c.data_key_id = k.id)
       AND NOT EXISTS (
         SELECT
         FROM vault.contracts c
         WHERE substring(c.credentials_sealed FROM 2 FOR 8) = int8send(k.id)
       )
     RETURNING id, merchant_account_id, version`,
    { purpose, from_id },
  );
}

/** Drops the fingerprints under a key that is closed, some at a time. */
export async function deleteFingerprints(db: Runner, merchant_account_id: string, key_id: bigint): Promise<number> {
  const rows = await db.run<{ n: number }>(
    'delete_fingerprints',
    `WITH deleted AS (
       DELETE FROM vault.fingerprints
       WHERE merchant_account_id = :merchant_account_id
         AND key_id = :key_id
         AND mac IN (
           SELECT mac
           FROM vault.fingerprints
           WHERE merchant_account_id = :merchant_account_id
             AND key_id = :key_id
           LIMIT 1000
         )
       RETURNING 1
     )
     SELECT count(*)::int AS n FROM deleted`,
    { merchant_account_id: bytes(merchant_account_id), key_id },
  );
  return rows[0]?.n ?? 0;
}
