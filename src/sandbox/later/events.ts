// Events after the answer to an operation: a pending operation is decided, a done one fails, a hold lapses, a payer
// disputes. Each event changes the books in one line of the journal, and sends our side a message.
import type { ResultName } from '../../core/results.ts';
import type { Books } from '../books.ts';
import { type Entry, type EntryKind, type Later, idOf } from '../entry.ts';
import { PLAIN } from '../faults/fault.ts';
import { cancel, cancelled, capture, captureOf, fullyRefunded, refund, released } from '../follow-ups.ts';
import { type PaymentRequest, type Doing, authorize, leftOf, taken } from '../payments.ts';
import type { News } from './messages.ts';

/**
 * Makes the event happen at that moment of the sandbox clock. Returns the message to send; undefined if there is none,
 * or if the event does not apply any more.
 */
export function happen(books: Books, key: { entry: Entry; later: Later }, at: number): News | undefined {
  const { later } = key;
  const entry: Entry = { ...key.entry, later: key.entry.later.filter((one) => one !== later) };
  if (later.does === 'commit') return commit(books, { entry, later }, at);
  const changed = change(books, { entry, later }, at);
  if (changed === undefined) return undefined;
  books.record(...changed.entries);
  if (entry.silent) return undefined;
  return { entry: changed.entries[0] ?? entry, ...changed.told, at };
}

type Changed = { readonly entries: readonly Entry[]; readonly told: Pick<News, 'kind' | 'status' | 'ends'> };
type Due = { readonly entry: Entry; readonly later: Later };

function change(books: Books, due: Due, at: number): Changed | undefined {
  const { entry, later } = due;
  switch (later.does) {
    case 'tell':
      return { entries: [entry], told: { kind: entry.kind, status: 'approved', ends: entry.ended } };
    case 'settle':
      return settle(books, due, at);
    case 'fail':
      return fail(books, due);
    case 'lapse':
      return lapse(entry);
    case 'dispute_opened':
      return { entries: [entry], told: { kind: 'dispute', status: 'opened', ends: entry.ended } };
    case 'dispute_won':
      return { entries: [entry], told: { kind: 'dispute', status: 'won', ends: entry.ended } };
    case 'dispute_lost':
      return { entries: [entry], told: { kind: 'dispute', status: 'lost', ends: entry.ended } };
    case 'commit':
      return undefined;
  }
}

const DONE: Readonly<Record<Exclude<EntryKind, 'authorize' | 'reversal'>, Pick<Entry, 'state' | 'ended'>>> = {
  capture: { state: 'captured', ended: 'capture_successful' },
  refund: { state: 'refunded', ended: 'refund_successful' },
  cancel: { state: 'released', ended: 'cancel_successful' },
};

function settle(books: Books, { entry, later }: Due, at: number): Changed | undefined {
  const { kind } = entry;
  const declined = later.ends;
  if (kind === 'reversal') return undefined;
  if (kind === 'authorize') return settlePayment(entry, declined, at);
  const ended = declined ?? DONE[kind].ended;
  const told = { kind, status: declined === null ? 'approved' : 'declined', ends: ended } as const;
  if (declined === null) {
    const done: Entry = { ...entry, ...DONE[kind], effects: entry.effects + 1 };
    return { entries: [done, ...kept(books, done)], told };
  }
  const state = entry.effects > 0 ? DONE[kind].state : 'declined';
  return { entries: [{ ...entry, state, ended }, ...givenBack(books, entry, 1)], told };
}

/** If the sale already holds the amount, only its capture was pending. */
function settlePayment(entry: Entry, declined: ResultName | null, at: number): Changed | undefined {
  if (entry.capture_ended === 'capture_pending') {
    const done: Entry =
      declined === null
        ? { ...entry, state: 'captured', ended: 'capture_successful', capture_ended: null }
        : { ...entry, captured: 0, capture_ended: declined };
    const status = declined === null ? 'approved' : 'declined';
    return { entries: [done], told: { kind: 'capture', status, ends: declined ?? 'capture_successful' } };
  }
  if (entry.state !== 'pending') return undefined;
  const done: Entry = declined === null ? taken(entry, at) : { ...entry, state: 'declined', ended: declined };
  const status = declined === null ? 'approved' : 'declined';
  return { entries: [done], told: { kind: 'authorize', status, ends: done.ended } };
}

