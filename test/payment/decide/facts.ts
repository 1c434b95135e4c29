// Orders and observations in memory, for decide(): what a database and a provider would show.
import { type Policy, type Seen, codeOf } from '../../../src/payment/order/decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../../../src/payment/order/facts/order-facts.ts';
import { newOperation } from '../../../src/payment/order/facts/operation-columns.ts';

export const AUTHORIZE = 'auth';
const AT = '2026-01-01T00:00:00.000Z';

export const EARLY: Policy = { in_flight_over: false, review_due: false };
export const LATE: Policy = { in_flight_over: true, review_due: false };
export const FOR_REVIEW: Policy = { in_flight_over: false, review_due: true };
const LONG_AFTER: Policy = { in_flight_over: true, review_due: true };
export const POLICIES = [EARLY, LATE, FOR_REVIEW, LONG_AFTER] as const;

export type Start = { readonly amount_minor: bigint; readonly currency: string; readonly with_capture: boolean };

/** An order as it stands right after it was accepted: one authorization, requested. */
export function freshOrder(start: Start): OrderFacts {
  const { amount_minor, currency, with_capture } = start;
  const none = { released_minor: 0n, capturing_minor: 0n, captured_minor: 0n, refunding_minor: 0n, refunded_minor: 0n };
  return {
    id: 'order',
    merchant_account_id: 'account',
    checkout_id: null,
    order_merchant_id: 'cart',
    amount_minor,
    currency,
    status: 'authorization_requested',
    live: true,
    version: 1,
    winner_id: null,
    authorized_minor: 0n,
    ...none,
    above_minor: 0n,
    cancel_pending: false,
    attempts_used: 1,
    attempts_remaining: 2,
    created_at: AT,
    updated_at: AT,
    read_at: AT,
    body: {},
    transactions: [TRANSACTION],
    operations: [operationFacts({ id: AUTHORIZE, kind: 'authorize', amount_minor, with_capture })],
    authentications: [],
    disputes: [],
    contradictions: [],
    retry: null,
    events: [{ type: 'authorization_requested', code: '421080', at: AT, request_id: null }],
  };
}

const TRANSACTION: OrderFacts['transactions'][number] = {
  id: AUTHORIZE,
  provider: 'simulator',
  contract_id: null,
  token_type: 'oneshot',
  foreign: false,
  network_token: false,
  payment_method_name: 'visa',
  first6: '424242',
  last4: '4242',
  exp_month: 12,
  exp_year: 2034,
  risk_score: null,
  risk: null,
  held: null,
  decline: null,
  route: null,
  cascade_of: null,
  otherwise: null,
  created_at: AT,
};

export function operationFacts(
  own: Pick<OperationFacts, 'id' | 'kind' | 'amount_minor'> & Partial<OperationFacts>,
): OperationFacts {
  return newOperation({ transaction_id: AUTHORIZE, created_at: AT, ...own });
}

type Approved = Extract<Seen, { kind: 'approved' }>;

/** A reversal is answered under the reference of what it undoes. */
function ourReference({ kind, id, target_id }: OperationFacts): string {
  return kind === 'reversal' ? (target_id ?? '') : id;
}

/** The provider's yes to exactly what was asked, with `change` over it. */
export function approval(order: OrderFacts, operation: OperationFacts, change: Partial<Approved> = {}): Approved {
  return {
    kind: 'approved',
    reference: `at-provider-${operation.id}`,
    our_reference: ourReference(operation),
    amount_minor: operation.amount_minor,
    currency: order.currency,
    authorization_code: '',
    captured: operation.with_capture,
    provider_code: '0',
    provider_text: 'yes',
    ...change,
  };
}

const REFUSED = {
  authorize: 'funds_insufficient',
  capture: 'acquirer_capture_declined',
  refund: 'acquirer_refund_declined',
  cancel: 'acquirer_cancel_declined',
  reversal: 'cancel_declined',
} as const;

/** The result a decline of this kind carries, and its code. */
const refusalOf = (kind: OperationFacts['kind']) => REFUSED[kind];
export const refusalCode = (kind: OperationFacts['kind']) => codeOf(REFUSED[kind]);

export function decline({ kind }: Pick<OperationFacts, 'kind'>): Seen {
  return { kind: 'declined', result: REFUSED[kind], reference: null, provider_code: '51', provider_text: 'no' };
}

const CAPTURE_DECLINED = {
  kind: 'declined',
  result: 'acquirer_capture_declined',
  provider_code: '5',
  provider_text: 'no',
} as const;

export function reversed(operation: OperationFacts): Extract<Seen, { kind: 'reversed' }> {
  return { kind: 'reversed', reference: 'at-provider', our_reference: ourReference(operation) };
}

/** Everything that can be seen of an operation, under a name for a reader. */
export function everythingSeen(order: OrderFacts, operation: OperationFacts): readonly (readonly [string, Seen])[] {
  const other = (change: Partial<Approved>) => approval(order, operation, change);
  return [
    ['approved', approval(order, operation)],
    ['approved, a unit more', other({ amount_minor: operation.amount_minor + 1n })],
    ['approved, a unit less', other({ amount_minor: operation.amount_minor - 1n })],
    ['approved, another currency', other({ currency: 'XTS' })],
    ['approved, another reference', other({ our_reference: 'somebody' })],
    ['approved, captured or not as not asked', other({ captured: !operation.with_capture })],
    ['approved, its capture pending', other({ captured: false, capture: { kind: 'pending' } })],
    ['approved, its capture declined', other({ captured: false, capture: CAPTURE_DECLINED })],
    ['declined', decline(operation)],
    ['pending', { kind: 'pending', reference: null }],
    ['not found', { kind: 'not_found' }],
    ['not sent', { kind: 'not_sent', result: 'provider_unreachable' }],
    ['reversed', reversed(operation)],
    ['reversed, another reference', { ...reversed(operation), our_reference: 'somebody' }],
    ['corrected', { kind: 'corrected', result: refusalOf(operation.kind), reference: null }],
    ['unknown', { kind: 'unknown', why: 'timeout' }],
    ['cancel wanted', { kind: 'cancel_wanted' }],
  ];
}
