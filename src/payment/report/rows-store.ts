// Statements that give reports their rows. What is asked for by its id is asked for by its time: an id begins with its
// second.
import { type TenantRunner, bytes } from '../../kit/database.ts';

export type OperationRow = {
  readonly id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly operation_merchant_id: string | null;
  readonly state: string;
  readonly code: string | null;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly provider: string;
  readonly provider_ref: string | null;
  readonly origin: string;
  readonly created_at: Date;
  readonly settled_at: Date | null;
  readonly is_capture: boolean;
  /** For a capture: no other one of its attempt was done before it. */
  readonly is_first: boolean;
} & Omit<CostAttempt, 'order_id' | 'state' | 'won'> &
  Pick<SettledRow, 'fee_minor' | 'fee_currency'>;

export type CostAttempt = {
  readonly order_id: string;
  readonly contract_id: string | null;
  readonly scheme: string;
  readonly first6: string | null;
  readonly last4: string | null;
  readonly tried_at: Date;
  /** The state of its authorization; null: there was none. */
  readonly state: string | null;
  /** The transaction holds the order's money. */
  readonly won: boolean;
};

/** All attempts of these orders, with what providers' fees depend on. */
export async function findCostAttempts(
  db: TenantRunner,
  order_ids: readonly string[],
): Promise<readonly CostAttempt[]> {
  return db.run<CostAttempt>(
    'find_cost_attempts',
    `SELECT
       t.order_id, t.contract_id, t.payment_method_name AS scheme, t.first6, t.last4,
       t.created_at AS tried_at, a.state, coalesce(t.id = o.winner_id, false) AS won
     FROM payment.orders o
     JOIN payment.transactions t
       ON t.order_id = o.id
       AND t.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations a
       ON a.order_id = o.id
       AND a.merchant_account_id = :merchant_account_id
       AND a.id = t.id
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id = ANY (:order_ids::bytea[])`,
    { merchant_account_id: bytes(db.merchant_account_id), order_ids: order_ids.map((id) => bytes(id)) },
  );
}

export type SettledRow = {
  readonly order_id: string;
  /** Null: no report that was read has it, or it has it in two currencies. */
  readonly fee_minor: bigint | null;
  readonly fee_currency: string | null;
};

/** The fee of a movement `p`, as the columns fee_minor and fee_currency of `f`. */
const TAKEN = `LEFT JOIN LATERAL (
       SELECT
         CASE WHEN min(s.currency) = max(s.currency) THEN sum(s.fee_minor)::bigint END AS fee_minor,
         min(s.currency) AS fee_currency
       FROM payment.settled_fees s
       WHERE s.merchant_account_id = :merchant_account_id
         AND s.operation_id = p.id
     ) f ON true`;

/**
 * Captures and refunds of these orders that were done, each with what was taken for it; and whatever else something was
 * taken for: what is not done any more, or a sale that was undone.
 */
export async function findSettled(db: TenantRunner, order_ids: readonly string[]): Promise<readonly SettledRow[]> {
  return db.run<SettledRow>(
    'find_settled_of_orders',
    `SELECT p.order_id, f.fee_minor, f.fee_currency
     FROM payment.operations p
     ${TAKEN}
     WHERE p.order_id = ANY (:order_ids::bytea[])
       AND p.merchant_account_id = :merchant_account_id
       AND (
         (p.kind IN ('capture', 'refund') AND p.state = 'successful')
         OR f.fee_currency IS NOT NULL
       )`,
    { merchant_account_id: bytes(db.merchant_account_id), order_ids: order_ids.map((id) => bytes(id)) },
  );
}

type OperationSpan = {
  readonly kind: 'capture' | 'refund';
  readonly low: string;
  readonly high: string;
  readonly after: string;
  readonly room: number;
};

/** Operations with ids from `low` up to, but without, `high`, and behind `after`, by id, at most `room`. */
export async function listOperations(
  db: TenantRunner,
  { kind, low, high, after, room }: OperationSpan,
): Promise<readonly OperationRow[]> {
  return db.run<OperationRow>(
    'list_operations_of_span',
    `SELECT
       p.id, p.order_id, o.order_merchant_id, p.operation_merchant_id, p.state, p.code,
       p.amount_minor, p.currency, p.provider, p.provider_ref, p.origin, p.created_at,
       p.settled_at, p.kind = 'capture' AS is_capture, t.contract_id,
       coalesce(t.payment_method_name, '') AS scheme, t.first6, t.last4,
       coalesce(t.created_at, p.created_at) AS tried_at,
       NOT EXISTS (
         SELECT 1
         FROM payment.operations e
         WHERE e.order_id = p.order_id
           AND e.merchant_account_id = :merchant_account_id
           AND e.transaction_id = p.transaction_id
           AND e.kind = 'capture'
           AND e.state = 'successful'
           AND e.id < p.id
       ) AS is_first,
       f.fee_minor, f.fee_currency
     FROM payment.operations p
     JOIN payment.orders o
       ON o.id = p.order_id
       AND o.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.transactions t
       ON t.order_id = p.order_id
       AND t.merchant_account_id = :merchant_account_id
       AND t.id = p.transaction_id
     ${TAKEN}
     WHERE p.merchant_account_id = :merchant_account_id
       AND p.id >= :low
       AND p.id < :high
       AND p.id > :after
       AND p.kind = :kind
     ORDER BY p.id
     LIMIT :room`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      kind,
      low: bytes(low),
      high: bytes(high),
      after: bytes(after),
      room,
    },
  );
}

