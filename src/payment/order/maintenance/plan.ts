// May it be captured, refunded, cancelled, and how much? Pure: the order as it was read, the request, and either a wish or the
// refusal of contract 8. The statement that accepts the wish holds only if nothing moved since.
import { toMinor } from '../../../core/money.ts';
import { Refusal, type RefusalName, refuseField } from '../../../core/refusals.ts';
import type { OrderStatus } from '../../../core/states.ts';
import type { Capabilities } from '../../../provider/contract.ts';
import { openAuthentication } from '../authentication/facts.ts';
import { chargedBack, disputedDetail } from './disputed.ts';
import { blockedCapture, blockedRefund, isCancelBlocked } from '../contradiction/blocked.ts';
import { codeOf, isFinal } from '../decide/decision.ts';
import { type OperationFacts, type OrderFacts, lastTransaction } from '../read/facts.ts';
import type { CancelRequest, CaptureRequest, RefundRequest } from './request.ts';

export type MaintenanceKind = 'capture' | 'refund' | 'cancel';

/** What is to be done, once everything is checked. */
export type Wish = {
  readonly kind: MaintenanceKind;
  readonly amount_minor: bigint;
  readonly target_id: string | null;
  readonly final: boolean;
  readonly refund_reason: string | null;
  readonly operation_merchant_id: string | null;
  readonly status: OrderStatus;
  readonly waits_for: 'call' | 'provider';
};

const MOST_OPERATIONS = 50;

export function planCapture(order: OrderFacts, body: CaptureRequest, can: Capabilities | undefined): Wish {
  const own = body.operation_merchant_id ?? null;
  const captures = operationsOf(order, 'capture');
  const left = order.authorized_minor - order.released_minor - order.captured_minor - order.capturing_minor;
  if (order.status === 'authorization_expired') throw refuse(order, 'capture_after_lapse');
  if (order.status === 'authentication_declined' && endedByPayer(order)) throw refuse(order, 'capture_order_cancelled');
  if (order.authorized_minor === 0n || order.cancel_pending || order.authorized_minor === order.released_minor)
    throw refuse(order, 'capture_unavailable');
  if (own !== null && captures.some((o) => o.operation_merchant_id === own)) throw refuse(order, 'capture_duplicated');
  const blocked = blockedCapture(order);
  const wanted = readAmount(body.amount, order) ?? left - blocked;
  const open = captures.filter((o) => !isFinal(o));
  const same = open.filter((o) => o.operation_merchant_id === own);
  if (same.some((o) => o.amount_minor === wanted || (body.amount === undefined && left === 0n)))
    throw refuse(order, 'capture_duplicated');
  // the last capture releases the rest, which may be captured already
  if (blocked > 0n && (body.final === true || (wanted > left - blocked && wanted <= left) || wanted === 0n))
    throw refuse(order, 'capture_duplicated', CONTRADICTED);
  if (left <= 0n && open.length === 0)
    throw refuse(order, lapsed(order) ? 'capture_after_lapse' : 'capture_already_done');
  if (wanted > left || left <= 0n) throw above(order, 'capture_above_authorization', 'capturable');
  if (captures.length >= MOST_OPERATIONS) throw refuse(order, 'captures_too_many');
  const held = captures.filter((o) => o.state !== 'declined' && o.state !== 'not_sent');
  if (can?.captures === 'one' && held.length > 0)
    throw new Refusal('provider_declined', {
      detail: 'the provider takes one capture for an authorization',
      result: 'provider_captures_too_many',
      members: membersOf(order),
    });
  return {
    kind: 'capture',
    amount_minor: wanted,
    target_id: null,
    final: body.final ?? false,
    refund_reason: null,
    operation_merchant_id: own,
    status: 'capture_requested',
    waits_for: 'call',
  };
}

const CONTRADICTED =
  'the provider contradicts what is known of this money, so it is blocked: wait for the event or read the order until is_in_doubt is false';

/** What was not captured in time was released. */
function lapsed(order: OrderFacts): boolean {
  return order.operations.some((o) => o.kind === 'cancel' && o.origin === 'schedule' && o.state === 'successful');
}

export function planRefund(order: OrderFacts, body: RefundRequest): Wish {
  const own = body.operation_merchant_id ?? null;
  const refunds = operationsOf(order, 'refund');
  if (order.captured_minor === 0n) throw refuse(order, 'refund_unavailable');
  if (own !== null && refunds.some((o) => o.operation_merchant_id === own)) throw refuse(order, 'refund_duplicated');
  const captures = operationsOf(order, 'capture').filter((o) => o.state === 'successful');
  const named = body.capture_id === undefined ? undefined : captures.find((o) => o.id === body.capture_id);
  if (body.capture_id !== undefined && !named)
    throw refuseField('capture_id', 'parameter_invalid', 'is no successful capture of this order');
  const asked = readAmount(body.amount, order);
  if (asked === undefined && !named && captures.length > 1)
    throw refuseField('capture_id', 'parameter_missing', 'is required: there are several captures and no amount');
  const left = order.captured_minor - order.refunded_minor - order.refunding_minor;
  const open = refunds.filter((o) => !isFinal(o) && o.operation_merchant_id === own);
  const all = named ? refundableOf(order, named) : left;
  const isSame = (o: OperationFacts) =>
    (asked === undefined ? all === 0n || o.amount_minor === all : o.amount_minor === asked) &&
    (!named || o.target_id === named.id);
  if (open.some(isSame)) throw refuse(order, 'refund_duplicated');
  if (left <= 0n && order.refunding_minor === 0n) throw refuse(order, 'refund_already_done');
  const { capture, rest } = chosenCapture(order, { captures: named ? [named] : captures, asked, left });
  if (!capture || rest <= 0n || (asked ?? 0n) > rest) throw above(order, 'refund_above_captured', 'refundable');
  refuseBlocked(order, { capture, wanted: asked ?? rest, even_if_disputed: body.even_if_disputed === true });
  if (refunds.length >= MOST_OPERATIONS) throw refuse(order, 'refunds_too_many');
  return {
    kind: 'refund',
    amount_minor: asked ?? rest,
    target_id: capture.id,
    final: false,
    refund_reason: body.refund_reason ?? null,
    operation_merchant_id: own,
    status: 'refund_requested',
    waits_for: 'call',
  };
}

