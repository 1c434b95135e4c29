// What an outcome changes, in one statement: guard, then effect, one round trip and one commit.
import { type Parameters, type Runner, type TenantRunner, bytes } from '../../../kit/database.ts';
import type { Observation, PostingLine, Seen, Settlement } from '../decide/decision.ts';
import { type Counting, countingParameters } from '../../declines/counting.ts';
import { COUNTED } from '../../declines/parts-store.ts';
import { HAS_ENDPOINT, insertOperation } from '../facts/parts-store.ts';

export type SettleFacts = {
  readonly order_id: string;
  readonly version: number;
  readonly operation_id: string;
  readonly transaction_id: string;
  readonly follow_id: string | null;
  readonly provider: string;
  readonly settlement: Settlement;
  readonly postings: readonly PostingLine[];
  readonly request_id: string | null;
  readonly source: Observation['source'];
  readonly outcome: Exclude<Seen['kind'], 'cancel_wanted'>;
  readonly provider_ref: string | null;
  readonly provider_code: string | null;
  readonly provider_text: string | null;
  readonly http_status: number | null;
  readonly answer: string | null;
  readonly authorization_code: string | null;
  readonly seen_amount_minor: bigint | null;
  readonly seen_currency: string | null;
  readonly risk_score: number | null;
  /** Of a payer who was at the provider. */
  readonly liability_shifted: boolean;
  /** What it leaves in the books of declines; undefined: nothing, and nothing is looked for there. */
  readonly counting: Counting | undefined;
};

/** Parts that the end of an authorization brings, where its card is counted; else the statement has the text it always had. */
function partsOf({ counting }: SettleFacts) {
  if (!counting) return { noted: '', counted: '' };
  return {
    noted: `,
         decline = coalesce(:decline::json, decline),
         held = coalesce(:held::json, held)`,
    counted: `${COUNTED},`,
  };
}

/**
 * T2: operations, money, status and history in one commit. Undefined: somebody moved the order since `version`.
 * `follow` is the one operation that another one's end brings with it: the capture of a sale, the release of a rest, a reversal.
 */
export function settle(db: TenantRunner, facts: SettleFacts): Promise<Settled | undefined> {
  return settleIn({ run: db.batch }, db.merchant_account_id, facts);
}

export type Settled = { readonly version: number; readonly at: Date };

