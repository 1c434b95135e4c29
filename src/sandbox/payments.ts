// Authorize and reverse, and the beginning of every operation at the simulated provider: is its reference new, a
// repeat, or used for something else?
//
// It does not deduplicate unless it is told to (`deduplicates: false`), neither by reference nor by idempotency key.
// This is the same for payments, captures and refunds: a repeat that is still possible takes effect again, and the
// books say `effects: 2`. A more forgiving simulator would hide a core that repeats a call before it has asked. Cancel
// and reversal are idempotent: a repeat is acknowledged again. A refusal is final for its reference: a repeat is
// refused again.
import type { ResultName } from '../core/results.ts';
import type { Books } from './books.ts';
import type { Entry, EntryKind, Later } from './entry.ts';
import type { Planned } from './faults/cards.ts';
import { LATE_S, PENDING_S, PLAIN, type Twist, isPending } from './faults/fault.ts';

export type PaymentRequest = {
  readonly reference: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly amount: number;
  readonly currency: string;
  /** For a capture: it also releases the rest of the hold. */
  readonly final: boolean;
  /** The time of the call, in milliseconds. */
  readonly at: number;
  /** True: this is not a new call, but an earlier one that takes effect now. */
  readonly committing?: true;
};

/** The request, and its difference from a plain call. */
export type Doing = { readonly asked: PaymentRequest; readonly twist: Twist };

/** The entry after the call, and the result of this call: a repeat may be refused although the entry had its effect. */
export type Done = { readonly entry: Entry; readonly ends: ResultName };

/** The card after its number was read and dropped, and whether the payment is captured in the same step. */
export type Card = {
  readonly sale: boolean;
  readonly planned: Planned | null;
  readonly card_4_digits: string;
  /** The scheme's id of the first payment of a series, if the request names it. */
  readonly previous_reference: string | null;
  /** For a network token: the first 16 digits of the cryptogram's SHA-256, and the ECI that came with it. */
  readonly cryptogram_digest: string | null;
  readonly eci: string | null;
};

/** Undefined if the reference was used for something else. */
export function authorize(books: Books, { asked, twist }: Doing, card: Card): Done | undefined {
  const base = begin(books, asked, { kind: 'authorize', parent: null });
  if (base === undefined) return undefined;
  if (isRepeat(books, asked)) return again(books, base);
  if (isLive(base)) {
    const entry: Entry = { ...base, effects: base.effects + 1 };
    books.record(entry);
    return { entry, ends: entry.ended };
  }
  const { card_4_digits, planned, sale, previous_reference, cryptogram_digest, eci } = card;
  if (twist.ends !== undefined && !isPending(twist)) {
    const scheme = twist.scheme ?? null;
    const entry = base.state === 'declined' ? { ...base, ended: twist.ends, card_4_digits, scheme } : base;
    books.record(entry);
    return { entry, ends: twist.ends };
  }
  const risk_score = twist.risk_score ?? null;
  const money = { captured: 0, released: 0, refunded: 0, lapsed: false, capture_ended: null };
  const fresh: Entry = {
    ...base,
    ...money,
    sale,
    risk_score,
    card_4_digits,
    previous_reference,
    cryptogram_digest,
    eci,
    planned,
    silent: isSilent(twist),
  };
  const entry: Entry = isPending(twist)
    ? { ...fresh, state: 'pending', ended: 'authorization_pending', later: [...base.later, settling(asked.at, twist)] }
    : taken({ ...fresh, later: [...base.later, ...afterwardsOf(asked.at, twist)] }, asked.at);
  books.record(entry);
  return { entry, ends: entry.ended };
}

/** Holds the money, and captures it for a sale, unless the card decides that its capture ends later. */
export function taken(payment: Entry, at: number): Entry {
  const held: Entry = {
    ...payment,
    effects: payment.effects + 1,
    state: 'held',
    ended: 'authorization_successful',
  };
  if (!payment.sale) return held;
  const meant = payment.planned?.operation === 'capture' ? payment.planned.twist : PLAIN;
  const planned = meant === PLAIN ? payment.planned : null;
  if (meant.ends !== undefined && !isPending(meant)) return { ...held, planned, capture_ended: meant.ends };
  // only the capture's answer is lost: the hold is answered, and an inquiry finds the capture
  if (meant.fault !== undefined) {
    const settle = settling(at, { seconds: 0, ...meant });
    return {
      ...held,
      planned,
      captured: held.amount,
      capture_ended: 'capture_pending',
      later: [...held.later, settle],
    };
  }
  const later = [...held.later, ...afterwardsOf(at, meant)];
  return { ...held, planned, state: 'captured', captured: held.amount, ended: 'capture_successful', later };
}

/**
 * Undoes the payment with our reference, captured money too. It is acknowledged even if there is nothing to undo. An
 * authorization that arrives later under this reference is accepted all the same, as at real providers, and needs its
 * own reversal.
 */
export function reverse(books: Books, { asked }: Doing): Done | undefined {
  const payment = books.find(asked.reference);
  if (payment !== undefined && payment.kind !== 'authorize') return undefined;
  const before =
    books.findReversal(asked.reference) ?? blank(books, asked, { kind: 'reversal', parent: asked.reference });
  const undone = payment === undefined ? [] : undo(books, payment, asked.at);
  const effects = before.effects + (undone.length > 0 && payment?.state !== 'coming' ? 1 : 0);
  const entry: Entry = { ...before, effects, calls: before.calls + 1, state: 'released', ended: 'cancel_successful' };
  books.record(entry, ...undone);
  return { entry, ends: entry.ended };
}

