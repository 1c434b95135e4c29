// A request to capture, refund or cancel against what the order allows (order-rules/allowed.ts). Pure: the order as it
// was read, the request, and either what is to be done or the refusal of contract 8. The statement that accepts it
// holds only if the order has not moved since.
import { toMinor } from '../../../core/money.ts';
import { Refusal, type RefusalName, refuseField } from '../../../core/refusals.ts';
import type { OrderStatus } from '../../../core/states.ts';
import type { Capabilities } from '../../../provider/capabilities.ts';
import { mayCancel, mayCapture, mayRefund } from '../../order-rules/allowed.ts';
import { heldMinor } from '../../order-rules/amounts.ts';
import { blockedRefund, chargedBack } from '../../order-rules/blocked.ts';
import { askedFor, refundableOf } from '../../order-rules/standing.ts';
import { isFinal } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { membersOf } from '../show/refusal-members.ts';
import { standingOf } from '../facts/standing.ts';
import { disputedDetail } from './disputed.ts';
import {
  CANCEL_UNDECIDED,
  CONTRADICTED,
  REFERENCE_USED,
  type StateRefusal,
  captureLeft,
  equalUndecided,
  reasonOf,
  refundLeft,
  withCurrency,
} from './reasons.ts';
import type { CancelRequest, CaptureRequest, RefundRequest } from './request.ts';

export type MaintenanceKind = 'capture' | 'refund' | 'cancel';

/** The operation to store, once everything is checked. */
export type ValidatedOperation = {
  readonly kind: MaintenanceKind;
  readonly amount_minor: bigint;
  readonly target_id: string | null;
  readonly final: boolean;
  readonly refund_reason: string | null;
  readonly operation_merchant_id: string | null;
  readonly status: OrderStatus;
  readonly waits_for: 'call' | 'provider';
};

export function planCapture(
  order: OrderFacts,
  body: CaptureRequest,
  can: Capabilities | undefined,
): ValidatedOperation {
  const own = body.operation_merchant_id ?? null;
  const asked = readAmount(body.amount, order);
  const captures = askedFor(order, 'capture');
  const may = mayCapture(standingOf(order), can);
  const { left_minor: left, most_minor: most } = may;
  if (may.closed) throw refuse(order, may.closed);
  if (own !== null && captures.some((o) => o.operation_merchant_id === own)) throw refuseDuplicate(order, 'capture');
  const wanted = asked ?? most;
  const open = captures.filter((o) => !isFinal(o));
  const same = open.filter((o) => o.operation_merchant_id === own);
  const twin = same.find((o) => o.amount_minor === wanted || (body.amount === undefined && left === 0n));
  if (twin) throw refuseDuplicate(order, 'capture', equalUndecided(order, twin, left));
  // the last capture releases the rest, which may be captured already
  if (may.blocked && (body.final === true || (wanted > most && wanted <= left) || wanted === 0n))
    throw refuseDuplicate(order, 'capture', CONTRADICTED);
  if (may.full === 'one_capture' && !may.used_up)
    throw new Refusal('capture_declined', {
      detail: 'the provider takes one capture for an authorization, and there is one',
      result: 'provider_captures_too_many',
      members: membersOf(order),
    });
  if (may.used_up && open.length === 0) throw refuse(order, may.used_up);
  if (wanted > left || left === 0n)
    throw above(order, 'capture_above_authorization', { what: 'capturable', detail: aboveCapturable(order) });
  if (may.full === 'captures_too_many') throw refuse(order, may.full);
  return {
    kind: 'capture',
    amount_minor: wanted,
    target_id: null,
    final: releasesRest(can) || (body.final ?? false),
    refund_reason: null,
    operation_merchant_id: own,
    status: 'capture_requested',
    waits_for: 'call',
  };
}

/**
 * With a provider that takes one capture and releases the rest, every capture is the last one: our books must say so
 * too.
 */
function releasesRest(can: Capabilities | undefined): boolean {
  return can?.captures === 'one' && can.rest_after_last_capture === 'released';
}

