// What payments are worth at each contract of a rule that chooses by value: by the fees of today, and the mean amount
// of a cell. Pure.
import { cellParts } from '../../../core/routing/learn/in-force.ts';
import type { Worths } from '../../../core/routing/learn/weights.ts';
import { type ContractFees, type Worth, feeOf, worthOf } from '../../../core/routing/fees.ts';
import { BASIS_POINTS, type BestOf } from '../../../core/routing/table.ts';
import type { Count } from './outcomes-store.ts';

type Of = {
  readonly then: BestOf;
  /** Ids of its contracts, in its own order. */
  readonly arms: readonly string[];
  readonly counts: readonly Count[];
  readonly fees: readonly ContractFees[];
};

/** Undefined: it chooses by approval. */
export function worthsOf({ then, arms, counts, fees }: Of): Worths | undefined {
  if (then.by !== 'value') return undefined;
  const margin = (then.margin ?? BASIS_POINTS) / BASIS_POINTS;
  const tables = arms.map((id) => fees.find(({ contract_id }) => contract_id === id)?.fees ?? []);
  const amounts = new Map<string, { readonly tried: number; readonly amount_minor: number }>();
  for (const { cell, tried, amount_minor } of counts) {
    const before = amounts.get(cell) ?? { tried: 0, amount_minor: 0 };
    amounts.set(cell, { tried: before.tried + tried, amount_minor: before.amount_minor + amount_minor });
  }
  const worths = [...amounts].map(([cell, { tried, amount_minor }]) => {
    const { currency, scheme } = cellParts(cell);
    const rows = tables.map((table) => feeOf(table, { currency, scheme }));
    const mean = amount_minor / tried;
    const known = rows.flatMap((row) => (row ? worthOf(row, { currency, amount_minor: mean, margin }) : []));
    return [cell, known.length === arms.length ? known : undefined] as const;
  });
  return new Map(worths);
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

/** What is left of a payment on the mean of all that were tried and whose fees are known; null: none was. */
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
