// What may be done with an order: capture, refund, cancel, try again; how much; and if not, why not. Pure, and the only
// home of these rules: requests, the order's view, notifications and the back office ask here. The statement that
// accepts an operation checks the amounts once more against the row as it is at that moment (order/engine/guard.ts); a
// test holds the two equal.
import type { RefusalName } from '../../core/refusals.ts';
import type { OrderStatus } from '../../core/states.ts';
import type { Capabilities } from '../../provider/capabilities.ts';
import { atLeastNothing, capturableMinor, heldMinor, refundableMinor } from './amounts.ts';
import { blockedCapture, blockedRefund, chargedBack, isCancelBlocked } from './blocked.ts';
import { type Standing, askedFor, refundableOf } from './standing.ts';

/** What can be in the way of it, in the order in which a request is refused. */
type Allowed<Closed extends RefusalName, UsedUp extends RefusalName, Full extends string> = {
  /** The state of the order forbids it, whatever is asked for. */
  readonly closed?: Closed | undefined;
  /** A contradiction or a dispute is about some of what is left, or about whether anything is. */
  readonly blocked: boolean;
  /** Nothing is left. A repetition of an open request is recognized before this is said. */
  readonly used_up?: UsedUp | undefined;
  /** No further operation is taken, though some of the amount is left. */
  readonly full?: Full | undefined;
  /** What the amounts of the order leave; more than this is above it. */
  readonly left_minor: bigint;
  /** What of that may be used now. */
  readonly most_minor: bigint;
};

/** True: a request for some of it would be accepted now. */
export function isAllowed({ closed, used_up, full, most_minor }: Allowed<RefusalName, RefusalName, string>): boolean {
  return closed === undefined && used_up === undefined && full === undefined && most_minor > 0n;
}

/** Most operations of one kind on an order. */
const MOST_OPERATIONS = 50;

type CaptureClosed = 'capture_after_lapse' | 'capture_order_cancelled' | 'capture_unavailable';
type CaptureAllowed = Allowed<
  CaptureClosed,
  'capture_after_lapse' | 'capture_already_done',
  'captures_too_many' | 'one_capture'
>;

/** `can`: of the provider that holds the money; undefined where it is in this build no more. */
export function mayCapture(order: Standing, can: Pick<Capabilities, 'captures'> | undefined): CaptureAllowed {
  const closed = captureClosed(order);
  if (closed) return { closed, blocked: false, left_minor: 0n, most_minor: 0n };
  const left_minor = capturableMinor(order);
  const most_minor = left_minor - blockedCapture(order);
  // what was not captured in time was released
  const lapsed = order.operations.some(
    ({ kind, origin, state }) => kind === 'cancel' && origin === 'schedule' && state === 'successful',
  );
  const full = captureFull(order, can);
  // the rest, which the provider released with its one capture, is not captured
  const only_part = full === 'one_capture' && order.captured_minor + order.capturing_minor < order.authorized_minor;
  const used_up = lapsed ? 'capture_after_lapse' : only_part ? undefined : 'capture_already_done';
  return {
    blocked: most_minor < left_minor,
    used_up: left_minor === 0n ? used_up : undefined,
    full,
    left_minor,
    most_minor,
  };
}

function captureClosed(order: Standing): CaptureClosed | undefined {
  if (order.status === 'authorization_expired') return 'capture_after_lapse';
  if (order.status === 'authentication_declined' && order.ended_by_payer) return 'capture_order_cancelled';
  return heldMinor(order) === 0n || order.cancel_pending ? 'capture_unavailable' : undefined;
}

function captureFull(order: Standing, can: Pick<Capabilities, 'captures'> | undefined) {
  if (askedFor(order, 'capture').length >= MOST_OPERATIONS) return 'captures_too_many';
  // a capture that failed is not in the amounts
  const captured = order.captured_minor + order.capturing_minor > 0n;
  return can?.captures === 'one' && captured ? 'one_capture' : undefined;
}

export type RefundWish = {
  /** The caller knows that the payer's bank has taken the money back, and wants it refunded all the same. */
  readonly even_if_disputed?: boolean;
};

/** `most_minor` may need several refunds: each is of one capture. */
export function mayRefund(
  order: Standing,
  { even_if_disputed = false }: RefundWish = {},
): Allowed<'refund_unavailable', 'refund_already_done', 'refunds_too_many'> {
  if (order.captured_minor === 0n)
    return { closed: 'refund_unavailable', blocked: false, left_minor: 0n, most_minor: 0n };
  const left_minor = refundableMinor(order);
  const usable = usableOf(order, even_if_disputed) ?? left_minor;
  const most_minor = usable < left_minor ? usable : left_minor;
  const full = askedFor(order, 'refund').length >= MOST_OPERATIONS;
  return {
    blocked: most_minor < left_minor,
    used_up: left_minor === 0n && order.refunding_minor === 0n ? 'refund_already_done' : undefined,
    full: full ? 'refunds_too_many' : undefined,
    left_minor,
    most_minor,
  };
}

/** What the captures have left beside blocked and disputed money; undefined: there is no such money. */
function usableOf(order: Standing, even_if_disputed: boolean): bigint | undefined {
  if (order.contradictions.length === 0 && order.disputes.length === 0) return undefined;
  const captures = askedFor(order, 'capture').filter(({ state }) => state === 'successful');
  return captures.reduce((sum, capture) => {
    const blocked = blockedRefund(order, capture);
    const disputed = even_if_disputed ? 0n : chargedBack(order, capture.id);
    return sum + atLeastNothing(refundableOf(order, capture) - (blocked > disputed ? blocked : disputed));
  }, 0n);
}

type CancelClosed = 'cancel_after_lapse' | 'cancel_after_capture' | 'cancel_already_done' | 'cancel_duplicated';

/** A cancel is never partial: it takes all that is held, or the whole order while its authorization is undecided. */
export function mayCancel(order: Standing): Allowed<CancelClosed, 'cancel_unavailable', never> {
  const closed = cancelClosed(order);
  if (closed) return { closed, blocked: false, left_minor: 0n, most_minor: 0n };
  const blocked = isCancelBlocked(order);
  const held = heldMinor(order);
  const left_minor = !order.live ? 0n : held > 0n ? held : order.undecided ? order.amount_minor : 0n;
  return {
    blocked,
    used_up: left_minor === 0n ? 'cancel_unavailable' : undefined,
    left_minor,
    most_minor: blocked ? 0n : left_minor,
  };
}

function cancelClosed(order: Standing): CancelClosed | undefined {
  if (order.status === 'authorization_expired') return 'cancel_after_lapse';
  if (order.captured_minor + order.capturing_minor > 0n) return 'cancel_after_capture';
  if (order.status === 'authorization_cancelled') return 'cancel_already_done';
  return order.cancel_pending ? 'cancel_duplicated' : undefined;
}

const RETRIED: ReadonlySet<OrderStatus> = new Set([
  'risk_assessment_declined',
  'authentication_declined',
  'authorization_declined',
]);

type Declined = Pick<Standing, 'status' | 'contradictions'> & { readonly attempts_remaining: number };

/** Another attempt, with another token. */
export function mayRetry({
  status,
  contradictions,
  attempts_remaining,
}: Declined): 'yes' | 'contradicted' | 'not_declined' | 'used_up' {
  if (contradictions.length > 0) return 'contradicted';
  if (!RETRIED.has(status)) return 'not_declined';
  return attempts_remaining > 0 ? 'yes' : 'used_up';
}
