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
};

/** Those whose ids stand from `low` to before `high`, by id, at most `room`. */
export async function listOperations(
  db: TenantRunner,
  { kind, low, high, room }: { kind: 'capture' | 'refund'; low: string; high: string; room: number },
): Promise<readonly OperationRow[]> {
  return db.run<OperationRow>(
    'list_operations_of_span',
    `SELECT
       p.id, p.order_id, o.order_merchant_id, p.operation_merchant_id, p.state, p.code,
       p.amount_minor, p.currency, p.provider, p.provider_ref, p.origin, p.created_at,
       p.settled_at
     FROM payment.operations p
     JOIN payment.orders o
       ON o.id = p.order_id
       AND o.merchant_account_id = :merchant_account_id
     WHERE p.merchant_account_id = :merchant_account_id
       AND p.id >= :low
       AND p.id < :high
       AND p.kind = :kind
     ORDER BY p.id
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), kind, low: bytes(low), high: bytes(high), room },
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

/** Those that were first told in a span, by id. */
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
