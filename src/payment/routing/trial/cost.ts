// The cost that a draft would have had, by currency, in the sums of a trial. It is exact for attempts that go to the
// same contract; for the others it is estimated from a sample that was drawn. The cost of an attempt is that of all its
// tries, with fallbacks. Pure.
import { DAY_MS } from '../../../core/durations.ts';
import { toCount } from '../../../core/money.ts';
import type { Origins } from '../../../core/origin/origins.ts';
import { type ContractFees, feeMinor, feeOf } from '../../../core/routing/fees.ts';
import { NO_ORDERS, type SnipsSums, addedSums } from '../../../core/routing/learn/snips.ts';
import type { TrialCost } from '../../../core/routing/learn/trial-cost.ts';
import { findResult } from '../../../core/results.ts';
import { classOf } from '../../../core/retries/classes.ts';
import type { Contract } from '../../merchant/account.ts';
import type { StoredAttempt, Try } from './attempts-store.ts';

type Tried = Pick<
  StoredAttempt,
  'contract_id' | 'state' | 'code' | 'at' | 'amount_minor' | 'currency' | 'scheme' | 'first6' | 'last4' | 'further'
>;
type Known = { readonly fees: FeesOfDays; readonly origins: Pick<Origins, 'cardOf'> };

/**
 * The cost of the first try and of the further ones. Null: no fee is known of one of them; undefined: one is not
 * decided, or nothing was sent.
 */
export function costThen(row: Tried, further: readonly Try[], known: Known): bigint | null | undefined {
  const sent = [row, ...further].filter(({ state }) => state !== 'not_sent');
  if (sent.length === 0 || !sent.every(isDecided)) return undefined;
  const fees = known.fees.get(dayNumber(row.at)) ?? [];
  if (fees.length === 0) return null;
  const { currency, scheme, amount_minor } = row;
  const { country: card_country, funding } = known.origins.cardOf(row);
  let cost = 0n;
  for (const { contract_id, state } of sent) {
    const stated = fees.find((one) => one.contract_id === contract_id);
    const fee = stated && feeOf(stated, { currency, scheme, card_country, funding });
    if (!fee) return null;
    cost += feeMinor(fee, { currency, approved_minor: state === 'successful' ? amount_minor : undefined });
  }
  return cost;
}

const isDecided = ({ state }: Pick<Try, 'state'>): boolean => state === 'successful' || state === 'declined';

type Contracts = readonly Pick<Contract, 'id'>[];

/**
 * The further tries that there would have been, had it come to the same first contract; undefined: that is not known.
 * `then` and `now`: the fallbacks that it had, and would have.
 */
export function furtherUnder(
  { further, ...row }: Pick<Tried, 'state' | 'code' | 'further'>,
  { then, now }: { readonly then: () => Contracts; readonly now: Contracts },
): readonly Try[] | undefined {
  if (further.length > 0) {
    const kept = further.slice(0, now.length);
    return kept.every(({ contract_id }, i) => contract_id === now[i]?.id) ? kept : undefined;
  }
  // where one could have followed and did not, another one would not have
  return now.length === 0 || !mayBeFollowed(row) || then().length > 0 ? further : undefined;
}

/** May another try follow? Told from the result alone: the provider's words can only forbid more. */
function mayBeFollowed({ state, code }: Pick<Tried, 'state' | 'code'>): boolean {
  if (state !== 'declined' && state !== 'not_sent') return false;
  const found = findResult(code ?? '');
  return found === undefined || FOLLOWED.has(classOf(found.name).class);
}

const FOLLOWED: ReadonlySet<string> = new Set(['other_route', 'other_route_soft']);

/** The fees by the number of the day in Unix time. */
export type FeesOfDays = ReadonlyMap<number, readonly ContractFees[]>;

export const dayNumber = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

export type Costing = {
  readonly currency: string;
  /** The cost, as costThen returns it. */
  readonly cost: bigint | null | undefined;
  readonly same: boolean;
  /** The attempt's part of the mean. */
  readonly sums: SnipsSums;
};

type Sums = { -readonly [K in keyof Omit<TrialCost, 'known_minor' | 'same_minor'>]: TrialCost[K] } & {
  known_minor: bigint;
  same_minor: bigint;
};

/** Adds up what attempts cost. */
export class CostTally {
  private readonly costs = new Map<string, Sums>();

  take({ currency, cost, same, sums }: Costing): void {
    if (cost === undefined) return;
    let so_far = this.costs.get(currency);
    if (!so_far) this.costs.set(currency, (so_far = { ...NOTHING, currency }));
    if (cost === null) {
      so_far.unknown += 1;
      return;
    }
    so_far.known += 1;
    so_far.known_minor += cost;
    if (same) so_far.same += 1;
    if (same) so_far.same_minor += cost;
    if (sums !== NO_ORDERS) so_far.outcome = addedSums(so_far.outcome, sums);
  }

  /** The sums for each currency with a known fee, most attempts first. */
  sums(): readonly TrialCost[] {
    return [...this.costs.values()]
      .filter(({ known }) => known > 0)
      .map((one) => ({ ...one, known_minor: toCount(one.known_minor), same_minor: toCount(one.same_minor) }))
      .toSorted((a, b) => b.known - a.known);
  }
}

const NOTHING = { known: 0, known_minor: 0n, same: 0, same_minor: 0n, unknown: 0, outcome: NO_ORDERS };
