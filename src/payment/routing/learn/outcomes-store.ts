// Statements on what became of orders that rules sent somewhere: read from the orders themselves, kept by the hour.
import type { Group } from '../../../core/routing/experiment.ts';
import type { Part } from '../../../core/routing/fees.ts';
import { type Database, type TenantRunner, bytes } from '../../../kit/database.ts';

/** Accounts that learn; all of them, of whatever process. */
export async function findLearningAccounts(db: Database): Promise<readonly string[]> {
  const rows = await db.looks.run<{ merchant_account_id: string }>(
    'find_learning_accounts',
    `-- any account: those whose routing learns
     SELECT merchant_account_id FROM payment.learning_accounts()`,
  );
  return rows.map(({ merchant_account_id }) => merchant_account_id);
}

/** Orders whose first attempts are alike in everything that is asked. */
export type Outcomes = {
  readonly hour: number;
  /** From the note: version, index of the rule, version of the weights. */
  readonly v: number;
  readonly r: number | null;
  readonly controlled: boolean;
  readonly named: boolean;
  readonly experiment: number | null;
  readonly arm: Group | null;
  readonly currency: string;
  readonly scheme: string;
  /** Null, too, where fees ask for no more of a card than its scheme. */
  readonly first6: string | null;
  readonly last4: string | null;
  readonly channel: string;
  readonly by_checkout: boolean;
  readonly contract_id: string | null;
  /** The contract of the attempt that was paid in the end; null: none was. */
  readonly paid_by: string | null;
  /** The state of the first authorization; null: there was none. */
  readonly state: string | null;
  readonly code: string | null;
  readonly orders: number;
  /** How many of these orders were paid in the end, and how many ended unpaid. */
  readonly won: number;
  readonly lost: number;
  /** In minor units, which may be more than a number holds exactly: a mean is made of it. */
  readonly amount_minor: number;
  /**
   * Every try of each of them that was approved or declined, the one that was paid last: contract, scheme and the
   * card's digits, with spaces between. Null: it was not asked for, or there was none.
   */
  readonly sent: readonly string[] | null;
};

type OutcomesAsked = {
  readonly after: string;
  readonly until: string;
  /** Apart by the digits that are known of the card. */
  readonly by_card: boolean;
  /** Apart by every try, and by amounts: those of a group are within a twentieth. */
  readonly by_value: boolean;
};

