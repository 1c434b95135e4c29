// What the end of an authorization adds to the counted declines. Pure.
import { type Following, adviceText, sawScheme, whatFollows } from '../../core/retries/follow.ts';
import { classOf } from '../../core/retries/classes.ts';
import type { Day } from '../../core/retries/day.ts';
import type { Parameters } from '../../kit/database.ts';
import type { Outcome } from '../../provider/contract.ts';
import type { Initiator } from '../order-rules/initiator.ts';
import type { DeclineNote, HeldNote } from './held.ts';

/** `forgotten`: it does not count after all: not sent, reversed, or turned away before any scheme saw it. */
export type Counting = {
  readonly counts: 'declined' | 'approved' | 'forgotten';
  readonly initiator: Initiator;
  readonly amount_minor: bigint;
  readonly following: Following | undefined;
  readonly note: DeclineNote | null;
  /** The try that would have followed was held back. */
  readonly held?: HeldNote;
};

type Declined = Extract<Outcome, { readonly kind: 'declined' }>;

/** What may follow a decline, by the rows of its day. */
export function followingOf(
  outcome: Declined,
  { scheme, day }: { readonly scheme: string; readonly day: Day },
): Following {
  const { result, retry, advice, response_code } = outcome;
  return whatFollows({ result, retry, advice, response_code, scheme, day });
}

/** What may follow a try that is proved never sent: its result says where else it may go. */
export const followingUnsent = (result: Declined['result']): Following => ({
  class: classOf(result).class,
  stop: null,
  wait_s: null,
  schedule: classOf(result).schedule,
  category: null,
  soft_allowed: false,
});

export const isCounted = ({ result, unheard }: Declined): boolean => unheard !== true && sawScheme(result);

export function noteOf({ advice, response_code }: Declined, { class: name, category }: Following): DeclineNote {
  return {
    class: name,
    ...(advice && { advice: adviceText(advice) }),
    ...(response_code !== undefined && { response_code }),
    ...(category !== null && { category }),
  };
}

export function countingParameters({ counts, initiator, amount_minor, following, note, held }: Counting): Parameters {
  return {
    counts,
    initiator,
    counted_minor: amount_minor,
    category: following?.category ?? null,
    advice: note?.advice ?? null,
    wait_s: following?.wait_s ?? null,
    stops_card: following?.stop === 'card',
    decline: note && JSON.stringify(note),
    held: held ? JSON.stringify(held) : null,
  };
}
