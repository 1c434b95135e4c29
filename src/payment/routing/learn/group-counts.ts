// Adds up the results of an experiment's orders, by group and hour. Pure.
import type { Origins } from '../../../core/origin/origins.ts';
import { type ContractFees, feeOf, worthOf } from '../../../core/routing/fees.ts';
import { countedLeft } from '../../../core/routing/learn/verdict.ts';
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

/** The part of the orders that is left after the fees of every try; null: fees are not known, or not asked for. */
function keptOf(outcomes: Outcomes, { fees, origins }: Known): number | null {
  const { won, lost, orders, amount_minor: sum, currency, sent } = outcomes;
  const amount_minor = sum / orders;
  let left = 0;
  for (const [i, text] of (sent ?? []).entries()) {
    const [contract_id, scheme = '', first6 = null, last4 = null] = text.split(' ');
    const stated = fees.find((one) => one.contract_id === contract_id);
    const { country: card_country, funding } = origins.cardOf({ first6: first6 || null, last4: last4 || null });
    const row = stated && feeOf(stated, { currency, scheme, card_country, funding });
    if (!row) return null;
    const { kept, attempt } = worthOf(row, { currency, amount_minor, margin: 1 });
    const is_paid = won > 0 && i + 1 === sent?.length;
    left += (is_paid ? kept : 0) - attempt;
  }
  return (won + lost) * countedLeft(left);
}
