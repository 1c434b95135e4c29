// What best_of rules have learnt, for people: the shares and the numbers behind them, the result of the control group,
// and what is missing. A person may let a stopped rule go on.
import { Refusal, refuseField } from '../../../core/refusals.ts';
import type { WeightsInForce } from '../../../core/routing/learn/in-force.ts';
import type { ArmLearnt, RoutesLearnt, RuleLearnt } from '../../../core/routing/learn/shown.ts';
import {
  MINIMUM,
  type Seen,
  firstShares,
  learnShares,
  summed,
  REMEMBERED_H,
  worthOfAll,
} from '../../../core/routing/learn/weights.ts';
import type { RoutingInForce } from '../../../core/routing/table.ts';
import { type InCommit, withTransaction } from '../../../kit/database.ts';
import type { ContractFees, Worth } from '../../../core/routing/fees.ts';
import { listContracts } from '../../merchant/contract-store.ts';
import type { Tools } from '../../tools.ts';
import { feesToday } from '../fees.ts';
import { type BestRule, armsOf, hourNow, isBest, seenOf, sidesOf } from './learn.ts';
import { type Count, findCounts } from './outcomes-store.ts';
import { findLearning, putWeights } from './weights-store.ts';
import { meanLeft, worthsOf } from './worth.ts';

/** Reads what the best_of rules in force have learnt. */
export async function readLearnt({ db, clock }: Pick<Tools, 'db' | 'clock'>, account: string): Promise<RoutesLearnt> {
  const runner = db.tenant(account);
  const hour = hourNow({ clock });
  const [row, counts, contracts, fees] = await Promise.all([
    findLearning(runner),
    findCounts(runner, hour - REMEMBERED_H),
    listContracts(runner),
    feesToday({ db, clock }, account),
  ]);
  const { routing, weights } = row ?? { routing: null, weights: null };
  if (!routing) return { version: 0, rules: [] };
  const nameOf = (id: string) => contracts.find((one) => one.id === id)?.name ?? id;
  const of = { weights, counts, fees, hour, nameOf };
  const rules = routing.rules.filter(isBest).map((rule) => learntOf(rule, { ...of, routing }));
  return { version: weights?.version ?? 0, rules };
}

type Of = {
  readonly routing: RoutingInForce;
  readonly weights: WeightsInForce | null;
  readonly counts: readonly Count[];
  readonly fees: readonly ContractFees[];
  readonly hour: number;
  nameOf(id: string): string;
};

function learntOf(rule: BestRule, { routing, weights, counts, fees, hour, nameOf }: Of): RuleLearnt {
  const { name, since, then } = rule;
  const ids = armsOf(rule, routing);
  const known = weights?.rules.find((one) => one.rule === name && one.since === since);
  const { from_hour = 0, stopped = null, cells = {} } = known ?? {};
  const { shares = firstShares(ids.length, then.floor) } = known ?? {};
  const seen = seenOf(counts, { rule: name, arms: ids, hour });
  const { missing } = learnShares(seen, { arms: ids.length, floor: then.floor });
  const own = counts.filter((one) => one.rule === name && one.since === since && one.hour >= from_hour);
  const { kept: control, tried: others } = sidesOf(own);
  const named = counts.filter((one) => one.rule === name);
  const worths = worthsOf({ then, arms: ids, counts: named, fees });
  const armsIn = (
    points: readonly number[],
    of: readonly (readonly Seen[])[],
    worth: readonly Worth[] | undefined,
  ): readonly ArmLearnt[] =>
    ids.map((id, i) => ({
      contract: nameOf(id),
      points: points[i] ?? 0,
      seen: rounded(summed(of.flatMap((one) => one[i] ?? []))),
      kept: worth?.[i]?.kept ?? null,
    }));
  return {
    rule: name,
    stopped,
    missing,
    needed: MINIMUM,
    by: then.by,
    control,
    others,
    left: worths ? leftIn(own, { arms: ids, worths }) : null,
    without_fees: worths ? [...worths].flatMap(([cell, worth]) => (worth ? [] : [cell])) : [],
    arms: armsIn(shares, [...seen.values()], worths && worthOfAll(seen, worths)),
    cells: Object.entries(cells).map(([cell, points]) => ({
      cell,
      arms: armsIn(points, [seen.get(cell) ?? []], worths?.get(cell)),
    })),
  };
}

function leftIn(own: readonly Count[], of: Parameters<typeof meanLeft>[1]): RuleLearnt['left'] {
  const [control, others] = [true, false].map((is) =>
    meanLeft(
      own.filter((one) => one.controlled === is),
      of,
    ),
  );
  return typeof control === 'number' && typeof others === 'number' ? { control, others } : null;
}

const rounded = ({ approved, tried }: Seen): Seen => ({ approved: Math.round(approved), tried: Math.round(tried) });

/**
 * Lets a rule that was stopped learn again; its control group is compared from the next hour on. Throws a Refusal if it
 * was not.
 */
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
