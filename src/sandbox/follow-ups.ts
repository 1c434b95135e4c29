// Capture, refund and cancel, and the provider's rules about money: captures never exceed their hold, and refunds never
// exceed their capture. Each function returns undefined if its reference was used for something else. The amount of a
// pending operation is set aside, so that nothing else can use it.
import type { ResultName } from '../core/results.ts';
import type { Books } from './books.ts';
import type { Entry, EntryKind } from './entry.ts';
import { isPending } from './faults/fault.ts';
import {
  type PaymentRequest,
  type Doing,
  type Done,
  again,
  begin,
  isRepeat,
  isReversed,
  isSilent,
  leftOf,
  refundable,
  settling,
  afterwardsOf,
} from './payments.ts';

export function capture(books: Books, doing: Doing, payment_id: string): Done | undefined {
  const { asked, twist } = doing;
  const payment = books.findId(payment_id, 'authorize');
  const base = begin(books, asked, { kind: 'capture', parent: payment?.reference ?? null });
  if (base === undefined) return undefined;
  if (isRepeat(books, asked)) return again(books, base);
  const refusal = declinedBefore(books, base) ?? refusalOfCapture(payment, asked);
  if (payment === undefined || refusal !== undefined) return refuse(books, base, refusal);
  const rest = used(payment, 'capture');
  if (twist.ends !== undefined && !isPending(twist)) return refuse(books, base, twist.ends, rest);
  const captured = payment.captured + asked.amount;
  if (isPending(twist)) return wait(books, { base, doing }, { ...rest, captured });
  const entry = done(base, doing, { state: 'captured', ended: 'capture_successful' });
  books.record(entry, released({ ...rest, state: 'captured', captured }, entry.final));
  return { entry, ends: entry.ended };
}

/** The final capture releases the rest of the hold. */
export function released(payment: Entry, final: boolean): Entry {
  return final ? { ...payment, released: payment.released + leftOf(payment) } : payment;
}

function refusalOfCapture(payment: Entry | undefined, asked: PaymentRequest): ResultName | undefined {
  if (payment === undefined || !isApproved(payment) || isReversed(payment)) return 'capture_unavailable';
  if (asked.currency !== payment.currency) return 'provider_capture_amount_invalid';
  if (payment.captured === payment.amount) return 'provider_capture_already_done';
  if (leftOf(payment) === 0) return payment.lapsed ? 'capture_after_lapse' : 'capture_unavailable';
  if (asked.amount > leftOf(payment)) return 'provider_capture_above_authorization';
  return undefined;
}

/** The capture that is refunded, and its payment; a sale is its own capture. */
export function captureOf(books: Books, capture_id: string): { captured?: Entry; payment?: Entry } {
  const sale = books.findId(capture_id, 'authorize');
  const captured = sale?.sale === true ? sale : books.findId(capture_id, 'capture');
  if (captured === undefined) return {};
  const payment = captured.kind === 'capture' ? books.find(captured.parent ?? '') : captured;
  return payment === undefined ? { captured } : { captured, payment };
}

export function refund(books: Books, doing: Doing, capture_id: string): Done | undefined {
  const { asked, twist } = doing;
  const { captured, payment } = captureOf(books, capture_id);
  const base = begin(books, asked, { kind: 'refund', parent: captured?.reference ?? null });
  if (base === undefined) return undefined;
  if (isRepeat(books, asked)) return again(books, base);
  const refusal = declinedBefore(books, base) ?? refusalOfRefund(captured, payment, asked);
  if (captured === undefined || payment === undefined || refusal !== undefined) return refuse(books, base, refusal);
  const rest = used(payment, 'refund');
  if (twist.ends !== undefined && !isPending(twist)) return refuse(books, base, twist.ends, rest);
  const refunded = captured.refunded + asked.amount;
  const own = captured === payment ? [] : [rest];
  const source = { ...(captured === payment ? rest : captured), refunded };
  if (isPending(twist)) return wait(books, { base, doing }, source, ...own);
  const entry = done(base, doing, { state: 'refunded', ended: 'refund_successful' });
  books.record(entry, fullyRefunded(source), ...own);
  return { entry, ends: entry.ended };
}

export function fullyRefunded(captured: Entry): Entry {
  const whole = captured.kind === 'capture' && captured.refunded === refundable(captured);
  return whole ? { ...captured, state: 'refunded' } : captured;
}

