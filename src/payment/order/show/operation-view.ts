// The parts of a transaction in a read of an order (contract 7.5, 14.1): captures, refunds, and every operation.
import { toMajor } from '../../../core/money.ts';
import { type Assessment, assessmentId } from '../../risk/view.ts';
import type { OperationFacts, OrderFacts, TransactionFacts } from '../facts/order-facts.ts';
import { WIRE_STATES } from './doubt.ts';
import { resultWord } from './order-view.ts';

/** Wire names of the kinds of operations; the house word is the shorter one. */
export const WIRE_KINDS = {
  authorize: 'authorization',
  capture: 'capture',
  refund: 'refund',
  cancel: 'cancellation',
  reversal: 'reversal',
} as const;

export function captureView(order: OrderFacts, capture: OperationFacts) {
  const refunded = order.operations
    .filter((o) => o.kind === 'refund' && o.target_id === capture.id && o.state === 'successful')
    .reduce((sum, o) => sum + o.amount_minor, 0n);
  return {
    capture_id: capture.id,
    amount: toMajor(capture.amount_minor, order.currency),
    refunded_amount: toMajor(refunded, order.currency),
    state: WIRE_STATES[capture.state],
    date: capture.settled_at,
  };
}

export function refundView(order: OrderFacts, refund: OperationFacts) {
  return {
    refund_id: refund.id,
    capture_id: refund.target_id,
    amount: toMajor(refund.amount_minor, order.currency),
    state: WIRE_STATES[refund.state],
    date: refund.settled_at,
    refund_reason: refund.refund_reason,
  };
}

/** An assessment is answered when it is asked: both dates are one. */
export function assessmentView(order: OrderFacts, transaction: TransactionFacts, assessment: Assessment) {
  const { at, code, says, partner } = assessment;
  const date = at ?? transaction.created_at;
  const word = assessment.result === 'accepted' ? 'success' : 'failure';
  // the attempt's first event is of the request that made the attempt, and with it this
  const began = order.events.find((event) => event.at === transaction.created_at);
  return {
    _id: assessmentId(transaction.id, assessment),
    type: 'risk_assessment',
    state: assessment.result === 'accepted' ? 'successful' : 'declined',
    amount: toMajor(order.amount_minor, order.currency),
    currency: order.currency,
    request_date: date,
    request_status: word,
    request_response: partner,
    request_result_date: date,
    result_date: date,
    result_status: word,
    result_response: says,
    partner_operation_id: null,
    partner_result_code: code,
    partner_result_description: says,
    operation_merchant_id: null,
    transaction: transaction.id,
    merchant_account: order.merchant_account_id,
    createdAt: date,
    createdBy: { name: 'api' },
    updatedAt: date,
    updatedBy: { name: 'api' },
    request_id: began?.request_id ?? null,
  };
}

export function operationView(order: OrderFacts, operation: OperationFacts) {
  const word = resultWord(operation);
  return {
    _id: operation.id,
    type: WIRE_KINDS[operation.kind],
    state: WIRE_STATES[operation.state],
    amount: toMajor(operation.amount_minor, order.currency),
    currency: order.currency,
    request_date: operation.created_at,
    request_status: word,
    request_response: operation.provider_text,
    request_result_date: operation.settled_at,
    result_date: operation.settled_at,
    result_status: word,
    result_response: operation.provider_text,
    partner_operation_id: operation.provider_ref,
    partner_result_code: operation.provider_code,
    partner_result_description: operation.provider_text,
    operation_merchant_id: operation.operation_merchant_id,
    transaction: operation.transaction_id,
    merchant_account: order.merchant_account_id,
    createdAt: operation.created_at,
    createdBy: { name: 'api' },
    updatedAt: operation.settled_at ?? operation.created_at,
    updatedBy: { name: 'api' },
    request_id: operation.request_id,
  };
}
