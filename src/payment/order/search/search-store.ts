// Statements that look at orders as they are at this moment: orders that the worker has not followed yet, and orders
// that a page shows.
import { type Parameters, type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { OrderStatus } from '../../../core/states.ts';
import { ORDER_IN_DOUBT } from '../in-doubt.ts';

/**
 * Updates the narrow rows with the next `span` transactions; answers how many are left. Null: another process is doing
 * it.
 */
export async function followOrders(db: Runner, span: number): Promise<bigint | null> {
  const [row] = await db.run<{ left: bigint | null }>(
    'follow_orders',
    `-- any account: the worker follows the events of all of them
     SELECT payment.follow_orders(:span) AS left`,
    { span },
  );
  return row?.left ?? null;
}

/** Orders that changed since the worker last updated the narrow rows. */
export async function findUnfollowed(db: TenantRunner): Promise<readonly string[]> {
  const rows = await db.run<{ subject_id: string }>(
    'find_unfollowed',
    `SELECT DISTINCT e.subject_id
     FROM payment.events e
     WHERE e.merchant_account_id = :merchant_account_id
       AND e.tx >= (SELECT next_tx FROM payment.order_search_state)
       AND e.tx < pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
    { merchant_account_id: bytes(db.merchant_account_id) },
  );
  return rows.map((row) => row.subject_id);
}

/** The account's orders by place alone, newest first. */
export async function listOrderIds(db: TenantRunner, parameters: Parameters): Promise<readonly string[]> {
  const rows = await db.run<{ id: string }>(
    'list_order_ids',
    `SELECT o.id
     FROM payment.orders o
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id < :before
       AND o.id >= :after
     ORDER BY o.id DESC
     LIMIT :room`,
    parameters,
  );
  return rows.map((row) => row.id);
}

/**
 * Orders that an id, a checkout or the merchant's reference points to; an id may be of a transaction or an operation.
 */
export async function findNamed(
  db: TenantRunner,
  name: { any_id: string | undefined; checkout_id: string | undefined; order_merchant_id: string | undefined },
): Promise<readonly string[]> {
  const rows = await db.run<{ id: string }>(
    'find_named_orders',
    `SELECT o.id
     FROM payment.orders o
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id = :any_id::bytea
     UNION
     SELECT o.id
     FROM payment.orders o
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.order_merchant_id = :order_merchant_id::text
     UNION
     SELECT o.id
     FROM payment.orders o
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.checkout_id = :checkout_id::bytea
       AND o.live
     UNION
     SELECT o.id
     FROM payment.orders o
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.checkout_id = :checkout_id::bytea
       AND NOT o.live
     UNION
     SELECT t.order_id
     FROM payment.transactions t
     WHERE t.merchant_account_id = :merchant_account_id
       AND t.id = :any_id::bytea
     UNION
     SELECT p.order_id
     FROM payment.operations p
     WHERE p.merchant_account_id = :merchant_account_id
       AND p.id = :any_id::bytea`,
    {
      merchant_account_id: bytes(db.merchant_account_id),
      any_id: bytes(name.any_id),
      checkout_id: bytes(name.checkout_id ?? name.any_id),
      order_merchant_id: name.order_merchant_id ?? null,
    },
  );
  return rows.map((row) => row.id);
}

/** Those of these orders that fit the filters now, newest first. */
export async function matchOrders(
  db: TenantRunner,
  ids: readonly string[],
  parameters: Parameters,
): Promise<readonly string[]> {
  const rows = await db.run<{ id: string }>(
    'match_orders',
    `SELECT o.id
     FROM ${ORDERS}
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id = ANY (:ids::bytea[])
       AND o.id < :before
       AND o.id >= :after
       AND o.amount_minor BETWEEN :lowest AND :highest
       AND (:statuses::text[] IS NULL OR o.status = ANY (:statuses))
       AND (:currencies::text[] IS NULL OR o.currency = ANY (:currencies))
       AND (:codes::text[] IS NULL
         OR e.code = ANY (:codes))
       AND (:provider::text IS NULL OR t.provider = :provider)
       AND (:payment_method_name::text IS NULL OR t.payment_method_name = :payment_method_name)
       AND (:operation_type::text IS NULL
         OR :operation_type = coalesce(o.body ->> 'operation_type', c.body ->> 'operation_type'))
       AND (:is_suspicious::boolean IS NULL
         OR :is_suspicious = payment.is_suspicious(t.risk, t.risk_score))
       AND (:outcome::text IS NULL
         OR :outcome = payment.outcome_of(o.status, o.captured_minor, o.refunded_minor))
       AND (:last4::smallint IS NULL OR t.last4 = lpad(:last4::text, 4, '0'))
       AND (:customer::bigint IS NULL
         OR :customer
           = payment.search_hash(coalesce(o.body ->> 'customer_id', c.body ->> 'customer_id')))
       AND (:email::bigint IS NULL
         OR :email = payment.search_hash(coalesce(
           o.body ->> 'customer_email', c.body ->> 'customer_email')))
       AND (NOT :in_doubt::boolean OR (${ORDER_IN_DOUBT}))
       AND (NOT :disputed::boolean
         OR 0 < (
           SELECT count(*)
           FROM payment.disputes d
           WHERE d.order_id = o.id
             AND d.merchant_account_id = :merchant_account_id
         ))
     ORDER BY o.id DESC
     LIMIT :room`,
    { ...parameters, ids: ids.map((id) => bytes(id)) },
  );
  return rows.map((row) => row.id);
}

export type OrderRow = {
  readonly id: string;
  readonly created_at: Date;
  readonly checkout_id: string | null;
  readonly order_merchant_id: string;
  readonly customer_id: string | null;
  readonly customer_email: string | null;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly status: OrderStatus;
  /** Result code of the present status. */
  readonly code: string | null;
  readonly operation_type: string | null;
  readonly payment_method_name: string;
  readonly last4: string | null;
  readonly provider: string;
  readonly captured_minor: bigint;
  readonly refunded_minor: bigint;
  readonly is_suspicious: boolean;
  readonly is_in_doubt: boolean;
  /** The most important dispute: an open one, then a lost one, then a won one. */
  readonly dispute: 'opened' | 'lost' | 'won' | null;
};

/** The rows of a list for these orders, newest first. */
export async function findOrderRows(db: TenantRunner, ids: readonly string[]): Promise<readonly OrderRow[]> {
  return db.run<OrderRow>(
    'find_order_rows',
    `SELECT
       o.id, o.created_at, o.checkout_id, o.order_merchant_id,
       coalesce(o.body ->> 'customer_id', c.body ->> 'customer_id') AS customer_id,
       coalesce(o.body ->> 'customer_email', c.body ->> 'customer_email') AS customer_email,
       o.amount_minor, o.currency, o.status,
       e.code,
       coalesce(o.body ->> 'operation_type', c.body ->> 'operation_type') AS operation_type,
       t.payment_method_name, t.last4, t.provider, o.captured_minor, o.refunded_minor,
       payment.is_suspicious(t.risk, t.risk_score) AS is_suspicious,
       (${ORDER_IN_DOUBT}) AS is_in_doubt,
       (
         SELECT d.state
         FROM payment.disputes d
         WHERE d.order_id = o.id
           AND d.merchant_account_id = :merchant_account_id
         ORDER BY array_position(ARRAY['opened', 'lost', 'won'], d.state)
         LIMIT 1
       ) AS dispute
     FROM ${ORDERS}
     WHERE o.merchant_account_id = :merchant_account_id
       AND o.id = ANY (:ids::bytea[])
     ORDER BY o.id DESC`,
    { merchant_account_id: bytes(db.merchant_account_id), ids: ids.map((id) => bytes(id)) },
  );
}

/**
 * Orders, each with its last attempt, its checkout, and the result code of its status. The worker keeps the same code
 * in its narrow rows (search_facts).
 */
const ORDERS = `payment.orders o
     JOIN LATERAL (
       SELECT *
       FROM payment.transactions t
       WHERE t.order_id = o.id
         AND t.merchant_account_id = :merchant_account_id
       ORDER BY t.attempt DESC
       LIMIT 1
     ) t ON true
     LEFT JOIN payment.checkouts c
       ON c.id = o.checkout_id
       AND c.merchant_account_id = :merchant_account_id
     LEFT JOIN LATERAL (
       SELECT e.code
       FROM payment.events e
       WHERE e.subject_id = o.id
         AND e.merchant_account_id = :merchant_account_id
         AND e.type NOT LIKE '%.%'
       ORDER BY e.seq DESC
       LIMIT 1
     ) e ON true`;
