// Statements that read orders.
import { type TenantRunner, askRow, bytes, rowStatement } from '../../../kit/database.ts';
import type { StoredCheckout } from '../../checkout/request.ts';
import type { StoredOrder } from '../accept/request.ts';
import type { RetryFacts } from '../../retry-told.ts';
import type { AuthenticationFacts } from './authentication-facts.ts';
import { operationPart } from './operation-columns.ts';
import type { ContradictionFacts, DisputeFacts, EventFacts, OrderFacts, TransactionFacts } from './order-facts.ts';
import { hex, minor, partOf, time } from './part.ts';

/** Rows of a part, as lists. */
type Lists = readonly (readonly unknown[])[];

type OrderRow = Omit<
  OrderFacts,
  | 'transactions'
  | 'operations'
  | 'authentications'
  | 'events'
  | 'disputes'
  | 'contradictions'
  | 'retry'
  | 'body'
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
  readonly transactions: Lists;
  readonly operations: Lists;
  readonly authentications: Lists | null;
  readonly events: Lists;
  readonly disputes: Lists | null;
  readonly contradictions: Lists | null;
  readonly retry: readonly unknown[] | null;
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
            'rule', v.rule_names -> (${transaction}.route ->> 'r')::int, 'contracts', v.contracts,
            'cascade', v.cascade)
          FROM payment.route_versions v
          WHERE v.merchant_account_id = :merchant_account_id
            AND v.version = (${transaction}.route ->> 'v')::int
        ))
    END`;
}

const TRANSACTION = partOf<TransactionFacts>({
  id: hex('t.id'),
  provider: 't.provider',
  contract_id: hex('t.contract_id'),
  token_type: 't.token_type',
  foreign: 't.card_digest IS NULL',
  network_token: 't.network_token',
  payment_method_name: 't.payment_method_name',
  first6: 't.first6',
  last4: 't.last4',
  exp_month: 't.exp_month',
  exp_year: 't.exp_year',
  risk_score: 't.risk_score',
  risk: 't.risk',
  held: 't.held',
  decline: 't.decline',
  route: routeOf('t'),
  cascade_of: hex('t.cascade_of'),
  otherwise: 't.otherwise',
  created_at: time('t.created_at'),
});

const OPERATION = operationPart('p');

const AUTHENTICATION = partOf<AuthenticationFacts>({
  id: hex('a.id'),
  transaction_id: hex('a.transaction_id'),
  demand: 'a.demand',
  state: 'a.state',
  handle: hex('a.handle'),
  partner: 'a.partner',
  version: 'a.version',
  server_id: 'a.server_id',
  acs_transaction_id: 'a.acs_transaction_id',
  acs_url: 'a.acs_url',
  method_url: 'a.method_url',
  provider_run: 'a.provider_run',
  form: 'a.form',
  trans_status: 'a.trans_status',
  eci: 'a.eci',
  ds_transaction_id: 'a.ds_transaction_id',
  liability_shifted: 'a.liability_shifted',
  code: 'a.code',
  request_id: hex('a.request_id'),
  created_at: time('a.created_at'),
  settled_at: time('a.settled_at'),
});

const EVENT = partOf<EventFacts>({
  type: 'e.type',
  code: 'e.code',
  at: time('e.at'),
  request_id: hex('e.request_id'),
});

const DISPUTE = partOf<DisputeFacts>({
  id: hex('d.id'),
  operation_id: hex('d.operation_id'),
  round: 'd.round',
  reference: 'd.reference',
  state: 'd.state',
  amount_minor: minor('d.amount_minor'),
  reason: 'd.reason',
  reason_code: 'd.reason_code',
  opened_at: time('d.opened_at'),
  told_at: time('coalesce(d.told_at, d.opened_at)'),
});

const CONTRADICTION = partOf<ContradictionFacts>({
  id: hex('k.id'),
  operation_id: hex('k.operation_id'),
  held: 'k.held',
  said: 'k.said',
  provider_ref: 'k.provider_ref',
  opened_at: time('k.opened_at'),
});

const RETRY = partOf<RetryFacts>({
  policy: 'r.policy',
  state: 'r.state',
  tries: 'r.tries',
  cause: 'r.cause',
  next_at: time('r.next_at'),
  until: time('r.until'),
  began_at: time('r.began_at'),
  ending: 'r.ending',
  ended_at: time('r.ended_at'),
});

/**
 * The columns of OrderRow, of `o` and its checkout `c`. One statement: an order is read with all that hangs on it at
 * one moment.
 */
const FACTS = `o.id, o.merchant_account_id, o.checkout_id, o.order_merchant_id, o.amount_minor, o.currency,
  o.status, o.live, o.version, o.winner_id, o.authorized_minor, o.released_minor, o.capturing_minor,
  o.captured_minor, o.refunding_minor, o.refunded_minor, coalesce(o.above_minor, 0) AS above_minor,
  o.cancel_pending, o.created_at, o.updated_at, payment.now() AS read_at,
  o.body AS own_body, c.body AS checkout_body,
  coalesce(c.attempts, o.attempts) AS attempts_used,
  least(o.max_attempts, c.max_attempts) - coalesce(c.attempts, o.attempts) AS attempts_remaining,
  (
    SELECT json_agg(${TRANSACTION.list} ORDER BY t.attempt)
    FROM payment.transactions t
    WHERE t.order_id = o.id
      AND t.merchant_account_id = :merchant_account_id
  ) AS transactions,
  (
    SELECT coalesce(json_agg(${OPERATION.list} ORDER BY p.id), '[]')
    FROM payment.operations p
    WHERE p.order_id = o.id
      AND p.merchant_account_id = :merchant_account_id
  ) AS operations,
  (
    SELECT json_agg(${AUTHENTICATION.list} ORDER BY a.transaction_id)
    FROM payment.authentications a
    WHERE a.order_id = o.id
      AND a.merchant_account_id = :merchant_account_id
  ) AS authentications,
  (
    SELECT json_agg(${EVENT.list} ORDER BY e.seq)
    FROM payment.events e
    WHERE e.subject_id = o.id
      AND e.merchant_account_id = :merchant_account_id
      AND e.type NOT LIKE '%.%'
  ) AS events,
  (
    SELECT json_agg(${DISPUTE.list} ORDER BY d.id)
    FROM payment.disputes d
    WHERE d.order_id = o.id
      AND d.merchant_account_id = :merchant_account_id
  ) AS disputes,
  CASE
    WHEN o.contradicted THEN (
      SELECT json_agg(${CONTRADICTION.list} ORDER BY k.id)
      FROM payment.contradictions k
      WHERE k.order_id = o.id
        AND k.merchant_account_id = :merchant_account_id
        AND k.state = 'open'
    )
  END AS contradictions,
  CASE
    WHEN o.body ->> 'retry_policy' IS NOT NULL THEN (
      SELECT ${RETRY.list}
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
    transactions: row.transactions.map(TRANSACTION.of),
    operations: row.operations.map(OPERATION.of),
    authentications: row.authentications?.map(AUTHENTICATION.of) ?? [],
    events: row.events.map(EVENT.of),
    disputes: row.disputes?.map(DISPUTE.of) ?? [],
    contradictions: row.contradictions?.map(CONTRADICTION.of) ?? [],
    retry: row.retry && RETRY.of(row.retry),
  };
}
