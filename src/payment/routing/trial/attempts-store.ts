// Attempts of orders with all that routing asks of them, page by page: what a trial of rules reads.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import type { RouteNote } from '../note.ts';

export type StoredAttempt = {
  readonly order_id: string;
  readonly at: Date;
  readonly attempt: number;
  /** The order was tried again: its fields are those of the last attempt. */
  readonly again: boolean;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly checkout_id: string | null;
  /** The order's own members over its checkout's. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly scheme: string;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly token_type: string | null;
  readonly card_digest: string | null;
  readonly network_token: boolean;
  readonly provider: string;
  readonly contract_id: string | null;
  /** Of a later try: where the try before was. */
  readonly contract_before: string | null;
  readonly marked: boolean;
  /** No contract was ever chosen for it. */
  readonly refused_by_risk: boolean;
  readonly route: RouteNote | null;
  /** Its own; null: none was made, or it was not asked for. */
  readonly authentication: {
    readonly state: string;
    readonly trans_status: string | null;
    readonly eci: string | null;
    readonly liability_shifted: boolean;
  } | null;
  /** Of its authorization; null: not decided, or nothing was sent. */
  readonly approved: boolean | null;
  /** Of its authorization; null: there was none. */
  readonly state: string | null;
  readonly code: string | null;
  /** Where it went on after a decline, one after the other. */
  readonly further: readonly Try[];
};

/** An authorization at one contract. */
export type Try = Pick<StoredAttempt, 'contract_id' | 'state'>;

export type AttemptsAsked = {
  /** Of orders with a greater id, up to another one. */
  readonly after: string;
  readonly to: string;
  readonly room: number;
  /** Whether a rule asks how authentications ended. */
  readonly ended: boolean;
};

/** As two texts, which are read here for a third of what the database takes to make one of them. */
type Stored = Omit<StoredAttempt, 'body' | 'approved' | 'further'> & {
  readonly is_further: boolean;
  readonly own: Body | null;
  readonly under: Body | null;
};
type Body = Readonly<Record<string, unknown>>;

/**
 * Attempts of `room` orders, order by order; fallbacks inside an attempt stand with it. What only the first of them
 * tells is left out of the others.
 */
export async function findRouteAttempts(
  db: TenantRunner,
  { after, to, room, ended }: AttemptsAsked,
): Promise<readonly StoredAttempt[]> {
  const rows = await db.run<Stored>(
    'find_route_attempts',
    `SELECT
       o.id AS order_id, t.created_at AS at, t.attempt, t.cascade_of IS NOT NULL AS is_further,
       o.attempts > 1 AS again, o.amount_minor, o.currency, o.checkout_id,
       CASE WHEN t.cascade_of IS NULL THEN o.body END AS own,
       CASE WHEN t.cascade_of IS NULL THEN c.body END AS under,
       t.payment_method_name AS scheme, t.first6, t.last4, t.token_type, t.card_digest,
       t.network_token, t.provider, t.contract_id, t.risk ->> 'marked' IS NOT NULL AS marked,
       coalesce(t.risk -> 'assessed' ->> 'code' LIKE '131%', false) AS refused_by_risk,
       CASE WHEN t.cascade_of IS NULL THEN t.route END AS route,
       CASE
         WHEN t.attempt > 1 AND a.id IS NOT NULL AND a.request_id IS NULL THEN (
           SELECT b.contract_id
           FROM payment.transactions b
           WHERE b.order_id = o.id
             AND b.merchant_account_id = :merchant_account_id
             AND b.attempt < t.attempt
           ORDER BY b.attempt DESC
           LIMIT 1
         )
       END AS contract_before,
       (
         SELECT json_build_object(
           'state', u.state, 'trans_status', u.trans_status, 'eci', u.eci,
           'liability_shifted', u.liability_shifted)
         FROM payment.authentications u
         WHERE :ended::boolean
           AND u.order_id = o.id
           AND u.transaction_id = t.id
           AND u.merchant_account_id = :merchant_account_id
       ) AS authentication,
       a.state, a.code
     FROM (
       SELECT id, attempts, amount_minor, currency, checkout_id, body
       FROM payment.orders x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.id > :after
         AND x.id <= :to
       ORDER BY x.id
       LIMIT :room
     ) o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.id = t.id
     ORDER BY o.id, t.attempt`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      after: bytes(after),
      to: bytes(to),
      room,
      ended,
    },
  );
  return together(rows);
}

function together(rows: readonly Stored[]): readonly StoredAttempt[] {
  const attempts: StoredAttempt[] = [];
  let further: Try[] = [];
  for (const row of rows) {
    if (row.is_further) {
      further.push(row);
      continue;
    }
    further = [];
    const { state, own, under } = row;
    const approved = state === 'successful' ? true : state === 'declined' ? false : null;
    attempts.push(Object.assign(row, { body: { ...under, ...own }, approved, further }));
  }
  return attempts;
}