export type DisputeRow = {
  readonly id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly provider: string;
  readonly reference: string | null;
  readonly state: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string;
  readonly reason_code: string;
  readonly opened_at: Date;
  readonly updated_at: Date;
  readonly due_at: Date | null;
  readonly answered_at: Date | null;
  readonly answered_as: string | null;
};

/** Disputes that were first reported in a span, by id. */
export async function listDisputesOfSpan(
  db: TenantRunner,
  { low, high, room }: { low: string; high: string; room: number },
): Promise<readonly DisputeRow[]> {
  return db.run<DisputeRow>(
    'list_disputes_of_span',
    `SELECT
       d.id, d.order_id, o.order_merchant_id, d.provider, d.reference, d.state, d.amount_minor,
       d.currency, d.reason, d.reason_code, d.opened_at, d.updated_at, d.due_at, d.answered_at,
       d.answered_as
     FROM payment.disputes d
     JOIN payment.orders o
       ON o.id = d.order_id
       AND o.merchant_account_id = :merchant_account_id
     WHERE d.merchant_account_id = :merchant_account_id
       AND d.id >= :low
       AND d.id < :high
     ORDER BY d.id
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), low: bytes(low), high: bytes(high), room },
  );
}

export type BookingRow = {
  readonly source_id: string;
  readonly posting: 'book' | 'unbook';
  readonly line: number;
  readonly at: Date;
  /** What was booked against what the provider owes us. */
  readonly account: string;
  /** The provider owes us more by it; else less. */
  readonly adds: boolean;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly order_id: string | null;
  readonly order_merchant_id: string | null;
  readonly operation_merchant_id: string | null;
  /** Of the capture or refund: when it was asked for; of the dispute: when it was opened. */
  readonly asked_at: Date | null;
  readonly provider: string;
  readonly provider_ref: string | null;
};

export type BookingPlace = Pick<BookingRow, 'source_id' | 'posting' | 'line'>;

/**
 * What was booked in a span against what providers owe, behind a place in the order of the ledger's key. It is found by
 * its time before it is put in that order: by its key, all that was booked before would be read.
 */
export async function listBookings(
  db: TenantRunner,
  { from, to, after, room }: { from: Date; to: Date; after: BookingPlace; room: number },
): Promise<readonly BookingRow[]> {
  return db.run<BookingRow>(
    'list_bookings_of_span',
    `WITH booked AS MATERIALIZED (
       SELECT *
       FROM payment.ledger_entries
       WHERE merchant_account_id = :merchant_account_id
         AND at >= :from
         AND at < :to
         AND 'provider_receivable' IN (debit, credit)
     ),
     portion AS MATERIALIZED (
       SELECT *
       FROM booked
       WHERE (source_id, posting, line) > (:source_id, :posting, :line)
       ORDER BY source_id, posting, line
       LIMIT :room
     )
     SELECT
       l.source_id, l.posting, l.line, l.at,
       CASE WHEN l.debit = 'provider_receivable' THEN l.credit ELSE l.debit END AS account,
       l.debit = 'provider_receivable' AS adds, l.amount_minor, l.currency, l.order_id,
       o.order_merchant_id, p.operation_merchant_id,
       coalesce(p.created_at, d.opened_at) AS asked_at, l.provider,
       coalesce(p.provider_ref, d.reference) AS provider_ref
     FROM portion l
     LEFT JOIN payment.orders o
       ON o.id = l.order_id
       AND o.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.operations p
       ON p.order_id = l.order_id
       AND p.id = l.source_id
       AND p.merchant_account_id = :merchant_account_id
     LEFT JOIN payment.disputes d
       ON d.id = l.source_id
       AND d.merchant_account_id = :merchant_account_id
     ORDER BY l.source_id, l.posting, l.line`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      from,
      to,
      source_id: bytes(after.source_id),
      posting: after.posting,
      line: after.line,
      room,
    },
  );
}
