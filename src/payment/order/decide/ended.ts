// What news means for an operation that has ended (contract 14.2). One table: a row for each kind of operation and each
// end, a column for each kind of news. Every pair is in the table, so no contradiction is lost.
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { ECHOES, type Contradiction, type Ignore, SAYINGS, type Said, type Seen, isAbout, isOurs } from './decision.ts';

type News =
  | Said
  /** A refusal because we did it before. */
  | 'already_done'
  /** News of another reversal or cancel. */
  | 'of_another'
  | 'pending'
  | 'not_found'
  | 'unknown'
  | 'cancel_wanted';

export type Meaning =
  /** The news says what we know already. */
  | 'agrees'
  /** The news does not tell how this operation ended: it comes too early or too late, or is about something else. */
  | 'proves_nothing'
  /**
   * An approval of an authorization that is declined or was never sent. It is never booked; it is undone at the
   * provider.
   */
  | 'undo'
  /** Reported as done, failed later: booked back, if the counters allow it (decision 56). */
  | 'take_back'
  /** The opposite of our final state: the news is kept, the money is blocked, the provider is asked, then a person. */
  | 'contradicts';

type Row = Readonly<Record<News, Meaning>>;

const EMPTY = {
  of_another: 'proves_nothing',
  pending: 'proves_nothing',
  not_found: 'proves_nothing',
  unknown: 'proves_nothing',
  cancel_wanted: 'proves_nothing',
} as const;

/**
 * A success. Captures, refunds and cancels may be sent more than once: one call that was not sent proves nothing about
 * the others.
 */
const DONE: Row = {
  ...EMPTY,
  approved: 'agrees',
  differs: 'contradicts',
  declined: 'contradicts',
  already_done: 'agrees',
  corrected: 'take_back',
  reversed: 'contradicts',
  not_sent: 'proves_nothing',
};

/** A failure. "Already done" may be said of another operation, so it proves nothing about this one. */
const FAILED: Row = {
  ...EMPTY,
  approved: 'contradicts',
  differs: 'contradicts',
  declined: 'agrees',
  already_done: 'proves_nothing',
  corrected: 'agrees',
  reversed: 'agrees',
  not_sent: 'agrees',
};

export const AFTER_THE_END: Readonly<Record<OperationFacts['kind'], { readonly done: Row; readonly failed: Row }>> = {
  authorize: {
    // an authorization is sent once, so "never sent" contradicts its approval
    done: { ...DONE, corrected: 'contradicts', not_sent: 'contradicts' },
    failed: { ...FAILED, approved: 'undo', differs: 'undo' },
  },
  capture: { done: DONE, failed: FAILED },
  refund: { done: DONE, failed: FAILED },
  cancel: {
    done: { ...DONE, corrected: 'contradicts', reversed: 'agrees' },
    failed: { ...FAILED, reversed: 'contradicts' },
  },
  reversal: {
    // a reversal is also acknowledged by "not found": then there was nothing to undo
    done: { ...DONE, corrected: 'contradicts', reversed: 'agrees', not_found: 'agrees' },
    // the reversal was not needed, because nothing was held: it changes nothing if it was done
    failed: { ...FAILED, approved: 'agrees', differs: 'proves_nothing' },
  },
};

type Judged = { readonly news: News; readonly meaning: Meaning };

/** For an operation that is successful, declined or not_sent. */
export function judge(order: OrderFacts, operation: OperationFacts, seen: Seen): Judged {
  const news = newsOf(order, operation, seen);
  const { done, failed } = AFTER_THE_END[operation.kind];
  return { news, meaning: (operation.state === 'successful' ? done : failed)[news] };
}

/**
 * The decision for news that agrees, proves nothing or contradicts. Undefined: the news asks to undo or to take back,
 * which each kind of operation does in its own way.
 */
export function passed({ news, meaning }: Judged, seen: Seen): Contradiction | Ignore | undefined {
  if (meaning === 'undo' || meaning === 'take_back') return undefined;
  const said = SAYINGS.find((one) => one === news);
  if (meaning !== 'contradicts' || said === undefined) return { kind: 'ignore' };
  return contradiction(said, seen);
}

export function contradiction(said: Said, seen: Seen): Contradiction {
  const reference = 'reference' in seen ? seen.reference : null;
  return { kind: 'contradict', said, reference, alert: 'an observation contradicts a final state' };
}

function newsOf(order: OrderFacts, operation: OperationFacts, seen: Seen): News {
  // the answer to a reversal speaks of the authorization that the reversal undoes
  const named = operation.kind === 'reversal' ? { ...operation, id: operation.target_id ?? '' } : operation;
  switch (seen.kind) {
    case 'approved':
      if (isOfOneMadeThere(order, operation, seen)) return 'of_another';
      return isOurs(order, named, seen) && !isCapturedUnasked(order, operation, seen.captured) ? 'approved' : 'differs';
    case 'reversed':
      return isAbout(seen.our_reference, named.id) ? 'reversed' : 'of_another';
    case 'declined':
      return ECHOES.has(seen.result) ? 'already_done' : 'declined';
    // the operation has ended here: at the provider it waits for the payer, and has moved nothing
    case 'payer_must_act':
      return 'pending';
    case 'corrected':
    case 'not_sent':
    case 'pending':
    case 'not_found':
    case 'unknown':
    case 'cancel_wanted':
      return seen.kind;
  }
}

/**
 * What was done at the provider's own site was booked by its books, and bears this name: at a provider without a name
 * for each, its message was taken for ours, which was refused.
 */
function isOfOneMadeThere(
  { operations }: OrderFacts,
  { id, kind, state, transaction_id }: OperationFacts,
  { our_reference, reference, amount_minor }: Extract<Seen, { kind: 'approved' }>,
): boolean {
  if (state === 'successful' || our_reference === id) return false;
  return operations.some(
    (one) =>
      one.origin === 'provider' &&
      one.state === 'successful' &&
      one.kind === kind &&
      one.transaction_id === transaction_id &&
      one.provider_ref === reference &&
      one.amount_minor === amount_minor,
  );
}

/** An authorization that the provider says is captured although no capture was asked for. */
function isCapturedUnasked(order: OrderFacts, { kind, with_capture }: OperationFacts, captured: boolean): boolean {
  return kind === 'authorize' && captured && !with_capture && !order.operations.some((o) => o.kind === 'capture');
}
