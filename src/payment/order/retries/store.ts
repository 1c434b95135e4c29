// Statements on later tries of orders. Who ends or begins one locks the order first, and then its row here.
import type { Ending } from '../../../core/retries/policy.ts';
import { type Runner, bytes } from '../../../kit/database.ts';
import type { HeldNote } from '../../declines/held.ts';
import type { RetryMove } from './plan.ts';

type OfOrder = { readonly merchant_account_id: string; readonly order_id: string };

const ids = ({ merchant_account_id, order_id }: OfOrder) => ({
  merchant_account_id: bytes(merchant_account_id),
  order_id: bytes(order_id),
});

/** A try that is under way is looked at again after this time, if its end was not recorded. */
const WATCH_S = 3600;

/** Within the commit that ended the order's authorization. */
export async function moveRetry(tx: Runner, of: OfOrder, move: RetryMove): Promise<void> {
  const { policy, began_at, until } = move;
  await tx.run(
    'begin_retries',
    `INSERT INTO payment.retries (
       merchant_account_id, order_id, policy, state, until, began_at, due_at)
     VALUES (
       :merchant_account_id, :order_id, :policy, 'running', :until, :began_at,
       payment.now() + make_interval(secs => :watch_s))
     ON CONFLICT DO NOTHING`,
    { ...ids(of), policy, until, began_at, watch_s: WATCH_S },
  );
  if ('ending' in move) await endRetry(tx, of, { ending: move.ending, from: ['running', 'waiting'] });
  else await planRetry(tx, of, move);
}

type Planned = Extract<RetryMove, { readonly next_at: Date }>;

/** The next try of what is under way. */
async function planRetry(tx: Runner, of: OfOrder, { next_at, cause }: Planned): Promise<void> {
  await tx.run(
    'plan_retry',
    `UPDATE payment.retries
     SET state = 'waiting', cause = :cause, next_at = :next_at, due_at = :next_at
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
       AND state = 'running'`,
    { ...ids(of), cause, next_at },
  );
}

export type EndingRetry = {
  readonly ending: Ending;
  /** Only what stands so is ended. */
  readonly from: readonly ('waiting' | 'running')[];
  readonly request_id?: string | null;
};

/** Ends the later tries of the order and notifies the merchant. False: none was waiting. */
export async function endRetry(
  db: Runner,
  of: OfOrder,
  { ending, from, request_id = null }: EndingRetry,
): Promise<boolean> {
  const rows = await db.run(
    'end_retry',
    `WITH standing AS (
       SELECT id
       FROM payment.orders
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
       FOR NO KEY UPDATE
     ),
     ended AS (
       UPDATE payment.retries
       SET
         state = 'ended', ending = :ending, ended_at = payment.now(), next_at = NULL, due_at = NULL
       FROM standing
       WHERE retries.order_id = standing.id
         AND retries.merchant_account_id = :merchant_account_id
         AND retries.state = ANY (:from)
       RETURNING retries.policy, retries.tries, retries.ended_at
     ),
     changed_order AS (
       UPDATE payment.orders
       SET version = version + 1, next_seq = next_seq + 1, updated_at = ended.ended_at
       FROM ended
       WHERE orders.id = :order_id
         AND orders.merchant_account_id = :merchant_account_id
       RETURNING orders.version, orders.next_seq - 1 AS seq, ended.*
     )
     INSERT INTO payment.events (
       subject_id, seq, merchant_account_id, type, request_id, order_version, at, payload)
     SELECT
       :order_id, seq, :merchant_account_id, 'order.retries_ended', :request_id, version, ended_at,
       json_build_object('retry', json_build_object(
         'state', 'ended', 'policy', policy, 'tries', tries, 'tries_left', 0,
         'next_try_date', NULL, 'reason', :ending::text))
     FROM changed_order
     RETURNING 1`,
    { ...ids(of), ending, from, request_id: bytes(request_id) },
  );
  return rows.length > 0;
}

/**
 * The next try begins, in the transaction that accepts it: the order is as it was read, and no other process has ended
 * or begun it. False: it is not so.
 */
