// What a provider's message about a dispute means for what is known of it: a pure function (contract 14.2). A dispute
// may change more than once, and a capture may have several disputes, one after another or at the same time. The last
// message about each dispute counts, and each change is booked.
import type { Dispute } from '../../provider/notices.ts';
import type { DisputeFacts } from '../order/facts/order-facts.ts';

export type DisputeState = Dispute['state'];

export type DisputeMove = {
  readonly kind: 'move';
  /** Each time the money goes away is a round of its own, from 1. */
  readonly round: number;
  readonly state: DisputeState;
  readonly event: 'dispute.opened' | 'dispute.updated' | 'dispute.won' | 'dispute.lost';
  /** book: the money goes away; unbook: it comes back. A dispute whose first message says that it is won has both. */
  readonly book: boolean;
  readonly unbook: boolean;
};

/** nothing: it was known, or a later word is. misfit: it speaks of other money than what was booked. */
export type DisputeDecision = DisputeMove | { readonly kind: 'nothing' } | { readonly kind: 'misfit' };

const NOTHING = { kind: 'nothing' } as const;
const MISFIT = { kind: 'misfit' } as const;

/** `known`: the disputes of this capture; none: it was never disputed. */
export function decideDispute(known: readonly DisputeFacts[], told: Dispute): DisputeDecision {
  const { state, opens_none = false } = told;
  const last = meantBy(known, told);
  if (last === 'unclear') return MISFIT;
  if (opens_none && last?.state !== 'opened') return NOTHING;
  const next = Math.max(0, ...known.map(({ round }) => round)) + 1;
  if (!last) return move({ round: next, state, book: true, unbook: state === 'won' });
  const later = Date.parse(told.at) > Date.parse(last.told_at);
  const same_money = told.amount_minor === last.amount_minor;
  const { round } = last;
  switch (last.state) {
    case 'opened':
      if (!same_money) return MISFIT;
      if (state === 'opened')
        return later && isNewReason(last, told) ? { ...move({ round, state }), ...UPDATED } : NOTHING;
      // told late, of a time before it was opened again; providers count in seconds, so one of the same second counts
      if (Date.parse(told.at) < Date.parse(last.told_at)) return NOTHING;
      return move({ round, state, unbook: state === 'won' });
    case 'won':
      // the money came back: another dispute, or a last instance, takes it away once more
      return state === 'won' || !later ? NOTHING : move({ round: next, state, book: true });
    case 'lost':
      if (state === 'lost' || !later) return NOTHING;
      return same_money ? move({ round, state, unbook: state === 'won' }) : MISFIT;
  }
}

/**
 * The latest round of the dispute that is meant; undefined: it is not known yet. The provider's id of it tells: an
 * earlier word may have had none, and then there is one dispute that it can be about. A word without an id is about the
 * only one that is open, else about the last one.
 */
export function meantBy(
  known: readonly DisputeFacts[],
  { reference }: Pick<Dispute, 'reference'>,
): DisputeFacts | undefined | 'unclear' {
  const by_round = known.toSorted((a, b) => a.round - b.round);
  if (reference !== undefined)
    return (
      by_round.findLast((one) => one.reference === reference) ?? by_round.findLast((one) => one.reference === null)
    );
  const open = by_round.filter(({ state }) => state === 'opened');
  return open.length > 1 ? 'unclear' : (open[0] ?? by_round.at(-1));
}

const UPDATED = { event: 'dispute.updated' } as const;

/** Not every message about a dispute has it. */
function isNewReason(last: DisputeFacts, { reason, reason_code }: Dispute): boolean {
  return reason !== '' && (reason !== last.reason || reason_code !== last.reason_code);
}

function move(change: Pick<DisputeMove, 'round' | 'state'> & Partial<Pick<DisputeMove, 'book' | 'unbook'>>) {
  return { kind: 'move', event: `dispute.${change.state}`, book: false, unbook: false, ...change } as const;
}