/** Outcomes of orders with a greater id than `after`, up to `until`. */
export async function findOutcomes(
  db: TenantRunner,
  { after, until, by_card, by_value }: OutcomesAsked,
): Promise<readonly Outcomes[]> {
  return db.run<Outcomes>(
    'find_route_outcomes',
    `SELECT
       payment.hour_of(o.id) AS hour, (t.route ->> 'v')::int AS v, (t.route ->> 'r')::int AS r,
       t.route ->> 'c' IS NOT NULL AS controlled, coalesce((t.route ->> 'n')::int, 0) > 0 AS named,
       (t.route #>> '{e,0}')::int AS experiment, t.route #>> '{e,1}' AS arm, o.currency,
       t.payment_method_name AS scheme, CASE WHEN :by_card::boolean THEN t.first6 END AS first6,
       CASE WHEN :by_card::boolean THEN t.last4 END AS last4,
       coalesce(
         o.body::jsonb ->> 'payment_channel', c.body::jsonb ->> 'payment_channel', 'e-commerce'
       ) AS channel,
       o.checkout_id IS NOT NULL AS by_checkout,
       t.contract_id, paid.contract_id AS paid_by, a.state, a.code,
       CASE
         WHEN :by_value::boolean THEN round(ln(greatest(o.amount_minor, 1)::float8) * 20)::int
       END AS alike,
       CASE
         WHEN :by_value::boolean THEN (
           SELECT array_agg(
             concat_ws(
               ' ', coalesce(encode(s.contract_id, 'hex'), ''), s.payment_method_name,
               CASE WHEN :by_card::boolean THEN coalesce(s.first6, '') END,
               CASE WHEN :by_card::boolean THEN coalesce(s.last4, '') END)
             ORDER BY s.id = o.winner_id, s.attempt)
           FROM payment.transactions s
           JOIN payment.operations b
             ON b.order_id = s.order_id
             AND b.merchant_account_id = :merchant_account_id
             AND b.id = s.id
           WHERE s.order_id = o.id
             AND s.merchant_account_id = :merchant_account_id
             AND b.state IN ('successful', 'declined')
         )
       END AS sent,
       count(*)::int AS orders,
       (count(*) FILTER (WHERE o.winner_id IS NOT NULL))::int AS won,
       (count(*) FILTER (WHERE o.winner_id IS NULL AND NOT o.live))::int AS lost,
       sum(o.amount_minor)::float8 AS amount_minor
     FROM payment.orders o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
       AND t.attempt = 1
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.transactions paid
       ON paid.order_id = o.id
       AND paid.merchant_account_id = :merchant_account_id
       AND paid.id = o.winner_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.id = t.id
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id > :after
       AND o.id <= :until
       AND t.route IS NOT NULL
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      after: bytes(after),
      until: bytes(until),
      by_card,
      by_value,
    },
  );
}

export type Count = {
  readonly hour: number;
  readonly rule: string;
  /** The version in which its target last changed. */
  readonly since: number;
  readonly cell: string;
  readonly contract_id: string;
  readonly controlled: boolean;
  readonly tried: number;
  readonly approved: number;
  readonly amount_minor: number;
  /** The same by country and kind of card; null or absent: no fees asked for them when it was counted. */
  readonly mix?: readonly Part[] | null;
};

/** Hours from `hour` on, counted anew: what was counted of them before goes. */
export async function replaceCounts(db: TenantRunner, hour: number, counts: readonly Count[]): Promise<void> {
  const merchant_account_id = bytes(db.merchant_account_id);
  await db.run(
    'delete_route_counts',
    `DELETE FROM payment.route_counts
     WHERE merchant_account_id = :merchant_account_id
       AND (hour >= :hour OR hour < :oldest)`,
    { merchant_account_id, hour, oldest: hour - KEPT_H },
  );
  if (counts.length === 0) return;
  await db.run(
    'insert_route_counts',
    `INSERT INTO payment.route_counts (
       merchant_account_id, hour, rule, since, cell, contract_id, controlled, tried, approved,
       amount_minor, mix)
     SELECT :merchant_account_id, u.*
     FROM unnest(
       :hours::int[], :rules::text[], :sinces::int[], :cells::text[], :contract_ids::bytea[],
       :controls::boolean[], :trieds::int[], :approveds::int[], :amounts::numeric[],
       :mixes::json[]
     ) AS u`,
    {
      merchant_account_id,
      hours: counts.map((one) => one.hour),
      rules: counts.map((one) => one.rule),
      sinces: counts.map((one) => one.since),
      cells: counts.map((one) => one.cell),
      contract_ids: counts.map((one) => bytes(one.contract_id)),
      controls: counts.map((one) => one.controlled),
      trieds: counts.map((one) => one.tried),
      approveds: counts.map((one) => one.approved),
      amounts: counts.map((one) => one.amount_minor),
      mixes: counts.map((one) => (one.mix ? JSON.stringify(one.mix) : null)),
    },
  );
}

/** 90 days, of which what is older than seven half-lives weighs nothing. */
const KEPT_H = 2160;

export async function findCounts(db: TenantRunner, from_hour: number): Promise<readonly Count[]> {
  return db.run<Count>(
    'find_route_counts',
    `SELECT
       hour, rule, since, cell, contract_id, controlled, tried, approved,
       amount_minor::float8 AS amount_minor, mix
     FROM payment.route_counts
     WHERE merchant_account_id = :merchant_account_id
       AND hour >= :from_hour
     ORDER BY hour, rule, since, cell, contract_id, controlled`,
    { merchant_account_id: bytes(db.merchant_account_id), from_hour },
  );
}
