// Statements on orders. Every write is guard, then effect, in one statement: one round trip and one commit (engine.md 6).
// acceptOrder and settle are the two writes of the hot path: they share their commit with others that arrive meanwhile.
import type { OrderStatus } from '../../core/states.ts';
import type { Contract } from '../merchant/account.ts';
import { type OrderCustomer, customerParameters } from '../customer/of-order.ts';
import type { RiskNote } from '../risk/note.ts';
import type { CardInfo } from '../vault-link.ts';
import { type Database, type Parameters, type Runner, type TenantRunner, bytes } from '../../kit/database.ts';
import { type NewAuthentication, insertAuthentication } from './authentication/store.ts';
import type { Observation, PostingLine, Seen, Settlement } from './decide/decision.ts';
import { passedStatuses } from './read/history.ts';

export type NewOrder = {
  readonly order_id: string;
  readonly transaction_id: string;
  /** Null: nothing is sent to a provider (no route, or refused before). */
  readonly operation_id: string | null;
  readonly checkout_id: string | null;
  readonly order_merchant_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly body: string;
  readonly fingerprint: string;
  readonly now: Date;
  readonly status: OrderStatus;
  readonly live: boolean;
  readonly max_attempts: number;
  readonly provider: string;
  readonly contract_id: string | null;
  /** Contracts of other providers that fit too, in order. */
  readonly fallbacks: readonly Contract[];
  readonly token_hash: string;
  /** Asked for before anything is sent to a provider; undefined: not. */
  readonly authentication: NewAuthentication | undefined;
  readonly payment_method_name: string;
  readonly card: CardInfo;
  readonly with_capture: boolean;
  readonly lease_s: number;
  readonly code: string;
  /** What was assessed before; null: nothing was. */
  readonly risk: RiskNote | null;
  readonly request_id: string;
  /** The customer it is counted for once it succeeds, and the token to save then (contract 9.1). */
  readonly customer: OrderCustomer | undefined;
  readonly key: { readonly route: string; readonly key: string; readonly fingerprint: string } | undefined;
};

/** T1: stores order, transaction and intent, counts the attempt, all or nothing. False: the checkout or the key refused it. */
export function acceptOrder(db: TenantRunner, order: NewOrder): Promise<boolean> {
  return acceptOrderIn({ run: db.gather }, db.merchant_account_id, order);
}

/** The same with the authentication that comes first. */
export function acceptAuthenticated(db: Database, merchant_account_id: string, order: NewOrder): Promise<boolean> {
  return db.begin(merchant_account_id, async (tx) => {
    if (!(await acceptOrderIn(tx, merchant_account_id, order))) return false;
    if (order.authentication) {
      const { order_id, transaction_id, request_id } = order;
      await insertAuthentication(tx, {
        ...order.authentication,
        merchant_account_id,
        order_id,
        transaction_id,
        request_id,
      });
    }
    return true;
  });
}

