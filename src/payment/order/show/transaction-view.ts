// The members that a read of an order adds to the flat answer (contract 7.5): the order's own members, transactions[]
// with captures, refunds, status history and operations.
import type { StoredOrder } from '../accept/request.ts';
import { type OperationFacts, type OrderFacts, type TransactionFacts, lastTransaction } from '../facts/order-facts.ts';
import { twoDigits } from '../../../core/dates.ts';
import { toDecimal, toMajor } from '../../../core/money.ts';
import type { CardOrigin } from '../../../core/origin/origins.ts';
import { result } from '../../../core/results.ts';
import { authenticationOperation, authenticationParts, redirectMember } from './authentication-view.ts';
import { isAllowed, mayCancel, mayCapture, mayRefund } from '../../order-rules/allowed.ts';
import { capturableMinor, refundableMinor } from '../../order-rules/amounts.ts';
import { chargedBack, standingDisputes } from '../../order-rules/blocked.ts';
import { indicatorOf } from '../../order-rules/indicator.ts';
import type { Tools } from '../../tools.ts';
import { routingView } from '../../routing/view.ts';
import { assessmentsOf, isSuspicious, riskRead } from '../../risk/view.ts';
import { assessmentView, captureView, operationView, refundView } from './operation-view.ts';
import { isCustomerField, orderAt } from '../facts/attempt-fields.ts';
import { historyOf } from '../facts/history.ts';
import { standingOf } from '../facts/standing.ts';
import { heldIn, orderMembers, orderResult, resultWord, riskFacts } from './order-view.ts';

/**
 * The tools that a view needs: the address of the payer's pages, the origin of cards, the capabilities of providers.
 */
type Around = Pick<Tools, 'addresses' | 'origins' | 'providers'>;

export function orderRead(order: OrderFacts, around: Around): Record<string, unknown> {
  return {
    result: orderResult(order),
    ...orderMembers(order),
    ...redirectMember(order, around.addresses.vault_url),
    _id: order.id,
    amount: toMajor(order.amount_minor, order.currency),
    currency: order.currency,
    order_version: order.version,
    giftcard_used: order.body['giftcard_used'] ?? false,
    baskets: basketsOf(order),
    merchant_data: order.body['merchant_data'] ?? [],
    merchant_account: order.merchant_account_id,
    createdAt: order.created_at,
    updatedAt: order.updated_at,
    createdBy: { name: 'api' },
    transactions: order.transactions.map((transaction) => transactionView(order, transaction, around)),
  };
}

function basketsOf({ body }: OrderFacts): readonly unknown[] {
  if (body['basket_content'] === undefined && body['basket_id'] === undefined) return [];
  return [
    {
      basket_id: body['basket_id'] ?? null,
      basket_type: body['basket_type'] ?? null,
      basket_content: body['basket_content'] ?? [],
    },
  ];
}

function transactionView(now: OrderFacts, transaction: TransactionFacts, around: Around): Record<string, unknown> {
  const order = orderAt(now, transaction);
  const { origins } = around;
  const { customer_ip } = order.body;
  const operations = order.operations.filter((operation) => operation.transaction_id === transaction.id);
  const last = lastTransaction(order) === transaction;
  const risk = riskFacts(order, transaction);
  return {
    ...identity(order, transaction, last),
    ...perOperation(order, transaction, operations),
    ...flagsAndMoney(order, transaction, around),
    ...riskRead(risk),
    routing: routingView(transaction.route),
    ...providerAndCard(transaction, operations, origins.cardOf(transaction)),
    ...chargeback(order, operations),
    customer_ip: null,
    customer_ip_country: typeof customer_ip === 'string' ? origins.countryOf(customer_ip) : null,
    ...customerFields(order),
    captures: operations.filter((o) => o.kind === 'capture').map((o) => captureView(order, o)),
    refunds: operations.filter((o) => o.kind === 'refund').map((o) => refundView(order, o)),
    status_history: last ? historyOf(order) : [],
    operations: [
      ...assessmentsOf(risk).map((assessment) => assessmentView(order, transaction, assessment)),
      ...order.authentications
        .filter(({ transaction_id }) => transaction_id === transaction.id)
        .map((one) => authenticationOperation(order, one)),
      ...operations.map((operation) => operationView(order, operation)),
    ],
  };
}

