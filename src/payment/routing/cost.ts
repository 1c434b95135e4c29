// What a draft would have cost, currency by currency, in the sums of a trial: exact where an attempt goes where it
// went, and otherwise a sample of what was drawn. Pure.
import { toCount } from '../../core/money.ts';
import type { Origins } from '../../core/origin/origins.ts';
import { dayOf } from '../../core/retries/day.ts';
import { type ContractFees, feeMinor, feeOf } from '../../core/routing/fees.ts';
import { NO_ORDERS, type SnipsSums, addedSums } from '../../core/routing/learn/snips.ts';
import type { StoredAttempt } from './store.ts';

/** Of attempts that are decided, by the fees of their day; amounts in minor units. */
export type TrialCost = {
  readonly currency: string;
  /** With a fee that is known, and what they cost. */
  readonly known: number;
  readonly known_minor: number;
  /** Of these: the draft sends them to the same contract first, so that they cost the same. */
  readonly same: number;
  readonly same_minor: number;
  /** No fee was stated for them. */
  readonly unknown: number;
  /** From which the mean of the others is estimated (core/routing/learn/snips.ts); y is what a first attempt cost. */
  readonly outcome: SnipsSums;
};

/** What it cost where it went first; null: not known, undefined: nothing is decided. */
export function costThen(
  row: Pick<
    StoredAttempt,
    'contract_id' | 'approved' | 'at' | 'amount_minor' | 'currency' | 'scheme' | 'first6' | 'last4'
  >,
  { fees, origins }: { readonly fees: FeesOfDays; readonly origins: Pick<Origins, 'cardOf'> },
): bigint | null | undefined {
  const { contract_id, approved, at, amount_minor, currency, scheme, first6, last4 } = row;
  if (approved === null) return undefined;
  const stated = fees.get(dayOf(at))?.find((one) => one.contract_id === contract_id);
  const { country: card_country, funding } = origins.cardOf({ first6, last4 });
  const fee = stated && feeOf(stated, { currency, scheme, card_country, funding });
  return fee ? feeMinor(fee, { currency, approved_minor: approved ? amount_minor : undefined }) : null;
}

export type FeesOfDays = ReadonlyMap<string, readonly ContractFees[]>;

export type Costing = {
  readonly currency: string;
  /** As costThen. */
  readonly cost: bigint | null | undefined;
  readonly same: boolean;
  /** Its part of the mean. */
  readonly sums: SnipsSums;
};

type Sums = Omit<TrialCost, 'known_minor' | 'same_minor'> & {
  readonly known_minor: bigint;
  readonly same_minor: bigint;
};

/** Adds up what attempts cost. */
export class CostTally {
  private readonly costs = new Map<string, Sums>();

  take({ currency, cost, same, sums }: Costing): void {
    if (cost === undefined) return;
    const before = this.costs.get(currency) ?? { ...NOTHING, currency };
    if (cost === null) {
      this.costs.set(currency, { ...before, unknown: before.unknown + 1 });
      return;
    }
    this.costs.set(currency, {
      ...before,
      known: before.known + 1,
      known_minor: before.known_minor + cost,
      same: before.same + (same ? 1 : 0),
      same_minor: before.same_minor + (same ? cost : 0n),
      outcome: sums === NO_ORDERS ? before.outcome : addedSums(before.outcome, sums),
    });
  }

  /** Of currencies in which a fee is known, most attempts first. */
  sums(): readonly TrialCost[] {
    return [...this.costs.values()]
      .filter(({ known }) => known > 0)
      .map((one) => ({ ...one, known_minor: toCount(one.known_minor), same_minor: toCount(one.same_minor) }))
      .toSorted((a, b) => b.known - a.known);
  }
}

const NOTHING = { known: 0, known_minor: 0n, same: 0, same_minor: 0n, unknown: 0, outcome: NO_ORDERS };