/** The amount was set aside before; this is the payment or capture after its use. */
function kept(books: Books, { kind, parent, final }: Entry): Entry[] {
  const source = books.find(parent ?? '');
  if (source === undefined) return [];
  if (kind === 'capture') return [released({ ...source, state: 'captured' }, final)];
  return [kind === 'cancel' ? cancelled(source) : fullyRefunded(source)];
}

/** Returns the amount that a declined or failed operation had used. */
function givenBack(books: Books, { kind, parent, amount }: Entry, times: number): Entry[] {
  const source = books.find(parent ?? '');
  if (source === undefined) return [];
  const back = amount * times;
  if (kind === 'refund') {
    const refunded = source.refunded - back;
    return [{ ...source, refunded, state: source.kind === 'capture' ? 'captured' : source.state }];
  }
  if (kind === 'cancel') return [{ ...source, released: source.released - back }];
  const captured = source.captured - back;
  return [{ ...source, captured, state: captured > 0 ? 'captured' : 'held' }];
}

/** A capture or refund that was done fails after all. A capture that was refunded before stays. */
function fail(books: Books, { entry, later }: Due): Changed | undefined {
  const kind = entry.kind === 'refund' ? 'refund' : 'capture';
  const ended = later.ends ?? (kind === 'refund' ? 'refund_declined' : 'capture_declined');
  const told = { kind, status: 'failed', ends: ended } as const;
  if (entry.kind === 'authorize') {
    if (entry.state !== 'captured' || entry.refunded > 0) return undefined;
    const held = { state: 'held', ended: 'authorization_successful' } as const;
    return { entries: [{ ...entry, ...held, captured: 0, capture_ended: ended }], told };
  }
  if (entry.effects === 0 || entry.state === 'declined' || (kind === 'capture' && entry.refunded > 0)) return undefined;
  const back = givenBack(books, entry, entry.effects);
  return { entries: [{ ...entry, state: 'declined', effects: 0, ended }, ...back], told };
}

/** Ends the rest of the hold; captured amounts stay. */
function lapse(entry: Entry): Changed | undefined {
  const left = leftOf(entry);
  if (left === 0 || (entry.state !== 'held' && entry.state !== 'captured')) return undefined;
  const state = entry.captured > 0 ? 'captured' : 'released';
  const lapsed: Entry = { ...entry, state, lapsed: true, released: entry.released + left };
  return { entries: [lapsed], told: { kind: 'authorize', status: 'lapsed', ends: 'capture_after_lapse' } };
}

/**
 * A call that came earlier takes effect now, by the same rules as if it came now. One case differs: a capture or refund
 * that was sent again and done in the meantime is done a second time, because the first call passed its checks long ago
 * and the amount is not checked again.
 */
function commit(books: Books, { entry, later }: Due, at: number): News | undefined {
  const asked: PaymentRequest = { ...entry, at, committing: true };
  const doing: Doing = { asked, twist: later.ends === null ? PLAIN : { ends: later.ends } };
  books.restore(entry);
  if (later.ends === null && entry.effects > 0 && (entry.kind === 'capture' || entry.kind === 'refund')) {
    const used = books.find(entry.parent ?? '');
    const member = entry.kind === 'capture' ? 'captured' : 'refunded';
    const more = used === undefined ? [] : [{ ...used, [member]: used[member] + entry.amount }];
    books.record({ ...entry, effects: entry.effects + 1 }, ...more);
    return undefined;
  }
  const done = doAgain(books, entry, doing);
  if (done === undefined || entry.silent) return undefined;
  const status = done.entry.effects > 0 ? 'approved' : 'declined';
  return { entry: done.entry, kind: entry.kind, status, ends: done.ends, at };
}

function doAgain(books: Books, entry: Entry, doing: Doing): ReturnType<typeof authorize> {
  const { kind, sale, planned, parent, previous_reference, cryptogram_digest, eci } = entry;
  const card = { sale, planned, card_4_digits: entry.card_4_digits ?? '', previous_reference, cryptogram_digest, eci };
  if (kind === 'authorize') return authorize(books, doing, card);
  const source = books.find(parent ?? '');
  const id = source === undefined ? '' : idOf(source);
  if (kind === 'capture') return capture(books, doing, id);
  if (kind === 'refund') return captureOf(books, id).captured === undefined ? undefined : refund(books, doing, id);
  return kind === 'cancel' ? cancel(books, doing, id) : undefined;
}
