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
  | 'route'
  | keyof typeof CARD;

/** The card of an attempt. */
const CARD = {
  token_hash: 'attempt.token_hash',
  token_type: 'attempt.token_type',
  payment_method_name: 'attempt.payment_method_name',
  card_digest: 'attempt.card_digest',
  first6: 'attempt.first6',
  last4: 'attempt.last4',
  exp_month: 'attempt.exp_month',
  exp_year: 'attempt.exp_year',
  network_token: 'attempt.network_token',
} as const;

/** The columns of the card, copied from the transaction before. */
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
  Record<TransactionColumn, string> & Partial<Record<'cascade_of' | 'dead' | 'held' | 'fingerprint', string>>
>;

/** Inserts a transaction, which is one try at one provider, for each row of `from`. */
export function insertTransaction(given: TransactionGiven, from: string): string {
  const columns = Object.keys(given).join(', ');
  const values = Object.values(given).join(', ');
  return `INSERT INTO payment.transactions (merchant_account_id, ${columns})
    SELECT :merchant_account_id::bytea, ${values}
    ${from}`;
}

/** Whether an endpoint may want the event: without one it needs no trigger. */
export const HAS_ENDPOINT = `EXISTS (
    SELECT 1
    FROM payment.endpoints
    WHERE merchant_account_id = :merchant_account_id
      AND state = 'on'
  )`;

// The parts of a new attempt, for a new order or another try. The first two read the part `asked`: what is asked for.
// All others read the part `attempt`: the same, of those that may begin, with `at`, `new_version` and `seq` of their
// orders.

/** A checkout that takes one more attempt. */
export const TAKES_ATTEMPT = `checkouts.merchant_account_id = :merchant_account_id
    AND checkouts.status = 'created'
    AND checkouts.expires_at > payment.now()
    AND checkouts.attempts < asked.max_attempts`;

/** A checkout that named no max_attempts takes those of its order. */
export const COUNT_ATTEMPT = `attempts = checkouts.attempts + 1,
    max_attempts = greatest(checkouts.max_attempts, asked.max_attempts)`;

export const NEW_TRANSACTION = `new_transaction AS (${insertTransaction(
  {
    id: 'attempt.transaction_id',
    order_id: 'attempt.order_id',
    attempt: 'attempt.attempt',
    provider: 'attempt.provider',
    contract_id: 'attempt.contract_id',
    ...CARD,
    dead: 'NOT attempt.live',
    created_at: 'attempt.at',
    risk: 'attempt.risk',
    route: 'attempt.route_note',
    held: 'attempt.held',
    // the request that the order was made by stands with the order; a later try has none
    fingerprint: `CASE WHEN attempt.attempt > 1 THEN nullif(attempt.fingerprint, '') END`,
  },
  'FROM attempt',
)})`;

/** The operation for the provider, unless the attempt has ended before or the payer is authenticated first. */
export const NEW_OPERATION = `new_operation AS (${insertOperation(
  {
    id: 'attempt.operation_id',
    order_id: 'attempt.order_id',
    transaction_id: 'attempt.transaction_id',
    provider: 'attempt.provider',
    kind: `'authorize'`,
    amount_minor: 'attempt.amount_minor',
    currency: 'attempt.currency',
    with_capture: 'attempt.with_capture',
    order_merchant_id: 'attempt.order_merchant_id',
    request_id: 'attempt.request_id',
    created_at: 'attempt.at',
    due_at: 'payment.now() + make_interval(secs => attempt.lease_s)',
  },
  'FROM attempt WHERE attempt.operation_id IS NOT NULL',
)})`;

/** Browser and address of the customer, brought up to date where they changed. */
export const SEEN_CUSTOMER = `seen_customer AS (
    INSERT INTO payment.customers AS known (
      merchant_account_id, customer_id, id, browser, ip)
    SELECT
      :merchant_account_id, customer_id, customer_record_id, browser, ip
    FROM attempt
    WHERE customer_id IS NOT NULL
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
    SELECT :merchant_account_id, customer_id, order_id, token_hash, token_sealed
    FROM attempt
    WHERE customer_id IS NOT NULL
    ${on_conflict}
  )`;

export const KEEP_TOKEN = `ON CONFLICT (merchant_account_id, customer_id, order_id, token_hash) DO UPDATE SET
    token_sealed = coalesce(excluded.token_sealed, customer_orders.token_sealed)`;

/** `created` is passed inside the accepting request, and no endpoint gets an event of it. */
export const NEW_EVENT = `new_event AS (
    INSERT INTO payment.events (
      subject_id, seq, merchant_account_id, type, code, request_id, order_version,
      at, silent, heard)
    SELECT
      order_id, seq, :merchant_account_id, status, code, request_id, new_version,
      at, status = 'created', ${HAS_ENDPOINT}
    FROM attempt
  )`;
