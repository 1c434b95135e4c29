// What best_of rules have learnt, for people: shares with what they stand on, how the control group does, and what is missing. A rule
// that was stopped is let go on by a person.
import { Refusal, refuseField } from '../../../core/refusals.ts';
import type { WeightsInForce } from '../../../core/routing/learn/in-force.ts';
import {
  MINIMUM,
  type Seen,
  firstShares,
  learnShares,
  summed,
  REMEMBERED_H,
} from '../../../core/routing/learn/weights.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import { type InCommit, withTransaction } from '../../../kit/database.ts';
import { listContracts } from '../../merchant/store.ts';
import type { Tools } from '../../tools.ts';
import { type BestRule, armsOf, hourNow, isBest, seenOf, sidesOf } from './learn.ts';
import { type Count, findCounts } from './outcomes-store.ts';
import { findLearning, putWeights } from './weights-store.ts';

export type ArmLearnt = { readonly contract: string; readonly points: number; readonly seen: Seen };

export type RuleLearnt = {
  readonly rule: string;
  readonly stopped: string | null;
  /** Outcomes that the contract with the fewest has, where they are too few to leave the rule's own order; null: enough. */
  readonly missing: number | null;
  readonly needed: number;
  readonly control: Seen;
  readonly others: Seen;
  readonly arms: readonly ArmLearnt[];
  /** Where shares of its own are known: what it is in, paid with, and by whom. */
  readonly cells: readonly { readonly cell: string; readonly arms: readonly ArmLearnt[] }[];
};

export type RoutesLearnt = { readonly version: number; readonly rules: readonly RuleLearnt[] };

/** Of the best_of rules in force. */
export async function readLearnt({ db, clock }: Pick<Tools, 'db' | 'clock'>, account: string): Promise<RoutesLearnt> {
  const runner = db.tenant(account);
  const hour = hourNow({ clock });
  const [row, counts, contracts] = await Promise.all([
    findLearning(runner),
    findCounts(runner, hour - REMEMBERED_H),
    listContracts(runner),
  ]);
  const { routing, weights } = row ?? { routing: null, weights: null };
  if (!routing) return { version: 0, rules: [] };
  const nameOf = (id: string) => contracts.find((one) => one.id === id)?.name ?? id;
  const rules = routing.rules.filter(isBest).map((rule) => learntOf(rule, { routing, weights, counts, hour, nameOf }));
  return { version: weights?.version ?? 0, rules };
}

type Of = {
  readonly routing: RoutingInForce;
  readonly weights: WeightsInForce | null;
  readonly counts: readonly Count[];
  readonly hour: number;
  nameOf(id: string): string;
};

function learntOf(rule: BestRule, { routing, weights, counts, hour, nameOf }: Of): RuleLearnt {
  const { name, since, then } = rule;
  const ids = armsOf(rule, routing);
  const known = weights?.rules.find((one) => one.rule === name && one.since === since);
  const { from_hour = 0, stopped = null, cells = {} } = known ?? {};
  const { shares = firstShares(ids.length, then.floor) } = known ?? {};
  const seen = seenOf(counts, { rule: name, arms: ids, hour });
  const { missing } = learnShares(seen, { arms: ids.length, floor: then.floor });
  const own = counts.filter((one) => one.rule === name && one.since === since && one.hour >= from_hour);
  const { kept: control, tried: others } = sidesOf(own);
  const armsIn = (points: readonly number[], of: readonly (readonly Seen[])[]) =>
    ids.map((id, i) => ({
      contract: nameOf(id),
      points: points[i] ?? 0,
      seen: rounded(summed(of.flatMap((one) => one[i] ?? []))),
    }));
  return {
    rule: name,
    stopped,
    missing,
    needed: MINIMUM,
    control,
    others,
    arms: armsIn(shares, [...seen.values()]),
    cells: Object.entries(cells).map(([cell, points]) => ({ cell, arms: armsIn(points, [seen.get(cell) ?? []]) })),
  };
}

const rounded = ({ approved, tried }: Seen): Seen => ({ approved: Math.round(approved), tried: Math.round(tried) });

/** Lets a rule that was stopped learn again; its control group is compared from the next hour on. Throws a Refusal if it was not. */
export async function letGoOn(
  tools: Pick<Tools, 'db' | 'clock'>,
  account: string,
  { rule, also }: { readonly rule: string; readonly also: InCommit },
): Promise<void> {
  const row = await findLearning(tools.db.tenant(account));
  const { routing, weights } = row ?? { routing: null, weights: null };
  const found = routing?.rules.filter(isBest).find(({ name }) => name === rule);
  const learnt = weights?.rules.find((one) => one.rule === rule && one.since === found?.since);
  if (!routing || !weights || !found || !learnt)
    throw refuseField('rule', 'parameter_invalid', 'is no best_of rule in force that has learnt');
  if (learnt.stopped === null) throw refuseField('rule', 'parameter_invalid', 'was not stopped');
  const shares = firstShares(found.then.best_of.length, found.then.floor);
  const begun = { ...learnt, stopped: null, from_hour: hourNow(tools) + 1, shares };
  const rules = weights.rules.map((one) => (one === learnt ? begun : one));
  const written = await withTransaction(tools.db, account, async (tx) => {
    const put = await putWeights(tx, { version: weights.version + 1, rules }, routing.version);
    if (put) await also(tx);
    return put;
  });
  if (!written) throw new Refusal('order_in_process', { detail: 'the rules were changed meanwhile: look again' });
}