/** The same within a transaction that does more. */
export async function settleIn(
  db: Runner,
  merchant_account_id: string,
  facts: SettleFacts,
): Promise<Settled | undefined> {
  const { noted, counted } = partsOf(facts);
  // one statement: operations, money, status and history change in one commit and one round trip
  const text = `WITH changed_order AS (
       UPDATE payment.orders
       SET
         version = version + greatest(1, cardinality(:event_types::text[])),
         next_seq = next_seq + cardinality(:event_types::text[]),
         updated_at = payment.now(),
         status = :status,
         live = :live,
         winner_id = coalesce(:winner_id, winner_id),
         cancel_pending = :cancel_pending,
         authorized_minor = authorized_minor + :authorized,
         released_minor = released_minor + :released,
         capturing_minor = capturing_minor + :capturing,
         captured_minor = captured_minor + :captured,
         refunding_minor = refunding_minor + :refunding,
         refunded_minor = refunded_minor + :refunded,
         above_minor = nullif(coalesce(above_minor, 0) + :above, 0)
       WHERE id = :order_id
         AND merchant_account_id = :merchant_account_id
         AND version = :version
       RETURNING
         id, currency, version, updated_at, next_seq - cardinality(:event_types::text[]) AS seq
     ),
     settled_operation AS (
       UPDATE payment.operations
       SET
         state = :state,
         code = coalesce(:code, code),
         reason = coalesce(:reason, reason),
         provider_ref = coalesce(:provider_ref, provider_ref),
         authorization_code = coalesce(:authorization_code, authorization_code),
         provider_code = coalesce(:provider_code, provider_code),
         provider_text = coalesce(:provider_text, provider_text),
         answer_hash = NULL,
         -- one whose payer is at the provider holds no place there, nor while it is undone
         waits_for = CASE
           WHEN :state = 'reversing' AND waits_for = 'payer' THEN 'payer'
           ELSE 'call'
         END,
         settled_at = CASE
           WHEN :state = 'successful' AND operations.state = 'declined' THEN
             changed_order.updated_at
           WHEN :state IN ('successful', 'declined', 'not_sent') THEN
             coalesce(settled_at, changed_order.updated_at)
         END
       FROM changed_order
       WHERE operations.id = :operation_id
         AND operations.order_id = changed_order.id
         AND operations.merchant_account_id = :merchant_account_id
       RETURNING operations.order_merchant_id
     ),
     other_operations AS (
       UPDATE payment.operations
       SET
         state = other.state,
         code = coalesce(other.code, operations.code),
         reason = coalesce(other.reason, operations.reason),
         waits_for = 'call',
         settled_at = changed_order.updated_at
       FROM changed_order,
         unnest(
           :other_ids::bytea[], :other_states::text[], :other_codes::text[], :other_reasons::text[])
           AS other (id, state, code, reason)
       WHERE operations.order_id = changed_order.id
         AND operations.id = other.id
         AND operations.merchant_account_id = :merchant_account_id
     ),
     tried_transaction AS (
       UPDATE payment.transactions
       SET
         dead = dead OR :attempt_dead,
         risk_score = coalesce(:risk_score, risk_score)${noted}
       FROM changed_order
       WHERE transactions.id = :transaction_id
         AND transactions.order_id = changed_order.id
         AND transactions.merchant_account_id = :merchant_account_id
         AND (:attempt_dead OR :risk_score::smallint IS NOT NULL)
     ),
     ${counted}
     new_observation AS (
       INSERT INTO payment.observations (
         merchant_account_id, transaction_id, operation_id, source, outcome, provider_code,
         provider_ref, amount_minor, currency, http_status, answer,
         at)
       SELECT
         :merchant_account_id, :transaction_id, :operation_id, :source, :outcome, :provider_code,
         :provider_ref, :seen_amount_minor, :seen_currency, :http_status, :answer,
         changed_order.updated_at
       FROM changed_order
     ),
     new_operation AS (${insertOperation(
       {
         id: ':follow_id::bytea',
         order_id: 'changed_order.id',
         transaction_id: ':transaction_id',
         provider: ':provider',
         kind: ':follow_kind',
         target_id: ':follow_target',
         origin: ':follow_origin',
         amount_minor: ':follow_minor',
         currency: 'changed_order.currency',
         order_merchant_id: `CASE
      WHEN :follow_kind = 'capture' AND :follow_state = 'requested'
        THEN settled_operation.order_merchant_id
    END`,
         request_id: ':request_id',
         state: ':follow_state',
         waits_for: ':follow_waits',
         code: ':follow_code',
         created_at: 'changed_order.updated_at',
         settled_at: `CASE
      WHEN :follow_state IN ('successful', 'declined') THEN changed_order.updated_at
    END`,
         due_at: 'changed_order.updated_at',
       },
       'FROM changed_order, settled_operation WHERE :follow_id::bytea IS NOT NULL',
     )}),
     new_postings AS (
       INSERT INTO payment.ledger_entries (
         source_id, posting, line, merchant_account_id, order_id,
         provider, debit, credit, currency, amount_minor,
         at)
       SELECT
         posting.source, posting.posting, posting.line, :merchant_account_id, changed_order.id,
         :provider, posting.debit, posting.credit, changed_order.currency, posting.amount,
         changed_order.updated_at
       FROM changed_order, settled_operation,
         unnest(
           :l_sources::bytea[], :l_postings::text[], :l_lines::smallint[], :l_debits::text[],
           :l_credits::text[], :l_amounts::bigint[])
           AS posting (source, posting, line, debit, credit, amount)
     ),
     new_events AS (
       INSERT INTO payment.events (
         subject_id, seq, merchant_account_id, type,
         code, request_id,
         order_version,
         at, operation_id, heard)
       SELECT
         changed_order.id, changed_order.seq + event.n - 1, :merchant_account_id, event.type,
         event.code, :request_id,
         changed_order.version - cardinality(:event_types::text[]) + event.n,
         changed_order.updated_at, event.operation_id, ${HAS_ENDPOINT}
       FROM changed_order,
         unnest(:event_types, :event_codes::text[], :event_operations::bytea[]) WITH ORDINALITY
           AS event (type, code, operation_id, n)
     )
     SELECT version, updated_at AS at FROM changed_order`;
  const parameters = settleParameters(merchant_account_id, facts);
  const [done] = facts.counting
    ? await db.run<Settled>('settle_counted', text, parameters)
    : await db.run<Settled>('settle', text, parameters);
  return done;
}

function settleParameters(merchant_account_id: string, facts: SettleFacts): Parameters {
  const { settlement, postings, liability_shifted: _, counting, ...told } = facts;
  const { follow } = settlement;
  return {
    ...told,
    ...settlement.counters,
    ...(counting && countingParameters(counting)),
    merchant_account_id: bytes(merchant_account_id),
    order_id: bytes(facts.order_id),
    operation_id: bytes(facts.operation_id),
    transaction_id: bytes(facts.transaction_id),
    request_id: bytes(facts.request_id),
    winner_id: settlement.wins ? bytes(facts.transaction_id) : null,
    status: settlement.status,
    live: settlement.live,
    cancel_pending: settlement.cancel_pending,
    above: settlement.above,
    state: settlement.state,
    code: settlement.code,
    reason: settlement.reason,
    attempt_dead: settlement.attempt_dead,
    other_ids: settlement.others.map((move) => bytes(move.id)),
    other_states: settlement.others.map((move) => move.state),
    other_codes: settlement.others.map((move) => move.code),
    other_reasons: settlement.others.map((move) => move.reason),
    follow_id: bytes(facts.follow_id),
    follow_kind: follow?.kind ?? null,
    follow_target: bytes(follow?.target_id),
    follow_origin: follow?.origin ?? null,
    follow_minor: follow?.amount_minor ?? null,
    follow_state: follow?.state ?? null,
    follow_waits: follow?.waits_for ?? null,
    follow_code: follow?.code ?? null,
    event_types: settlement.events.map((event) => event.type),
    event_codes: settlement.events.map((event) => event.code),
    // a sale's second event tells of the capture that came with it
    event_operations: settlement.events.map(({ type }) =>
      bytes(
        follow?.kind === 'capture' && type.startsWith('capture_') && facts.follow_id
          ? facts.follow_id
          : facts.operation_id,
      ),
    ),
    l_sources: postings.map((line) => bytes(line.source)),
    l_postings: postings.map((line) => line.posting),
    l_lines: postings.map((line) => line.line),
    l_debits: postings.map((line) => line.debit),
    l_credits: postings.map((line) => line.credit),
    l_amounts: postings.map((line) => line.amount_minor),
  };
}
