// The statement of an outcome, in its shapes: each is put together from the parts that it needs (decision 0092).
import { type Parameters, type RowStatement, rowStatement } from '../../../kit/database.ts';
import { COUNTED, COUNTING } from '../../declines/parts-store.ts';
import { HAS_ENDPOINT, insertOperation } from './parts-store.ts';

/**
 * The parts of a settlement beside order, operation, observation and events; a statement of another shape leaves parts
 * out.
 */
type Parts = {
  /** The attempt ends, or has a score. */
  readonly tries: boolean;
  /** Money moves, and an operation may come with it. */
  readonly books: boolean;
  /** Other operations end with it. */
  readonly others: boolean;
  /** The card is counted, or was. */
  readonly counts?: boolean;
};

const COLUMNS = {
  order_id: 'bytea',
  version: 'int',
  operation_id: 'bytea',
  transaction_id: 'bytea',
  provider: 'text',
  request_id: 'bytea',
  status: 'text',
  live: 'boolean',
  winner_id: 'bytea',
  cancel_pending: 'boolean',
  authorized: 'bigint',
  released: 'bigint',
  capturing: 'bigint',
  captured: 'bigint',
  refunding: 'bigint',
  refunded: 'bigint',
  above: 'bigint',
  state: 'text',
  code: 'text',
  reason: 'text',
  provider_ref: 'text',
  authorization_code: 'text',
  provider_code: 'text',
  provider_text: 'text',
  attempt_dead: 'boolean',
  risk_score: 'smallint',
  source: 'text',
  outcome: 'text',
  seen_amount_minor: 'bigint',
  seen_currency: 'text',
  http_status: 'smallint',
  answer: 'text',
  follow_id: 'bytea',
  follow_kind: 'text',
  follow_target: 'bytea',
  follow_origin: 'text',
  follow_minor: 'bigint',
  follow_state: 'text',
  follow_waits: 'text',
  follow_code: 'text',
  follow_ref: 'text',
  event_count: 'int',
} as const;

export const SETTLE_LISTS = {
  others: { id: 'bytea', state: 'text', code: 'text', reason: 'text' },
  postings: {
    source: 'bytea',
    posting: 'text',
    line: 'smallint',
    debit: 'text',
    credit: 'text',
    amount_minor: 'bigint',
  },
  events: { place: 'int', type: 'text', code: 'text', operation_id: 'bytea' },
} as const;

/** Two outcomes of one order never go together: the second would find the version of before. */
const apart = ({ order_id }: Parameters) => [String(order_id)];

const settleStatement = (name: string, parts: Parts): RowStatement =>
  rowStatement(
    name,
    { columns: { ...COLUMNS, ...(parts.counts === true && COUNTING) }, lists: SETTLE_LISTS, apart },
    (asked) =>
      // one statement: operations, money, status and history change in one commit and one round trip
      `WITH ${asked},
     changed_order AS (
       UPDATE payment.orders
       SET
         version = orders.version + greatest(1, asked.event_count),
         next_seq = next_seq + asked.event_count,
         updated_at = payment.now(),
         status = asked.status,
         live = asked.live,
         -- an attempt that failed after all holds nothing any more: the order may be tried again
         winner_id = CASE
           WHEN asked.attempt_dead AND orders.winner_id = asked.transaction_id THEN NULL
           ELSE coalesce(asked.winner_id, orders.winner_id)
         END,
         cancel_pending = asked.cancel_pending,
         authorized_minor = authorized_minor + asked.authorized,
         released_minor = released_minor + asked.released,
         capturing_minor = capturing_minor + asked.capturing,
         captured_minor = captured_minor + asked.captured,
         refunding_minor = refunding_minor + asked.refunding,
         refunded_minor = refunded_minor + asked.refunded,
         above_minor = nullif(coalesce(above_minor, 0) + asked.above, 0)
       FROM asked
       WHERE orders.id = asked.order_id
         AND orders.merchant_account_id = :merchant_account_id
         AND orders.version = asked.version
       RETURNING
         asked.*, orders.currency, orders.updated_at AS at, orders.version AS new_version,
         next_seq - asked.event_count AS first_seq
     ),
     settled_operation AS (
       UPDATE payment.operations
       SET
         state = changed_order.state,
         code = coalesce(changed_order.code, operations.code),
         reason = coalesce(changed_order.reason, operations.reason),
         provider_ref = coalesce(changed_order.provider_ref, operations.provider_ref),
         authorization_code = coalesce(
           changed_order.authorization_code, operations.authorization_code),
         provider_code = coalesce(changed_order.provider_code, operations.provider_code),
         provider_text = coalesce(changed_order.provider_text, operations.provider_text),
         answer_hash = NULL,
         -- one whose payer is at the provider holds no place there, nor while it is undone
         waits_for = CASE
           WHEN changed_order.state = 'reversing' AND operations.waits_for = 'payer' THEN 'payer'
           ELSE 'call'
         END,
         settled_at = CASE
           WHEN changed_order.state = 'successful' AND operations.state = 'declined' THEN
             changed_order.at
           WHEN changed_order.state IN ('successful', 'declined', 'not_sent') THEN
             coalesce(operations.settled_at, changed_order.at)
         END
       FROM changed_order
       WHERE operations.id = changed_order.operation_id
         AND operations.order_id = changed_order.order_id
         AND operations.merchant_account_id = :merchant_account_id
       RETURNING changed_order.*, operations.order_merchant_id
     ),
     ${parts.others ? OTHER_OPERATIONS : ''}
     ${parts.tries ? triedTransaction(parts.counts === true) : ''}
     ${parts.counts === true ? `${COUNTED},` : ''}
     ${parts.books ? BOOKED : ''}
     new_observation AS (
       INSERT INTO payment.observations (
         merchant_account_id, transaction_id, operation_id, source, outcome, provider_code,
         provider_ref, amount_minor, currency, http_status, answer,
         at)
       SELECT
         :merchant_account_id, transaction_id, operation_id, source, outcome, provider_code,
         provider_ref, seen_amount_minor, seen_currency, http_status, answer,
         at
       FROM changed_order
     ),
     new_events AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id,
         type, code, request_id,
         order_version,
         at, operation_id, heard)
       SELECT
         changed_order.order_id, changed_order.first_seq + events.place - 1, :merchant_account_id,
         events.type, events.code, changed_order.request_id,
         changed_order.new_version - changed_order.event_count + events.place,
         changed_order.at, events.operation_id, ${HAS_ENDPOINT}
       FROM changed_order
       JOIN events USING (n)
     )
     SELECT n, new_version AS version, at FROM changed_order`,
  );

