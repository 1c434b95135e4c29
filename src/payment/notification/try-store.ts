// Statements on how a try to deliver a notification ended: delivered, failed, or the endpoint is gone.
import { type TenantRunner, bytes } from '../../kit/database.ts';
import type { Claimed } from './queue-store.ts';
import { FREED_AGAIN_S, LEASE_S, OUTAGE_S, PROBE_EVERY_S } from './schedule.ts';

export type Ended = Pick<Claimed, 'id' | 'endpoint_id' | 'subject_id' | 'sequence'> & {
  readonly status: number | null;
  readonly duration_ms: number;
};

/**
 * How many notifications of one endpoint one statement changes at most. An outage is over when a success finds fewer;
 * if the endpoint has ended, later claims end the rest.
 */
const MOST_AT_ONCE = 5000;

/**
 * The receiver took a notification: that counts whoever says it, also where it was parked while this try was under way.
 * It is found by its id, because very many may wait there. The next one of its order may go. If tries at the endpoint
 * have failed since its last success, waiting notifications may go too (contract 13.3): after an outage all of them at
 * once. Otherwise a notification that was brought forward before waits until it may be brought forward again
 * (schedule.ts), and so do the later ones of its order.
 */
export async function endDelivered(db: TenantRunner, ended: Ended): Promise<void> {
  await db.run(
    'end_delivered_notification',
    // one statement: the notification, its endpoint and what waits there move in one commit and one round trip
    `WITH delivered AS (
       UPDATE payment.notifications
       SET
         state = 'delivered',
         tries = tries + 1,
         last_status = :status,
         last_error = NULL,
         duration_ms = :duration_ms,
         leased_until = NULL
       WHERE merchant_account_id = :merchant_account_id
         AND id = :id
         AND state <> 'delivered'
       RETURNING 1
     ),
     failing_endpoint AS (
       SELECT x.id, x.failing_since < payment.now() - make_interval(secs => :outage_s) AS was_out
       FROM payment.endpoints x
       WHERE x.id = :endpoint_id
         AND x.merchant_account_id = :merchant_account_id
         AND x.failing_since IS NOT NULL
       FOR NO KEY UPDATE
     ),
     freed AS MATERIALIZED (
       SELECT y.id::bytea AS id
       FROM failing_endpoint
       CROSS JOIN payment.notifications y
       WHERE y.merchant_account_id = :merchant_account_id
         AND y.endpoint_id = :endpoint_id
         AND y.state = 'waiting'
         AND y.due_at > (SELECT payment.now())
         AND y.leased_until IS NULL
         AND y.id <> :id
         AND (
           failing_endpoint.was_out
           OR y.subject_id <> :subject_id AND coalesce(y.free_from < y.due_at, true)
         )
       ORDER BY y.due_at
       LIMIT :most
     ),
     well_endpoint AS (
       UPDATE payment.endpoints x
       SET failing_since = NULL
       FROM failing_endpoint
       WHERE x.id = failing_endpoint.id
         AND x.merchant_account_id = :merchant_account_id
         AND (SELECT count(*) FROM freed) < :most
     ),
     brought_forward AS (
       UPDATE payment.notifications x
       SET
         due_at = CASE WHEN t.was_out THEN t.now ELSE greatest(t.now, x.free_from) END,
         free_from = CASE WHEN t.was_out THEN t.now ELSE greatest(t.now, x.free_from) END
           + greatest(
             make_interval(secs => :again_s),
             CASE WHEN t.was_out THEN t.now ELSE greatest(t.now, x.free_from) END - x.created_at)
       FROM (SELECT payment.now() AS now, failing_endpoint.was_out FROM failing_endpoint) t
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.id = ANY (ARRAY(SELECT freed.id FROM freed))
     )
     UPDATE payment.notifications x
     SET due_at = x.next_at
     WHERE EXISTS (SELECT 1 FROM delivered)
       AND NOT EXISTS (SELECT 1 FROM failing_endpoint WHERE failing_endpoint.was_out)
       AND x.merchant_account_id = :merchant_account_id
       AND x.endpoint_id = :endpoint_id
       AND x.subject_id = :subject_id
       AND x.sequence > :sequence
       AND x.state = 'waiting'
       AND x.due_at <> x.next_at`,
    { ...parametersOf(db, ended), outage_s: OUTAGE_S, again_s: FREED_AGAIN_S, most: MOST_AT_ONCE },
  );
}

export type Failed = Ended & {
  readonly error: string;
  readonly scheduled: boolean;
  /** As they were when it was taken; others since: it was asked for again, and is due as that says. */
  readonly tries: number;
  /**
   * Seconds until the next try; null: there is none, and the notification is parked. It means nothing for a try beside
   * the schedule.
   */
  readonly delay_s: number | null;
  /** How long the receiver asked us to leave it alone. */
  readonly wish_s: number;
};

/**
 * A try failed. A try of the schedule counts, and the others of the order wait behind it. The endpoint is failing from
 * its first failure on, and is probed from then on.
 */
