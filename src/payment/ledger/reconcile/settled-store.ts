// Statements on the lines of settlement files that were read: what a later file settles once more is known by them.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import type { BookLine } from './line.ts';

/** What a line settles, and the names that the provider gives to the line. */
export type Settled = Pick<BookLine, 'order_id' | 'provider' | 'reference'> & {
  /** A reversal that the provider lists as a refund is one. */
  readonly what: BookLine['kind'];
  readonly sent_back: boolean;
  readonly provider_ref: string;
  /** Of the movement, as its fee names it; empty: the file does not say. */
  readonly entry: string;
};

type Read = { readonly source: string; readonly settled: readonly Settled[] };

/** A line that was read before is kept once. In one order, for two runs at once: as findings are (finding-store.ts). */
export async function insertSettled(db: TenantRunner, { source, settled }: Read): Promise<void> {
  await db.run(
    'insert_settled_lines',
    `INSERT INTO payment.settled_lines (
       merchant_account_id, order_id, provider, what, reference, sent_back, provider_ref, entry,
       source)
     SELECT
       :merchant_account_id, order_id, provider, what, reference, sent_back, provider_ref, entry,
       :source
     FROM ${SETTLED}
     ORDER BY order_id, provider, what, reference, sent_back, provider_ref, entry
     ON CONFLICT DO NOTHING`,
    { ...parametersOf(db, settled), source },
  );
}

export type Beside = {
  /** The names of all lines that settle the same; null: there is no other line. */
  readonly lines: string | null;
  /** Another line says that it came back. */
  readonly came_back: boolean;
};

/**
 * Those that another line speaks of, too, by their numbers from 1 on. Of reversals only those that stand settle: behind
 * one that came back another one may follow under the same reference.
 */
export async function findSettledAgain(
  db: TenantRunner,
  settled: readonly Settled[],
): Promise<readonly (Beside & { readonly n: number })[]> {
  return db.run<Beside & { n: number }>(
    'find_settled_again',
    `SELECT
       u.n::int AS n,
       CASE WHEN named.is_other THEN named.lines END AS lines,
       said.came_back
     FROM ${SETTLED}
     CROSS JOIN LATERAL (
       SELECT ${cameBack('u')} AS came_back
     ) said
     CROSS JOIN LATERAL (
       SELECT
         'lines ' || string_agg(DISTINCT k.provider_ref, ', ' ORDER BY k.provider_ref) AS lines,
         bool_or(
           k.provider_ref <> u.provider_ref
           OR k.entry <> u.entry AND k.entry <> '' AND u.entry <> '') AS is_other
       FROM payment.settled_lines k
       WHERE k.merchant_account_id = :merchant_account_id
         AND k.order_id = u.order_id
         AND k.provider = u.provider
         AND k.what = u.what
         AND k.reference = u.reference
         AND k.sent_back = u.sent_back
         AND NOT (k.what = 'reversal' AND (said.came_back OR ${cameBack('k')}))
     ) named
     WHERE named.is_other
       OR said.came_back`,
    parametersOf(db, settled),
  );
}

/** Of a line: the provider has another one, that the same refund or reversal came back. */
const cameBack = (line: string) => `EXISTS (
           SELECT
           FROM payment.settled_lines b
           WHERE b.merchant_account_id = :merchant_account_id
             AND b.order_id = ${line}.order_id
             AND b.provider = ${line}.provider
             AND b.what = ${line}.what
             AND b.reference = ${line}.reference
             AND b.sent_back
             AND b.provider_ref = ${line}.provider_ref
         )`;

const SETTLED = `unnest(
       :order_ids::bytea[], :providers::text[], :whats::text[], :references::bytea[],
       :sent_backs::boolean[], :provider_refs::text[], :entries::text[])
       WITH ORDINALITY AS u (
         order_id, provider, what, reference, sent_back, provider_ref, entry, n)`;

function parametersOf(db: TenantRunner, settled: readonly Settled[]) {
  return {
    merchant_account_id: bytes(db.merchant_account_id),
    order_ids: settled.map((one) => bytes(one.order_id)),
    providers: settled.map((one) => one.provider),
    whats: settled.map((one) => one.what),
    references: settled.map((one) => bytes(one.reference)),
    sent_backs: settled.map((one) => one.sent_back),
    provider_refs: settled.map((one) => one.provider_ref),
    entries: settled.map((one) => one.entry),
  };
}