type Choosing = {
  readonly captures: readonly OperationFacts[];
  readonly asked: bigint | undefined;
  /** Refundable of the whole order. */
  readonly left: bigint;
};

/** The oldest capture that covers it with money that is neither disputed nor in doubt; else the oldest that covers it at all. */
function chosenCapture(order: OrderFacts, { captures, asked, left }: Choosing) {
  const least = asked ?? 1n;
  const covering = captures.filter((o) => captures.length === 1 || refundableOf(order, o) >= least);
  const free = (o: OperationFacts) => refundableOf(order, o) - blockedRefund(order, o) - chargedBack(order, o.id);
  const capture = covering.find((o) => free(o) >= least) ?? covering[0];
  // a capture that was corrected after its refund leaves the order less than its other captures have
  const of_capture = capture ? refundableOf(order, capture) : 0n;
  return { capture, rest: of_capture < left ? of_capture : left };
}

type Refunding = {
  readonly capture: OperationFacts;
  readonly wanted: bigint;
  readonly even_if_disputed: boolean;
};

/** Money that the provider may have sent back already, or that the payer's bank has taken back. */
function refuseBlocked(order: OrderFacts, { capture, wanted, even_if_disputed }: Refunding): void {
  const left = refundableOf(order, capture);
  if (wanted > left - blockedRefund(order, capture)) throw refuse(order, 'refund_duplicated', CONTRADICTED);
  if (even_if_disputed || wanted <= left - chargedBack(order, capture.id)) return;
  throw refuse(order, 'refund_unavailable', disputedDetail(order, capture.id));
}

export function planCancel(order: OrderFacts, body: CancelRequest): Wish {
  const own = body.operation_merchant_id ?? null;
  if (order.status === 'authorization_expired') throw refuse(order, 'cancel_after_lapse');
  if (order.captured_minor + order.capturing_minor > 0n) throw refuse(order, 'cancel_after_capture');
  if (order.status === 'authorization_cancelled') throw refuse(order, 'cancel_already_done');
  const cancels = operationsOf(order, 'cancel');
  if (order.cancel_pending || (own !== null && cancels.some((o) => o.operation_merchant_id === own)))
    throw refuse(order, 'cancel_duplicated');
  if (isCancelBlocked(order)) throw refuse(order, 'cancel_duplicated', CONTRADICTED);
  const held = order.authorized_minor - order.released_minor;
  if (!isCancellable(order)) throw refuse(order, 'cancel_unavailable');
  return {
    kind: 'cancel',
    amount_minor: held === 0n ? order.amount_minor : held,
    target_id: null,
    final: false,
    refund_reason: null,
    operation_merchant_id: own,
    status: 'authorization_cancel_requested',
    // an authorization that is undecided is undone as soon as that is possible; until then there is nothing to call for
    waits_for: held === 0n ? 'provider' : 'call',
  };
}

/** True while planCancel takes a cancel: of what is held, or of what is still undecided (contract 8.3). */
export function isCancellable(order: OrderFacts): boolean {
  const captured = order.captured_minor + order.capturing_minor;
  const held = order.authorized_minor - order.released_minor;
  return order.live && !order.cancel_pending && captured === 0n && (held > 0n || isUndecided(order));
}

function isUndecided(order: OrderFacts): boolean {
  return order.operations.some((o) => o.kind === 'authorize' && !isFinal(o)) || openAuthentication(order) !== undefined;
}

/** What can still be refunded of a capture. */
function refundableOf(order: OrderFacts, capture: OperationFacts): bigint {
  return operationsOf(order, 'refund')
    .filter((o) => o.target_id === capture.id && o.state !== 'declined' && o.state !== 'not_sent')
    .reduce((left, o) => left - o.amount_minor, capture.amount_minor);
}

/** A refusal that says where the order stands (contract 2.5). */
function refuse(order: OrderFacts, name: RefusalName, detail?: string): Refusal {
  return new Refusal(name, { members: membersOf(order), ...(detail !== undefined && { detail }) });
}

/** One reference was used twice. */
export function refuseDuplicate(order: OrderFacts, kind: MaintenanceKind): Refusal {
  return refuse(order, `${kind}_duplicated`);
}

export function membersOf(order: OrderFacts): Readonly<Record<string, string>> {
  return { order_id: order.id, transaction_id: lastTransaction(order).id, status: order.status };
}

function above(order: OrderFacts, name: RefusalName, what: 'capturable' | 'refundable'): Refusal {
  const problems = [{ field: 'amount', refusal: name, message: `is above the ${what} amount` }];
  return new Refusal(name, { problems, members: membersOf(order) });
}

function readAmount(amount: string | undefined, { currency }: OrderFacts): bigint | undefined {
  if (amount === undefined) return undefined;
  const read = toMinor(amount, currency);
  if ('problem' in read) throw refuseField('amount', 'parameter_invalid', read.problem);
  return read.minor;
}

function operationsOf(order: OrderFacts, kind: MaintenanceKind): readonly OperationFacts[] {
  return order.operations.filter((o) => o.kind === kind && o.origin === 'merchant');
}

function endedByPayer(order: OrderFacts): boolean {
  return order.events.at(-1)?.code === codeOf('payer_left_authentication');
}
