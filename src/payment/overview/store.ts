// Statements of the overview. They read the orders counted by hour and class, not the orders.
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type Span = {
  /** Hours of Unix time, the last not included. */
  readonly from_hour: number;
  readonly to_hour: number;
};
export type Outcomes = {
  readonly approved: readonly string[];
  readonly declined: readonly string[];
};
export type Outcome = 'approved' | 'declined' | 'open';

export type Counted = {
  readonly currency: string;
  readonly outcome: Outcome;
  readonly orders: bigint;
  readonly amount_minor: bigint;
};

/** Orders by bucket of `hours` hours; `shift` moves where a bucket begins, in hours. */
export async function countByTime(
  db: TenantRunner,
  { hours, shift, ...span }: Span & Outcomes & { readonly hours: number; readonly shift: number },
): Promise<readonly (Counted & { readonly bucket: number })[]> {
  return db.run<Counted & { bucket: number }>(
    'count_by_time',
    `WITH counted AS MATERIALIZED (
       SELECT
         (hour + :shift) / :hours AS bucket, class_id, sum(orders) AS orders,
         sum(amount_minor) AS amount_minor
       FROM payment.order_hours
       WHERE merchant_account_id = :merchant_account_id
         AND hour >= :from_hour
         AND hour < :to_hour
       GROUP BY 1, 2
     )
     SELECT
       counted.bucket, c.currency,
       CASE
         WHEN c.status = ANY (:approved::text[]) THEN 'approved'
         WHEN c.status = ANY (:declined::text[]) THEN 'declined'
         ELSE 'open'
       END AS outcome,
       sum(counted.orders)::bigint AS orders, sum(counted.amount_minor)::bigint AS amount_minor
     FROM counted
     JOIN payment.order_classes c
       ON c.id = counted.class_id
       AND c.merchant_account_id = :merchant_account_id
     GROUP BY 1, 2, 3
     HAVING sum(counted.orders) <> 0
     ORDER BY 1, 2, 3`,
    { ...span, hours, shift, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

export type Part = Counted & {
  readonly provider: string;
  readonly payment_method_name: string;
  /** Of a decline; empty otherwise. */
  readonly code: string;
};

/** Orders of a span by what can be told apart in the overview. */
export async function countByPart(db: TenantRunner, span: Span & Outcomes): Promise<readonly Part[]> {
  return db.run<Part>(
    'count_by_part',
    `WITH counted AS MATERIALIZED (
       SELECT class_id, sum(orders) AS orders, sum(amount_minor) AS amount_minor
       FROM payment.order_hours
       WHERE merchant_account_id = :merchant_account_id
         AND hour >= :from_hour
         AND hour < :to_hour
       GROUP BY 1
     )
     SELECT
       c.currency, c.provider, c.payment_method_name,
       CASE WHEN c.status = ANY (:declined::text[]) THEN c.code ELSE '' END AS code,
       CASE
         WHEN c.status = ANY (:approved::text[]) THEN 'approved'
         WHEN c.status = ANY (:declined::text[]) THEN 'declined'
         ELSE 'open'
       END AS outcome,
       sum(counted.orders)::bigint AS orders, sum(counted.amount_minor)::bigint AS amount_minor
     FROM counted
     JOIN payment.order_classes c
       ON c.id = counted.class_id
       AND c.merchant_account_id = :merchant_account_id
     GROUP BY 1, 2, 3, 4, 5
     HAVING sum(counted.orders) <> 0`,
    { ...span, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** The currencies of the account's orders, most used first; those of the last moment may still be missing (docs/decisions/0045). */
export async function listCurrencies(db: TenantRunner): Promise<readonly string[]> {
  const rows = await db.run<{ currency: string }>(
    'list_currencies',
    `SELECT c.currency
     FROM payment.order_classes c
     WHERE c.merchant_account_id = :merchant_account_id
     GROUP BY c.currency
     HAVING sum(c.orders) > 0
     ORDER BY sum(c.orders) DESC, c.currency`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map(({ currency }) => currency);
}

export type InDoubt = {
  readonly currency: string;
  readonly operations: bigint;
  readonly amount_minor: bigint;
  readonly oldest_at: Date;
};

/** What is in doubt at this moment, from the queue itself. */
export async function sumInDoubt(db: TenantRunner): Promise<readonly InDoubt[]> {
  return db.run<InDoubt>(
    'sum_in_doubt',
    `SELECT
       w.currency, count(*) AS operations, sum(w.amount_minor)::bigint AS amount_minor,
       min(w.since) AS oldest_at
     FROM (
       SELECT p.currency, p.amount_minor, p.created_at AS since
       FROM payment.operations p
       WHERE p.merchant_account_id = :merchant_account_id
         AND p.due_at > '-infinity'
         AND p.state IN ('requested', 'in_doubt', 'review')
         AND (p.state <> 'requested' OR p.kind = 'reversal')
       UNION ALL
       SELECT k.currency, k.amount_minor, k.opened_at
       FROM payment.contradictions k
       WHERE k.merchant_account_id = :merchant_account_id
         AND k.state = 'open'
     ) w
     GROUP BY 1
     ORDER BY 1`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
}