function refusalOfRefund(
  captured: Entry | undefined,
  payment: Entry | undefined,
  asked: PaymentRequest,
): ResultName | undefined {
  if (captured === undefined || payment === undefined || isReversed(payment) || refundable(captured) === 0)
    return 'refund_unavailable';
  if (asked.currency !== captured.currency) return 'provider_refund_amount_invalid';
  if (captured.refunded === refundable(captured)) return 'provider_refund_already_done';
  if (asked.amount > refundable(captured) - captured.refunded) return 'provider_refund_above_captured';
  return undefined;
}

export function cancel(books: Books, doing: Doing, payment_id: string): Done | undefined {
  const { asked, twist } = doing;
  const payment = books.findId(payment_id, 'authorize');
  const base = begin(books, asked, { kind: 'cancel', parent: payment?.reference ?? null });
  if (base === undefined) return undefined;
  if (isRepeat(books, asked) || base.state === 'released' || base.state === 'pending') return again(books, base);
  const refusal = declinedBefore(books, base) ?? refusalOfCancel(payment);
  if (payment === undefined || refusal !== undefined) return refuse(books, base, refusal);
  const rest = used(payment, 'cancel');
  if (twist.ends !== undefined && !isPending(twist)) return refuse(books, base, twist.ends, rest);
  // a cancel releases the whole rest, whatever amount was requested; the answer names the amount, and the core compares
  // it
  const amount = leftOf(payment);
  if (isPending(twist)) {
    const waiting = { base: { ...base, amount }, doing };
    return wait(books, waiting, { ...rest, released: rest.released + amount });
  }
  const entry: Entry = { ...done(base, doing, { state: 'released', ended: 'cancel_successful' }), amount };
  books.record(entry, cancelled({ ...rest, released: rest.released + amount }));
  return { entry, ends: entry.ended };
}

export function cancelled(payment: Entry): Entry {
  return { ...payment, state: payment.captured > 0 ? 'captured' : 'released' };
}

function refusalOfCancel(payment: Entry | undefined): ResultName | undefined {
  if (payment === undefined || !isApproved(payment)) return 'cancel_unavailable';
  if (payment.lapsed) return 'issuer_cancel_after_lapse';
  if (isReversed(payment) || payment.released > 0) return 'issuer_cancel_already_done';
  if (leftOf(payment) === 0) return 'issuer_cancel_after_capture';
  return undefined;
}

const isApproved = ({ state }: Entry): boolean => state !== 'declined' && state !== 'pending';

function done(base: Entry, { asked, twist }: Doing, ends: Pick<Entry, 'state' | 'ended'>): Entry {
  const later = [...base.later, ...afterwardsOf(asked.at, twist)];
  return { ...base, ...ends, effects: base.effects + 1, final: asked.final, later, silent: isSilent(twist) };
}

type Waiting = { readonly base: Entry; readonly doing: Doing };

/** Accepts an operation that is decided later; `changed` holds the entries from which the amount is set aside. */
function wait(books: Books, { base, doing }: Waiting, ...changed: Entry[]): Done {
  const { asked, twist } = doing;
  const ended = PENDING[base.kind];
  const later = [...base.later, settling(asked.at, twist)];
  const entry: Entry = { ...base, state: 'pending', ended, final: asked.final, later, silent: isSilent(twist) };
  books.record(entry, ...changed);
  return { entry, ends: ended };
}

/** The result that an inquiry gets for an operation that is not decided. */
export const PENDING: Readonly<Record<EntryKind, ResultName>> = {
  authorize: 'authorization_pending',
  capture: 'capture_pending',
  refund: 'refund_pending',
  cancel: 'cancel_pending',
  reversal: 'cancel_pending',
};

function refuse(
  books: Books,
  base: Entry,
  ...[refusal = 'authorization_declined', payment]: [ResultName?, Entry?]
): Done {
  const entry = base.state === 'declined' ? { ...base, ended: refusal } : base;
  books.record(entry, ...(payment === undefined ? [] : [payment]));
  return { entry, ends: refusal };
}

/** Uses up the card's plan for the first operation of this kind; a plan for every operation stays. */
const used = (payment: Entry, kind: EntryKind): Entry =>
  payment.planned?.operation === kind && !payment.planned.every ? { ...payment, planned: null } : payment;
/** A refusal is final for its reference: a repeat gets the same answer. */
const declinedBefore = (books: Books, { reference }: Entry): ResultName | undefined => {
  const known = books.find(reference);
  return known?.state === 'declined' ? known.ended : undefined;
};
