// Statements on notifications as a merchant sees them: listed, and sent again.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
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

/** Those that fit all filters and are older than `before`, newest first. */
export async function findNotifications(
  db: TenantRunner,
  { filters, before, room }: { filters: Filters; before: string | null; room: number },
): Promise<readonly NotificationRow[]> {
  return db.run<NotificationRow>(
    'find_notifications',
    `SELECT id, merchant_account_id, endpoint_id, event, order_id, sequence, previous_sequence, state, tries, last_status, last_error, due_at, created_at, facts, body
     FROM payment.notifications WHERE merchant_account_id = :merchant_account_id AND (:before::bytea IS NULL OR id < :before)
       AND (:endpoint_id::bytea IS NULL OR endpoint_id = :endpoint_id) AND (:order_id::bytea IS NULL OR order_id = :order_id) AND (:event::text IS NULL OR event = :event)
       AND (:state::text IS NULL OR state = :state) AND (:created_from::timestamptz IS NULL OR created_at >= :created_from) AND (:created_to::timestamptz IS NULL OR created_at < :created_to)
     ORDER BY id DESC LIMIT :room`,
    {
      ...filters,
      room,
      merchant_account_id: bytes(db.merchant_account_id),
      before: bytes(before),
      endpoint_id: bytes(filters.endpoint_id),
      order_id: bytes(filters.order_id),
    },
  );
}

/** Where it stands with its endpoint; undefined: the account has no such notification. */
export async function findForReplay(
  db: Tx,
  id: string,
): Promise<{ readonly endpoint_state: string | null } | undefined> {
  const rows = await db.run<{ endpoint_state: string | null }>(
    'find_notification_for_replay',
    `SELECT e.state AS endpoint_state FROM payment.notifications n LEFT JOIN payment.endpoints e ON e.id = n.endpoint_id AND e.merchant_account_id = :merchant_account_id
     WHERE n.merchant_account_id = :merchant_account_id AND n.id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

/** Due at once, with all its tries before it, whatever it was before. One that is being sent at this moment just goes on. */
export async function replayNotification(db: Tx, id: string): Promise<void> {
  await db.run(
    'replay_notification',
    `UPDATE payment.notifications SET state = 'waiting', tries = 0, next_at = payment.now(), due_at = payment.now(), leased_until = NULL
     WHERE merchant_account_id = :merchant_account_id AND id = :id AND (leased_until IS NULL OR leased_until <= clock_timestamp())`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
}

export type Range = {
  readonly endpoint_id: string;
  readonly state: 'delivered' | 'parked';
  readonly created_from: Date | null;
  readonly created_to: Date | null;
  readonly room: number;
};

/** The oldest of a range again, at most `room`. Answers how many there were. */
export async function replayRange(db: Tx, range: Range): Promise<number> {
  const rows = await db.run<{ count: bigint }>(
    'replay_notifications',
    `WITH r AS (SELECT n.id FROM payment.notifications n WHERE n.merchant_account_id = :merchant_account_id AND n.endpoint_id = :endpoint_id AND n.state = :state AND n.event <> 'test'
         AND (:created_from::timestamptz IS NULL OR n.created_at >= :created_from) AND (:created_to::timestamptz IS NULL OR n.created_at < :created_to) ORDER BY n.id LIMIT :room FOR NO KEY UPDATE),
     u AS (UPDATE payment.notifications n SET state = 'waiting', tries = 0, next_at = payment.now(), due_at = payment.now() FROM r
         WHERE n.merchant_account_id = :merchant_account_id AND n.id = r.id RETURNING 1)
     SELECT count(*) AS count FROM u`,
    { ...range, merchant_account_id: bytes(db.merchant_account_id), endpoint_id: bytes(range.endpoint_id) },
  );
  return Number(rows[0]?.count ?? 0n);
}
