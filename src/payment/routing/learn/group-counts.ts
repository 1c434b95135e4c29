// What became of the orders of an experiment, by group and hour. Pure.
import type { Origins } from '../../../core/origin/origins.ts';
import { type ContractFees, feeOf, worthOf } from '../../../core/routing/fees.ts';
import type { GroupCount } from './experiments-store.ts';
import type { Outcomes } from './outcomes-store.ts';

type Known = { readonly fees: readonly ContractFees[]; readonly origins: Pick<Origins, 'cardOf'> };
type Counted = Omit<GroupCount, 'number'>;

/**
 * Every order of a group that is decided, whatever decided it: who is left out of one group would be missing in the
 * other.
 */
export function groupCountsOf(outcomes: readonly Outcomes[], known: Known): readonly Counted[] {
  const counts = new Map<string, Counted>();
  for (const one of outcomes) {
    const { arm, hour, won, lost } = one;
    if (arm === null || won + lost === 0) continue;
    const before = counts.get(`${hour} ${arm}`) ?? { decided: 0, approved: 0, kept: 0 };
    const kept = keptOf(one, known);
    counts.set(`${hour} ${arm}`, {
      arm,
      hour,
      decided: before.decided + won + lost,
      approved: before.approved + won,
      kept: kept === null || before.kept === null ? null : before.kept + kept,
    });
  }
  return [...counts.values()];
}

/**
 * By the fees of the contract that was paid in the end; null: they are not known. What a contract takes for each
 * attempt is left out.
 */
function keptOf(outcomes: Outcomes, { fees, origins }: Known) {
  const { won, orders, amount_minor, paid_by, currency, scheme, first6, last4 } = outcomes;
  if (won === 0) return 0;
  const stated = fees.find(({ contract_id }) => contract_id === paid_by);
  const { country: card_country, funding } = origins.cardOf({ first6, last4 });
  const row = stated && feeOf(stated, { currency, scheme, card_country, funding });
  // fees above the amount leave nothing: below it a group would lose what a test of rates cannot lose
  return row
    ? won * Math.max(0, worthOf(row, { currency, amount_minor: amount_minor / orders, margin: 1 }).kept)
    : null;
}
