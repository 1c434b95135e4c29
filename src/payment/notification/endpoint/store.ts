// Statements on endpoints.
import { momentOf } from '../../../core/ids.ts';
import { type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';

export type EndpointRow = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly state: 'on' | 'off' | 'deleted';
  readonly secret_sealed: string;
  /** While a rotation overlaps. */
  readonly old_secret_sealed: string | null;
  readonly failing_since: Date | null;
  readonly created_at: Date;
};

/** A transaction that works for one merchant account. */
export type Tx = Runner & { readonly merchant_account_id: string };

export type NewEndpoint = Pick<EndpointRow, 'id' | 'url' | 'description' | 'events'> & { readonly sealed: Buffer };

/** False: the account has `most` endpoints already. One account's endpoints are made one after the other. */
export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint, most: number): Promise<boolean> {
  await tx.run(
    'lock_account_for_endpoint',
    `SELECT 1
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id
     FOR NO KEY UPDATE`,
    { merchant_account_id: bytes(tx.merchant_account_id) },
  );
  const rows = await tx.run(
    'insert_endpoint',
    `INSERT INTO payment.endpoints (
       id, merchant_account_id, url, description, events,
       secret_sealed)
     SELECT
       :id::bytea, :merchant_account_id::bytea, :url::text, :description::text, :events::text[],
       :sealed::bytea
     WHERE (
       SELECT count(*)
       FROM payment.endpoints
       WHERE merchant_account_id = :merchant_account_id
         AND state <> 'deleted'
     ) < :most
     RETURNING 1`,
    {
      ...endpoint,
      merchant_account_id: bytes(tx.merchant_account_id),
      id: bytes(endpoint.id),
      events: [...endpoint.events],
      most,
    },
  );
  return rows.length > 0;
}

