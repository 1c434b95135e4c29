// One call at the simulated provider: the fault that is armed for it, the meaning of its card, the change of the books,
// and how its answer is sent. All of this is decided before the first byte of the answer is sent.
import type { Books } from '../books.ts';
import type { Entry } from '../entry.ts';
import { type Called, FAULTS, LATE_S, PLAIN, type Twist } from '../faults/fault.ts';
import type { Facts } from '../faults/scenarios.ts';
import { PENDING, cancel, capture, captureOf, refund } from '../follow-ups.ts';
import type { News } from '../later/messages.ts';
import { type PaymentRequest, type Card, type Doing, type Done, authorize, comeLater, reverse } from '../payments.ts';
import type { World } from '../world.ts';
import { type Reply, told, toldToInquiry } from './answer.ts';
import { type Leaving, PROMPT, REFUSED_STATUS } from './deliver.ts';

export type Call = {
  readonly books: Books;
  readonly called: Exclude<Called, 'inquiry' | 'authentication'>;
  readonly asked: PaymentRequest;
  /** Set for an authorization. */
  readonly card?: Card;
  /** The difference from a plain call that its card causes. */
  readonly own?: Twist;
  /** The provider's id of the operation that a capture, refund or cancel refers to. */
  readonly target: string;
};

export type Performed = {
  readonly reply: Reply;
  readonly leaving: Leaving;
  /** The messages that are sent before and after the answer. */
  readonly before: readonly News[];
  readonly after: readonly News[];
};

/** An answer at once, without a message. */
export const prompt = (reply: Reply): Performed => ({ reply, leaving: PROMPT, before: [], after: [] });

const NOTHING: Reply = { status: REFUSED_STATUS, body: {} };
export const MISUSED = 'the reference was used for something else';

/** Undefined if the reference was used for something else. */
export function perform(world: World, call: Call): Performed | undefined {
  const { books, asked, called } = call;
  const payment = paymentOf(call);
  const card_4_digits = call.card?.card_4_digits ?? payment?.card_4_digits ?? null;
  const facts: Facts = { ...asked, provider: books.provider, called, card_4_digits };
  if (world.isDown(facts)) return answerless(world, facts, { fault: 'provider_down' });
  const own = call.own ?? plannedFor(payment, called);
  const twist: Twist = { ...(passes(own, call) ? PLAIN : own), ...world.armedFor(facts) };
  const effect = twist.fault === undefined ? 'now' : FAULTS[twist.fault].effect;
  if (effect === 'never') return answerless(world, facts, twist);
  const doing: Doing = { asked, twist };
  if (effect === 'late') return late(call, doing) ? answerless(world, facts, twist) : undefined;
  const done = operate(call, doing);
  return done && { reply: told(done), leaving: leavingOf(world, twist), ...messages(world, done, twist) };
}

/** The fault of the card is over, because an earlier try of the order was declined long enough ago. */
function passes({ passes_after_s }: Twist, { books, asked }: Call): boolean {
  if (passes_after_s === undefined) return false;
  return [...books.list()].some(
    ({ kind, state, order_id, reference, created_at }) =>
      kind === 'authorize' &&
      state === 'declined' &&
      order_id === asked.order_id &&
      reference !== asked.reference &&
      created_at + passes_after_s * 1000 <= asked.at,
  );
}

/** An inquiry can have the same faults, but has no effect. */
export function inquire(world: World, books: Books, reference: string): Performed {
  const found = books.find(reference);
  const entry = found?.state === 'coming' ? undefined : found;
  const facts = inquiryFacts(world, books, reference);
  const twist = world.isDown(facts) ? { fault: 'provider_down' as const } : world.armedFor(facts);
  const reply = entry === undefined ? notFound(reference) : inquiryReply(entry, twist);
  return { reply, leaving: leavingOf(world, twist), before: [], after: [] };
}

const notFound = (reference: string): Reply => ({ status: 404, body: { status: 'not_found', reference } });
const inquiryReply = (entry: Entry, { fault }: Twist): Reply =>
  fault === 'pending' ? told({ entry, ends: PENDING[entry.kind] }) : toldToInquiry(entry);

function inquiryFacts(world: World, books: Books, reference: string): Facts {
  const known = books.find(reference) ?? world.findSeen(reference);
  const unknown = { merchant_account_id: '', order_id: '', order_merchant_id: '', amount: 0, currency: '' };
  const { provider } = books;
  return { card_4_digits: null, ...(known ?? unknown), provider, reference, called: 'inquiry' };
}

/** The call has no effect. The provider knows nothing of it, but its facts are kept for an inquiry about it. */
function answerless(world: World, facts: Facts, twist: Twist): Performed {
  world.remember(facts);
  return { reply: NOTHING, leaving: leavingOf(world, twist), before: [], after: [] };
}

export function leavingOf(world: World, { fault, delay_ms }: Twist): Leaving {
  if (fault === undefined && delay_ms === undefined) return PROMPT;
  const way = fault === undefined ? 'plain' : FAULTS[fault].answer;
  return { way, delay_ms: delay_ms ?? (way === 'late' ? LATE_S * 1000 : 0), hang_ms: world.control.hang_ms };
}

function operate({ books, called, card, target }: Call, doing: Doing): Done | undefined {
  switch (called) {
    case 'authorize':
    case 'direct_capture':
      return card && authorize(books, doing, card);
    case 'capture':
      return capture(books, doing, target);
    case 'refund':
      return refund(books, doing, target);
    case 'cancel':
      return cancel(books, doing, target);
    case 'reversal':
      return reverse(books, doing);
  }
}

function late(call: Call, doing: Doing): boolean {
  const { books, called, card } = call;
  if (called === 'authorize' || called === 'direct_capture')
    return comeLater(books, doing, { kind: 'authorize', parent: null, ...(card && { card }) }) !== undefined;
  if (called === 'reversal') return false;
  const parent = called === 'refund' ? captureOf(books, call.target).captured : paymentOf(call);
  return comeLater(books, doing, { kind: called, parent: parent?.reference ?? null }) !== undefined;
}

/** The payment that a call refers to, directly or through a capture. */
function paymentOf({ books, called, asked, target }: Call): Entry | undefined {
  if (called === 'reversal') return books.find(asked.reference);
  if (called === 'refund') return captureOf(books, target).payment;
  return books.findId(target, 'authorize');
}

function plannedFor(payment: Entry | undefined, called: Called): Twist {
  return payment?.planned?.operation === called ? payment.planned.twist : PLAIN;
}

/** Decides which messages are sent and when (contract 15.3 and 15.4: first, twice and out of order, never). */
function messages(world: World, { entry, ends }: Done, { fault }: Twist): Pick<Performed, 'before' | 'after'> {
  const at = world.now();
  const final: News = { entry, kind: entry.kind, status: statusOf(ends), ends, at };
  if (fault === 'callback_first') return { before: [final], after: [] };
  if (fault === 'callback_twice') {
    const first: News = { entry, kind: entry.kind, status: 'pending', ends: PENDING[entry.kind], at: at - 1 };
    return { before: [], after: [final, first, final, first] };
  }
  const all = world.control.callbacks === 'all' && fault !== 'callback_never' && final.status !== 'pending';
  return { before: [], after: all ? [final] : [] };
}

function statusOf(ends: Done['ends']): News['status'] {
  if (ends.endsWith('_pending')) return 'pending';
  return ends.endsWith('_successful') ? 'approved' : 'declined';
}
