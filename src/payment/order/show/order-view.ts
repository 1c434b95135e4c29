// The members of every order answer (contract 7.2). Texts that do not exist yet are "", dates null.
import { longDate } from '../../../core/dates.ts';
import { toMajor } from '../../../core/money.ts';
import { type Result, type ResultName, findResult, result } from '../../../core/results.ts';
import { heldText } from '../../declines/held.ts';
import { indicatorOf } from '../../order-rules/indicator.ts';
import { retryView } from '../../retry-told.ts';
import { type RiskFacts, riskMembers } from '../../risk/view.ts';
import { authenticationMembers } from './authentication-view.ts';
import { isInDoubt } from './doubt.ts';
import { type OperationFacts, type OrderFacts, type TransactionFacts, lastTransaction } from '../facts/order-facts.ts';

/** Fields of the merchant that an answer shows as they were sent. */
const ECHOED = [
  'website_url',
  'accept_url',
  'decline_url',
  'cancel_url',
  'pending_url',
  'exception_url',
  'customer_id',
  'customer_first_name',
  'customer_last_name',
  'customer_email',
  'customer_ip',
  'customer_street_name',
  'customer_city',
  'customer_zip_code',
  'customer_country',
] as const;

/** Code and text of the present status: what the order's last event said. */
export function orderResult(order: OrderFacts): Result {
  const name: ResultName | undefined = findResult(order.events.at(-1)?.code ?? '')?.name;
  return result(name ?? 'authorization_pending');
}

/** Everything of 7.2 but `result`. */
export function orderMembers(order: OrderFacts) {
  const transaction = lastTransaction(order);
  const of = (kind: OperationFacts['kind']) =>
    order.operations.filter((o) => o.transaction_id === transaction.id && o.kind === kind);
  const authorize = of('authorize').at(-1);
  const capture = of('capture').at(-1);
  const refund = of('refund').at(-1);
  const cancel = of('cancel').at(-1);
  const money = (minor: bigint) => toMajor(minor, order.currency);
  const sum = (minor: bigint) => (minor === 0n ? '' : money(minor));
  return {
    order_id: order.id,
    transaction_id: transaction.id,
    checkout_id: order.checkout_id ?? '',
    order_merchant_id: order.order_merchant_id,
    status: order.status,
    type: order.body['operation_type'],
    payment_channel: text(order.body['payment_channel']),
    payment_method_name: transaction.payment_method_name,
    order_amount: money(order.amount_minor),
    order_currency: order.currency,
    order_description: text(order.body['order_description']),
    authorization_amount: money(authorize?.amount_minor ?? order.amount_minor),
    authorization_code: authorize?.authorization_code ?? '',
    authorization_date: dateOf(authorize),
    authorization_result: resultWord(authorize),
    authentication_indicator: indicatorOf(order) ?? 'no_3ds',
    ...authenticationMembers(order, transaction),
    is_captured: order.captured_minor > 0n,
    is_refunded: order.refunded_minor > 0n,
    is_cancelled: order.status === 'authorization_cancelled',
    is_in_doubt: isInDoubt(order),
    ...riskMembers(riskFacts(order, transaction)),
    payin_partner: transaction.provider,
    psp_result_code: authorize?.provider_code ?? '',
    psp_result_description: authorize?.provider_text ?? heldIn(transaction) ?? '',
    merchant_contract_id: transaction.contract_id ?? '',
    retry_class: transaction.decline?.class ?? null,
    capture_date: dateOf(capture),
    capture_result: resultWord(capture),
    capture_amount: sum(capture?.amount_minor ?? 0n),
    capture_total_amount: sum(order.captured_minor),
    refund_date: dateOf(refund),
    refund_result: resultWord(refund),
    refund_total_amount: sum(order.refunded_minor),
    cancellation_date: dateOf(cancel),
    cancellation_result: resultWord(cancel),
    ...Object.fromEntries(ECHOED.map((name) => [name, text(order.body[name])])),
    attempts_remaining: Math.max(0, order.attempts_remaining),
    ...(order.body['subscription_id'] !== undefined && { subscription_id: order.body['subscription_id'] }),
    ...(order.retry && { retry: retryView(order.retry) }),
  };
}

/** The reason of a try that was held back, and so not sent to any provider. */
export function heldIn({ held }: TransactionFacts): string | null {
  return held && heldText(held);
}

export function riskFacts(order: OrderFacts, transaction: TransactionFacts): RiskFacts {
  const authorize = order.operations.find((o) => o.kind === 'authorize' && o.transaction_id === transaction.id);
  return { ...transaction, decided_at: authorize?.settled_at ?? null };
}

/** "", pending, success or failure (contract 4.1). */
export function resultWord(operation: OperationFacts | undefined): '' | 'pending' | 'success' | 'failure' {
  if (!operation) return '';
  if (operation.state === 'successful') return 'success';
  return operation.state === 'declined' || operation.state === 'not_sent' ? 'failure' : 'pending';
}

function dateOf(operation: OperationFacts | undefined): string | null {
  return operation?.settled_at ? longDate(new Date(operation.settled_at)) : null;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