/** A commit that waits for its reversal follows after this time. */
const AFTER_REVERSAL_MS = 1_000;

function undo(books: Books, payment: Entry, at: number): Entry[] {
  if (payment.state === 'coming') {
    if (!payment.later.some((one) => one.at === null)) return [];
    return [{ ...payment, later: payment.later.map((one) => ({ ...one, at: one.at ?? at + AFTER_REVERSAL_MS })) }];
  }
  if (!isLive(payment) && payment.state !== 'pending') return [];
  const state = payment.captured > 0 ? 'refunded' : 'released';
  const released = payment.released + leftOf(payment);
  const captured = payment.capture_ended === 'capture_pending' ? 0 : payment.captured;
  const ended = { ended: 'provider_unreachable', capture_ended: null, later: committing(payment) } as const;
  const undone: Entry = { ...payment, ...ended, state, released, captured, refunded: captured };
  if (payment.captured === 0 || payment.sale) return [undone];
  const captures = [...books.list()].filter((e) => e.kind === 'capture' && e.parent === payment.reference);
  return [
    undone,
    ...captures.filter((e) => e.effects > 0).map((e): Entry => ({ ...e, state: 'refunded', refunded: refundable(e) })),
    ...captures
      .filter((e) => e.state === 'pending')
      .map((e): Entry => ({ ...e, state: 'declined', ended: 'capture_unavailable', later: [] })),
  ];
}

/** Calls that have not arrived yet; they arrive even after a reversal. */
const committing = ({ later }: Entry): readonly Later[] => later.filter(({ does }) => does === 'commit');

export type What = { readonly kind: EntryKind; readonly parent: string | null };

/**
 * The entry of this reference with one more call, or a new entry; undefined if the reference was used for something
 * else.
 */
export function begin(books: Books, asked: PaymentRequest, { kind, parent }: What): Entry | undefined {
  const before = books.find(asked.reference) ?? blank(books, asked, { kind, parent });
  // a cancel concerns the whole rest, so its amount does not matter
  const same_amount = kind === 'cancel' || (before.amount === asked.amount && before.currency === asked.currency);
  if (before.kind !== kind || before.parent !== parent || !same_amount) return undefined;
  const state = before.state === 'coming' ? 'declined' : before.state;
  return { ...before, state, calls: before.calls + (asked.committing ? 0 : 1) };
}

/** Stores a call that takes effect later; inquiries do not find it until then. Undefined as for `begin`. */
export function comeLater(
  books: Books,
  { asked, twist }: Doing,
  what: What & { readonly card?: Card },
): Entry | undefined {
  const base = begin(books, asked, what);
  if (base === undefined) return undefined;
  const known = books.find(asked.reference);
  const state = known === undefined ? 'coming' : known.state;
  const at = twist.after_reversal ? null : asked.at + (twist.seconds ?? LATE_S) * 1000;
  const later: Later = { at, does: 'commit', ends: twist.ends ?? null };
  const entry: Entry = { ...base, ...what.card, final: asked.final, state, later: [...base.later, later] };
  books.record(entry);
  return entry;
}

function blank(books: Books, asked: PaymentRequest, { kind, parent }: What): Entry {
  const { reference, merchant_account_id, order_id, order_merchant_id, amount, currency, final, at } = asked;
  const whose = { provider: books.provider, kind, reference, parent, merchant_account_id, order_id, order_merchant_id };
  const money = { amount, currency, effects: 0, calls: 0, sale: false, captured: 0, released: 0, refunded: 0 };
  const card = {
    risk_score: null,
    card_4_digits: null,
    scheme: null,
    previous_reference: null,
    cryptogram_digest: null,
    eci: null,
    planned: null,
  };
  const course = { capture_ended: null, lapsed: false, later: NOTHING, silent: false, final, created_at: at };
  return { ...whose, ...money, ...card, ...course, state: 'declined', ended: 'authorization_declined' };
}

const NOTHING: readonly Later[] = [];

/** True if the provider deduplicates and knows the reference: it then answers from the entry as it is. */
export const isRepeat = (books: Books, { reference }: PaymentRequest): boolean => {
  const known = books.deduplicates ? books.find(reference) : undefined;
  return known !== undefined && known.state !== 'coming';
};

export function again(books: Books, base: Entry): Done {
  books.record(base);
  return { entry: base, ends: base.ended };
}

export const isSilent = ({ fault }: Twist): boolean => fault === 'callback_never';
export const settling = (at: number, { seconds = PENDING_S, ends }: Twist): Later => ({
  at: at + seconds * 1000,
  does: 'settle',
  ends: ends ?? null,
});
export const afterwardsOf = (at: number, { afterwards = [] }: Twist): readonly Later[] =>
  afterwards.map(({ after_s, does, ends }) => ({ at: at + after_s * 1000, does, ends: ends ?? null }));

/** True if the payment holds or has taken money. */
const isLive = ({ state }: Entry): boolean => state === 'held' || state === 'captured';
/** A reversed payment is reported as one that was never made; a cancelled payment was approved and then cancelled. */
export const isReversed = ({ state, ended }: Entry): boolean =>
  state !== 'declined' && ended === 'provider_unreachable';
/** The amount that can still be captured or released. */
export const leftOf = ({ amount, captured, released }: Entry): number => amount - captured - released;
/** The largest amount that can be refunded for a capture or a sale. */
export const refundable = ({ kind, amount, effects, captured, capture_ended }: Entry): number =>
  kind === 'capture' ? amount * effects : capture_ended === 'capture_pending' ? 0 : captured;
