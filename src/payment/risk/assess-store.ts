// The question to the database before an attempt is accepted: lists and counts, in one round trip, which also counts an
// attempt that it lets through.
import type { Measure } from '../../core/risk/rules.ts';
import { type TenantRunner, askRow, bytes, listParameters, rowStatement } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';

export type RiskQuery = {
  readonly listed: readonly string[];
  readonly counted: readonly {
    readonly subject: string;
    readonly measure: Measure;
    readonly window_s: number;
    readonly limit: bigint;
    readonly refuses: boolean;
  }[];
  readonly recorded: readonly string[];
  readonly may_record: boolean;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
};

export type Known = {
  readonly blocked: string | null;
  readonly allowed: string | null;
  /** For each of `counted`; exact where its rule has something to say, else no more than it lets stand. */
  readonly seen: readonly bigint[];
};

/** Lists and counts of one attempt, which is counted too unless something refuses: one round trip. */
export function assessRisk(
  tools: Pick<Tools, 'db' | 'relaxed_db'>,
  account: string,
  question: RiskQuery,
): Promise<Known> {
  const decides = question.listed.length > 0 || !question.may_record || question.counted.some(({ refuses }) => refuses);
  return decides
    ? assessOne(tools.db.tenant(account), question)
    : assessMarked(tools.relaxed_db.tenant(account), question);
}

/** Assesses one attempt of a subject after the other. */
async function assessOne(db: TenantRunner, question: RiskQuery): Promise<Known> {
  const { counted, listed, recorded, may_record, amount_minor, currency } = question;
  const rows = await db.run<{ blocked: string | null; allowed: string | null; seen: readonly string[] }>(
    'assess_risk',
    `SELECT blocked, allowed, seen
     FROM payment.assess_risk(
       :merchant_account_id, :listed, :subjects, :measures, :windows, :limits, :refusing,
       :may_record, :recorded, :order_id, :transaction_id, :amount_minor, :currency)`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      listed: listed.map((one) => bytes(one)),
      subjects: counted.map(({ subject }) => bytes(subject)),
      measures: counted.map(({ measure }) => measure),
      windows: counted.map(({ window_s }) => window_s),
      limits: counted.map(({ limit }) => limit),
      refusing: counted.map(({ refuses }) => (refuses ? 't' : 'f')),
      recorded: recorded.map((one) => bytes(one)),
      may_record,
      order_id: bytes(question.order_id),
      transaction_id: bytes(question.transaction_id),
      amount_minor,
      currency,
    },
  );
  const [answer] = rows;
  if (!answer) throw new Error('assess_risk gives one row');
  return { ...answer, seen: answer.seen.map(BigInt) };
}

const ATTEMPT = { order_id: 'bytea', transaction_id: 'bytea', amount_minor: 'bigint', currency: 'text' } as const;
const MARKING = {
  counted: { place: 'int', subject: 'bytea', measure: 'text', window_s: 'int', most: 'bigint' },
  recorded: { subject: 'bytea' },
} as const;

const ASSESS_MARKED = rowStatement(
  'assess_marked',
  { columns: ATTEMPT, lists: MARKING },
  (asked) => `WITH ${asked},
     moment AS MATERIALIZED (
       SELECT payment.now() AS at
     ),
     seen AS (
       SELECT
         counted.n,
         array_agg(
           payment.risk_seen(
             :merchant_account_id, counted.subject, counted.measure, counted.window_s,
             asked.currency, moment.at,
             counted.most - CASE WHEN counted.measure = 'amount' THEN asked.amount_minor ELSE 1 END)
           ORDER BY counted.place) AS counts
       FROM counted
       JOIN asked USING (n)
       CROSS JOIN moment
       GROUP BY counted.n
     ),
     new_sightings AS (
       INSERT INTO payment.risk_sightings (
         merchant_account_id, subject, at, transaction_id, order_id, amount_minor, currency)
       SELECT
         :merchant_account_id, recorded.subject, moment.at, transaction_id, order_id, amount_minor,
         currency
       FROM recorded
       JOIN asked USING (n)
       CROSS JOIN moment
     )
     SELECT asked.n, coalesce(seen.counts, '{}') AS seen
     FROM asked
     LEFT JOIN seen USING (n)`,
);

/**
 * An attempt that rules only mark: it is counted whatever was seen, so attempts of one moment go together, and none of
 * one subject waits for another. The commit need not wait for the disk: that of the order follows and is durable, and
 * the log is written in order.
 */
async function assessMarked(relaxed_db: TenantRunner, question: RiskQuery): Promise<Known> {
  const row = await askRow<{ seen: readonly string[] }>(relaxed_db.batch, ASSESS_MARKED, {
    merchant_account_id: bytes(relaxed_db.merchant_account_id),
    order_id: bytes(question.order_id),
    transaction_id: bytes(question.transaction_id),
    amount_minor: question.amount_minor,
    currency: question.currency,
    ...listParameters(
      'counted',
      MARKING.counted,
      question.counted.map(({ subject, measure, window_s, limit }, place) => ({
        place,
        subject: bytes(subject),
        measure,
        window_s,
        most: limit,
      })),
    ),
    ...listParameters(
      'recorded',
      MARKING.recorded,
      question.recorded.map((subject) => ({ subject: bytes(subject) })),
    ),
  });
  if (!row) throw new Error('assess_marked gives one row');
  return { blocked: null, allowed: null, seen: row.seen.map(BigInt) };
}