function customerFields({ body }: OrderFacts): Partial<StoredOrder> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) if (isCustomerField(name)) fields[name] = value;
  return fields;
}

function identity(order: OrderFacts, transaction: TransactionFacts, last: boolean) {
  const recurring = order.body['payment_channel'] === 'recurring';
  return {
    id: transaction.id,
    type: typeOf(order, transaction),
    amount: toMajor(order.amount_minor, order.currency),
    amount_formatted: `${toDecimal(order.amount_minor, order.currency)} ${order.currency}`,
    currency: order.currency,
    status: last ? order.status : endOf(order, transaction),
    order_merchant_id: order.order_merchant_id,
    payment_channel: order.body['payment_channel'] ?? null,
    payment_method_name: transaction.payment_method_name,
    payment_method_type: order.body['payment_method_type'] ?? null,
    merchant_contract: transaction.contract_id,
    payin_partner: transaction.provider,
    is_new_transaction: transaction.cascade_of === null,
    is_order_last_transaction: last,
    is_fallback: isFallback(order, transaction),
    recurring,
    occurrence: null,
  };
}

/** As the attempt was sent: a retry may have asked for another type since. */
function typeOf({ operations, body }: OrderFacts, { id }: TransactionFacts): string | null {
  const authorize = operations.find((operation) => operation.id === id);
  if (authorize) return authorize.with_capture ? 'direct_capture' : 'authorize';
  return body['operation_type'] ?? null;
}

/** With another provider than the try before; after a soft decline it is the same one. */
function isFallback({ transactions }: OrderFacts, { cascade_of, provider }: TransactionFacts): boolean {
  return cascade_of !== null && transactions.find(({ id }) => id === cascade_of)?.provider !== provider;
}

/** The end of an attempt that another one followed: refused by our own rules or by the payer's bank, or declined. */
function endOf(
  { operations, authentications }: OrderFacts,
  { id, risk }: TransactionFacts,
): 'risk_assessment_declined' | 'authentication_declined' | 'authorization_declined' {
  const asked = authentications.some(({ transaction_id }) => transaction_id === id);
  if (asked && !operations.some((operation) => operation.id === id)) return 'authentication_declined';
  const refused = risk?.assessed !== undefined && risk.assessed.code !== result('risk_accepted').code;
  return refused ? 'risk_assessment_declined' : 'authorization_declined';
}

function perOperation(order: OrderFacts, transaction: TransactionFacts, operations: readonly OperationFacts[]) {
  const last = (kind: OperationFacts['kind']) => operations.findLast((operation) => operation.kind === kind);
  const asked_at = (operation: OperationFacts | undefined) => operation?.created_at ?? null;
  const ended_at = (operation: OperationFacts | undefined) => operation?.settled_at ?? null;
  const word = (operation: OperationFacts | undefined) => resultWord(operation) || null;
  const [authorize, capture, refund, cancel] = [last('authorize'), last('capture'), last('refund'), last('cancel')];
  return {
    authorization_request_date: asked_at(authorize),
    authorization_request_status: word(authorize),
    authorization_date: ended_at(authorize),
    authorization_result: word(authorize),
    authorization_status: word(authorize),
    capture_request_date: asked_at(capture),
    capture_request_status: word(capture),
    capture_date: ended_at(capture),
    capture_result: word(capture),
    capture_status: word(capture),
    refund_request_date: asked_at(refund),
    refund_request_status: word(refund),
    refund_date: ended_at(refund),
    refund_result: word(refund),
    refund_status: word(refund),
    cancellation_request_date: asked_at(cancel),
    cancellation_request_status: word(cancel),
    cancellation_date: ended_at(cancel),
    cancellation_result: word(cancel),
    cancellation_status: word(cancel),
    ...authenticationParts(order, transaction),
    authentication_indicator: indicatorOf(order) ?? 'no_3ds',
    refund_reason: refund?.refund_reason ?? null,
  };
}