export async function takeRetry(tx: Runner, of: OfOrder, version: number): Promise<boolean> {
  const rows = await tx.run(
    'take_retry',
    `WITH mine AS (
       SELECT id
       FROM payment.orders
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
         AND NOT live
         AND winner_id IS NULL
       FOR NO KEY UPDATE
     )
     UPDATE payment.retries
     SET
       state = 'running',
       tries = tries + 1,
       next_at = NULL,
       due_at = payment.now() + make_interval(secs => :watch_s)
     FROM mine
     WHERE retries.order_id = mine.id
       AND retries.merchant_account_id = :merchant_account_id
       AND retries.state = 'waiting'
       AND retries.next_at <= payment.now()
     RETURNING 1`,
    { ...ids(of), version, watch_s: WATCH_S },
  );
  return rows.length > 0;
}

/** The later try is looked at again later; nothing else changes. */
export async function postponeRetry(db: Runner, of: OfOrder, later_s: number): Promise<void> {
  await db.run(
    'postpone_retry',
    `UPDATE payment.retries
     SET due_at = payment.now() + make_interval(secs => :later_s)
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
       AND state <> 'ended'`,
    { ...ids(of), later_s },
  );
}

/** The scheme wants it later than it was planned. */
export async function deferRetry(db: Runner, of: OfOrder, next_at: Date): Promise<void> {
  await db.run(
    'defer_retry',
    `UPDATE payment.retries
     SET cause = 'advice', next_at = :next_at, due_at = :next_at
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
       AND state = 'waiting'`,
    { ...ids(of), next_at },
  );
}

/** Notes on the try before that the next try was held back. */
export async function noteHeld(db: Runner, of: OfOrder, held: HeldNote): Promise<void> {
  await db.run(
    'note_held_retry',
    `UPDATE payment.transactions
     SET held = :held
     WHERE merchant_account_id = :merchant_account_id
       AND order_id = :order_id
       AND id = (
         SELECT id
         FROM payment.transactions
         WHERE merchant_account_id = :merchant_account_id
           AND order_id = :order_id
         ORDER BY attempt DESC
         LIMIT 1
       )`,
    { ...ids(of), held: JSON.stringify(held) },
  );
}

/** Takes orders that are due, each for one worker at a time. */
export async function claimRetries(db: Runner, claim: { room: number; lease_s: number }): Promise<readonly OfOrder[]> {
  return db.run<OfOrder>(
    'claim_retries',
    `-- any account: those of all of them
     SELECT merchant_account_id, order_id
     FROM payment.claim_retries(:room, make_interval(secs => :lease_s))`,
    claim,
  );
}

/**
 * A later order for the same purchase, paid or on its way; or an earlier one that was paid since: by a later try of its
 * own, or by a PUT. An earlier one that was paid before is another purchase, to which the merchant gave the same
 * reference.
 */
const RIVAL = `rival.merchant_account_id = :merchant_account_id
       AND rival.order_merchant_id = mine.order_merchant_id
       AND CASE
         WHEN rival.id > mine.id THEN rival.live OR rival.winner_id IS NOT NULL
         ELSE rival.id < mine.id
           AND EXISTS (
             SELECT 1
             FROM payment.operations paid
             WHERE paid.order_id = rival.id
               AND paid.id = rival.winner_id
               AND paid.merchant_account_id = :merchant_account_id
               AND paid.settled_at >= mine.created_at
           )
       END`;

export type Rival = { readonly paid: boolean };

/**
 * Undefined: there is none. Behind the row of a try itself that is certain: no other order of the reference can go to a
 * provider any more, and one that was being paid, for whose end the index one_at_provider waited, is seen.
 */
export async function findRival(db: Runner, of: OfOrder): Promise<Rival | undefined> {
  const rows = await db.run<Rival>(
    'find_rival',
    `SELECT rival.winner_id IS NOT NULL AS paid
     FROM payment.orders mine
     JOIN payment.orders rival ON ${RIVAL}
     WHERE mine.id = :order_id
       AND mine.merchant_account_id = :merchant_account_id
     ORDER BY paid DESC
     LIMIT 1`,
    ids(of),
  );
  return rows[0];
}
