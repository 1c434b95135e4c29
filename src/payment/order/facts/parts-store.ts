// Parts that statements on orders share: each writes one row, and is written once.
import type { OperationFacts } from './order-facts.ts';

/** Columns that every operation begins with, and those that a read does not show by their name. */
type OperationNeeds =
  | 'id'
  | 'order_id'
  | 'transaction_id'
  | 'provider'
  | 'kind'
  | 'amount_minor'
  | 'currency'
  | 'request_id'
  | 'created_at'
  | 'due_at';
type OperationMayHave = Exclude<keyof OperationFacts, OperationNeeds> | 'order_merchant_id';

/** An SQL expression for each column. */
export type OperationGiven = Readonly<Record<OperationNeeds, string> & Partial<Record<OperationMayHave, string>>>;

/** Inserts an operation for each row of `from`; columns that are not given begin as the table says. */
export function insertOperation(given: OperationGiven, from: string): string {
  const columns = Object.keys(given).join(', ');
  const values = Object.values(given).join(', ');
  return `INSERT INTO payment.operations (merchant_account_id, ${columns})
    SELECT :merchant_account_id::bytea, ${values}
    ${from}`;
}

type TransactionColumn =
  | 'id'
  | 'order_id'
  | 'attempt'
  | 'provider'
  | 'contract_id'
  | 'created_at'
  | 'risk'
  | keyof typeof CARD;

/** The card of an attempt, by the parameter that gives it. */
const CARD = {
  token_hash: ':token_hash',
  token_type: ':token_type',
  payment_method_name: ':payment_method_name',
  card_digest: ':card_digest',
  first6: ':first6',
  last4: ':last4',
  exp_month: ':exp_month',
  exp_year: ':exp_year',
  network_token: ':network_token',
} as const;

/** The same of the transaction before. */
export const CARD_OF_PREVIOUS = {
  token_hash: 'previous.token_hash',
  token_type: 'previous.token_type',
  payment_method_name: 'previous.payment_method_name',
  card_digest: 'previous.card_digest',
  first6: 'previous.first6',
  last4: 'previous.last4',
  exp_month: 'previous.exp_month',
  exp_year: 'previous.exp_year',
  network_token: 'previous.network_token',
} as const satisfies Record<keyof typeof CARD, string>;

export type TransactionGiven = Readonly<
  Record<TransactionColumn, string> & Partial<Record<'cascade_of' | 'dead' | 'held', string>>
>;

/** Inserts a transaction, which is one try at one provider, for each row of `from`. */
export function insertTransaction(given: TransactionGiven, from: string): string {
  const columns = Object.keys(given).join(', ');
  const values = Object.values(given).join(', ');
  return `INSERT INTO payment.transactions (merchant_account_id, ${columns})
    SELECT :merchant_account_id::bytea, ${values}
    ${from}`;
}

/** Whether anybody may want to be notified: an event that nobody hears needs no trigger. */
export const HAS_ENDPOINT = `EXISTS (
    SELECT 1
    FROM payment.endpoints
    WHERE merchant_account_id = :merchant_account_id
      AND state = 'on'
  )`;

// The parts of a new attempt, for a new order or another try. All but the first two read the part `attempt`: one row, its order.

/** A checkout that takes one more attempt. */
export const TAKES_ATTEMPT = `checkouts.merchant_account_id = :merchant_account_id
    AND checkouts.status = 'created'
    AND checkouts.expires_at > payment.now()
    AND checkouts.attempts < :max_attempts`;

/** A checkout that named no max_attempts takes those of its order. */
export const COUNT_ATTEMPT = `attempts = attempts + 1,
    max_attempts = greatest(max_attempts, :max_attempts)`;

export const NEW_TRANSACTION = `new_transaction AS (${insertTransaction(
  {
    id: ':transaction_id',
    order_id: 'attempt.id',
    attempt: ':attempt',
    provider: ':provider',
    contract_id: ':contract_id',
    ...CARD,
    dead: 'NOT :live',
    created_at: 'attempt.at',
    risk: ':risk::json',
    held: ':held::json',
  },
  'FROM attempt',
)})`;

/** What the provider is to be sent, unless the attempt has ended before or the payer is authenticated first. */
export const NEW_OPERATION = `new_operation AS (${insertOperation(
  {
    id: ':operation_id::bytea',
    order_id: 'attempt.id',
    transaction_id: ':transaction_id',
    provider: ':provider',
    kind: `'authorize'`,
    amount_minor: 'attempt.amount_minor',
    currency: 'attempt.currency',
    with_capture: ':with_capture',
    order_merchant_id: 'attempt.order_merchant_id',
    request_id: ':request_id',
    created_at: 'attempt.at',
    due_at: 'payment.now() + make_interval(secs => :lease_s)',
  },
  'FROM attempt WHERE :operation_id::bytea IS NOT NULL',
)})`;

/** Browser and address of the customer, brought up to date where they changed. */
export const SEEN_CUSTOMER = `seen_customer AS (
    INSERT INTO payment.customers AS known (
      merchant_account_id, customer_id, id, browser, ip)
    SELECT
      :merchant_account_id, :customer_id::text, :customer_record_id, :browser::jsonb, :ip::text
    FROM attempt
    WHERE :customer_id IS NOT NULL
    ON CONFLICT (merchant_account_id, customer_id) DO UPDATE SET
      browser = known.browser || excluded.browser,
      ip = coalesce(excluded.ip, known.ip),
      version = known.version + 1,
      updated_at = payment.now()
    WHERE known.browser || excluded.browser <> known.browser
      OR coalesce(excluded.ip, known.ip) IS DISTINCT FROM known.ip
  )`;

/** The order counts for its customer once it succeeds. */
export const customerOrder = (on_conflict = ''): string => `customer_order AS (
    INSERT INTO payment.customer_orders (
      merchant_account_id, customer_id, order_id, token_hash, token_sealed)
    SELECT :merchant_account_id, :customer_id, attempt.id, :token_hash, :token_sealed::bytea
    FROM attempt
    WHERE :customer_id IS NOT NULL
    ${on_conflict}
  )`;

export const KEEP_TOKEN = `ON CONFLICT (merchant_account_id, customer_id, order_id, token_hash) DO UPDATE SET
    token_sealed = coalesce(excluded.token_sealed, customer_orders.token_sealed)`;

/** `created` is passed inside the accepting request, and is nobody's event. */
export const NEW_EVENT = `new_event AS (
    INSERT INTO payment.events (
      subject_id, seq, merchant_account_id, type, code, request_id, order_version,
      at, silent, heard)
    SELECT
      attempt.id, attempt.seq, :merchant_account_id, :status, :code, :request_id, attempt.version,
      attempt.at, :status = 'created', ${HAS_ENDPOINT}
    FROM attempt
  )`;
