// Capture, refund and cancel, and the rules of the provider's money: a hold is never captured above its amount, a capture
// never refunded above its own. Each answers undefined where its reference was used for something else.
import type { ResultName } from '../core/results.ts';
import type { Books } from './books.ts';
import type { Entry, EntryKind } from './entry.ts';
import { type Asked, type Done, begin, isReversed, leftOf, refundable } from './payments.ts';

export function capture(books: Books, asked: Asked, payment_id: string): Done | undefined {
  const payment = books.findId(payment_id, 'authorize');
  const base = begin(books, asked, { kind: 'capture', parent: payment?.reference ?? null });
  if (base === undefined) return undefined;
  const refusal = declinedBefore(base) ?? refusalOfCapture(payment, asked);
  if (payment === undefined || refusal !== undefined) return refuse(books, base, { payment, refusal });
  const entry: Entry = { ...base, effects: base.effects + 1, state: 'captured', ended: 'capture_successful' };
  books.record(entry, { ...payment, state: 'captured', captured: payment.captured + asked.amount });
  return { entry, ends: entry.ended };
}

function refusalOfCapture(payment: Entry | undefined, asked: Asked): ResultName | undefined {
  if (payment === undefined || payment.state === 'declined' || isReversed(payment)) return 'capture_unavailable';
  if (asked.currency !== payment.currency) return 'provider_capture_amount_invalid';
  if (payment.captured === payment.amount) return 'provider_capture_already_done';
  if (leftOf(payment) === 0) return 'capture_unavailable';
  if (asked.amount > leftOf(payment)) return 'provider_capture_above_authorization';
  return plannedFor(payment, 'capture');
}

export function refund(books: Books, asked: Asked, capture_id: string): Done | undefined {
  const sale = books.findId(capture_id, 'authorize');
  const captured = sale?.sale === true ? sale : books.findId(capture_id, 'capture');
  const payment = captured?.kind === 'capture' ? books.find(captured.parent ?? '') : captured;
  const base = begin(books, asked, { kind: 'refund', parent: captured?.reference ?? null });
  if (base === undefined) return undefined;
  const refusal = declinedBefore(base) ?? refusalOfRefund(captured, payment, asked);
  if (captured === undefined || refusal !== undefined) return refuse(books, base, { payment, refusal });
  const entry: Entry = { ...base, effects: base.effects + 1, state: 'refunded', ended: 'refund_successful' };
  const refunded = captured.refunded + asked.amount;
  const state = captured.kind === 'capture' && refunded === refundable(captured) ? 'refunded' : captured.state;
  books.record(entry, { ...captured, refunded, state });
  return { entry, ends: entry.ended };
}

function refusalOfRefund(
  captured: Entry | undefined,
  payment: Entry | undefined,
  asked: Asked,
): ResultName | undefined {
  if (captured === undefined || captured.effects === 0 || payment === undefined || isReversed(payment))
    return 'refund_unavailable';
  if (asked.currency !== captured.currency) return 'provider_refund_amount_invalid';
  if (captured.refunded === refundable(captured)) return 'provider_refund_already_done';
  if (asked.amount > refundable(captured) - captured.refunded) return 'provider_refund_above_captured';
  return plannedFor(payment, 'refund');
}

export function cancel(books: Books, asked: Asked, payment_id: string): Done | undefined {
  const payment = books.findId(payment_id, 'authorize');
  const base = begin(books, asked, { kind: 'cancel', parent: payment?.reference ?? null });
  if (base === undefined) return undefined;
  if (base.state === 'released') {
    books.record(base);
    return { entry: base, ends: base.ended };
  }
  const refusal = declinedBefore(base) ?? refusalOfCancel(payment);
  if (payment === undefined || refusal !== undefined) return refuse(books, base, { payment, refusal });
  // What is released is what was open, whatever was asked: the answer says it and the core compares.
  const amount = leftOf(payment);
  const entry: Entry = { ...base, amount, effects: 1, state: 'released', ended: 'cancel_successful' };
  const state = payment.captured > 0 ? 'captured' : 'released';
  books.record(entry, { ...payment, state, released: payment.released + amount });
  return { entry, ends: entry.ended };
}

function refusalOfCancel(payment: Entry | undefined): ResultName | undefined {
  if (payment === undefined || payment.state === 'declined') return 'cancel_unavailable';
  if (isReversed(payment) || payment.released > 0) return 'issuer_cancel_already_done';
  if (leftOf(payment) === 0) return 'issuer_cancel_after_capture';
  return plannedFor(payment, 'cancel');
}

type Refused = { readonly payment: Entry | undefined; readonly refusal: ResultName | undefined };

function refuse(books: Books, base: Entry, { payment, refusal = 'authorization_declined' }: Refused): Done {
  const entry = base.state === 'declined' ? { ...base, ended: refusal } : base;
  // A planned ending is for the first of its kind: used up now.
  const used = payment?.planned?.operation === base.kind && payment.planned.ends === refusal;
  books.record(entry, ...(payment !== undefined && used ? [{ ...payment, planned: null }] : []));
  return { entry, ends: refusal };
}

/** A refusal is final for its reference: the same one asked again hears the same. */
const declinedBefore = (base: Entry): ResultName | undefined =>
  base.calls > 1 && base.state === 'declined' ? base.ended : undefined;
const plannedFor = ({ planned }: Entry, kind: EntryKind): ResultName | undefined =>
  planned?.operation === kind ? planned.ends : undefined;
