// Statements on notifications as a merchant sees them: listed, and sent again.
import { HIGHEST_ID, idAt } from '../../../core/ids.ts';
import { type Parameters, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { Facts } from '../body.ts';
import type { Tx } from '../endpoint/store.ts';

export type NotificationRow = {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly endpoint_id: string;
  readonly event: string;
  readonly order_id: string | null;
  readonly sequence: number;
  readonly previous_sequence: number | null;
  readonly state: 'waiting' | 'delivered' | 'parked';
  readonly tries: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly due_at: Date;
  readonly created_at: Date;
  readonly facts: Facts;
  readonly body: string | null;
};

export type Filters = {
  readonly endpoint_id: string | null;
  readonly order_id: string | null;
  readonly event: string | null;
  readonly state: string | null;
  readonly created_from: Date | null;
  readonly created_to: Date | null;
};

export type Listing = {
  readonly filters: Filters;
  /** Only those with a lower id; null: from the newest on. */
  readonly before: string | null;
  readonly room: number;
};

/**
 * Notifications that fit all filters and are older than `before`, newest first. The database plans without the values
 * of parameters, so each filter that finds few rows has a statement of its own; the other filters are applied to its
 * rows.
 */
export async function findNotifications(db: TenantRunner, listing: Listing): Promise<readonly NotificationRow[]> {
  const { order_id, state, event, endpoint_id } = listing.filters;
  const asked = listingParameters(db, listing);
  if (order_id !== null)
    return db.run(
      'find_notifications_of_order',
      listed('n.order_id = :order_id', OF_STATE, OF_EVENT, OF_ENDPOINT),
      asked,
    );
  // those that are not delivered: the delivered ones are nearly all there are
  if (state === 'waiting' || state === 'parked')
    return db.run(
      'find_notifications_of_state',
      listed('n.state = :state', "n.state <> 'delivered'", OF_EVENT, OF_ENDPOINT),
      asked,
    );
  if (event !== null)
    return db.run('find_notifications_of_event', listed('n.event = :event', OF_STATE, OF_ENDPOINT), asked);
  if (endpoint_id !== null)
    return db.run('find_notifications_of_endpoint', listed('n.endpoint_id = :endpoint_id', OF_STATE), asked);
  return db.run('find_notifications', listed(OF_STATE), asked);
}

function listed(...conditions: readonly string[]): string {
  return `SELECT
       n.id, n.merchant_account_id, n.endpoint_id, n.event, n.order_id, n.sequence,
       n.previous_sequence, n.state, n.tries, n.last_status, n.last_error, n.due_at, n.created_at,
       n.facts, n.body
     FROM payment.notifications n
     WHERE n.merchant_account_id = :merchant_account_id
       AND ${conditions.join(' AND ')}
       AND ${IN_TIME}
     ORDER BY n.id DESC
     LIMIT :room`;
}

/** The range of ids is what an index is asked for; near its ends the date decides. */
const IN_TIME = `n.id > :after
    AND n.id < :before
    AND (:created_from::timestamptz IS NULL OR n.created_at >= :created_from)
    AND (:created_to::timestamptz IS NULL OR n.created_at < :created_to)`;
const OF_STATE = '(:state::text IS NULL OR n.state = :state)';
const OF_EVENT = '(:event::text IS NULL OR n.event = :event)';
const OF_ENDPOINT = '(:endpoint_id::bytea IS NULL OR n.endpoint_id = :endpoint_id)';

function listingParameters(db: TenantRunner, { filters, before, room }: Listing): Parameters {
  const { created_from, created_to, order_id, endpoint_id } = filters;
  const newest = created_to && idAt(created_to.getTime() + APART_MS);
  return {
    ...filters,
    merchant_account_id: bytes(db.merchant_account_id),
    order_id: bytes(order_id),
    endpoint_id: bytes(endpoint_id),
    after: bytes(afterOf(created_from)),
    before: bytes([before, newest].filter((id) => id !== null).toSorted()[0] ?? HIGHEST_ID),
    room,
  };
}

/** The date of a test may be by so much another one than its id says: they came from two clocks once. */
const APART_MS = 5000;

function afterOf(created_from: Date | null): string {
  return created_from ? idAt(created_from.getTime() - APART_MS) : '';
}

/** The state of a notification and of its endpoint; undefined: the account has no such notification. */
export async function findForReplay(
  db: Tx,
  id: string,
): Promise<{ readonly endpoint_state: string | null } | undefined> {
  const rows = await db.run<{ endpoint_state: string | null }>(
    'find_notification_for_replay',
    `SELECT e.state AS endpoint_state
     FROM payment.notifications n
     LEFT JOIN payment.endpoints e
       ON e.id = n.endpoint_id
       AND e.merchant_account_id = :merchant_account_id
     WHERE n.merchant_account_id = :merchant_account_id
       AND n.id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

/**
 * Due at once, with all its tries before it, whatever it was before. One that is being sent at this moment goes on, and
 * is due again if that fails.
 */
export async function replayNotification(db: Tx, id: string): Promise<void> {
  await db.run(
    'replay_notification',
    `UPDATE payment.notifications
     SET
       state = 'waiting',
       tries = 0,
       next_at = payment.now(),
       due_at = payment.now(),
       leased_until = CASE WHEN leased_until > clock_timestamp() THEN leased_until END
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
}

export type Range = {
  readonly endpoint_id: string;
  readonly state: 'delivered' | 'parked';
  readonly created_from: Date | null;
  readonly created_to: Date | null;
  /** Only those with a higher id; null: from the oldest on. */
  readonly after: string | null;
  readonly room: number;
};

export type Replayed = {
  readonly count: number;
  /** The newest of them; null: there was none. */
  readonly last: string | null;
};

/** The oldest of a range again, at most `room`. */
export async function replayRange(db: Tx, range: Range): Promise<Replayed> {
  const { state, endpoint_id, created_from, created_to, after } = range;
  const lowest = afterOf(created_from);
  const asked = {
    created_from,
    created_to,
    room: range.room,
    merchant_account_id: bytes(db.merchant_account_id),
    endpoint_id: bytes(endpoint_id),
    after: bytes(after !== null && after > lowest ? after : lowest),
    before: bytes(created_to ? idAt(created_to.getTime() + APART_MS) : HIGHEST_ID),
  };
  const [done] = await (state === 'parked'
    ? db.run<ReplayedRow>('replay_parked_notifications', replayed("n.state = 'parked'"), asked)
    : db.run<ReplayedRow>('replay_delivered_notifications', replayed("n.state = 'delivered'"), asked));
  return { count: Number(done?.count ?? 0n), last: done?.last ?? null };
}

type ReplayedRow = { readonly count: bigint; readonly last: string | null };

function replayed(of_state: string): string {
  // an array, and no join: on a fresh database that would compare each with every notification of the account
  return `WITH replayed AS MATERIALIZED (
       SELECT n.id
       FROM payment.notifications n
       WHERE n.merchant_account_id = :merchant_account_id
         AND n.endpoint_id = :endpoint_id
         AND ${of_state}
         AND n.event <> 'test'
         AND ${IN_TIME}
       ORDER BY n.id
       LIMIT :room
       FOR NO KEY UPDATE
     ),
     sent_again AS (
       UPDATE payment.notifications n
       SET state = 'waiting', tries = 0, next_at = payment.now(), due_at = payment.now()
       WHERE n.merchant_account_id = :merchant_account_id
         AND n.id = ANY (ARRAY(SELECT replayed.id FROM replayed))
       RETURNING 1
     )
     SELECT
       (SELECT count(*) FROM sent_again) AS count,
       (
         SELECT replayed.id
         FROM replayed
         ORDER BY replayed.id DESC
         LIMIT 1
       ) AS last`;
}
