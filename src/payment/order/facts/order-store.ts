// Statements that read orders.
import { type TenantRunner, bytes, isoText } from '../../../kit/database.ts';
import type { StoredCheckout } from '../../checkout/request.ts';
import type { UsedKey } from '../../store.ts';
import type { StoredOrder } from '../accept/request.ts';
import type { OrderFacts } from './order-facts.ts';
import { type OperationRow, operationJson } from './operation-columns.ts';

export type OrderContext = {
  /** The checkout, where one was named and is the account's. */
  readonly checkout: {
    readonly amount_minor: string;
    readonly currency: string;
    readonly status: string;
    readonly open: boolean;
    readonly attempts: number;
    readonly max_attempts: number;
    readonly body: StoredCheckout;
  } | null;
  /** The order that spent this one-shot token. */
  readonly spent_by: string | null;
  readonly spent_fingerprint: string | null;
  readonly used_key: UsedKey | null;
  /** A live or successful order on the checkout, or one with the same order_merchant_id at a provider. */
  readonly in_process: string | null;
  /** Orders outside the checkout with the same order_merchant_id that only wait for their payer. */
  readonly waiting: readonly string[] | null;
};

/** Everything the refusals of contract 7.3 must know, in one round trip. */
export async function findOrderContext(
  db: TenantRunner,
  question: {
    checkout_id: string | null;
    token_hash: string | null;
    order_merchant_id: string | null;
    route: string;
    key: string | null;
    unique: boolean;
  },
): Promise<OrderContext> {
  const rows = await db.batchRead<OrderContext>(
    'find_order_context',
    // one statement: all that an order is accepted by, in one round trip. The reference is read out of the checkout first: row-level
    // security asks no index with a value that json gave
    `WITH checkout AS MATERIALIZED (
       SELECT
         c.id, c.amount_minor, c.currency, c.status, c.expires_at, c.attempts, c.max_attempts,
         c.body, coalesce(:order_merchant_id, c.body ->> 'order_merchant_id') AS order_merchant_id
       FROM (SELECT :checkout_id::bytea AS id) AS named
       LEFT JOIN payment.checkouts c
         ON c.id = named.id
         AND c.merchant_account_id = :merchant_account_id
     ),
     spending AS MATERIALIZED (
       SELECT t.order_id
       FROM payment.transactions t
       WHERE t.merchant_account_id = :merchant_account_id
         AND t.token_hash = :token_hash::bytea
         AND t.token_type = 'oneshot'
         AND t.cascade_of IS NULL
     )
     SELECT
       CASE
         WHEN c.id IS NOT NULL THEN json_build_object(
           'amount_minor', c.amount_minor::text, 'currency', c.currency, 'status', c.status,
           'open', c.status = 'created' AND c.expires_at > payment.now(), 'attempts', c.attempts,
           'max_attempts', c.max_attempts, 'body', c.body)
       END AS checkout,
       (SELECT order_id FROM spending) AS spent_by,
       (
         SELECT o.fingerprint
         FROM payment.orders o
         WHERE o.id = (SELECT order_id FROM spending)
           AND o.merchant_account_id = :merchant_account_id
       ) AS spent_fingerprint,
       (
         SELECT json_build_object(
           'object_id', encode(k.object_id, 'hex'), 'fingerprint', encode(k.fingerprint, 'hex'))
         FROM payment.idempotency_keys k
         WHERE k.merchant_account_id = :merchant_account_id
           AND k.route = :route
           AND k.key = :key::text
       ) AS used_key,
       coalesce(
         (
           SELECT o.id
           FROM payment.orders o
           WHERE o.checkout_id = c.id
             AND o.merchant_account_id = :merchant_account_id
             AND o.live
         ),
         (
           SELECT o.id
           FROM payment.orders o
           WHERE o.checkout_id = c.id
             AND o.merchant_account_id = :merchant_account_id
             AND NOT o.live
             AND o.winner_id IS NOT NULL
           LIMIT 1
         ),
         (
           SELECT p.order_id
           FROM payment.operations p
           WHERE p.merchant_account_id = :merchant_account_id
             AND p.order_merchant_id = c.order_merchant_id
             AND p.origin = 'merchant'
             AND (p.kind = 'authorize' OR p.kind = 'capture' AND p.target_id IS NOT NULL)
             AND p.state IN ('requested', 'in_doubt', 'reversing', 'review')
             AND p.waits_for <> 'payer'
         ),
         (
           SELECT succeeded.id
           FROM (
             SELECT o.id
             FROM payment.orders o
             WHERE :unique::boolean
               AND o.merchant_account_id = :merchant_account_id
               AND o.order_merchant_id = c.order_merchant_id
               AND o.winner_id IS NOT NULL
             -- found first and sorted then: else the plan may walk all orders by their id
             OFFSET 0
           ) AS succeeded
           ORDER BY succeeded.id
           LIMIT 1
         )) AS in_process,
       (
         SELECT json_agg(encode(a.order_id, 'hex'))
         FROM payment.authentications a
         WHERE a.merchant_account_id = :merchant_account_id
           AND a.order_merchant_id = c.order_merchant_id
           AND a.state IN ('method', 'challenge')
       ) AS waiting
     FROM checkout c`,
    {
      ...question,
      merchant_account_id: bytes(db.merchant_account_id),
      checkout_id: bytes(question.checkout_id),
      token_hash: bytes(question.token_hash),
    },
  );
  const [context] = rows;
  if (!context) throw new Error('find_order_context gives one row');
  return context;
}

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
> & {
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
  const rows = await db.batchRead<OrderRow>(
    'find_order',
    `SELECT ${FACTS}
     FROM payment.orders o
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     WHERE o.id = :order_id
       AND o.merchant_account_id = :merchant_account_id`,
    { merchant_account_id: bytes(db.merchant_account_id), order_id: bytes(order_id) },
  );
  return rows[0] && factsOf(rows[0]);
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

/** The columns of OrderRow, of `o` and its checkout `c`. One statement: an order is read with all that hangs on it at one moment. */
const FACTS = `o.id, o.merchant_account_id, o.checkout_id, o.order_merchant_id, o.amount_minor, o.currency,
  o.status, o.live, o.version, o.winner_id, o.authorized_minor, o.released_minor, o.capturing_minor,
  o.captured_minor, o.refunding_minor, o.refunded_minor, coalesce(o.above_minor, 0) AS above_minor,
  o.cancel_pending, ${isoText('o.created_at')} AS created_at,
  ${isoText('o.updated_at')} AS updated_at, ${isoText('payment.now()')} AS read_at,
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
      'created_at', ${isoText('t.created_at')}) ORDER BY t.attempt)
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
      'request_id', encode(a.request_id, 'hex'), 'created_at', ${isoText('a.created_at')},
      'settled_at', ${isoText('a.settled_at')}) ORDER BY a.transaction_id), '[]')
    FROM payment.authentications a
    WHERE a.order_id = o.id
      AND a.merchant_account_id = :merchant_account_id
  ) AS authentications,
  (
    SELECT json_agg(json_build_object(
      'type', e.type, 'code', e.code, 'at', ${isoText('e.at')},
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
      'reason_code', d.reason_code, 'opened_at', ${isoText('d.opened_at')},
      'told_at', ${isoText('coalesce(d.told_at, d.opened_at)')}) ORDER BY d.id), '[]')
    FROM payment.disputes d
    WHERE d.order_id = o.id
      AND d.merchant_account_id = :merchant_account_id
  ) AS disputes,
  CASE
    WHEN o.contradicted THEN (
      SELECT json_agg(json_build_object(
        'id', encode(k.id, 'hex'), 'operation_id', encode(k.operation_id, 'hex'), 'held', k.held,
        'said', k.said, 'provider_ref', k.provider_ref, 'opened_at', ${isoText('k.opened_at')})
        ORDER BY k.id)
      FROM payment.contradictions k
      WHERE k.order_id = o.id
        AND k.merchant_account_id = :merchant_account_id
        AND k.state = 'open'
    )
  END AS contradictions`;

function factsOf({ own_body, checkout_body, operations, disputes, contradictions, ...facts }: OrderRow): OrderFacts {
  return {
    ...facts,
    body: { payment_channel: 'e-commerce', ...checkout_body, ...own_body },
    operations: operations.map((operation) => ({ ...operation, amount_minor: BigInt(operation.amount_minor) })),
    disputes: disputes.map((dispute) => ({ ...dispute, amount_minor: BigInt(dispute.amount_minor) })),
    contradictions: contradictions ?? [],
  };
}
