// Statements on refunds that wait for a second person.
import { type TenantRunner, bytes } from '../../../kit/database.ts';

export type RefundRequestRow = {
  readonly id: string;
  readonly order_id: string;
  /** The body of the refund, but for its reason. */
  readonly form: Readonly<Record<string, string | boolean>>;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly reason: string;
  readonly requested_by: string;
  readonly requested_email: string;
  readonly created_at: Date;
};

type NewRow = Omit<RefundRequestRow, 'form' | 'created_at'> & { readonly form: string };

export async function insertRefundRequest(db: TenantRunner, row: NewRow): Promise<void> {
  await db.run(
    'insert_refund_request',
    `INSERT INTO payment.refund_requests (
       id, merchant_account_id, order_id, form, amount_minor, currency, reason,
       requested_by, requested_email)
     VALUES (
       :id, :merchant_account_id, :order_id, :form::jsonb, :amount_minor, :currency, :reason,
       :requested_by, :requested_email)`,
    {
      ...row,
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      requested_by: bytes(row.requested_by),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
}

export type RefundDecision = {
  readonly state: 'open' | 'approved' | 'declined';
  readonly decided_email: string | null;
  /** The refund that was accepted. */
  readonly operation_id: string | null;
};

/** What became of a refund request; undefined: there is none of this id. */
export async function findRefundDecision(db: TenantRunner, id: string): Promise<RefundDecision | undefined> {
  const rows = await db.run<RefundDecision>(
    'find_refund_decision',
    `SELECT state, decided_email, operation_id
     FROM payment.refund_requests
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

/** The refund requests that wait, of an order or (null) of all, the oldest first. */
export async function findOpenRefundRequests(
  db: TenantRunner,
  { order_id, room }: { readonly order_id: string | null; readonly room: number },
): Promise<readonly RefundRequestRow[]> {
  return db.run<RefundRequestRow>(
    'find_open_refund_requests',
    `SELECT
       id, order_id, form, amount_minor, currency, reason, requested_by, requested_email, created_at
     FROM payment.refund_requests
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'open'
       AND (:order_id::bytea IS NULL OR order_id = :order_id)
     ORDER BY created_at
     LIMIT :room`,
    { merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(order_id), room },
  );
}

/** One that waits. Undefined: it was decided, or there is none of this id. */
export async function findOpenRefundRequest(db: TenantRunner, id: string): Promise<RefundRequestRow | undefined> {
  const rows = await db.run<RefundRequestRow>(
    'find_open_refund_request',
    `SELECT
       id, order_id, form, amount_minor, currency, reason, requested_by, requested_email, created_at
     FROM payment.refund_requests
     WHERE merchant_account_id = :merchant_account_id
       AND id = :id
       AND state = 'open'`,
    { merchant_account_id: bytes(db.merchant_account_id), id: bytes(id) },
  );
  return rows[0];
}

export async function countOpenRefundRequests(db: TenantRunner): Promise<number> {
  const [row] = await db.run<{ open: number }>(
    'count_open_refund_requests',
    `SELECT count(*)::int AS open
     FROM payment.refund_requests
     WHERE merchant_account_id = :merchant_account_id
       AND state = 'open'`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return row?.open ?? 0;
}

type Decision = {
  readonly id: string;
  readonly state: 'approved' | 'declined';
  readonly decided_by: string;
  readonly decided_email: string;
  /** The refund that was accepted; null: the request was declined. */
  readonly operation_id: string | null;
};

/** Once. False: another request was quicker. */
export async function decideRefundRequest(db: TenantRunner, decision: Decision): Promise<boolean> {
  const rows = await db.run(
    'decide_refund_request',
    `UPDATE payment.refund_requests
     SET
       state = :state,
       decided_by = :decided_by,
       decided_email = :decided_email,
       decided_at = payment.now(),
       operation_id = :operation_id
     WHERE id = :id
       AND merchant_account_id = :merchant_account_id
       AND state = 'open'
     RETURNING 1`,
    {
      ...decision,
      id: bytes(decision.id),
      decided_by: bytes(decision.decided_by),
      operation_id: bytes(decision.operation_id),
      merchant_account_id: bytes(db.merchant_account_id),
    },
  );
  return rows.length > 0;
}
