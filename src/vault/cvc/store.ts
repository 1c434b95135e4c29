// Statements on the cvcs that wait for their authorization, for several vault processes. Both tables are UNLOGGED.
import { type Runner, bytes } from '../../kit/database.ts';

/** Stands for "no checkout in particular": part of the primary key. */
const NO_CHECKOUT = '0'.repeat(24);
const SLOTS = 8;

function slotOf(generation: number): number {
  return generation % SLOTS;
}

export type CvcKeyRow = { readonly generation: number; readonly kek_ref: string; readonly wrapped: string };

/** The key of a generation: the first process to want one stores it, all others take that one. */
export async function insertCvcKey(
  db: Runner,
  key: { readonly generation: number; readonly kek_ref: string; readonly wrapped: Buffer },
): Promise<void> {
  await db.run(
    'insert_cvc_key',
    `WITH same_epoch AS (
       SELECT kek_ref
       FROM vault.key_epoch
       WHERE one = true
         AND kek_ref = :kek_ref
       FOR SHARE
     )
     INSERT INTO vault.cvc_keys (slot, generation, kek_ref, wrapped)
     SELECT :slot, :generation, kek_ref, :wrapped::bytea
     FROM same_epoch
     ON CONFLICT DO NOTHING`,
    { ...key, slot: slotOf(key.generation) },
  );
}

export async function findCvcKey(db: Runner, generation: number): Promise<CvcKeyRow | undefined> {
  const rows = await db.run<CvcKeyRow>(
    'find_cvc_key',
    `SELECT generation, kek_ref, wrapped
     FROM vault.cvc_keys
     WHERE slot = :slot
       AND generation = :generation`,
    { slot: slotOf(generation), generation },
  );
  return rows[0];
}

export async function rewrapCvcKey(
  db: Runner,
  key: CvcKeyRow & { readonly new_ref: string; readonly again: Buffer },
): Promise<void> {
  await db.run(
    'rewrap_cvc_key',
    `UPDATE vault.cvc_keys
     SET kek_ref = :new_ref, wrapped = :again
     WHERE slot = :slot
       AND generation = :generation
       AND kek_ref = :kek_ref`,
    { ...key, slot: slotOf(key.generation) },
  );
}

export type CvcRow = {
  readonly token_hash: string;
  readonly checkout_id: string;
  readonly generation: number;
  readonly sealed: string;
  readonly expires_at: Date;
};

/**
 * Keeps one; an earlier one of the same generation and bounds is replaced, one of an earlier generation loses when
 * taken. False: the generation's key is not the one that sealed it any more, and nothing was kept.
 */
export async function putCvc(
  db: Runner,
  cvc: {
    token_hash: string;
    checkout_id: string | null;
    generation: number;
    sealed: Buffer;
    /** The key that sealed it, as it is stored. */
    wrapped: string;
    expires_at: Date;
  },
): Promise<boolean> {
  const rows = await db.run(
    'put_cvc',
    `INSERT INTO vault.cvcs (slot, token_hash, checkout_id, generation, sealed, expires_at)
     SELECT
       slot, :token_hash::bytea, :checkout_id::bytea, generation, :sealed::bytea,
       :expires_at::timestamptz
     FROM vault.cvc_keys
     WHERE slot = :slot
       AND generation = :generation
       AND wrapped = :wrapped
     ON CONFLICT (slot, token_hash, checkout_id) DO UPDATE SET
       generation = excluded.generation,
       sealed = excluded.sealed,
       expires_at = excluded.expires_at
     RETURNING 1`,
    {
      ...cvc,
      slot: slotOf(cvc.generation),
      token_hash: bytes(cvc.token_hash),
      checkout_id: bytes(cvc.checkout_id ?? NO_CHECKOUT),
      wrapped: bytes(cvc.wrapped),
    },
  );
  return rows.length > 0;
}

export async function hasCvc(
  db: Runner,
  asked: { readonly token_hash: string; readonly checkout_id: string | null; readonly now: Date },
): Promise<boolean> {
  const rows = await db.run(
    'has_cvc',
    `SELECT 1
     FROM vault.cvcs
     WHERE slot IN (0, 1, 2, 3, 4, 5, 6, 7)
       AND token_hash = :token_hash
       AND checkout_id IN (:checkout_id, '\\x000000000000000000000000')
       AND expires_at > :now
     LIMIT 1`,
    { token_hash: bytes(asked.token_hash), checkout_id: bytes(asked.checkout_id ?? NO_CHECKOUT), now: asked.now },
  );
  return rows.length > 0;
}

/** Takes out all that a payment of this checkout could use: exactly one process gets them. */
export async function takeCvcs(db: Runner, token_hash: string, checkout_id: string | null): Promise<readonly CvcRow[]> {
  return db.run<CvcRow>(
    'take_cvcs',
    `DELETE FROM vault.cvcs
     WHERE slot IN (0, 1, 2, 3, 4, 5, 6, 7)
       AND token_hash = :token_hash
       AND checkout_id IN (:checkout_id, '\\x000000000000000000000000')
     RETURNING token_hash, checkout_id, generation, sealed, expires_at`,
    { token_hash: bytes(token_hash), checkout_id: bytes(checkout_id ?? NO_CHECKOUT) },
  );
}

/** Deletes what waits for a token, for any checkout. */
export async function deleteCvcs(db: Runner, token_hash: string): Promise<void> {
  await db.run(
    'delete_cvcs',
    `DELETE FROM vault.cvcs
     WHERE slot IN (0, 1, 2, 3, 4, 5, 6, 7)
       AND token_hash = :token_hash`,
    { token_hash: bytes(token_hash) },
  );
}

/** Which slots hold a generation as old as this or older. */
export async function findOldGenerations(
  db: Runner,
  generation: number,
): Promise<readonly { readonly slot: number }[]> {
  return db.run<{ slot: number }>(
    'find_old_generations',
    `SELECT DISTINCT slot
     FROM vault.cvc_keys
     WHERE slot IN (0, 1, 2, 3, 4, 5, 6, 7)
       AND generation <= :generation`,
    { generation },
  );
}

/** Drops the files of a slot: its ciphertexts and the key that opened them. */
export async function dropCvcSlot(db: Runner, slot: number): Promise<void> {
  await db.run('drop_cvc_slot', `SELECT vault.drop_cvc_slot(:slot::int)`, { slot });
}
