// The statement that accepts a capture, a refund or a cancel.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import { type Key, keyParameters, newKey } from '../../store.ts';
import { OPERATION_GUARD } from './guard.ts';
import { HAS_ENDPOINT, insertOperation } from '../facts/parts-store.ts';
import type { ValidatedOperation } from '../maintenance/plan.ts';

export type NewOperation = ValidatedOperation & {
  readonly id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly version: number;
  readonly origin: 'merchant' | 'schedule';
  readonly lease_s: number;
  readonly code: string;
  readonly request_id: string | null;
  readonly key: Key | undefined;
};

/**
 * T1 of a maintenance operation: the intent, what it reserves and the status, all or nothing. False: the order changed
 * since `version`, or the key is taken, and nothing was stored. The amounts are checked here (guard.ts) and once more
 * by the constraints of the table.
 */
export async function acceptOperation(db: TenantRunner, operation: NewOperation): Promise<boolean> {
  const { key, ...row } = operation;
  const rows = await db.run(
    'accept_operation',
    // one statement: the intent, what it reserves and the status are in one commit and one round trip
    `WITH allowed_order AS (
       SELECT id
       FROM payment.orders
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
         AND ${OPERATION_GUARD}
       FOR NO KEY UPDATE
     ),
     ${newKey('allowed_order', ':id')},
     may_begin AS (
       SELECT allowed_order.id FROM allowed_order WHERE :key IS NULL
       UNION ALL
       SELECT allowed_order.id FROM allowed_order, new_key
     ),
     changed_order AS (
       UPDATE payment.orders
       SET
         version = version + 1,
         next_seq = next_seq + CASE :origin WHEN 'merchant' THEN 1 ELSE 0 END,
         updated_at = payment.now(),
         status = :status,
         capturing_minor = capturing_minor
           + CASE :kind WHEN 'capture' THEN :amount_minor ELSE 0 END,
         refunding_minor = refunding_minor + CASE :kind WHEN 'refund' THEN :amount_minor ELSE 0 END,
         cancel_pending = cancel_pending OR :kind = 'cancel'
       FROM may_begin
       WHERE orders.id = may_begin.id
         AND orders.merchant_account_id = :merchant_account_id
       RETURNING orders.id, currency, version, next_seq - 1 AS seq, updated_at
     ),
     new_operation AS (${insertOperation(
       {
         id: ':id',
         order_id: 'changed_order.id',
         transaction_id: 'transactions.id',
         provider: 'transactions.provider',
         kind: ':kind',
         target_id: ':target_id',
         origin: ':origin',
         amount_minor: ':amount_minor',
         currency: 'changed_order.currency',
         waits_for: ':waits_for',
         final: ':final',
         refund_reason: ':refund_reason',
         operation_merchant_id: ':operation_merchant_id',
         request_id: ':request_id',
         created_at: 'changed_order.updated_at',
         due_at: 'changed_order.updated_at + make_interval(secs => :lease_s)',
       },
       `FROM changed_order
  JOIN payment.transactions
    ON transactions.order_id = changed_order.id
    AND transactions.id = :transaction_id
    AND transactions.merchant_account_id = :merchant_account_id`,
     )}),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type, code, request_id,
         order_version, at, operation_id, heard)
       SELECT
         changed_order.id, changed_order.seq, :merchant_account_id, :status, :code, :request_id,
         changed_order.version, changed_order.updated_at, :id, ${HAS_ENDPOINT}
       FROM changed_order
       WHERE :origin = 'merchant'
     )
     SELECT 1 AS accepted FROM changed_order`,
    {
      ...row,
      ...keyParameters(key),
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      target_id: bytes(row.target_id),
      request_id: bytes(row.request_id),
      final: row.final ? true : null,
    },
  );
  return rows.length > 0;
}

/** An entry in the audit of the account: a person refunded, on purpose, money that a payer's bank had taken back. */
export async function recordDisputedRefund(
  db: TenantRunner,
  refund: { readonly order_id: string; readonly operation_id: string; readonly asked_by: string },
): Promise<void> {
  const { order_id, operation_id, asked_by } = refund;
  await db.run(
    'record_disputed_refund',
    `INSERT INTO payment.audit (
       merchant_account_id, actor, action, object, result, source,
       detail)
     VALUES (
       :merchant_account_id, 'merchant', 'disputed money refunded', :object, 'done', :source,
       :detail::jsonb)`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      object: order_id,
      source: asked_by,
      detail: JSON.stringify({ operation_id, even_if_disputed: true }),
    },
  );
}
