// Why an order cannot be captured, refunded or cancelled now, in words: the `detail` of the refusal (contract 2.5).
// Says the reason of this case with its amounts, and what to do; never a value the caller sent.
import { moneyText } from '../../../core/money.ts';
import type { RefusalName } from '../../../core/refusals.ts';
import { capturableMinor, heldMinor, refundableMinor } from '../../order-rules/amounts.ts';
import { isCancelBlocked } from '../../order-rules/blocked.ts';
import { isFinal } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { isInDoubt } from '../show/doubt.ts';

type Reason = (order: OrderFacts) => string;

const REASONS = {
  capture_already_done: (order) =>
    order.released_minor > 0n
      ? `${amount(order, order.captured_minor)} of ${whole(order)} is captured, and the rest was released: nothing is left to capture${unlessHold(order)}`
      : `everything captured already: ${captureLeft(order)}`,
  capture_after_lapse: (order) =>
    `the authorization has lapsed: ${captureLeft(order)}${unlessHold(order) ? '' : ', and a new order is needed for a new payment'}`,
  capture_order_cancelled: () => 'the payer ended the order before anything was authorized: a new order is needed',
  capture_unavailable: (order) =>
    order.cancel_pending
      ? 'a cancel of the authorization is undecided: read the order for its outcome'
      : (notKnown(order, 'authorized') ??
        `nothing is authorized: the order is ${order.status}, and only an authorized order can be captured`),
  captures_too_many: () => 'the order has 50 captures, and takes no more',
  refund_unavailable: (order) =>
    (mayHaveCaptured(order) ? notKnown(order, 'captured') : undefined) ??
    `nothing is captured: the order is ${order.status}, and only captured money can be refunded`,
  refund_already_done: (order) => `everything refunded already: ${refundLeft(order)}`,
  refunds_too_many: () => 'the order has 50 refunds, and takes no more',
  cancel_after_lapse: (order) =>
    `the authorization has lapsed: nothing is held any more${unlessHold(order) || ', and nothing is left to do'}`,
  cancel_after_capture: (order) =>
    order.captured_minor === 0n
      ? 'a capture is undecided: read the order for its outcome; what is captured can be refunded'
      : `captured already (${amount(order, order.captured_minor)} of ${whole(order)})${unlessHold(order) || ': send a refund instead'}`,
  cancel_already_done: (order) =>
    `the authorization is cancelled already${unlessHold(order) || ': nothing is left to do'}`,
  cancel_unavailable: (order) => {
    const held = isInDoubt(order)
      ? `what may be held is being released; read it until ${DOUBT_OVER}`
      : `no money is held${triedLater(order)}`;
    return `nothing to cancel: the order is ${order.status}, and ${held}`;
  },
} as const satisfies Partial<Record<RefusalName, Reason>>;

export type StateRefusal = keyof typeof REASONS;

export function reasonOf(name: StateRefusal, order: OrderFacts): string {
  return REASONS[name](order);
}

const DOUBT_OVER = 'is_in_doubt is false';

const TAKES_OR_UNDOES: ReadonlySet<OperationFacts['kind']> = new Set(['authorize', 'capture', 'reversal']);

/** What may have been taken is not denied (decision 192); undefined: the outcome is known. */
function notKnown(order: OrderFacts, what: 'authorized' | 'captured'): string | undefined {
  const is_open = order.operations.some((one) => TAKES_OR_UNDOES.has(one.kind) && !isFinal(one));
  if (!is_open && order.contradictions.length === 0) return undefined;
  const read = isInDoubt(order) ? `read it until ${DOUBT_OVER}` : 'read it for its outcome';
  return `whether anything is ${what} is not known yet: the order is ${order.status}, ${read}`;
}

/** Money that nobody was asked to capture is not captured, whatever becomes of its authorization. */
function mayHaveCaptured({ body, operations }: OrderFacts): boolean {
  return body['operation_type'] === 'direct_capture' || operations.some(({ kind }) => kind === 'capture');
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
  const left = `${amount(order, capturableMinor(order))} of ${whole(order)} is left to capture`;
  return left + alsoUndecided(order, order.capturing_minor) + unlessHold(order);
}

export function refundLeft(order: OrderFacts): string {
  const left = `${amount(order, refundableMinor(order))} of ${withCurrency(order, order.captured_minor)} is left to refund`;
  return left + alsoUndecided(order, order.refunding_minor) + unlessAny(order);
}

/** What an authorization still holds, for a cancel that the provider refuses. */
export function heldLeft(order: OrderFacts): string {
  return `${withCurrency(order, heldMinor(order))} is still held${unlessHold(order)}`;
}

/** Else what is not left would look as if it had been done. */
function alsoUndecided(order: OrderFacts, minor: bigint): string {
  return minor === 0n ? '' : `, and ${withCurrency(order, minor)} is undecided`;
}

/** What is final here, and that the provider contradicts, is neither promised nor denied (contract 14.2). */
const BUT = `; but the provider contradicts that: read the order until ${DOUBT_OVER}`;

/** Of the hold, and what was captured of it. */
const unlessHold = (order: OrderFacts) => (isCancelBlocked(order) ? BUT : '');
/** Of the refunds, and of what they are of. */
const unlessAny = ({ contradictions }: OrderFacts) => (contradictions.length > 0 ? BUT : '');

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

/** `left_minor`: what another one could take. An advice that would be refused next is none. */
export function equalUndecided(order: OrderFacts, twin: OperationFacts, left_minor: bigint): string {
  const what = `an equal ${twin.kind} of ${withCurrency(order, twin.amount_minor)} is undecided`;
  const another = twin.amount_minor <= left_minor ? ', or send an operation_merchant_id of its own' : '';
  return `${what}: read the order for its outcome${another}`;
}

export function withCurrency({ currency }: OrderFacts, minor: bigint): string {
  return `${moneyText(minor, currency)} ${currency}`;
}

function amount({ currency }: OrderFacts, minor: bigint): string {
  return moneyText(minor, currency);
}

const whole = (order: OrderFacts) => withCurrency(order, order.authorized_minor);