export function planRefund(order: OrderFacts, body: RefundRequest): ValidatedOperation {
  const own = body.operation_merchant_id ?? null;
  const asked = readAmount(body.amount, order);
  const refunds = askedFor(order, 'refund');
  const may = mayRefund(standingOf(order));
  if (may.closed) throw refuse(order, may.closed);
  if (own !== null && refunds.some((o) => o.operation_merchant_id === own)) throw refuseDuplicate(order, 'refund');
  const captures = askedFor(order, 'capture').filter((o) => o.state === 'successful');
  const named = body.capture_id === undefined ? undefined : captures.find((o) => o.id === body.capture_id);
  if (body.capture_id !== undefined && !named)
    throw refuseField('capture_id', 'parameter_invalid', 'is no successful capture of this order');
  if (asked === undefined && !named && captures.length > 1)
    throw refuseField('capture_id', 'parameter_missing', 'is required: there are several captures and no amount');
  const left = may.left_minor;
  const open = refunds.filter((o) => !isFinal(o) && o.operation_merchant_id === own);
  const all = named ? refundableOf(order, named) : left;
  const isSame = (o: OperationFacts) =>
    (asked === undefined ? all === 0n || o.amount_minor === all : o.amount_minor === asked) &&
    (!named || o.target_id === named.id);
  const { capture, rest } = chosenCapture(order, { captures: named ? [named] : captures, asked, left });
  const twin = open.find(isSame);
  if (twin) throw refuseDuplicate(order, 'refund', equalUndecided(order, twin, capture ? rest : 0n));
  if (may.used_up) throw refuse(order, may.used_up);
  if (!capture || rest <= 0n || (asked ?? 0n) > rest)
    throw above(order, 'refund_above_captured', {
      what: 'refundable',
      detail: aboveRefundable(order, { left, captures, named }),
    });
  refuseBlocked(order, { capture, wanted: asked ?? rest, even_if_disputed: body.even_if_disputed === true });
  if (may.full) throw refuse(order, may.full);
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

/**
 * The oldest capture that covers it with money that is neither disputed nor in doubt; else the oldest that covers it at
 * all.
 */
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
  if (wanted > left - blockedRefund(order, capture)) throw refuseDuplicate(order, 'refund', CONTRADICTED);
  if (even_if_disputed || wanted <= left - chargedBack(order, capture.id)) return;
  throw refuse(order, 'refund_unavailable', disputedDetail(order, capture.id));
}

export function planCancel(order: OrderFacts, body: CancelRequest): ValidatedOperation {
  const own = body.operation_merchant_id ?? null;
  const may = mayCancel(standingOf(order));
  if (may.closed === 'cancel_duplicated') throw refuseDuplicate(order, 'cancel', CANCEL_UNDECIDED);
  if (may.closed) throw refuse(order, may.closed);
  const cancels = askedFor(order, 'cancel');
  if (own !== null && cancels.some((o) => o.operation_merchant_id === own)) throw refuseDuplicate(order, 'cancel');
  if (may.blocked) throw refuseDuplicate(order, 'cancel', CONTRADICTED);
  if (may.used_up) throw refuse(order, may.used_up);
  return {
    kind: 'cancel',
    amount_minor: may.most_minor,
    target_id: null,
    final: false,
    refund_reason: null,
    operation_merchant_id: own,
    status: 'authorization_cancel_requested',
    // an authorization that is undecided is undone as soon as that is possible; until then there is nothing to call for
    waits_for: heldMinor(order) === 0n ? 'provider' : 'call',
  };
}

/** A refusal that says where the order stands (contract 2.5). */
function refuse(order: OrderFacts, name: StateRefusal, detail?: string): Refusal {
  return new Refusal(name, { detail: detail ?? reasonOf(name, order), members: membersOf(order) });
}

/** Refuses a duplicate: one reference was used twice, or the reason that `detail` gives. */
export function refuseDuplicate(order: OrderFacts, kind: MaintenanceKind, detail?: string): Refusal {
  return new Refusal(`${kind}_duplicated`, { detail: detail ?? REFERENCE_USED[kind], members: membersOf(order) });
}

type Above = { readonly what: 'capturable' | 'refundable'; readonly detail: string };

function above(order: OrderFacts, name: RefusalName, { what, detail }: Above): Refusal {
  const problems = [{ field: 'amount', refusal: name, message: `is above the ${what} amount` }];
  return new Refusal(name, { problems, detail, members: membersOf(order) });
}

const aboveCapturable = (order: OrderFacts) => `amount is above the capturable amount: ${captureLeft(order)}`;

type Refundable = {
  readonly left: bigint;
  readonly captures: readonly OperationFacts[];
  readonly named: OperationFacts | undefined;
};

/** A refund is of one capture: the order may have more left than any capture of it. */
function aboveRefundable(order: OrderFacts, { left, captures, named }: Refundable): string {
  if (named) return `amount is above what is left of this capture: ${withCurrency(order, refundableOf(order, named))}`;
  if (captures.length < 2) return `amount is above the refundable amount: ${refundLeft(order)}`;
  const most = captures.map((o) => refundableOf(order, o)).reduce((a, b) => (a > b ? a : b), 0n);
  const at_once = most < left ? most : left;
  const every = 'amount is above the refundable amount of every single capture';
  return `${every}: at most ${withCurrency(order, at_once)} can be refunded at once`;
}

function readAmount(amount: string | undefined, { currency }: OrderFacts): bigint | undefined {
  if (amount === undefined) return undefined;
  const read = toMinor(amount, currency);
  if ('problem' in read) throw refuseField('amount', 'parameter_invalid', read.problem);
  return read.minor;
}
