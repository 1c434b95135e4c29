// Statements on what is planned of later tries, and on what came of them.
import { type TenantRunner, bytes, isoText } from '../../../kit/database.ts';
import type { Ending, RetryCause } from '../../../core/retries/policy.ts';

export type ListedRetry = {
  readonly order_id: string;
  readonly reference: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly scheme: string | null;
  readonly last4: string | null;
  readonly state: 'waiting' | 'running' | 'ended';
  readonly tries: number;
  readonly policy: string;
  readonly cause: RetryCause | null;
  readonly next_at: string | null;
  readonly until: string;
  readonly began_at: string;
  readonly ending: Ending | null;
  readonly ended_at: string | null;
};

const COLUMNS = `r.order_id, o.order_merchant_id AS reference, o.amount_minor, o.currency,
       t.payment_method_name AS scheme, t.last4, r.state, r.tries, r.policy, r.cause,
       ${isoText('r.next_at')} AS next_at, ${isoText('r.until')} AS until,
       ${isoText('r.began_at')} AS began_at, r.ending, ${isoText('r.ended_at')} AS ended_at`;

const OF_ORDER = `JOIN payment.orders o
       ON o.id = r.order_id
       AND o.merchant_account_id = :merchant_account_id
     LEFT JOIN LATERAL (
       SELECT payment_method_name, last4
       FROM payment.transactions
       WHERE order_id = r.order_id
         AND merchant_account_id = :merchant_account_id
       ORDER BY attempt DESC
       LIMIT 1
     ) t ON true`;

/** Waiting or under way, the next one first. */
export async function listPlanned(db: TenantRunner, room: number): Promise<readonly ListedRetry[]> {
  return db.run<ListedRetry>(
    'list_planned_retries',
    `SELECT ${COLUMNS}
     FROM payment.retries r
     ${OF_ORDER}
     WHERE r.merchant_account_id = :merchant_account_id
       AND r.due_at IS NOT NULL
     ORDER BY r.due_at, r.order_id
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), room },
  );
}

/** Later tries that ended since a moment, the newest first. */
export async function listEnded(
  db: TenantRunner,
  { since, room }: { readonly since: Date; readonly room: number },
): Promise<readonly ListedRetry[]> {
  return db.run<ListedRetry>(
    'list_ended_retries',
    `SELECT ${COLUMNS}
     FROM payment.retries r
     ${OF_ORDER}
     WHERE r.merchant_account_id = :merchant_account_id
       AND r.ended_at > :since
     ORDER BY r.ended_at DESC, r.order_id DESC
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), since, room },
  );
}

export type RetrySum = {
  /** Null: planned or under way. */
  readonly ending: Ending | null;
  readonly currency: string;
  readonly count: bigint;
  readonly amount_minor: bigint;
};

/** Sums of the planned later tries, and of those that ended since a moment, by reason and currency. */
export async function sumRetries(db: TenantRunner, since: Date): Promise<readonly RetrySum[]> {
  return db.run<RetrySum>(
    'sum_retries',
    `SELECT r.ending, o.currency, count(*) AS count, sum(o.amount_minor)::bigint AS amount_minor
     FROM payment.retries r
     JOIN payment.orders o
       ON o.id = r.order_id
       AND o.merchant_account_id = :merchant_account_id
     WHERE r.merchant_account_id = :merchant_account_id
       AND (r.due_at IS NOT NULL OR r.ended_at > :since)
     GROUP BY r.ending, o.currency
     ORDER BY r.ending, o.currency`,
    { merchant_account_id: bytes(db.merchant_account_id), since },
  );
}