export async function endFailed(db: TenantRunner, failed: Failed): Promise<void> {
  const { error, scheduled, tries, delay_s, wish_s } = failed;
  await db.run(
    'end_failed_notification',
    `WITH failed AS (
       UPDATE payment.notifications
       SET
         tries = tries + CASE WHEN :scheduled AND tries = :tries THEN 1 ELSE 0 END,
         state = CASE
           WHEN :scheduled AND tries = :tries AND :delay_s::int IS NULL THEN 'parked'
           ELSE state
         END,
         next_at = CASE
           WHEN :scheduled AND tries = :tries
             THEN payment.now() + make_interval(secs => coalesce(:delay_s, 0))
           ELSE next_at
         END,
         due_at = CASE
           WHEN :scheduled AND tries = :tries
             THEN payment.now() + make_interval(secs => coalesce(:delay_s, 0))
           ELSE next_at
         END,
         last_status = :status,
         last_error = :error,
         duration_ms = :duration_ms,
         leased_until = NULL,
         free_from = CASE
           WHEN :wish_s > 0 THEN greatest(free_from, payment.now() + make_interval(secs => :wish_s))
           ELSE free_from
         END
       WHERE merchant_account_id = :merchant_account_id
         AND id = :id
         AND state NOT IN ('delivered', 'parked')
       RETURNING state, due_at, free_from
     ),
     failing_endpoint AS (
       UPDATE payment.endpoints x
       SET
         failing_since = coalesce(failing_since, payment.now()),
         probe_at = greatest(CASE
           WHEN failing_since IS NULL THEN payment.now() + make_interval(secs => :probe_every_s)
           ELSE probe_at
         END, payment.now() + make_interval(secs => :wish_s))
       WHERE x.id = :endpoint_id
         AND x.merchant_account_id = :merchant_account_id
         AND (x.failing_since IS NULL OR :wish_s > 0)
     )
     UPDATE payment.notifications x
     SET
       due_at = CASE
         WHEN (SELECT failed.state FROM failed) = 'parked' THEN x.next_at
         ELSE greatest((SELECT failed.due_at FROM failed), x.next_at)
       END,
       free_from = (SELECT failed.free_from FROM failed)
     WHERE EXISTS (SELECT 1 FROM failed)
       AND x.merchant_account_id = :merchant_account_id
       AND x.endpoint_id = :endpoint_id
       AND x.subject_id = :subject_id
       AND x.sequence > :sequence
       AND x.state = 'waiting'`,
    { ...parametersOf(db, failed), error, scheduled, tries, delay_s, wish_s, probe_every_s: PROBE_EVERY_S },
  );
}

/**
 * The receiver said that it is gone: nothing more is sent there, and waiting notifications are kept to be seen. Nothing
 * where this try, begun within its lease, has the notification no more: another answer has switched the endpoint off,
 * or another try has delivered it or sends it again, and a person may have switched the endpoint on since.
 */
export async function switchOff(db: TenantRunner, ended: Ended): Promise<void> {
  await db.run(
    'switch_endpoint_off',
    `WITH tried AS MATERIALIZED (
       SELECT 1
       FROM payment.notifications
       WHERE merchant_account_id = :merchant_account_id
         AND id = :id
         AND state NOT IN ('delivered', 'parked')
         AND leased_until - make_interval(secs => :lease_s)
           <= clock_timestamp() - make_interval(secs => :duration_ms / 1000.0)
     ),
     switched_off AS (
       UPDATE payment.endpoints
       SET state = 'off', failing_since = coalesce(failing_since, payment.now())
       WHERE id = :endpoint_id
         AND merchant_account_id = :merchant_account_id
         AND state = 'on'
         AND EXISTS (SELECT 1 FROM tried)
     ),
     first_waiting AS MATERIALIZED (
       SELECT n.id::bytea AS id
       FROM payment.notifications n
       WHERE n.merchant_account_id = :merchant_account_id
         AND n.endpoint_id = :endpoint_id
         AND n.state = 'waiting'
         AND EXISTS (SELECT 1 FROM tried)
       ORDER BY n.due_at
       LIMIT :most
     )
     UPDATE payment.notifications
     SET
       state = 'parked',
       leased_until = NULL,
       last_error = 'the endpoint is switched off',
       tries = tries + CASE WHEN id = :id THEN 1 ELSE 0 END,
       last_status = CASE WHEN id = :id THEN :status ELSE last_status END,
       duration_ms = CASE WHEN id = :id THEN :duration_ms ELSE duration_ms END
     WHERE merchant_account_id = :merchant_account_id
       AND EXISTS (SELECT 1 FROM tried)
         -- by ids alone: found by their key, however many wait

       AND id = ANY (array_append(ARRAY(SELECT first_waiting.id FROM first_waiting), :id::bytea))
       AND state NOT IN ('delivered', 'parked')`,
    { ...endpointParameters(db, ended), lease_s: LEASE_S, most: MOST_AT_ONCE },
  );
}

function parametersOf(db: TenantRunner, ended: Ended) {
  const { subject_id, sequence } = ended;
  return { ...endpointParameters(db, ended), subject_id: bytes(subject_id), sequence };
}

function endpointParameters(db: TenantRunner, { id, endpoint_id, status, duration_ms }: Ended) {
  return {
    merchant_account_id: bytes(db.merchant_account_id),
    id: bytes(id),
    endpoint_id: bytes(endpoint_id),
    status,
    duration_ms,
  };
}
