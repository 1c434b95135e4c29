// The statement that accepts a new order, in its shapes, and the parts that it has in common with that of another
// attempt.
import { type Parameters, type RowStatement, askedOnce, rowStatement } from '../../../kit/database.ts';
import { newKeys } from '../../store.ts';
import {
  COUNT_ATTEMPT,
  NEW_EVENT,
  NEW_OPERATION,
  NEW_TRANSACTION,
  SEEN_CUSTOMER,
  TAKES_ATTEMPT,
  customerOrder,
} from '../facts/parts-store.ts';
import { partsOf } from './guarded-store.ts';

/** The parameters of a new order and of another attempt. */
export const ASKED = {
  order_id: 'bytea',
  transaction_id: 'bytea',
  operation_id: 'bytea',
  checkout_id: 'bytea',
  order_merchant_id: 'text',
  amount_minor: 'bigint',
  currency: 'text',
  body: 'json',
  fingerprint: 'bytea',
  made_at: 'timestamptz',
  now: 'timestamptz',
  status: 'text',
  live: 'boolean',
  statuses: 'int',
  max_attempts: 'smallint',
  attempt: 'smallint',
  provider: 'text',
  contract_id: 'bytea',
  token_hash: 'bytea',
  token_type: 'text',
  payment_method_name: 'text',
  card_digest: 'bytea',
  first6: 'text',
  last4: 'text',
  exp_month: 'smallint',
  exp_year: 'smallint',
  network_token: 'boolean',
  with_capture: 'boolean',
  lease_s: 'float8',
  code: 'text',
  risk: 'json',
  held: 'json',
  route_note: 'json',
  request_id: 'bytea',
  customer_id: 'text',
  customer_record_id: 'bytea',
  browser: 'jsonb',
  ip: 'text',
  token_sealed: 'bytea',
  key: 'text',
  route: 'text',
  key_fingerprint: 'bytea',
} as const;

/** Attempts of one checkout count one after the other, and what is new of a customer is written once at a time. */
const apart = ({ checkout_id, customer_id }: Parameters) =>
  [checkout_id, customer_id].map((id) => (typeof id === 'string' ? id : null));

/**
 * The rows of `asked` that may begin, because their key is theirs. The checkout is locked first only if a key must not
 * be used up in vain.
 */
export const mayBegin = (asked: string) => `open_checkout AS (
       SELECT asked.*
       FROM ${asked} AS asked
       JOIN payment.checkouts ON checkouts.id = asked.checkout_id
       WHERE asked.key IS NOT NULL
         AND ${TAKES_ATTEMPT}
       FOR NO KEY UPDATE OF checkouts
     ),
     may_take_key AS (
       SELECT * FROM open_checkout
       UNION ALL
       SELECT * FROM ${asked} WHERE key IS NULL OR checkout_id IS NULL
     ),
     ${newKeys('may_take_key', 'order_id')},
     may_begin AS (
       SELECT * FROM may_take_key WHERE key IS NULL
       UNION ALL
       SELECT may_take_key.*
       FROM may_take_key
       JOIN new_key ON new_key.object_id = may_take_key.order_id
     ),`;

/** Counts them on their checkouts: `accepted`. */
export const counted = (begin: string) => `counted AS (
       UPDATE payment.checkouts
       SET ${COUNT_ATTEMPT}
       FROM ${begin} AS asked
       WHERE checkouts.id = asked.checkout_id
         AND ${TAKES_ATTEMPT}
       RETURNING asked.*
     ),
     accepted AS (
       SELECT * FROM counted
       UNION ALL
       SELECT * FROM ${begin} WHERE checkout_id IS NULL
     ),`;

/** `whole`: with an Idempotency-Key, for a customer; `guarded`: its card's scheme sets limits. */
function acceptText(asked: string, { whole, guarded }: { readonly whole: boolean; readonly guarded: boolean }): string {
  const { free, may, open, or_held } = partsOf(guarded, 'asked');
  // one statement: order, transaction, intent, count and key are stored in one commit and one round trip, or none of
  // them
  return `WITH ${asked},
     ${free}
     ${whole ? mayBegin(may) : ''}
     ${counted(whole ? 'may_begin' : may)}
     new_order AS (
       INSERT INTO payment.orders (
         id, merchant_account_id, checkout_id, order_merchant_id, amount_minor, currency,
         body, fingerprint, created_at, updated_at, status, live, version, next_seq,
         max_attempts)
       SELECT
         order_id, :merchant_account_id, checkout_id, order_merchant_id, amount_minor, currency,
         body, fingerprint, made_at, now, status, live, statuses, 2,
         max_attempts
       FROM accepted
     ),
     attempt AS (
       SELECT accepted.*, now AS at, statuses AS new_version, 1 AS seq FROM accepted
     ),
     ${NEW_TRANSACTION},
     ${NEW_OPERATION},
     ${whole ? `${SEEN_CUSTOMER}, ${customerOrder()},` : ''}
     ${open}
     ${NEW_EVENT}
     SELECT n, NULL::json AS held FROM attempt
     ${or_held}`;
}

const acceptStatement = (name: string, whole: boolean): RowStatement =>
  rowStatement(name, { columns: ASKED, apart }, (asked) => acceptText(asked, { whole, guarded: false }));

/** Without Idempotency-Key and customer. */
export const ACCEPT_PLAIN_ORDER = acceptStatement('accept_plain_order', false);
export const ACCEPT_ORDER = acceptStatement('accept_order', true);
/** One attempt of a card at a time: each looks at what the one before has counted. */
export const ACCEPT_GUARDED_ORDER = acceptText(askedOnce(ASKED), { whole: true, guarded: true });