async function acceptOrderIn(db: Runner, merchant_account_id: string, order: NewOrder): Promise<boolean> {
  const { card, key, fallbacks: _, authentication: _later, customer, ...row } = order;
  const rows = await db.run(
    'accept_order',
    `WITH c AS (SELECT 1 FROM payment.checkouts WHERE :key::text IS NOT NULL AND id = :checkout_id AND merchant_account_id = :merchant_account_id
         AND status = 'created' AND expires_at > payment.now() AND attempts < :max_attempts FOR NO KEY UPDATE),
     g AS (SELECT 1 FROM c UNION ALL SELECT 1 WHERE :key IS NULL OR :checkout_id::bytea IS NULL),
     k AS (INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, fingerprint, object_id)
         SELECT :merchant_account_id, :route, :key::text, :key_fingerprint, :order_id FROM g WHERE :key IS NOT NULL ON CONFLICT DO NOTHING RETURNING 1),
     go AS (SELECT 1 FROM g WHERE :key IS NULL UNION ALL SELECT 1 FROM k),
     u AS (UPDATE payment.checkouts SET attempts = attempts + 1, max_attempts = greatest(max_attempts, :max_attempts) FROM go WHERE id = :checkout_id AND merchant_account_id = :merchant_account_id
         AND status = 'created' AND expires_at > payment.now() AND attempts < :max_attempts RETURNING 1),
     h AS (SELECT 1 FROM u UNION ALL SELECT 1 FROM go WHERE :checkout_id IS NULL),
     o AS (INSERT INTO payment.orders (id, merchant_account_id, checkout_id, order_merchant_id, amount_minor, currency, body, fingerprint, created_at, updated_at, status, live, version, next_seq, max_attempts)
         SELECT :order_id, :merchant_account_id, :checkout_id, :order_merchant_id, :amount_minor, :currency, :body, :fingerprint, :now, :now, :status, :live, :statuses, 2, :max_attempts FROM h RETURNING id),
     t AS (INSERT INTO payment.transactions (id, order_id, merchant_account_id, provider, contract_id, token_hash, token_type, payment_method_name, card_digest, first6, last4, exp_month, exp_year, dead, created_at, risk)
         SELECT :transaction_id, o.id, :merchant_account_id, :provider, :contract_id, :token_hash, :token_type, :payment_method_name, :card_digest, :first6, :last4, :exp_month, :exp_year, NOT :live, :now, :risk::json FROM o),
     p AS (INSERT INTO payment.operations (id, order_id, transaction_id, merchant_account_id, provider, kind, amount_minor, currency, with_capture, order_merchant_id, request_id, created_at, due_at)
         SELECT :operation_id::bytea, o.id, :transaction_id, :merchant_account_id, :provider, 'authorize', :amount_minor, :currency, :with_capture, :order_merchant_id, :request_id, :now,
           payment.now() + make_interval(secs => :lease_s) FROM o WHERE :operation_id::bytea IS NOT NULL),
     cu AS (INSERT INTO payment.customers AS c (merchant_account_id, customer_id, id, browser, ip)
         SELECT :merchant_account_id, :customer_id::text, :customer_record_id, :browser::jsonb, :ip::text FROM o WHERE :customer_id IS NOT NULL
         ON CONFLICT (merchant_account_id, customer_id) DO UPDATE SET browser = c.browser || excluded.browser, ip = coalesce(excluded.ip, c.ip), version = c.version + 1, updated_at = payment.now()
         WHERE c.browser || excluded.browser <> c.browser OR coalesce(excluded.ip, c.ip) IS DISTINCT FROM c.ip),
     co AS (INSERT INTO payment.customer_orders (merchant_account_id, customer_id, order_id, token_hash, token_sealed)
         SELECT :merchant_account_id, :customer_id, o.id, :token_hash, :token_sealed::bytea FROM o WHERE :customer_id IS NOT NULL),
     e AS (INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, code, request_id, order_version, at, silent, heard)
         SELECT o.id, 1, :merchant_account_id, :status, :code, :request_id, :statuses, :now, :status = 'created', EXISTS (SELECT 1 FROM payment.endpoints WHERE merchant_account_id = :merchant_account_id AND state = 'on') FROM o)
     SELECT 1 AS accepted FROM o`,
    {
      ...row,
      merchant_account_id: bytes(merchant_account_id),
      order_id: bytes(row.order_id),
      transaction_id: bytes(row.transaction_id),
      operation_id: bytes(row.operation_id),
      checkout_id: bytes(row.checkout_id),
      contract_id: bytes(row.contract_id),
      request_id: bytes(row.request_id),
      token_hash: bytes(row.token_hash),
      fingerprint: bytes(row.fingerprint),
      token_type: card.kind,
      statuses: passedStatuses(order).length,
      card_digest: bytes(card.card_digest),
      first6: card.first6,
      last4: card.last4,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      risk: row.risk && JSON.stringify(row.risk),
      key: key?.key ?? null,
      route: key?.route ?? null,
      key_fingerprint: bytes(key?.fingerprint),
      ...customerParameters(customer),
    },
  );
  return rows.length > 0;
}

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
};

/**
 * T2: operations, money, status and history in one commit. Undefined: somebody moved the order since `version`.
 * `follow` is the one operation that another one's end brings with it: the capture of a sale, the release of a rest, a reversal.
 */
export function settle(db: TenantRunner, facts: SettleFacts): Promise<Settled | undefined> {
  return settleIn({ run: db.gather }, db.merchant_account_id, facts);
}

export type Settled = { readonly version: number; readonly at: Date };

