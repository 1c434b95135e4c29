// Statements that start another attempt of an order: a retry by the merchant, or the next provider.
import { type Database, type Runner, bytes } from '../../../kit/database.ts';
import { customerParameters } from '../../customer/of-order.ts';
import { insertAuthentication } from '../authentication/store.ts';
import { passedStatuses } from '../read/history.ts';
import type { NewOrder } from '../store.ts';

export type NextAttempt = Omit<NewOrder, 'checkout_id' | 'amount_minor' | 'currency'> & {
  readonly version: number;
  readonly checkout_id: string | null;
  /** Number of the transaction within its order, from 1. */
  readonly attempt: number;
};

/**
 * PUT order: the next attempt of an order that was declined, counted on order and checkout, all or nothing. False: the
 * order moved since `version`, or checkout, attempts or key refuse it. Its authorization has a date of its own: that of its order
 * may be over already.
 */
export async function retryOrder(db: Database, merchant_account_id: string, next: NextAttempt): Promise<boolean> {
  const { authentication } = next;
  if (!authentication) return retryOrderIn(db.tenant(merchant_account_id), merchant_account_id, next);
  return db.begin(merchant_account_id, async (tx) => {
    if (!(await retryOrderIn(tx, merchant_account_id, next))) return false;
    const { order_id, transaction_id, request_id } = next;
    await insertAuthentication(tx, { ...authentication, merchant_account_id, order_id, transaction_id, request_id });
    return true;
  });
}

