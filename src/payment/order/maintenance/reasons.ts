// Why an order cannot be captured, refunded or cancelled now, in words: the `detail` of the refusal (contract 2.5).
// Says the reason of this case with its amounts, and what to do; never a value the caller sent.
import { moneyText } from '../../../core/money.ts';
import type { RefusalName } from '../../../core/refusals.ts';
import { capturableMinor, refundableMinor } from '../../order-rules/amounts.ts';
import type { OrderFacts } from '../facts/order-facts.ts';

type Reason = (order: OrderFacts) => string;

const REASONS = {
  capture_already_done: (order) => `everything captured already: ${captureLeft(order)}`,
  capture_after_lapse: (order) =>
    `the authorization has lapsed: ${captureLeft(order)}, and a new order is needed for a new payment`,
  capture_order_cancelled: () => 'the payer ended the order before anything was authorized: a new order is needed',
  capture_unavailable: (order) =>
    order.cancel_pending
      ? 'a cancel of the authorization is undecided: read the order for its outcome'
      : `nothing is authorized: the order is ${order.status}, and only an authorized order can be captured`,
  captures_too_many: () => 'the order has 50 captures, and takes no more',
  refund_unavailable: (order) =>
    `nothing is captured: the order is ${order.status}, and only captured money can be refunded`,
  refund_already_done: (order) => `everything refunded already: ${refundLeft(order)}`,
  refunds_too_many: () => 'the order has 50 refunds, and takes no more',
  cancel_after_lapse: () => 'the authorization has lapsed: nothing is held any more, and nothing is left to do',
  cancel_after_capture: (order) =>
    order.captured_minor === 0n
      ? 'a capture is undecided: read the order for its outcome; what is captured can be refunded'
      : `captured already (${amount(order, order.captured_minor)} of ${whole(order)}): send a refund instead`,
  cancel_already_done: () => 'the authorization is cancelled already: nothing is left to do',
  cancel_unavailable: (order) =>
    `nothing to cancel: the order is ${order.status}, and no money is held${triedLater(order)}`,
} as const satisfies Partial<Record<RefusalName, Reason>>;

export type StateRefusal = keyof typeof REASONS;

export function reasonOf(name: StateRefusal, order: OrderFacts): string {
  return REASONS[name](order);
}

/** A merchant who cancels wants no later try either, but a refusal changes nothing: it names what ends them. */
function triedLater({ retry }: OrderFacts): string {
  if (retry?.state !== 'waiting' || retry.next_at === null) return '';
  return `; the next try of it is planned for ${retry.next_at}: DELETE /payment/order/{order_id}/retry ends that`;
}

/**
 * The amount that is still possible, for a refusal because of too large an amount or by the provider: `30.00 of 42.50
 * EUR is left …`.
 */
export function captureLeft(order: OrderFacts): string {
  return `${amount(order, capturableMinor(order))} of ${withCurrency(order, order.authorized_minor)} is left to capture`;
}

export function refundLeft(order: OrderFacts): string {
  return `${amount(order, refundableMinor(order))} of ${withCurrency(order, order.captured_minor)} is left to refund`;
}

/** Two different reasons for a duplicate: its reference was used, or an equal one is undecided. */
export const REFERENCE_USED = {
  capture:
    'this operation_merchant_id was used for an earlier capture of the order: send another one for a new capture',
  refund: 'this operation_merchant_id was used for an earlier refund of the order: send another one for a new refund',
  cancel: 'this operation_merchant_id was used for an earlier cancel of the order: send another one for a new cancel',
} as const;

export const CANCEL_UNDECIDED = 'a cancel of the authorization is undecided: read the order for its outcome';

/** The provider says otherwise than the order: the money is blocked until one of the two is proved (contract 14.2). */
export const CONTRADICTED =
  'the provider contradicts what is known of this money, so it is blocked: wait for the event or read the order until is_in_doubt is false';

export function equalUndecided(order: OrderFacts, kind: 'capture' | 'refund', minor: bigint): string {
  const what = `an equal ${kind} of ${withCurrency(order, minor)} is undecided`;
  return `${what}: read the order for its outcome, or send an operation_merchant_id of its own`;
}

export function withCurrency({ currency }: OrderFacts, minor: bigint): string {
  return `${moneyText(minor, currency)} ${currency}`;
}

function amount({ currency }: OrderFacts, minor: bigint): string {
  return moneyText(minor, currency);
}

const whole = (order: OrderFacts) => withCurrency(order, order.authorized_minor);
