// What news means for an operation that has ended (contract 14.2): one table, a row for each kind of operation and each
// end, a column for each kind of news. No pair is left out, and none that contradicts is passed over.
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { ECHOES, type Contradiction, type Ignore, SAYINGS, type Said, type Seen, isAbout, isOurs } from './decision.ts';

type News =
  | Said
  /** A refusal because it was done before: by us. */
  | 'already_done'
  /** Of a reversal or cancel that is not this one. */
  | 'of_another'
  | 'pending'
  | 'not_found'
  | 'unknown'
  | 'cancel_wanted';

export type Meaning =
  /** It says what is known. */
  | 'agrees'
  /** It says nothing of how this one ended: early, late, or not at all. */
  | 'proves_nothing'
  /** An approval of what is declined or was never sent: never booked, and undone at the provider. */
  | 'undo'
  /** Reported done, failed later: booked back, if the counters allow it (decision 56). */
  | 'take_back'
  /** The opposite of what we hold: kept, the money blocked, the provider asked, then a person. */
  | 'contradicts';

type Row = Readonly<Record<News, Meaning>>;

const EMPTY = {
  of_another: 'proves_nothing',
  pending: 'proves_nothing',
  not_found: 'proves_nothing',
  unknown: 'proves_nothing',
  cancel_wanted: 'proves_nothing',
} as const;

/** Captures, refunds and cancels are sent again: that one call did not go out says nothing of the others. */
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

/** That something is done already may be said of another one: it is no proof for this one. */
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
    // sent once: that it never went out contradicts its approval
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
    // acknowledged by "not found" too: then nothing was there
    done: { ...DONE, corrected: 'contradicts', reversed: 'agrees', not_found: 'agrees' },
    // not needed, because nothing was held: it changes nothing that it was done
    failed: { ...FAILED, approved: 'agrees', differs: 'proves_nothing' },
  },
};

type Judged = { readonly news: News; readonly meaning: Meaning };

/** Of an operation that is successful, declined or not_sent. */
export function judge(order: OrderFacts, operation: OperationFacts, seen: Seen): Judged {
  const news = newsOf(order, operation, seen);
  const { done, failed } = AFTER_THE_END[operation.kind];
  return { news, meaning: (operation.state === 'successful' ? done : failed)[news] };
}

/** What comes of it; undefined where it is undone or taken back, which each kind does in its own way. */
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
  // a reversal speaks of the authorization that it undoes
  const named = operation.kind === 'reversal' ? { ...operation, id: operation.target_id ?? '' } : operation;
  switch (seen.kind) {
    case 'approved':
      return isOurs(order, named, seen) && !isCapturedUnasked(order, operation, seen.captured) ? 'approved' : 'differs';
    case 'reversed':
      return isAbout(seen.our_reference, named.id) ? 'reversed' : 'of_another';
    case 'declined':
      return ECHOES.has(seen.result) ? 'already_done' : 'declined';
    // of one that has ended: it waits there, and has moved nothing
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

/** An authorization that the provider says is captured although no capture was asked for. */
function isCapturedUnasked(order: OrderFacts, { kind, with_capture }: OperationFacts, captured: boolean): boolean {
  return kind === 'authorize' && captured && !with_capture && !order.operations.some((o) => o.kind === 'capture');
}
