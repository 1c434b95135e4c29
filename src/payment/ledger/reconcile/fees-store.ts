// Statements on what providers took, as their own settlement reports say it.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import type { SettledFee } from '../../../provider/settlement.ts';

export type OwnFee = SettledFee & {
  readonly provider: string;
  readonly order_id: string;
  readonly operation_id: string;
};

export type KeptFees = {
  readonly kept: number;
  /** Kept before. */
  readonly known: number;
  /** How many of these have another amount than now. The amount that was read first stays. */
  readonly differ: number;
};

/** Stores the fees of operations: one for each movement, however often a report is read. */
export async function insertFees(db: TenantRunner, fees: readonly OwnFee[]): Promise<KeptFees> {
  const [row] = await db.run<{ kept: number; differ: number }>(
    'insert_settled_fees',
    `WITH said AS (
       SELECT *
       FROM unnest(
         :order_ids::bytea[], :operation_ids::bytea[], :providers::text[], :entries::text[],
         :fee_minors::bigint[], :currencies::text[]
       ) WITH ORDINALITY AS u (order_id, operation_id, provider, entry, fee_minor, currency, n)
     ),
     given AS (
       SELECT DISTINCT ON (operation_id, entry) *
       FROM said
       ORDER BY operation_id, entry, n
     ),
     written AS (
       INSERT INTO payment.settled_fees (
         merchant_account_id, order_id, operation_id, provider, entry, fee_minor, currency)
       SELECT
         :merchant_account_id, order_id, operation_id, provider, entry, fee_minor, currency
       FROM given
       ON CONFLICT DO NOTHING
       RETURNING 1
     )
     SELECT
       (SELECT count(*)::int FROM written) AS kept,
       (
         SELECT count(*)::int
         FROM said
         JOIN given
           ON given.operation_id = said.operation_id
           AND given.entry = said.entry
         LEFT JOIN payment.settled_fees f
           ON f.merchant_account_id = :merchant_account_id
           AND f.operation_id = said.operation_id
           AND f.entry = said.entry
         WHERE (said.fee_minor, said.currency)
           <> (coalesce(f.fee_minor, given.fee_minor), coalesce(f.currency, given.currency))
       ) AS differ`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      order_ids: fees.map((one) => bytes(one.order_id)),
      operation_ids: fees.map((one) => bytes(one.operation_id)),
      providers: fees.map((one) => one.provider),
      entries: fees.map((one) => one.entry),
      fee_minors: fees.map((one) => one.fee_minor),
      currencies: fees.map((one) => one.currency),
    },
  );
  const { kept = 0, differ = 0 } = row ?? {};
  return { kept, known: fees.length - kept, differ };
}
