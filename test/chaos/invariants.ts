// The invariants that must hold in the database at every moment. They are checked while the run goes on, and once more
// for every order at the end. One statement is one snapshot. A row is an alarm.
import { ABOVE_A_CAP, ENDED_ONCE, UNPROVED_TRY } from './routing/invariants.ts';

/**
 * Three views of each order must agree: its counters, its operations and the ledger, whose rows are transfers from one
 * account to another (docs/decisions/0005). `$1`: of orders that moved since; null: of all.
 */
const VERIFY = `
  WITH o AS MATERIALIZED (SELECT * FROM payment.orders WHERE $1::timestamptz IS NULL OR updated_at > $1)
  SELECT encode(o.id, 'hex') AS order_id, concat_ws('; ',
    CASE WHEN (o.authorized_minor, o.released_minor, o.captured_minor, o.capturing_minor, o.refunded_minor, o.refunding_minor)
      <> (s.authorized, s.released, s.captured, s.capturing, s.refunded, s.refunding) THEN 'counters are not the sum of the operations' END,
    CASE WHEN (o.authorized_minor - o.released_minor - o.captured_minor, o.captured_minor, o.refunded_minor)
      <> (l.hold, l.captured, l.refunded) THEN 'the ledger is not the counters' END,
    CASE WHEN o.captured_minor + o.capturing_minor + o.released_minor > o.authorized_minor THEN 'captured above authorized' END,
    CASE WHEN o.refunded_minor + o.refunding_minor > o.captured_minor THEN 'refunded above captured' END,
    CASE WHEN s.over_refunded THEN 'a capture is refunded above its amount' END,
    CASE WHEN o.cancel_pending <> s.cancelling THEN 'cancel_pending is not what its operations say' END,
    CASE WHEN s.authorizations > 1 THEN 'more than one authorization is successful' END,
    CASE WHEN (e.events, e.last) <> (o.next_seq - 1, o.next_seq - 1) THEN 'the sequence of events has a gap' END,
    CASE WHEN e.of_now <> o.status THEN 'the status is not the last event' END) AS wrong,
    row_to_json(o)::text AS shown
  FROM o
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(m) FILTER (WHERE kind = 'authorize' AND done), 0) AS authorized,
      coalesce(sum(m) FILTER (WHERE kind = 'cancel' AND done AND won), 0) AS released,
      coalesce(sum(m) FILTER (WHERE kind = 'capture' AND done), 0) AS captured,
      coalesce(sum(m) FILTER (WHERE kind = 'capture' AND open), 0) AS capturing,
      coalesce(sum(m) FILTER (WHERE kind = 'refund' AND done), 0) AS refunded,
      coalesce(sum(m) FILTER (WHERE kind = 'refund' AND open), 0) AS refunding,
      count(*) FILTER (WHERE kind = 'authorize' AND done) AS authorizations,
      count(*) FILTER (WHERE kind = 'cancel' AND open) > 0 AS cancelling,
      coalesce(bool_or(kind = 'capture' AND done AND m < (SELECT sum(r.amount_minor) FROM payment.operations r WHERE r.order_id = o.id AND r.kind = 'refund'
        AND r.target_id = p.id AND r.state IN ('requested','in_doubt','review','successful'))), false) AS over_refunded
    FROM (SELECT id, kind, amount_minor AS m, state = 'successful' AS done, state IN ('requested','in_doubt','review') AS open, transaction_id = o.winner_id AS won
      FROM payment.operations WHERE order_id = o.id) p) s
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE 'authorized_hold' WHEN debit THEN x.amount_minor WHEN credit THEN -x.amount_minor END), 0) AS hold,
      coalesce(sum(CASE 'merchant_payable' WHEN credit THEN x.amount_minor WHEN debit THEN -x.amount_minor END), 0) AS captured,
      coalesce(sum(CASE 'refunds' WHEN debit THEN x.amount_minor WHEN credit THEN -x.amount_minor END), 0) AS refunded
    FROM payment.operations p JOIN payment.ledger_entries x ON x.source_id = p.id WHERE p.order_id = o.id) l
  CROSS JOIN LATERAL (
    SELECT count(*) AS events, coalesce(max(seq), 0) AS last, (array_agg(type ORDER BY seq DESC) FILTER (WHERE type NOT LIKE '%.%'))[1] AS of_now FROM payment.events WHERE subject_id = o.id) e
  WHERE (o.authorized_minor, o.released_minor, o.captured_minor, o.capturing_minor, o.refunded_minor, o.refunding_minor)
      <> (s.authorized, s.released, s.captured, s.capturing, s.refunded, s.refunding)
    OR (o.authorized_minor - o.released_minor - o.captured_minor, o.captured_minor, o.refunded_minor) <> (l.hold, l.captured, l.refunded)
    OR o.captured_minor + o.capturing_minor + o.released_minor > o.authorized_minor OR o.refunded_minor + o.refunding_minor > o.captured_minor
    OR s.over_refunded OR o.cancel_pending <> s.cancelling OR s.authorizations > 1
    OR (e.events, e.last) <> (o.next_seq - 1, o.next_seq - 1) OR e.of_now <> o.status
  LIMIT 20`;