function flagsAndMoney(order: OrderFacts, transaction: TransactionFacts, { providers }: Around) {
  const holds = order.winner_id === transaction.id;
  const is_last = lastTransaction(order).id === transaction.id;
  const minor = (value: bigint) => (holds ? toMajor(value, order.currency) : 0);
  const can = providers.get(transaction.provider)?.can;
  const standing = standingOf(order);
  const differs = (one: keyof StoredOrder, other: keyof StoredOrder) =>
    order.body[one] !== undefined && order.body[other] !== undefined && order.body[one] !== order.body[other];
  return {
    is_authorized: holds && order.authorized_minor > 0n,
    is_captured: holds && order.captured_minor > 0n,
    is_cancelled: is_last && order.status === 'authorization_cancelled',
    is_refunded: holds && order.refunded_minor > 0n,
    is_chargebacked: order.disputes.some(
      ({ state, operation_id }) => state !== 'won' && ofTransaction(order, transaction, operation_id),
    ),
    is_suspicious: isSuspicious(riskFacts(order, transaction)),
    is_capturable: holds && isAllowed(mayCapture(standing, can)),
    is_refundable: holds && isAllowed(mayRefund(standing)),
    is_cancellable: is_last && isAllowed(mayCancel(standing)),
    is_multiple_captures_available: can?.captures !== 'one',
    is_partial_capture_available: true,
    is_multiple_refunds_available: true,
    is_partial_refund_available: true,
    is_shipping_diff_billing: differs('shipping_address_street_name_line1', 'customer_billing_street_name'),
    is_customer_diff_billing: differs('customer_street_name', 'customer_billing_street_name'),
    is_customer_diff_shipping: differs('customer_street_name', 'shipping_address_street_name_line1'),
    captured_amount: minor(order.captured_minor),
    capturable_amount: minor(capturableMinor(order)),
    capture_amount_request: minor(order.capturing_minor),
    refunded_amount: minor(order.refunded_minor),
    refundable_amount: minor(refundableMinor(order)),
    refund_amount_request: minor(order.refunding_minor),
  };
}

function ofTransaction(order: OrderFacts, { id }: TransactionFacts, operation_id: string): boolean {
  return order.operations.some((operation) => operation.id === operation_id && operation.transaction_id === id);
}

/** What is charged back of the operations, and the last dispute by which it went; once all came back, the last one. */
function chargeback(order: OrderFacts, operations: readonly OperationFacts[]) {
  const disputes = order.disputes.filter(({ operation_id }) => operations.some(({ id }) => id === operation_id));
  const last = standingDisputes({ disputes }).at(-1) ?? disputes.at(-1);
  return {
    chargeback_date: last?.opened_at ?? null,
    chargeback_reason: last?.reason ?? null,
    chargeback_reason_code: last?.reason_code ?? null,
    chargeback_amount: last ? toMajor(chargedBack({ disputes }) || last.amount_minor, order.currency) : null,
  };
}

function providerAndCard(
  transaction: TransactionFacts,
  operations: readonly OperationFacts[],
  { issuer, country }: CardOrigin,
) {
  const authorize = operations.find((operation) => operation.kind === 'authorize');
  const two = (value: number | null) => (value === null ? null : twoDigits(value));
  return {
    psp_transaction_id: authorize?.provider_ref ?? null,
    psp_transaction_date: authorize?.settled_at ?? null,
    psp_token: null,
    psp_result_code: authorize?.provider_code ?? null,
    psp_result_description: authorize?.provider_text ?? heldIn(transaction),
    retry_class: transaction.decline?.class ?? null,
    advice_code: transaction.decline?.advice ?? null,
    token: null,
    card_6_digits: transaction.first6,
    card_4_digits: transaction.last4,
    card_validity_month: two(transaction.exp_month),
    card_validity_year: two(transaction.exp_year),
    card_issuer: issuer,
    card_country: country,
  };
}
