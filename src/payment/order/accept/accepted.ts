// The facts of an order as the commit that accepted it made them: what a read would find, without the read.
import { momentOf } from '../../../core/ids.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { passedStatuses } from '../facts/history.ts';
import { isNetworkToken } from '../../vault-link.ts';
import type { NewOrder } from './accept-store.ts';
import { newOperation } from '../facts/operation-columns.ts';
import type { Terms } from './terms.ts';

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
    version: passedStatuses(order).length,
    winner_id: null,
    authorized_minor: 0n,
    released_minor: 0n,
    capturing_minor: 0n,
    captured_minor: 0n,
    refunding_minor: 0n,
    refunded_minor: 0n,
    above_minor: 0n,
    cancel_pending: false,
    attempts_used: terms.attempts_used + 1,
    attempts_remaining: order.max_attempts - terms.attempts_used - 1,
    created_at: momentOf(order.order_id).toISOString(),
    updated_at: at,
    read_at: at,
    body,
    transactions: [
      {
        id: order.transaction_id,
        provider: order.provider,
        contract_id: order.contract_id,
        token_type: card.kind,
        foreign: card.partner !== null,
        network_token: isNetworkToken(card),
        payment_method_name: order.payment_method_name,
        first6: card.first6,
        last4: card.last4,
        exp_month: card.exp_month,
        exp_year: card.exp_year,
        risk_score: null,
        risk: order.risk,
        held: order.held,
        decline: null,
        route: order.chosen,
        cascade_of: null,
        otherwise: null,
        created_at: at,
      },
    ],
    authentications: [],
    operations: order.operation_id === null ? [] : [authorizeOf(order, order.operation_id, at)],
    disputes: [],
    contradictions: [],
    retry: null,
    events: [{ type: order.status, code: order.code, at, request_id: order.request_id }],
  };
}

function authorizeOf(order: NewOrder, id: string, at: string): OperationFacts {
  return newOperation({
    id,
    transaction_id: order.transaction_id,
    kind: 'authorize',
    amount_minor: order.amount_minor,
    with_capture: order.with_capture,
    request_id: order.request_id,
    created_at: at,
  });
}