/**
 * An answer about other money must never have ended an operation as successful. `$1`: of what was seen since; null:
 * all.
 */
const OTHER_MONEY = `
  SELECT encode(p.order_id, 'hex') AS order_id, p.kind || ' was applied although the answer spoke of ' || b.amount_minor || ' ' || b.currency AS wrong,
    row_to_json(p)::text AS shown
  FROM payment.observations b JOIN payment.operations p ON p.id = b.operation_id
  WHERE ($1::timestamptz IS NULL OR b.at > $1) AND b.outcome = 'approved' AND (b.amount_minor <> p.amount_minor OR b.currency <> p.currency) AND p.state = 'successful'
  LIMIT 20`;

/** All that is asked of orders that moved. */
export const OF_ORDERS = [VERIFY, OTHER_MONEY, UNPROVED_TRY, ENDED_ONCE, ABOVE_A_CAP] as const;

/** Ledger rows without an operation, or not of the order of their operation. */
export const STRAY_LEDGER = `
  SELECT encode(e.order_id, 'hex') AS order_id, 'a ledger row without its operation' AS wrong, row_to_json(e)::text AS shown
  FROM payment.ledger_entries e WHERE NOT EXISTS (SELECT 1 FROM payment.operations p WHERE p.order_id = e.order_id AND p.id = e.source_id) LIMIT 20`;

export type Alarm = { readonly order_id: string; readonly wrong: string; readonly shown: string };

/** Operations that are not decided. */
export const OPEN = `
  SELECT encode(order_id, 'hex') AS order_id, encode(id, 'hex') AS id, kind, state, waits_for, tries, provider,
    extract(epoch FROM due_at - payment.now())::float AS due_in_s, extract(epoch FROM payment.now() - created_at)::float AS age_s
  FROM payment.operations WHERE state IN ('requested','in_doubt','reversing','review')`;

/** Directory or bank are being asked; a payer who must act may take as long as they like. */
export const ASKING = `
  SELECT encode(order_id, 'hex') AS order_id, encode(id, 'hex') AS id, 'authentication' AS kind, state, 'call' AS waits_for, tries, '' AS provider,
    extract(epoch FROM due_at - payment.now())::float AS due_in_s, extract(epoch FROM payment.now() - created_at)::float AS age_s
  FROM payment.authentications WHERE state = 'requested' OR state = 'method' AND method_url IS NULL`;

export type OpenOperation = {
  readonly order_id: string;
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly waits_for: string;
  readonly tries: number;
  readonly provider: string;
  readonly due_in_s: number;
  readonly age_s: number;
};

/** An order as the comparison with the provider's books wants it. */
export const ORDER_MONEY = `
  SELECT encode(o.id, 'hex') AS order_id, o.version, o.status, o.amount_minor::text AS amount, o.currency, o.order_merchant_id, encode(o.winner_id, 'hex') AS winner_id,
    EXISTS (SELECT 1 FROM payment.retries r WHERE r.order_id = o.id) AS retried,
    (o.authorized_minor - o.released_minor - o.captured_minor)::text AS hold, o.captured_minor::text AS captured, o.refunded_minor::text AS refunded,
    (SELECT coalesce(json_agg(json_build_object('id', encode(p.id, 'hex'), 'kind', p.kind, 'state', p.state, 'origin', p.origin, 'amount', p.amount_minor::text,
      'with_capture', p.with_capture, 'target_id', encode(p.target_id, 'hex'), 'provider', p.provider, 'code', p.code) ORDER BY p.id), '[]')
     FROM payment.operations p WHERE p.order_id = o.id) AS operations
  FROM payment.orders o`;

export type OrderMoney = {
  readonly order_id: string;
  readonly version: number;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly order_merchant_id: string;
  readonly winner_id: string | null;
  /** A policy of later tries works on it, or has. */
  readonly retried: boolean;
  readonly hold: string;
  readonly captured: string;
  readonly refunded: string;
  readonly operations: readonly {
    readonly id: string;
    readonly kind: string;
    readonly state: string;
    readonly origin: string;
    readonly amount: string;
    readonly with_capture: boolean;
    readonly target_id: string | null;
    readonly provider: string;
    readonly code: string | null;
  }[];
};