async function retryOrderIn(db: Runner, merchant_account_id: string, next: NextAttempt): Promise<boolean> {
  const { card, key, fallbacks: _, authentication: _later, customer, ...row } = next;
  const rows = await db.run(
    'retry_order',
    `WITH g AS (SELECT o.id, o.checkout_id FROM payment.orders o LEFT JOIN payment.checkouts c ON c.id = o.checkout_id AND c.merchant_account_id = :merchant_account_id
         WHERE o.id = :order_id AND o.merchant_account_id = :merchant_account_id AND o.version = :version AND o.winner_id IS NULL AND NOT o.live
           AND CASE WHEN c.id IS NULL THEN o.attempts < o.max_attempts
               ELSE c.status = 'created' AND c.expires_at > payment.now() AND c.attempts < least(c.max_attempts, :max_attempts) END FOR NO KEY UPDATE OF o),
     k AS (INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, fingerprint, object_id)
         SELECT :merchant_account_id, :route, :key::text, :key_fingerprint, :order_id FROM g WHERE :key IS NOT NULL ON CONFLICT DO NOTHING RETURNING 1),
     go AS (SELECT g.* FROM g WHERE :key IS NULL UNION ALL SELECT g.* FROM g, k),
     u AS (UPDATE payment.checkouts c SET attempts = attempts + 1 FROM go WHERE c.id = go.checkout_id AND c.merchant_account_id = :merchant_account_id AND c.attempts < c.max_attempts RETURNING 1),
     h AS (SELECT go.id FROM go, u UNION ALL SELECT go.id FROM go WHERE go.checkout_id IS NULL),
     o AS (UPDATE payment.orders x SET version = version + :statuses, next_seq = next_seq + 1, attempts = attempts + 1, updated_at = payment.now(), status = :status, live = :live,
         order_merchant_id = :order_merchant_id, body = :body, fingerprint = :fingerprint, max_attempts = :max_attempts
         FROM h WHERE x.id = h.id AND x.merchant_account_id = :merchant_account_id RETURNING x.id, x.amount_minor, x.currency, x.order_merchant_id, x.version, x.next_seq - 1 AS seq, x.updated_at),
     t AS (INSERT INTO payment.transactions (id, order_id, merchant_account_id, attempt, provider, contract_id, token_hash, token_type, payment_method_name, card_unique_id, first6, last4, exp_month, exp_year, dead, created_at, risk)
         SELECT :transaction_id, o.id, :merchant_account_id, :attempt, :provider, :contract_id, :token_hash, :token_type, :payment_method_name, :card_unique_id, :first6, :last4, :exp_month, :exp_year, NOT :live, o.updated_at, :risk::json FROM o),
     p AS (INSERT INTO payment.operations (id, order_id, transaction_id, merchant_account_id, provider, kind, amount_minor, currency, with_capture, order_merchant_id, request_id, created_at, due_at)
         SELECT :operation_id::bytea, o.id, :transaction_id, :merchant_account_id, :provider, 'authorize', o.amount_minor, o.currency, :with_capture, o.order_merchant_id, :request_id, o.updated_at,
           o.updated_at + make_interval(secs => :lease_s) FROM o WHERE :operation_id::bytea IS NOT NULL),
     la AS (INSERT INTO payment.lapses (merchant_account_id, order_id, due_at)
         SELECT :merchant_account_id, o.id, o.updated_at + make_interval(days => c.authorization_days) FROM o JOIN payment.contracts c ON c.id = :contract_id AND c.merchant_account_id = :merchant_account_id
         ON CONFLICT (merchant_account_id, order_id) DO UPDATE SET due_at = excluded.due_at),
     cu AS (INSERT INTO payment.customers AS c (merchant_account_id, customer_id, id, browser, ip)
         SELECT :merchant_account_id, :customer_id::text, :customer_record_id, :browser::jsonb, :ip::text FROM o WHERE :customer_id IS NOT NULL
         ON CONFLICT (merchant_account_id, customer_id) DO UPDATE SET browser = c.browser || excluded.browser, ip = coalesce(excluded.ip, c.ip), version = c.version + 1, updated_at = payment.now()
           WHERE c.browser || excluded.browser <> c.browser OR coalesce(excluded.ip, c.ip) IS DISTINCT FROM c.ip),
     co AS (INSERT INTO payment.customer_orders (merchant_account_id, customer_id, order_id, token_hash, token_sealed)
         SELECT :merchant_account_id, :customer_id, o.id, :token_hash, :token_sealed::bytea FROM o WHERE :customer_id IS NOT NULL
         ON CONFLICT (merchant_account_id, customer_id, order_id, token_hash) DO UPDATE SET token_sealed = coalesce(excluded.token_sealed, customer_orders.token_sealed)),
     e AS (INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, code, request_id, order_version, at, silent)
         SELECT o.id, o.seq, :merchant_account_id, :status, :code, :request_id, o.version, o.updated_at, :status = 'created' FROM o)
     SELECT 1 AS accepted FROM o`,
    {
      ...row,
      ...customerParameters(customer),
      merchant_account_id: bytes(merchant_account_id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      operation_id: bytes(row.operation_id),
      contract_id: bytes(row.contract_id),
      request_id: bytes(row.request_id),
      token_hash: bytes(row.token_hash),
      fingerprint: bytes(row.fingerprint),
      token_type: card.kind,
      statuses: passedStatuses(next).length,
      card_unique_id: card.card_unique_id,
      first6: card.first6,
      last4: card.last4,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      risk: row.risk && JSON.stringify(row.risk),
      key: key?.key ?? null,
      route: key?.route ?? null,
      key_fingerprint: bytes(key?.fingerprint),
    },
  );
  return rows.length > 0;
}

export type Fallback = {
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly from_id: string;
  readonly transaction_id: string;
  readonly provider: string;
  readonly contract_id: string;
  readonly with_capture: boolean;
  readonly request_id: string | null;
  readonly lease_s: number;
  /** Its authorization is sent at once. */
  readonly authorizes: boolean;
};

/** The same attempt with another provider; within the transaction that ended it with the one before. */
export async function insertFallback(db: Runner, fallback: Fallback): Promise<void> {
  await db.run(
    'insert_fallback',
    `WITH t AS (INSERT INTO payment.transactions (id, order_id, merchant_account_id, attempt, cascade_of, provider, contract_id, token_hash, token_type, payment_method_name, card_unique_id, first6, last4, exp_month, exp_year, created_at, risk)
         SELECT :transaction_id, order_id, merchant_account_id, attempt + 1, id, :provider, :contract_id, token_hash, token_type, payment_method_name, card_unique_id, first6, last4, exp_month, exp_year, payment.now(), risk
         FROM payment.transactions WHERE order_id = :order_id AND merchant_account_id = :merchant_account_id AND id = :from_id RETURNING created_at)
     INSERT INTO payment.operations (id, order_id, transaction_id, merchant_account_id, provider, kind, amount_minor, currency, with_capture, order_merchant_id, request_id, created_at, due_at)
     SELECT :transaction_id, o.id, :transaction_id, :merchant_account_id, :provider, 'authorize', o.amount_minor, o.currency, :with_capture, o.order_merchant_id, :request_id, t.created_at,
       t.created_at + make_interval(secs => :lease_s) FROM payment.orders o, t WHERE o.id = :order_id AND o.merchant_account_id = :merchant_account_id AND :authorizes`,
    {
      ...fallback,
      merchant_account_id: bytes(fallback.merchant_account_id),
      order_id: bytes(fallback.order_id),
      from_id: bytes(fallback.from_id),
      transaction_id: bytes(fallback.transaction_id),
      contract_id: bytes(fallback.contract_id),
      request_id: bytes(fallback.request_id),
    },
  );
}
