// What a trial may state about the cost of a draft in one currency: the whole cost, the estimated part, or the reason
// why neither. Pure.
import { type SnipsSums, type Unjudged, judge } from './snips.ts';

/** The costs of decided attempts, by the fees of their day; amounts in minor units. */
export type TrialCost = {
  readonly currency: string;
  /** With fees that are known, and what they cost, fallbacks as well. */
  readonly known: number;
  readonly known_minor: number;
  /** The attempts that the draft sends to the same contracts, so that they cost the same. */
  readonly same: number;
  readonly same_minor: number;
  /** No fee was stated for them. */
  readonly unknown: number;
  /**
   * The sums from which the mean of the other attempts is estimated (snips.ts); y is the cost of a
   * first attempt.
   */
  readonly outcome: SnipsSums;
};

/** In minor units, of so many first attempts together. */
export type CostEstimate = {
  readonly orders: number;
  readonly then: number;
  readonly now: number;
  readonly from: number;
  readonly to: number;
};

/** More than this share of attempts without a fee spoils the number. */
const MOST_UNKNOWN = 0.02;

/** `exact`: every attempt goes where it went. `fees`: of too many no fee was stated. */
export function judgeCost({
  known,
  same,
  unknown,
  outcome,
}: Omit<TrialCost, 'currency'>): 'exact' | 'fees' | CostEstimate | Unjudged {
  if (unknown > MOST_UNKNOWN * (known + unknown)) return 'fees';
  if (same === known) return 'exact';
  const judged = judge(outcome, Infinity);
  if (!('rate' in judged)) return judged;
  const { orders } = outcome;
  const [then, now, from, to] = [judged.then, judged.rate, judged.from, judged.to].map((mean) => mean * orders);
  return { orders, then: then ?? 0, now: now ?? 0, from: from ?? 0, to: to ?? 0 };
}
