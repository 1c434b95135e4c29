// Statements of the overview. They read kept sums (docs/decisions/0102), not the orders.
import { type TenantRunner, bytes } from '../../kit/database.ts';
import { doubtInQueue } from '../order/in-doubt.ts';

/** Orders by what became of them; an order is in one of the first six. */
export type Counts = {
  readonly captured: bigint;
  readonly refunded: bigint;
  readonly authorized: bigint;
  readonly released: bigint;
  readonly declined: bigint;
  readonly open: bigint;
  /** The amount of the first four outcomes, in minor units; over all currencies together it means nothing. */
  readonly approved_minor: bigint;
};

const COUNTS = `sum(s.captured)::bigint AS captured, sum(s.refunded)::bigint AS refunded,
       sum(s.authorized)::bigint AS authorized, sum(s.released)::bigint AS released,
       sum(s.declined)::bigint AS declined, sum(s.open)::bigint AS open,
       sum(s.approved_minor)::bigint AS approved_minor`;

export type Span = {
  /** Hours of Unix time, the last not included. */
  readonly from_hour: number;
  readonly to_hour: number;
};

export type CountsOfHour = Counts & { readonly hour: number };

/** Orders by the hour in which they were made, of one currency or of all (null). */
export async function countByHour(
  db: TenantRunner,
  { currency, ...span }: Span & { readonly currency: string | null },
): Promise<readonly CountsOfHour[]> {
  return db.run<CountsOfHour>(
    'count_by_hour',
    `SELECT
       s.at AS hour, ${COUNTS}
     FROM payment.order_sums s
     WHERE s.merchant_account_id = :merchant_account_id
       AND s.facet = 'all'
       AND s.hours = 1
       AND s.at >= :from_hour
       AND s.at < :to_hour
       AND (:currency::text IS NULL OR s.currency = :currency)
     GROUP BY s.at
     ORDER BY s.at`,
    { ...span, currency, merchant_account_id: bytes(db.merchant_account_id) },
  );
}

/** The facts by which orders are grouped, beside their time. */
export type Facet = 'all' | 'provider' | 'scheme' | 'country' | 'reason' | 'tries';

export type Part = Counts & { readonly facet: Facet; readonly name: string; readonly currency: string };

const DAY_H = 24;

/**
 * Orders of a span by facet, name and currency: whole days of UTC by their sums, what is left at either end by hours.
 */
export async function countByPart(
  db: TenantRunner,
  { facets, from_hour, to_hour }: Span & { readonly facets: readonly Facet[] },
): Promise<readonly Part[]> {
  const first_day = Math.ceil(from_hour / DAY_H);
  const end_day = Math.max(first_day, Math.floor(to_hour / DAY_H));
  const has_days = end_day > first_day;
  // without a whole day in it all of it is read by hours, once
  const first_end = has_days ? first_day * DAY_H : to_hour;
  return db.run<Part>(
    'count_by_part',
    `SELECT
       s.facet, s.name, s.currency, ${COUNTS}
     FROM unnest(:facets::text[]) f (facet)
     CROSS JOIN (
       VALUES
         (24, :first_day::int, :end_day::int),
         (1, :from_hour::int, :first_end::int),
         (1, :last_begin::int, :to_hour::int)
     ) span (hours, low, high)
     CROSS JOIN LATERAL (
       SELECT *
       FROM payment.order_sums x
       WHERE x.merchant_account_id = :merchant_account_id
         AND x.facet = f.facet
         AND x.hours = span.hours
         AND x.at >= span.low
         AND x.at < span.high
       OFFSET 0
     ) s
     GROUP BY 1, 2, 3`,
    {
      facets,
      first_day,
      end_day,
      from_hour,
      to_hour,
      first_end,
      last_begin: has_days ? end_day * DAY_H : to_hour,
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

/** The order from which on this account's are in the sums, after an upgrade; null: all are. */
export async function findUncounted(db: TenantRunner): Promise<string | null> {
  const [row] = await db.run<{ below: string | null }>(
    'find_uncounted',
    `SELECT
       CASE
         WHEN t.uncounted_account = :merchant_account_id THEN t.uncounted_order
         WHEN t.uncounted_account > :merchant_account_id THEN '\\xffffffffffffffffffffffff'::bytea
       END AS below
     FROM payment.order_search_state t`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return row?.below ?? null;
}

/**
 * The currencies of the account's orders, most used first; those of the last moment may still be missing
 * (docs/decisions/0045).
 */
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

/** Operations in doubt at this moment, from the queue itself. */
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
         AND ${doubtInQueue('p.')}
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

export type Disputed = {
  readonly currency: string;
  readonly orders: bigint;
  readonly amount_minor: bigint;
};

/** Disputes of orders between two ids, the second not included, however they stand. Exact at once: they are few. */
export async function sumDisputes(
  db: TenantRunner,
  { from_id, to_id }: { readonly from_id: string; readonly to_id: string },
): Promise<readonly Disputed[]> {
  return db.run<Disputed>(
    'sum_disputes',
    `SELECT
       d.currency, count(DISTINCT d.order_id) AS orders,
       sum(d.amount_minor)::bigint AS amount_minor
     FROM payment.disputes d
     WHERE d.merchant_account_id = :merchant_account_id
       AND d.order_id >= :from_id
       AND d.order_id < :to_id
     GROUP BY 1
     ORDER BY 1`,
    { from_id: bytes(from_id), to_id: bytes(to_id), merchant_account_id: bytes(db.merchant_account_id) },
  );
}
