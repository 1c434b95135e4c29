// Statements on everything that was seen and said of an order.
import { type TenantRunner, bytes } from '../../../kit/database.ts';

export type ObservationRow = {
  readonly at: Date;
  readonly operation_id: string | null;
  readonly source: string;
  readonly outcome: string;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly provider_ref: string | null;
  readonly provider_code: string | null;
  readonly http_status: number | null;
  /** Null beside a status: the text of the row before of this operation that has one. */
  readonly answer: string | null;
  /** Why nothing was learnt, where it is known. */
  readonly why: string | null;
};

/**
 * Every call, answer, message and inquiry of these transactions, the oldest first; `room` null: all of them. What could
 * not be read was once kept in `detail`.
 */
export async function findObservations(
  db: TenantRunner,
  transactions: readonly string[],
  room: number | null,
): Promise<readonly ObservationRow[]> {
  return db.run<ObservationRow>(
    'find_observations',
    `SELECT
       b.at, b.operation_id, b.source, b.outcome, b.amount_minor, b.currency, b.provider_ref,
       b.provider_code, b.detail ->> 'why' AS why,
       coalesce(b.http_status, (b.detail #>> '{answer,status}')::smallint) AS http_status,
       coalesce(b.answer, b.detail #>> '{answer,text}') AS answer
     FROM unnest(:transactions::bytea[]) AS t (id)
     -- one transaction after the other: each is looked for in the part of its month alone
     CROSS JOIN LATERAL (
       SELECT *
       FROM payment.observations o
       WHERE o.transaction_id = t.id
         AND o.merchant_account_id = :merchant_account_id
       ORDER BY o.id
     ) b
     ORDER BY b.id
     LIMIT :room`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      transactions: transactions.map((id) => bytes(id)),
      room,
    },
  );
}

type Resolution = {
  readonly at: Date;
  readonly operation_id: string;
  readonly ruling: string;
  readonly reason: string;
  readonly by_name: string;
};

/** The rulings of people on operations of an order. */
export async function findResolutionsOf(
  db: TenantRunner,
  operation_ids: readonly string[],
): Promise<readonly Resolution[]> {
  return db.run<Resolution>(
    'find_resolutions_of_order',
    `SELECT r.at, r.operation_id, r.ruling, r.reason, r.by_name
     FROM payment.rulings r
     WHERE r.operation_id = ANY (:operation_ids::bytea[])
       AND r.merchant_account_id = :merchant_account_id
     ORDER BY r.at, r.id`,
    { merchant_account_id: bytes(db.merchant_account_id), operation_ids: operation_ids.map((id) => bytes(id)) },
  );
}

/** A turn of a dispute, or a contradiction: told, and no status of the order. */
export type Turn = {
  readonly at: Date;
  readonly type: string;
  /** Null: it is about the order. */
  readonly operation_id: string | null;
  /** Major units as decimal text; null: no money moved. */
  readonly amount: string | null;
  /**
   * For a dispute: why the payer's bank took the money back. For a contradiction: what the provider said. For later
   * tries: why they ended.
   */
  readonly why: string;
};

/** Events of an order beside its statuses, in the order in which they came. */
export async function findTurns(db: TenantRunner, order_id: string): Promise<readonly Turn[]> {
  return db.run<Turn>(
    'find_turns',
    `SELECT
       e.at, e.type, e.operation_id, e.payload ->> 'chargeback_amount' AS amount,
       coalesce(nullif(
         concat_ws(' ', e.payload ->> 'chargeback_reason_code', e.payload ->> 'chargeback_reason'),
         ''), concat_ws(' ', e.payload ->> 'about', e.payload ->> 'said',
           e.payload -> 'retry' ->> 'reason')) AS why
     FROM payment.events e
     WHERE e.subject_id = :order_id
       AND e.merchant_account_id = :merchant_account_id
       AND e.type LIKE '%.%'
     ORDER BY e.seq`,
    { merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(order_id) },
  );
}
