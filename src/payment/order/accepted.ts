// The facts of an order as its own commits made them: what a read would find, without the read.
import type { OperationFacts, OrderFacts } from './read/facts.ts';
import type { NewOrder, SettleFacts } from './store.ts';
import type { Terms } from './terms.ts';

/** After T1. */
export function acceptedFacts(order: NewOrder, terms: Terms, merchant_account_id: string): OrderFacts {
  const at = order.now.toISOString();
  const { card } = order;
  const body = { ...terms.body, ...(JSON.parse(order.body) as Record<string, unknown>) };
  return {
    id: order.order_id,
    merchant_account_id,
    checkout_id: order.checkout_id,
    order_merchant_id: order.order_merchant_id,
    amount_minor: order.amount_minor,
    currency: order.currency,
    status: order.status,
    live: order.live,
    version: 1,
    winner_id: null,
    authorized_minor: 0n,
    released_minor: 0n,
    capturing_minor: 0n,
    captured_minor: 0n,
    refunding_minor: 0n,
    refunded_minor: 0n,
    attempts_remaining: order.max_attempts - terms.attempts_used - 1,
    created_at: at,
    updated_at: at,
    body,
    transactions: [
      {
        id: order.transaction_id,
        provider: order.provider,
        contract_id: order.contract_id,
        token_type: card.kind,
        payment_method_name: order.payment_method_name,
        first6: card.first6,
        last4: card.last4,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        risk_score: null,
        cascade_of: null,
        created_at: at,
      },
    ],
    operations: order.operation_id === null ? [] : [authorizeOf(order, order.operation_id, at)],
    events: [{ type: order.status, code: order.code, at, request_id: order.request_id }],
  };
}

function authorizeOf(order: NewOrder, id: string, at: string): OperationFacts {
  return {
    id,
    transaction_id: order.transaction_id,
    target_id: null,
    kind: 'authorize',
    state: 'requested',
    waits_for: 'call',
    amount_minor: order.amount_minor,
    with_capture: order.with_capture,
    operation_merchant_id: null,
    request_id: order.request_id,
    created_at: at,
    settled_at: null,
    provider_ref: null,
    code: null,
    authorization_code: null,
    provider_code: null,
    provider_text: null,
  };
}

/** After T2. */
export function settledFacts(
  order: OrderFacts,
  written: SettleFacts,
  done: { readonly version: number; readonly at: Date },
): OrderFacts {
  const { settlement } = written;
  const at = done.at.toISOString();
  const told = {
    state: settlement.state,
    code: settlement.code,
    waits_for: 'call',
    settled_at: at,
    authorization_code: written.authorization_code,
    provider_code: written.provider_code,
    provider_text: written.provider_text,
  };
  const operations = order.operations.map((operation) =>
    operation.id === written.operation_id
      ? { ...operation, ...told, provider_ref: written.provider_ref ?? operation.provider_ref }
      : operation,
  );
  return {
    ...order,
    status: settlement.status,
    live: settlement.live,
    version: done.version,
    winner_id: settlement.wins ? written.transaction_id : order.winner_id,
    authorized_minor: order.authorized_minor + settlement.d_authorized,
    capturing_minor: order.capturing_minor + settlement.d_capturing,
    captured_minor: order.captured_minor + settlement.d_captured,
    updated_at: at,
    transactions: order.transactions.map((t) =>
      t.id === written.transaction_id ? { ...t, risk_score: written.risk_score ?? t.risk_score } : t,
    ),
    operations: [...operations, ...captureOf(order, written, at)],
    events: [...order.events, ...settlement.events.map((event) => ({ ...event, at, request_id: written.request_id }))],
  };
}

function captureOf(order: OrderFacts, written: SettleFacts, at: string): readonly OperationFacts[] {
  const { settlement } = written;
  const authorize = order.operations.find((operation) => operation.id === written.operation_id);
  if (!settlement.capture || written.capture_id === null || !authorize) return [];
  const done = settlement.capture.state === 'successful';
  return [
    {
      ...authorize,
      id: written.capture_id,
      target_id: authorize.id,
      kind: 'capture',
      state: settlement.capture.state,
      waits_for: settlement.capture.waits_for,
      amount_minor: settlement.capture.amount_minor,
      with_capture: false,
      request_id: written.request_id,
      created_at: at,
      settled_at: done ? at : null,
      provider_ref: null,
      code: settlement.events.at(-1)?.code ?? null,
    },
  ];
}