const OTHER_OPERATIONS = `other_operations AS (
       UPDATE payment.operations
       SET
         state = others.state,
         code = coalesce(others.code, operations.code),
         reason = coalesce(others.reason, operations.reason),
         waits_for = 'call',
         settled_at = changed_order.at
       FROM changed_order
       JOIN others USING (n)
       WHERE operations.order_id = changed_order.order_id
         AND operations.id = others.id
         AND operations.merchant_account_id = :merchant_account_id
     ),`;

const NOTED = `,
         decline = coalesce(changed_order.decline, transactions.decline),
         held = coalesce(changed_order.held, transactions.held)`;

const triedTransaction = (noted: boolean) => `tried_transaction AS (
       UPDATE payment.transactions
       SET
         dead = dead OR changed_order.attempt_dead,
         risk_score = coalesce(changed_order.risk_score, transactions.risk_score)${noted ? NOTED : ''}
       FROM changed_order
       WHERE transactions.id = changed_order.transaction_id
         AND transactions.order_id = changed_order.order_id
         AND transactions.merchant_account_id = :merchant_account_id
         AND (changed_order.attempt_dead OR changed_order.risk_score IS NOT NULL)
     ),`;

/** The operation that comes with it, and what the ledger says. */
const BOOKED = `new_operation AS (${insertOperation(
  {
    id: 'follow_id',
    order_id: 'order_id',
    transaction_id: 'transaction_id',
    provider: 'provider',
    kind: 'follow_kind',
    target_id: 'follow_target',
    origin: 'follow_origin',
    amount_minor: 'follow_minor',
    currency: 'currency',
    order_merchant_id: `CASE
      WHEN follow_kind = 'capture' AND follow_state = 'requested' THEN order_merchant_id
    END`,
    request_id: 'request_id',
    state: 'follow_state',
    waits_for: 'follow_waits',
    code: 'follow_code',
    provider_ref: 'follow_ref',
    created_at: 'at',
    settled_at: `CASE
      WHEN follow_state IN ('successful', 'declined') THEN at
    END`,
    due_at: 'at',
  },
  'FROM settled_operation WHERE follow_id IS NOT NULL',
)}),
     new_postings AS (
       INSERT INTO payment.ledger_entries (
         source_id, posting, line, merchant_account_id,
         order_id, provider, debit, credit,
         currency, amount_minor, at)
       SELECT
         postings.source, postings.posting, postings.line, :merchant_account_id,
         settled_operation.order_id, settled_operation.provider, postings.debit, postings.credit,
         settled_operation.currency, postings.amount_minor, settled_operation.at
       FROM settled_operation
       JOIN postings USING (n)
     ),`;

/** A sale, or an authorization: nothing but what it is about. */
export const SETTLE_BOOKED = settleStatement('settle_booked', { tries: false, books: true, others: false });
/** The same statement with the provider's risk score. */
export const SETTLE_SCORED = settleStatement('settle_scored', { tries: true, books: true, others: false });
/** A decline, or what moves no money. */
export const SETTLE_ENDED = settleStatement('settle_ended', { tries: true, books: false, others: false });
/** An authorization of a card that is counted: all there may be, and what it leaves there. */
export const SETTLE_COUNTED = settleStatement('settle_counted', {
  tries: true,
  books: true,
  others: true,
  counts: true,
});
/** All there may be. */
export const SETTLE = settleStatement('settle', { tries: true, books: true, others: true });
