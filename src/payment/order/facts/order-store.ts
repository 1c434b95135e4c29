// Statements that read orders.
import { type TenantRunner, askRow, bytes, rowStatement } from '../../../kit/database.ts';
import type { StoredCheckout } from '../../checkout/request.ts';
import type { StoredOrder } from '../accept/request.ts';
import type { OrderFacts } from './order-facts.ts';
import { type OperationRow, isoTime, operationJson, operationOf } from './operation-columns.ts';

type OrderRow = Omit<
  OrderFacts,
  | 'transactions'
  | 'operations'
  | 'authentications'
  | 'events'
  | 'disputes'
  | 'contradictions'
  | 'body'
  | 'attempts_remaining'
  | 'created_at'
  | 'updated_at'
  | 'read_at'
> & {
  readonly n?: unknown;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly read_at: Date;
  readonly own_body: StoredOrder;
  readonly checkout_body: StoredCheckout | null;
  readonly attempts_remaining: number;
  readonly transactions: OrderFacts['transactions'];
  readonly operations: readonly OperationRow[];
  readonly authentications: OrderFacts['authentications'];
  readonly events: OrderFacts['events'];
  readonly disputes: readonly (Omit<OrderFacts['disputes'][number], 'amount_minor'> & {
    readonly amount_minor: number;
  })[];
  readonly contradictions: OrderFacts['contradictions'] | null;
};

/** An order with its transactions, operations and status history, oldest first, in one round trip. */
export async function findOrder(db: TenantRunner, order_id: string): Promise<OrderFacts | undefined> {
  const row = await askRow<OrderRow>(db.batchRead, FIND_ORDER, {
    merchant_account_id: bytes(db.merchant_account_id),
    order_id: bytes(order_id),
  });
  return row && factsOf(row);
}

/** These orders with everything about them, newest first. */
export async function findOrders(db: TenantRunner, ids: readonly string[]): Promise<readonly OrderFacts[]> {
  const rows = await db.run<OrderRow>(
    'find_orders',
    `SELECT ${FACTS}
     FROM payment.orders o
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id = ANY (:ids::bytea[])
     ORDER BY o.id DESC`,
    { merchant_account_id: bytes(db.merchant_account_id), ids: ids.map((id) => bytes(id)) },
  );
  return rows.map(factsOf);
}

/** A RouteKept: the note of an attempt with what it needs of its version. */
function routeOf(transaction: string): string {
  return `CASE
      WHEN ${transaction}.route IS NOT NULL THEN json_build_object(
        'note', ${transaction}.route, 'of', (
          SELECT json_build_object(
            'rule', v.rules -> 'rules' -> (${transaction}.route ->> 'r')::int ->> 'name',
            'contracts', v.rules -> 'contracts', 'cascade', v.rules -> 'cascade')
          FROM payment.route_versions v
          WHERE v.merchant_account_id = :merchant_account_id
            AND v.version = (${transaction}.route ->> 'v')::int
        ))
    END`;
}

/**
 * The columns of OrderRow, of `o` and its checkout `c`. One statement: an order is read with all that hangs on it at
 * one moment.
 */
