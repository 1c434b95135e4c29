// The worth of payments at each contract of a rule that chooses by value: by today's fees, and the mean amount of a
// cell. Pure.
import { cellParts } from '../../../core/routing/learn/in-force.ts';
import type { Worths } from '../../../core/routing/learn/weights.ts';
import { type ContractFees, type Part, type Worth, worthOfParts } from '../../../core/routing/fees.ts';
import { BASIS_POINTS, type BestOf } from '../../../core/routing/table.ts';
import type { Count } from './outcomes-store.ts';

type Of = {
  readonly then: BestOf;
  /** Ids of its contracts, in its own order. */
  readonly arms: readonly string[];
  readonly counts: readonly Count[];
  readonly fees: readonly ContractFees[];
};

/** The worth of payments in each cell. Undefined: the rule chooses by approval. */
export function worthsOf({ then, arms, counts, fees }: Of): Worths | undefined {
  if (then.by !== 'value') return undefined;
  const margin = (then.margin ?? BASIS_POINTS) / BASIS_POINTS;
  const tables = arms.map((id) => fees.find(({ contract_id }) => contract_id === id));
  const worths = [...Map.groupBy(counts, ({ cell }) => cell)].map(([cell, own]) => {
    const { currency, scheme } = cellParts(cell);
    const parts = partsOf(own);
    const known = tables.flatMap((table) => (table && worthOfParts(table, { currency, scheme, margin }, parts)) ?? []);
    return [cell, known.length === arms.length ? known : undefined] as const;
  });
  return new Map(worths);
}

/**
 * The cards that a cell was paid with: whichever contract they went to, the others would have had the same. What was
 * counted before fees asked for cards is taken to be like the rest.
 */
function partsOf(counts: readonly Count[]): readonly Part[] {
  const mixed = counts.flatMap(({ mix }) => mix ?? []);
  const all = mixed.length > 0 ? mixed : counts.map((one) => ({ ...one, card_country: null, funding: null }));
  const parts = Map.groupBy(all, ({ card_country, funding }) => `${card_country} ${funding}`);
  return [...parts.values()].flatMap((alike) => {
    const sum = (of: 'tried' | 'amount_minor') => alike.reduce((total, one) => total + one[of], 0);
    return alike.slice(0, 1).map((one) => ({ ...one, tried: sum('tried'), amount_minor: sum('amount_minor') }));
  });
}

/**
 * Counts in which `approved` is what is left of so many payments, from 0 to as much as the best contract leaves of
 * each: groups are compared by it as by approvals. What lies between 0 and 1 varies at most as much as what is one of
 * the two, so a test of approvals is never too quick. Where fees are not known it is the approvals.
 */
export function valued(
  counts: readonly Count[],
  { arms, worths }: Pick<Of, 'arms'> & { readonly worths: Worths | undefined },
): readonly Count[] {
  if (!worths) return counts;
  return counts.map((count) => {
    const worth = worths.get(count.cell);
    const own = worth?.[arms.indexOf(count.contract_id)];
    return worth && own ? { ...count, approved: shareOf(count, own, worth) } : count;
  });
}

/** Raised by what is lost at most, so that nothing is below 0. */
function shareOf(count: Count, own: Worth, all: readonly Worth[]): number {
  const ends = all.flatMap(({ kept, attempt }) => [-attempt, kept - attempt]);
  const raise = -Math.min(0, ...ends);
  const most = Math.max(...ends) + raise;
  return most > 0 ? (leftOf(count, own) + count.tried * raise) / most : 0;
}

const leftOf = ({ approved, tried }: Count, { kept, attempt }: Worth) => approved * kept - tried * attempt;

/** The mean part that is left of the payments that were tried and whose fees are known; null: there was none. */
export function meanLeft(
  counts: readonly Count[],
  { arms, worths }: { readonly arms: readonly string[]; readonly worths: Worths },
): number | null {
  const known = counts.flatMap((count) => {
    const own = worths.get(count.cell)?.[arms.indexOf(count.contract_id)];
    return own ? [{ tried: count.tried, left: leftOf(count, own) }] : [];
  });
  const tried = known.reduce((sum, one) => sum + one.tried, 0);
  return tried === 0 ? null : known.reduce((sum, one) => sum + one.left, 0) / tried;
}