export async function findEndpoint(db: Tx, id: string): Promise<EndpointRow | undefined> {
  const rows = await db.run<EndpointRow>(
    'find_endpoint',
    `SELECT
       id, url, description, events, state, secret_sealed,
       CASE WHEN old_secret_until > payment.now() THEN old_secret_sealed END AS old_secret_sealed,
       failing_since, created_at
     FROM payment.endpoints
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND state <> 'deleted'`,
    { id: bytes(id), merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}

/** All of the account, the oldest first, each with how many notifications wait for it. */
export async function listEndpoints(
  db: TenantRunner,
): Promise<readonly (EndpointRow & { readonly waiting: bigint })[]> {
  return db.run<EndpointRow & { waiting: bigint }>(
    'list_endpoints',
    `SELECT
       id, url, description, events, state, secret_sealed, NULL::bytea AS old_secret_sealed,
       failing_since, created_at,
       (
         SELECT count(*)
         FROM payment.notifications n
         WHERE n.endpoint_id = e.id
           AND n.merchant_account_id = :merchant_account_id
           AND n.state = 'waiting'
       ) AS waiting
     FROM payment.endpoints e
     WHERE merchant_account_id = :merchant_account_id
       AND state <> 'deleted'
     ORDER BY id`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** With the endpoint itself; the rest goes with the next claims. */
const MOST_DROPPED = 5000;

/**
 * Deletes an endpoint: waiting notifications are dropped, sent ones stay to be seen, and its secrets are deleted.
 * False: there is no such endpoint.
 */
export async function deleteEndpoint(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.run(
    'delete_endpoint',
    `WITH deleted AS (
       UPDATE payment.endpoints
       SET state = 'deleted', secret_sealed = '', old_secret_sealed = NULL
       WHERE id = :id
         AND merchant_account_id = :merchant_account_id
         AND state <> 'deleted'
       RETURNING id
     ),
     dropped AS (
       DELETE FROM payment.notifications w
       WHERE EXISTS (SELECT 1 FROM deleted)
         AND w.merchant_account_id = :merchant_account_id
         AND w.id = ANY (ARRAY(
           SELECT y.id::bytea
           FROM payment.notifications y
           WHERE y.endpoint_id = :id
             AND y.merchant_account_id = :merchant_account_id
             AND y.state = 'waiting'
           ORDER BY y.due_at
           LIMIT :most
         ))
     )
     SELECT 1 FROM deleted`,
    { id: bytes(id), merchant_account_id: bytes(tx.merchant_account_id), most: MOST_DROPPED },
  );
  return rows.length > 0;
}

/**
 * Switches an endpoint on, as if it had never failed; parked notifications stay parked. False: no such endpoint is
 * switched off.
 */
export async function switchEndpointOn(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.run(
    'switch_endpoint_on',
    `UPDATE payment.endpoints
     SET state = 'on', failing_since = NULL
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND state = 'off'
     RETURNING 1`,
    { id: bytes(id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
  return rows.length > 0;
}

/** The present secret becomes the old one, good for so many hours more. False: there is no such endpoint. */
export async function rotateSecret(
  tx: Tx,
  { id, sealed, overlap_hours }: { id: string; sealed: Buffer; overlap_hours: number },
): Promise<boolean> {
  const rows = await tx.run(
    'rotate_endpoint_secret',
    `UPDATE payment.endpoints
     SET
       old_secret_sealed = secret_sealed,
       old_secret_until = payment.now() + make_interval(hours => :overlap_hours::int),
       secret_sealed = :sealed
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND state <> 'deleted'
     RETURNING 1`,
    { id: bytes(id), sealed, overlap_hours, merchant_account_id: bytes(tx.merchant_account_id) },
  );
  return rows.length > 0;
}

/** The number of the next test of this endpoint. */
export async function countTest(tx: Tx, id: string): Promise<number> {
  const rows = await tx.run<{ tests: number }>(
    'count_endpoint_test',
    `UPDATE payment.endpoints
     SET tests = tests + 1
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
     RETURNING tests`,
    { id: bytes(id), merchant_account_id: bytes(tx.merchant_account_id) },
  );
  return rows[0]?.tests ?? 1;
}

export type NewTest = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly number: number;
  readonly body: string;
};

/** A test is sent once and by itself: it is no part of the queue. */
export async function insertTest(tx: Tx, test: NewTest): Promise<void> {
  await tx.run(
    'insert_test_notification',
    `INSERT INTO payment.notifications (
       id, merchant_account_id, endpoint_id, subject_id, event,
       sequence, previous_sequence, facts, body, state, last_error,
       created_at, next_at, due_at)
     SELECT
       :id::bytea, :merchant_account_id::bytea, :endpoint_id::bytea, :endpoint_id::bytea, 'test',
       :number::int, nullif(:number::int - 1, 0), 'null', :body::text, 'parked', 'no answer yet',
       :made_at, :made_at, :made_at`,
    {
      ...test,
      made_at: momentOf(test.id),
      merchant_account_id: bytes(tx.merchant_account_id),
      id: bytes(test.id),
      endpoint_id: bytes(test.endpoint_id),
    },
  );
}

export type TestEnd = {
  readonly id: string;
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
};

export async function endTest(db: TenantRunner, end: TestEnd): Promise<void> {
  await db.run(
    'end_test_notification',
    `UPDATE payment.notifications
     SET
       state = CASE WHEN :delivered THEN 'delivered' ELSE 'parked' END,
       tries = 1,
       last_status = :status,
       last_error = :error,
       duration_ms = :duration_ms
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { ...end, id: bytes(end.id), merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type FoundTest = {
  readonly state: string;
  readonly last_status: number | null;
  /** null: it has not ended. */
  readonly duration_ms: number | null;
  /** The try may still end: none takes longer than `longest_s`. */
  readonly under_way: boolean;
};

export async function findTest(db: TenantRunner, id: string, longest_s: number): Promise<FoundTest | undefined> {
  const rows = await db.run<FoundTest>(
    'find_test_notification',
    `SELECT
       state, last_status, duration_ms,
       duration_ms IS NULL
         AND created_at > payment.now() - make_interval(secs => :longest_s) AS under_way
     FROM payment.notifications
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { id: bytes(id), longest_s, merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows[0];
}
