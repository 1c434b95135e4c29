// The statement that cancels an order while its payer is asked.
import { type TenantRunner, bytes } from '../../../kit/database.ts';
import { type Key, keyParameters, newKey } from '../../store.ts';
import { insertOperation } from '../facts/parts-store.ts';

export type Cancel = {
  /** The id of the cancel. */
  readonly id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly version: number;
  readonly amount_minor: bigint;
  readonly operation_merchant_id: string | null;
  readonly request_id: string;
  readonly code: string;
  /** Code that the authentication ends with. */
  readonly ended: string;
  readonly key: Key | undefined;
};

/**
 * The order ends as cancelled, and its authentication with it. False: it moved since `version`, or the key is taken.
 */
export async function cancelAuthentication(db: TenantRunner, cancel: Cancel): Promise<boolean> {
  const { key, ...row } = cancel;
  const rows = await db.run(
    'cancel_authentication',
    // one statement: the order, its authentication and the cancel end in one commit and one round trip
    `WITH waiting_order AS (
       SELECT id
       FROM payment.orders
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
         AND status = 'authentication_requested'
       FOR NO KEY UPDATE
     ),
     ${newKey('waiting_order', ':id')},
     may_begin AS (
       SELECT waiting_order.id FROM waiting_order WHERE :key IS NULL
       UNION ALL
       SELECT waiting_order.id FROM waiting_order, new_key
     ),
     changed_order AS (
       UPDATE payment.orders o
       SET
         version = version + 1,
         next_seq = next_seq + 1,
         updated_at = payment.now(),
         status = 'authorization_cancelled',
         live = false
       FROM may_begin
       WHERE o.id = may_begin.id
         AND o.merchant_account_id = :merchant_account_id
       RETURNING o.id, o.currency, o.version, o.next_seq - 1 AS seq, o.updated_at
     ),
     changed_authentication AS (
       UPDATE payment.authentications a
       SET state = 'declined', code = :ended, settled_at = changed_order.updated_at
       FROM changed_order
       WHERE a.order_id = changed_order.id
         AND a.transaction_id = :transaction_id
         AND a.merchant_account_id = :merchant_account_id
     ),
     dead_transaction AS (
       UPDATE payment.transactions t
       SET dead = true
       FROM changed_order
       WHERE t.order_id = changed_order.id
         AND t.id = :transaction_id
         AND t.merchant_account_id = :merchant_account_id
       RETURNING t.provider
     ),
     new_operation AS (${insertOperation(
       {
         id: ':id',
         order_id: 'changed_order.id',
         transaction_id: ':transaction_id',
         provider: 'dead_transaction.provider',
         kind: `'cancel'`,
         amount_minor: ':amount_minor',
         currency: 'changed_order.currency',
         operation_merchant_id: ':operation_merchant_id',
         request_id: ':request_id',
         state: `'successful'`,
         code: ':code',
         created_at: 'changed_order.updated_at',
         settled_at: 'changed_order.updated_at',
         due_at: 'changed_order.updated_at',
       },
       'FROM changed_order, dead_transaction',
     )}),
     new_event AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type, code, request_id, order_version,
         at)
       SELECT
         id, seq, :merchant_account_id, 'authorization_cancelled', :code, :request_id, version,
         updated_at
       FROM changed_order
     )
     SELECT 1 AS cancelled FROM changed_order`,
    {
      ...row,
      ...keyParameters(key),
      merchant_account_id: bytes(db.merchant_account_id),
      id: bytes(row.id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      request_id: bytes(row.request_id),
    },
  );
  return rows.length > 0;
}
