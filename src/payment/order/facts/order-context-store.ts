// The statement that reads what the refusals of a new attempt must know.
import { type TenantRunner, askRow, bytes, rowStatement } from '../../../kit/database.ts';
import type { StoredCheckout } from '../../checkout/request.ts';
import type { UsedKey } from '../../store.ts';

export type OrderContext = {
  /** The checkout, where one was named and is the account's. */
  readonly checkout: {
    readonly amount_minor: string;
    readonly currency: string;
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
  const context = await askRow<OrderContext>(db.batchRead, ORDER_CONTEXT, {
    ...question,
    is_unique: question.unique,
    merchant_account_id: bytes(db.merchant_account_id),
    checkout_id: bytes(question.checkout_id),
    token_hash: bytes(question.token_hash),
  });
  if (!context) throw new Error('find_order_context gives one row');
  return context;
}

const ORDER_CONTEXT = rowStatement(
  'find_order_context',
  {
    columns: {
      checkout_id: 'bytea',
      token_hash: 'bytea',
      order_merchant_id: 'text',
      route: 'text',
      key: 'text',
      is_unique: 'boolean',
    },
    reads: true,
  },
  (asked) =>
    // one statement: all that an order is accepted by, in one round trip. The reference is read out of the checkout
    // first: row-level security asks no index with a value that json gave
    `WITH ${asked},
     context AS MATERIALIZED (
       SELECT
         asked.n, asked.token_hash, asked.route, asked.key, asked.is_unique, c.id, c.amount_minor,
         c.currency, c.status, c.expires_at, c.attempts, c.max_attempts, c.body,
         coalesce(asked.order_merchant_id, c.body ->> 'order_merchant_id') AS order_merchant_id
       FROM asked
       LEFT JOIN payment.checkouts c
         ON c.id = asked.checkout_id
         AND c.merchant_account_id = :merchant_account_id
     )
     SELECT
       c.n,
       CASE
         WHEN c.id IS NOT NULL THEN json_build_object(
           'amount_minor', c.amount_minor::text, 'currency', c.currency,
           'open', c.status = 'created' AND c.expires_at > payment.now(), 'attempts', c.attempts,
           'max_attempts', c.max_attempts, 'body', c.body)
       END AS checkout,
       spending.order_id AS spent_by,
       coalesce(spending.fingerprint, spent.fingerprint) AS spent_fingerprint,
       (
         SELECT json_build_object(
           'object_id', encode(k.object_id, 'hex'), 'fingerprint', encode(k.fingerprint, 'hex'))
         FROM payment.idempotency_keys k
         WHERE k.merchant_account_id = :merchant_account_id
           AND k.route = c.route
           AND k.key = c.key
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
             WHERE c.is_unique
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
     FROM context c
     LEFT JOIN LATERAL (
       SELECT t.order_id, t.fingerprint
       FROM payment.transactions t
       WHERE t.merchant_account_id = :merchant_account_id
         AND t.token_hash = c.token_hash
         AND t.token_type = 'oneshot'
         AND t.cascade_of IS NULL
       -- found for each token: a plan made while the table was small may walk all of an account's attempts
       OFFSET 0
     ) AS spending ON true
     LEFT JOIN payment.orders AS spent
       ON spent.id = spending.order_id
       AND spent.merchant_account_id = :merchant_account_id`,
);