const FACTS = `o.id, o.merchant_account_id, o.checkout_id, o.order_merchant_id, o.amount_minor, o.currency,
  o.status, o.live, o.version, o.winner_id, o.authorized_minor, o.released_minor, o.capturing_minor,
  o.captured_minor, o.refunding_minor, o.refunded_minor, coalesce(o.above_minor, 0) AS above_minor,
  o.cancel_pending, o.created_at, o.updated_at, payment.now() AS read_at,
  o.body AS own_body, c.body AS checkout_body,
  least(o.max_attempts, c.max_attempts) - coalesce(c.attempts, o.attempts) AS attempts_remaining,
  (
    SELECT json_agg(json_build_object(
      'id', encode(t.id, 'hex'), 'provider', t.provider,
      'contract_id', encode(t.contract_id, 'hex'), 'token_type', t.token_type,
      'foreign', t.card_digest IS NULL, 'network_token', t.network_token,
      'payment_method_name', t.payment_method_name,
      'first6', t.first6, 'last4', t.last4, 'exp_month', t.exp_month, 'exp_year', t.exp_year,
      'risk_score', t.risk_score, 'risk', t.risk, 'route', ${routeOf('t')},
      'held', t.held, 'decline', t.decline,
      'cascade_of', encode(t.cascade_of, 'hex'),
      'created_at', t.created_at) ORDER BY t.attempt)
    FROM payment.transactions t
    WHERE t.order_id = o.id
      AND t.merchant_account_id = :merchant_account_id
  ) AS transactions,
  (
    SELECT coalesce(json_agg(${operationJson('p')} ORDER BY p.id), '[]')
    FROM payment.operations p
    WHERE p.order_id = o.id
      AND p.merchant_account_id = :merchant_account_id
  ) AS operations,
  (
    SELECT coalesce(json_agg(json_build_object(
      'id', encode(a.id, 'hex'), 'transaction_id', encode(a.transaction_id, 'hex'),
      'demand', a.demand, 'state', a.state, 'handle', encode(a.handle, 'hex'), 'partner', a.partner,
      'version', a.version, 'server_id', a.server_id, 'acs_transaction_id', a.acs_transaction_id,
      'acs_url', a.acs_url, 'method_url', a.method_url, 'provider_run', a.provider_run,
      'form', a.form, 'trans_status', a.trans_status,
      'eci', a.eci, 'ds_transaction_id', a.ds_transaction_id,
      'liability_shifted', a.liability_shifted, 'code', a.code,
      'request_id', encode(a.request_id, 'hex'), 'created_at', a.created_at,
      'settled_at', a.settled_at) ORDER BY a.transaction_id), '[]')
    FROM payment.authentications a
    WHERE a.order_id = o.id
      AND a.merchant_account_id = :merchant_account_id
  ) AS authentications,
  (
    SELECT json_agg(json_build_object(
      'type', e.type, 'code', e.code, 'at', e.at,
      'request_id', encode(e.request_id, 'hex')) ORDER BY e.seq)
    FROM payment.events e
    WHERE e.subject_id = o.id
      AND e.merchant_account_id = :merchant_account_id
      AND e.type NOT LIKE '%.%'
  ) AS events,
  (
    SELECT coalesce(json_agg(json_build_object(
      'id', encode(d.id, 'hex'), 'operation_id', encode(d.operation_id, 'hex'), 'round', d.round,
      'state', d.state, 'amount_minor', d.amount_minor, 'reason', d.reason,
      'reason_code', d.reason_code, 'opened_at', d.opened_at,
      'told_at', coalesce(d.told_at, d.opened_at)) ORDER BY d.id), '[]')
    FROM payment.disputes d
    WHERE d.order_id = o.id
      AND d.merchant_account_id = :merchant_account_id
  ) AS disputes,
  CASE
    WHEN o.contradicted THEN (
      SELECT json_agg(json_build_object(
        'id', encode(k.id, 'hex'), 'operation_id', encode(k.operation_id, 'hex'), 'held', k.held,
        'said', k.said, 'provider_ref', k.provider_ref, 'opened_at', k.opened_at)
        ORDER BY k.id)
      FROM payment.contradictions k
      WHERE k.order_id = o.id
        AND k.merchant_account_id = :merchant_account_id
        AND k.state = 'open'
    )
  END AS contradictions,
  CASE
    WHEN o.body ->> 'retry_policy' IS NOT NULL THEN (
      SELECT json_build_object(
        'policy', r.policy, 'state', r.state, 'tries', r.tries, 'cause', r.cause,
        'next_at', r.next_at, 'until', r.until, 'began_at', r.began_at, 'ending', r.ending,
        'ended_at', r.ended_at)
      FROM payment.retries r
      WHERE r.order_id = o.id
        AND r.merchant_account_id = :merchant_account_id
    )
  END AS retry`;

const FIND_ORDER = rowStatement(
  'find_order',
  { columns: { order_id: 'bytea' }, reads: true },
  (asked) => `WITH ${asked}
     SELECT asked.n, ${FACTS}
     FROM asked
     JOIN payment.orders o ON o.id = asked.order_id
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     WHERE o.merchant_account_id = :merchant_account_id`,
);

function factsOf({ n: _, own_body, checkout_body, ...row }: OrderRow): OrderFacts {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    read_at: row.read_at.toISOString(),
    body: { payment_channel: 'e-commerce', ...checkout_body, ...own_body },
    transactions: row.transactions.map((one) => ({ ...one, created_at: isoTime(one.created_at) })),
    operations: row.operations.map(operationOf),
    authentications: row.authentications.map((one) => ({
      ...one,
      created_at: isoTime(one.created_at),
      settled_at: one.settled_at && isoTime(one.settled_at),
    })),
    events: row.events.map((one) => ({ ...one, at: isoTime(one.at) })),
    disputes: row.disputes.map((one) => ({
      ...one,
      amount_minor: BigInt(one.amount_minor),
      opened_at: isoTime(one.opened_at),
      told_at: isoTime(one.told_at),
    })),
    contradictions: (row.contradictions ?? []).map((one) => ({ ...one, opened_at: isoTime(one.opened_at) })),
    retry: row.retry && {
      ...row.retry,
      next_at: row.retry.next_at && isoTime(row.retry.next_at),
      until: isoTime(row.retry.until),
      began_at: isoTime(row.retry.began_at),
      ended_at: row.retry.ended_at && isoTime(row.retry.ended_at),
    },
  };
}
