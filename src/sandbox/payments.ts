// Authorize and reverse, and what every operation at the simulated provider begins with: is its reference new, a repeat, or
// used for something else?
//
// It does not deduplicate (providers.md 2.3, `deduplicates: false`), neither by reference nor by idempotency key, payments,
// captures and refunds alike: a repeat that still fits takes effect again and the books say `effects: 2`. A kinder
// simulator would hide a core that repeats before it has asked. Cancel and reversal are idempotent by nature: a repeat is
// acknowledged again. A refusal is final for its reference: asked again, it is refused again.
import type { ResultName } from '../core/results.ts';
import type { Behaviour } from './behaviour.ts';
import type { Books } from './books.ts';
import type { Entry, EntryKind, Planned } from './entry.ts';

export type Asked = {
  readonly reference: string;
  readonly order_id: string;
  readonly order_merchant_id: string;
  readonly amount: number;
  readonly currency: string;
  /** When it was asked, milliseconds. */
  readonly at: number;
};

/** The entry as it now stands, and how this call ended: a repeat may be refused although the entry had its effect. */
export type Done = { readonly entry: Entry; readonly ends: ResultName };

/** What is left of a card after its number was read and dropped. */
export type Card = {
  readonly behaviour: Behaviour;
  readonly planned: Planned | null;
  readonly card_4_digits: string;
};

/** Undefined: the reference was used for something else. */
export function authorize(books: Books, asked: Asked & { sale: boolean }, card: Card): Done | undefined {
  const base = begin(books, asked, { kind: 'authorize', parent: null });
  if (base === undefined) return undefined;
  const taken = card.behaviour.ends === 'authorization_successful';
  const ends = taken && asked.sale ? 'capture_successful' : card.behaviour.ends;
  const { card_4_digits, planned } = card;
  const fresh: Partial<Entry> = asked.sale
    ? { state: 'captured', sale: true, captured: asked.amount, released: 0, refunded: 0 }
    : { state: 'held', sale: false, captured: 0, released: 0, refunded: 0 };
  let entry = base;
  if (!taken) {
    if (base.state === 'declined') entry = { ...base, ended: ends, card_4_digits };
  } else if (isLive(base)) {
    entry = { ...base, effects: base.effects + 1 };
  } else {
    const risk_score = card.behaviour.risk_score ?? null;
    entry = { ...base, ...fresh, effects: base.effects + 1, ended: ends, risk_score, card_4_digits, planned };
  }
  books.record(entry);
  return { entry, ends };
}

/**
 * Undoes a payment by our reference, captured money too. Acknowledged also when there is nothing to undo; an authorization
 * that arrives later under this reference is taken all the same, as real providers do, and wants a reversal of its own.
 */
export function reverse(books: Books, asked: Asked): Done | undefined {
  const payment = books.find(asked.reference);
  if (payment !== undefined && payment.kind !== 'authorize') return undefined;
  const before =
    books.findReversal(asked.reference) ?? blank(books, asked, { kind: 'reversal', parent: asked.reference });
  const undone: Entry[] = payment !== undefined && isLive(payment) ? undo(books, payment) : [];
  const effects = before.effects + (undone.length > 0 ? 1 : 0);
  const entry: Entry = { ...before, effects, calls: before.calls + 1, state: 'released', ended: 'cancel_successful' };
  books.record(entry, ...undone);
  return { entry, ends: entry.ended };
}

function undo(books: Books, payment: Entry): Entry[] {
  const state = payment.captured > 0 ? 'refunded' : 'released';
  const released = payment.released + leftOf(payment);
  const undone: Entry = { ...payment, state, released, refunded: payment.captured, ended: 'provider_unreachable' };
  if (payment.captured === 0 || payment.sale) return [undone];
  const captures = [...books.list()].filter(
    (e) => e.kind === 'capture' && e.parent === payment.reference && e.effects > 0,
  );
  return [undone, ...captures.map((e): Entry => ({ ...e, state: 'refunded', refunded: refundable(e) }))];
}

export type What = { readonly kind: EntryKind; readonly parent: string | null };

/** The entry of this reference with one call more, or a new one; undefined where it stands for something else. */
export function begin(books: Books, asked: Asked, { kind, parent }: What): Entry | undefined {
  const before = books.find(asked.reference) ?? blank(books, asked, { kind, parent });
  // A cancel is about the whole rest, so its amount says nothing.
  const same_amount = kind === 'cancel' || (before.amount === asked.amount && before.currency === asked.currency);
  if (before.kind !== kind || before.parent !== parent || !same_amount) return undefined;
  return { ...before, calls: before.calls + 1 };
}

function blank(books: Books, asked: Asked, { kind, parent }: What): Entry {
  const { reference, order_id, order_merchant_id, amount, currency, at } = asked;
  const whose = { provider: books.provider, kind, reference, parent, order_id, order_merchant_id, amount, currency };
  const money = { effects: 0, calls: 0, sale: false, captured: 0, released: 0, refunded: 0 };
  const card = { risk_score: null, card_4_digits: null, planned: null };
  return { ...whose, ...money, ...card, state: 'declined', ended: 'authorization_declined', created_at: at };
}

/** Holds or has taken money. */
const isLive = ({ state }: Entry): boolean => state === 'held' || state === 'captured';
/** A reversed payment is told as one that never came to be; a cancelled one was approved and then cancelled. */
export const isReversed = ({ state, ended }: Entry): boolean =>
  state !== 'declined' && ended === 'provider_unreachable';
/** What can still be captured or released. */
export const leftOf = ({ amount, captured, released }: Entry): number => amount - captured - released;
/** What may be refunded of a capture or a sale at most. */
export const refundable = ({ kind, amount, effects, captured }: Entry): number =>
  kind === 'capture' ? amount * effects : captured;
