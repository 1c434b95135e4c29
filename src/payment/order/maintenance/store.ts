// The statement that accepts a capture, a refund or a cancel (engine.md 6).
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import { OPERATION_GUARD } from './guard.ts';
import type { Wish } from './plan.ts';

export type NewOperation = Wish & {
  readonly id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly version: number;
  readonly origin: 'merchant' | 'schedule';
  readonly lease_s: number;
  readonly code: string;
  readonly request_id: string | null;
  readonly key: { readonly route: string; readonly key: string; readonly fingerprint: string } | undefined;
};

/**
 * T1 of a maintenance operation: the intent, what it reserves and the status, all or nothing. False: the order moved since
 * `version`, or the key is taken, and nothing was stored. The amounts are guarded here (guard.ts) and, should this ever be
 * wrong, by the constraints of the table.
 */
export async function acceptOperation(db: TenantRunner, operation: NewOperation): Promise<boolean> {
  const { key, ...row } = operation;
  const rows = await db.run(
    'accept_operation',
    `WITH g AS (SELECT id FROM payment.orders WHERE id = :order_id AND merchant_account_id = :merchant_account_id AND version = :version AND ${OPERATION_GUARD} FOR NO KEY UPDATE),
     k AS (INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, fingerprint, object_id)
         SELECT :merchant_account_id, :route, :key::text, :key_fingerprint, :id FROM g WHERE :key IS NOT NULL ON CONFLICT DO NOTHING RETURNING 1),
     go AS (SELECT g.id FROM g WHERE :key IS NULL UNION ALL SELECT g.id FROM g, k),
     o AS (UPDATE payment.orders x SET version = version + 1, next_seq = next_seq + CASE :origin WHEN 'merchant' THEN 1 ELSE 0 END, updated_at = payment.now(),
         status = :status, capturing_minor = capturing_minor + CASE :kind WHEN 'capture' THEN :amount_minor ELSE 0 END,
         refunding_minor = refunding_minor + CASE :kind WHEN 'refund' THEN :amount_minor ELSE 0 END, cancel_pending = cancel_pending OR :kind = 'cancel'
         FROM go WHERE x.id = go.id AND x.merchant_account_id = :merchant_account_id RETURNING x.id, x.currency, x.version, x.next_seq - 1 AS seq, x.updated_at),
     p AS (INSERT INTO payment.operations (id, order_id, transaction_id, merchant_account_id, provider, kind, target_id, origin, amount_minor, currency, waits_for, final, refund_reason,
           operation_merchant_id, request_id, created_at, due_at)
         SELECT :id, o.id, t.id, :merchant_account_id, t.provider, :kind, :target_id, :origin, :amount_minor, o.currency, :waits_for, :final, :refund_reason,
           :operation_merchant_id, :request_id, o.updated_at, o.updated_at + make_interval(secs => :lease_s)
         FROM o JOIN payment.transactions t ON t.order_id = o.id AND t.id = :transaction_id AND t.merchant_account_id = :merchant_account_id),
     e AS (INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, code, request_id, order_version, at, operation_id, heard)
         SELECT id, seq, :merchant_account_id, :status, :code, :request_id, version, updated_at, :id,
           EXISTS (SELECT 1 FROM payment.endpoints WHERE merchant_account_id = :merchant_account_id AND state = 'on') FROM o WHERE :origin = 'merchant')
     SELECT 1 AS accepted FROM o`,
    {
      ...row,
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      target_id: bytes(row.target_id),
      request_id: bytes(row.request_id),
      final: row.final ? true : null,
      key: key?.key ?? null,
      route: key?.route ?? null,
      key_fingerprint: bytes(key?.fingerprint),
    },
  );
  return rows.length > 0;
}

/** In the audit of the account: money that a payer's bank had taken back was refunded on purpose. */
export async function recordDisputedRefund(
  db: TenantRunner,
  refund: { readonly order_id: string; readonly operation_id: string; readonly asked_by: string },
): Promise<void> {
  const { order_id, operation_id, asked_by } = refund;
  await db.run(
    'record_disputed_refund',
    `INSERT INTO payment.audit (merchant_account_id, actor, action, object, result, source, detail)
     VALUES (:merchant_account_id, 'merchant', 'disputed money refunded', :object, 'done', :source, :detail::jsonb)`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      object: order_id,
      source: asked_by,
      detail: JSON.stringify({ operation_id, even_if_disputed: true }),
    },
  );
}