/** The same within a transaction that does more. */
export async function settleIn(
  db: Runner,
  merchant_account_id: string,
  facts: SettleFacts,
): Promise<Settled | undefined> {
  const rows = await db.run<Settled>(
    'settle',
    `WITH o AS (UPDATE payment.orders SET version = version + greatest(1, cardinality(:event_types::text[])), next_seq = next_seq + cardinality(:event_types::text[]), updated_at = payment.now(),
         status = :status, live = :live, winner_id = coalesce(:winner_id, winner_id), cancel_pending = :cancel_pending, authorized_minor = authorized_minor + :authorized,
         released_minor = released_minor + :released, capturing_minor = capturing_minor + :capturing, captured_minor = captured_minor + :captured,
         refunding_minor = refunding_minor + :refunding, refunded_minor = refunded_minor + :refunded,
         above_minor = nullif(coalesce(above_minor, 0) + :above, 0)
         WHERE id = :order_id AND merchant_account_id = :merchant_account_id AND version = :version
         RETURNING id, currency, version, updated_at, next_seq - cardinality(:event_types::text[]) AS seq),
     p AS (UPDATE payment.operations x SET state = :state, code = coalesce(:code, code), reason = coalesce(:reason, reason), provider_ref = coalesce(:provider_ref, provider_ref),
         authorization_code = coalesce(:authorization_code, authorization_code), provider_code = coalesce(:provider_code, provider_code), provider_text = coalesce(:provider_text, provider_text), answer_hash = NULL,
         waits_for = 'call', settled_at = CASE WHEN :state = 'successful' AND x.state = 'declined' THEN o.updated_at WHEN :state IN ('successful','declined','not_sent') THEN coalesce(settled_at, o.updated_at) END
         FROM o WHERE x.id = :operation_id AND x.order_id = o.id AND x.merchant_account_id = :merchant_account_id RETURNING x.id, x.order_merchant_id),
     q AS (UPDATE payment.operations x SET state = y.state, code = coalesce(y.code, x.code), reason = coalesce(y.reason, x.reason), waits_for = 'call', settled_at = o.updated_at
         FROM o, unnest(:other_ids::bytea[], :other_states::text[], :other_codes::text[], :other_reasons::text[]) AS y (id, state, code, reason)
         WHERE x.order_id = o.id AND x.id = y.id AND x.merchant_account_id = :merchant_account_id),
     x AS (UPDATE payment.transactions t SET dead = dead OR :attempt_dead, risk_score = coalesce(:risk_score, risk_score)
         FROM o WHERE t.id = :transaction_id AND t.order_id = o.id AND t.merchant_account_id = :merchant_account_id AND (:attempt_dead OR :risk_score::smallint IS NOT NULL)),
     b AS (INSERT INTO payment.observations (merchant_account_id, transaction_id, operation_id, source, outcome, provider_code, provider_ref, amount_minor, currency, http_status, answer, at)
         SELECT :merchant_account_id, :transaction_id, :operation_id, :source, :outcome, :provider_code, :provider_ref, :seen_amount_minor, :seen_currency, :http_status, :answer, o.updated_at FROM o),
     f AS (INSERT INTO payment.operations (id, order_id, transaction_id, merchant_account_id, provider, kind, target_id, origin, amount_minor, currency, order_merchant_id, request_id, state, waits_for, code, created_at, settled_at, due_at)
         SELECT :follow_id::bytea, o.id, :transaction_id, :merchant_account_id, :provider, :follow_kind, :follow_target, :follow_origin, :follow_minor, o.currency,
           CASE WHEN :follow_kind = 'capture' AND :follow_state = 'requested' THEN p.order_merchant_id END, :request_id,
           :follow_state, :follow_waits, :follow_code, o.updated_at, CASE WHEN :follow_state IN ('successful','declined') THEN o.updated_at END, o.updated_at FROM o, p WHERE :follow_id::bytea IS NOT NULL),
     l AS (INSERT INTO payment.ledger_entries (source_id, posting, line, merchant_account_id, order_id, provider, debit, credit, currency, amount_minor, at)
         SELECT y.source, y.posting, y.line, :merchant_account_id, o.id, :provider, y.debit, y.credit, o.currency, y.amount, o.updated_at
         FROM o, p, unnest(:l_sources::bytea[], :l_postings::text[], :l_lines::smallint[], :l_debits::text[], :l_credits::text[], :l_amounts::bigint[])
           AS y (source, posting, line, debit, credit, amount)),
     e AS (INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, code, request_id, order_version, at, operation_id, heard)
         SELECT o.id, o.seq + y.n - 1, :merchant_account_id, y.type, y.code, :request_id, o.version - cardinality(:event_types::text[]) + y.n, o.updated_at, y.operation_id,
           EXISTS (SELECT 1 FROM payment.endpoints WHERE merchant_account_id = :merchant_account_id AND state = 'on')
         FROM o, unnest(:event_types, :event_codes::text[], :event_operations::bytea[]) WITH ORDINALITY AS y (type, code, operation_id, n))
     SELECT version, updated_at AS at FROM o`,
    settleParameters(merchant_account_id, facts),
  );
  return rows[0];
}

function settleParameters(merchant_account_id: string, facts: SettleFacts): Parameters {
  const { settlement, postings, ...told } = facts;
  const { follow } = settlement;
  return {
    ...told,
    ...settlement.counters,
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
