// Statements on the queue of notifications, across all accounts: which endpoints have something to send, and which
// notifications one worker takes.
import { type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import type { Facts } from './body.ts';
import { ENDED_AT_ONCE, type EndpointClaim, PROBED_FOR_S, PROBE_EVERY_S, type WaitingEndpoint } from './schedule.ts';

export type Claimed = {
  readonly id: string;
  readonly merchant_account_id: string;
  readonly endpoint_id: string;
  readonly event: string;
  readonly subject_id: string;
  readonly order_id: string | null;
  readonly sequence: number;
  readonly previous_sequence: number | null;
  readonly facts: Facts;
  /** Null before the first try. */
  readonly body: string | null;
  /** Tries by the schedule that have failed. */
  readonly tries: number;
  /** This try is one of the schedule; else it is one more, to find out whether the endpoint is well again. */
  readonly scheduled: boolean;
  readonly url: string;
  readonly secret_sealed: string;
  /** While a rotation overlaps. */
  readonly old_secret_sealed: string | null;
};

/**
 * Endpoints of all accounts with something to send, to probe or to clean up; those that work first, then the one that
 * waits longest.
 */
export async function findWaitingEndpoints(db: Runner): Promise<readonly WaitingEndpoint[]> {
  return db.run<WaitingEndpoint>(
    'find_waiting_endpoints',
    `-- any account: the queue of all of them
     SELECT endpoint_id, merchant_account_id, state, failing_since, probe_at, first_due_at, now
     FROM payment.waiting_endpoints(make_interval(secs => :probed_for_s))`,
    { probed_for_s: PROBED_FOR_S },
  );
}

/** Leases what is due at these endpoints to one worker, at most `room` in all. */
export async function claimNotifications(
  db: Runner,
  { claims, room, lease_s }: { claims: readonly EndpointClaim[]; room: number; lease_s: number },
): Promise<readonly Claimed[]> {
  return db.run<Claimed>(
    'claim_notifications',
    `-- any account: the queue of all of them
     SELECT *
     FROM payment.claim_notifications(
       :endpoint_ids, :connections, :probing, make_interval(secs => :probe_every_s), :room,
       make_interval(secs => :lease_s))`,
    {
      endpoint_ids: claims.map(({ endpoint_id }) => bytes(endpoint_id)),
      connections: claims.map(({ connections }) => connections),
      probing: claims.map(({ probing }) => probing),
      probe_every_s: PROBE_EVERY_S,
      room,
      lease_s,
    },
  );
}

/**
 * Ends notifications that wait for an endpoint: parks them if it is switched off, deletes them if it was deleted. At
 * most `most` at a time.
 */
export async function endWaiting(db: Runner, endpoint_id: string): Promise<void> {
  await db.run(
    'end_waiting_notifications',
    `-- any account: the queue of all of them
     SELECT payment.end_waiting(:endpoint_id, :most)`,
    { endpoint_id: bytes(endpoint_id), most: ENDED_AT_ONCE },
  );
}

/**
 * Keeps the body before it is sent for the first time. Answers what is kept: another process may have been before us.
 */
export async function keepBody(db: TenantRunner, id: string, body: string): Promise<string | undefined> {
  const rows = await db.batch<{ body: string }>(
    'keep_notification_body',
    `UPDATE payment.notifications
     SET body = coalesce(body, :body)
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
     RETURNING body`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id), body },
  );
  return rows[0]?.body;
}
