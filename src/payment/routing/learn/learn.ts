// How best_of rules learn, once a minute: outcomes of first attempts are counted and weighed, and become the shares of
// the next minute. A rule is stopped if its control group does better; it then keeps its own order until a person lets
// it go on.
import { HOUR_MS } from '../../../core/durations.ts';
import { HIGHEST_ID, idAt } from '../../../core/ids.ts';
import { type RuleWeights, type WeightsInForce } from '../../../core/routing/learn/in-force.ts';
import { guardOf } from '../../../core/routing/learn/verdict.ts';
import {
  NOTHING,
  REMEMBERED_H,
  type Seen,
  fading,
  firstShares,
  hasMoved,
  learnShares,
  summed,
} from '../../../core/routing/learn/weights.ts';
import { type ContractFees, askForCard } from '../../../core/routing/fees.ts';
import { compiled } from '../../../core/routing/route.ts';
import { type BestOf, type RouteRule, type RoutingInForce } from '../../../core/routing/table.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import { counter } from '../../../kit/metrics/registry.ts';
import { lockAccount } from '../../merchant/store.ts';
import type { Tools } from '../../tools.ts';
import { feesToday } from '../fees.ts';
import { tableOf } from '../publish.ts';
import { countsOf } from './counts.ts';
import { replaceGroupCounts } from './experiments-store.ts';
import { type Telling, lookAtExperiment } from './experiments.ts';
import { groupCountsOf } from './group-counts.ts';
import {
  type Count,
  type Outcomes,
  findCounts,
  findLearningAccounts,
  findOutcomes,
  replaceCounts,
} from './outcomes-store.ts';
import { type LearningRow, findLearning, forgetWeights, putWeights } from './weights-store.ts';
import { valued, worthsOf } from './worth.ts';

const stops = counter(
  'florin_routing_stopped_total',
  'What routing stopped by itself because a control group does better',
);

const DAY_H = 24;
/** Orders are decided within hours, nearly all: so far back they are counted anew, once an hour further. */
const YOUNG_H = 3;
const UNSETTLED_H = 48;
/** The orders of so much time are counted by one statement: two days of a large account are more than one may take. */
const SLICE_MS = 900_000;
/** How long a trial can ask for the weights of its day. */
const KEPT_DAYS = 100;

type LearnTools = Pick<Tools, 'db' | 'clock' | 'log' | 'origins'>;

/** The rows that are written in the commit of a decision. */
export type Noting = {
  stopped(tx: TenantRunner, stopped: RuleWeights): Promise<void>;
  compared: Telling;
};

/** A round over all accounts that learn. One that cannot be done leaves none of the others behind. */
export function learner(tools: LearnTools, noting: Noting): () => Promise<void> {
  /** The hour in which this process last looked further back. */
  const looked = new Map<string, number>();
  return async () => {
    const hour = hourNow(tools);
    for (const account of await findLearningAccounts(tools.db)) {
      const back = looked.get(account) === hour ? YOUNG_H : UNSETTLED_H;
      await learn(tools, account, { back, noting }).then(
        () => looked.set(account, hour),
        (error: unknown) => tools.log.warn({ account, error: String(error) }, 'routing could not learn'),
      );
    }
  };
}

export const hourNow = ({ clock }: Pick<Tools, 'clock'>): number => Math.floor(clock.now().getTime() / HOUR_MS);

type Round = { readonly back: number; readonly noting: Noting };

async function learn(tools: LearnTools, account: string, { back, noting }: Round): Promise<void> {
  const row = await findLearning(tools.db.tenant(account));
  if (!row?.routing) return;
  const hour = hourNow(tools);
  const { experiment } = row;
  const by_value = row.by_value || bestRules(row).some(({ rule }) => rule.then.by === 'value');
  const fees = by_value ? await feesToday(tools, account) : [];
  await recount(tools, account, { from_hour: hour - back, experiment, by_value: row.by_value, fees });
  await putNext(tools, account, { row, hour, noting, fees });
  const told = await lookAtExperiment(tools, account, { hour, telling: noting.compared });
  if (told?.guarded !== true) return;
  stops.add({ what: 'experiment' });
  tools.log.error(
    { account, number: told.number, why: told.ended },
    'an experiment was stopped: its group b does worse',
  );
}

type Putting = Pick<Round, 'noting'> & Pick<Recounting, 'fees'> & { readonly row: LearningRow; readonly hour: number };

async function putNext(tools: LearnTools, account: string, { row, hour, noting, fees }: Putting): Promise<void> {
  const counts = await findCounts(tools.db.tenant(account), hour - REMEMBERED_H);
  const next = nextWeights(row, { counts, hour, fees });
  if (!next || !row.routing) return;
  const stopped = next.rules.filter((one) => one.stopped !== null && !isStopped(row.weights, one));
  const { version } = row.routing;
  const written = await withTransaction(tools.db, account, async (tx) => {
    if (!(await putWeights(tx, next, version))) return false;
    for (const one of stopped) await noting.stopped(tx, one);
    await forgetWeights(tx, { days: KEPT_DAYS, version: next.version });
    return true;
  });
  if (!written) return;
  for (const { rule, stopped: why } of stopped) {
    stops.add({ what: 'best_of' });
    tools.log.error({ account, rule, why }, 'a best_of rule was stopped: its control group does better');
  }
}

const isStopped = (weights: WeightsInForce | null, { rule, since }: RuleWeights) =>
  weights?.rules.some((one) => one.rule === rule && one.since === since && one.stopped !== null) === true;

type Recounting = {
  readonly from_hour: number;
  readonly experiment: number | null;
  /** The experiment compares what is left of orders. */
  readonly by_value: boolean;
  readonly fees: readonly ContractFees[];
};

/** Counts the orders since an hour anew; what is counted of the hours before stays. */
async function recount(
  { db, clock, origins }: Pick<Tools, 'db' | 'clock' | 'origins'>,
  account: string,
  { from_hour, experiment, by_value, fees }: Recounting,
): Promise<void> {
  const runner = db.tenant(account);
  const by_card = askForCard(fees);
  const found: (readonly Outcomes[])[] = [];
  for (const slice of slicesOf(from_hour * HOUR_MS, clock.now().getTime()))
    found.push(await findOutcomes(runner, { ...slice, by_card, by_value }));
  const outcomes = found.flat();
  const versions = new Map<number, RoutingInForce>();
  for (const v of new Set(outcomes.map((one) => one.v))) versions.set(v, await tableOf({ db }, account, v));
  const counts = countsOf(outcomes, { versions, origins: by_card ? origins : undefined });
  await withTransaction(db, account, async (tx) => {
    // of two processes that count at once one comes after the other
    await lockAccount(tx);
    await replaceCounts(tx, from_hour, counts);
    if (experiment === null) return;
    const own = outcomes.filter((one) => one.experiment === experiment);
    await replaceGroupCounts(tx, { number: experiment, hour: from_hour }, groupCountsOf(own, { fees, origins }));
  });
}

/** The time from a moment until now, cut; the last slice has no end. */
function slicesOf(from_ms: number, now_ms: number): readonly { readonly after: string; readonly until: string }[] {
  const count = Math.max(1, Math.ceil((now_ms - from_ms) / SLICE_MS));
  return Array.from({ length: count }, (_, n) => ({
    after: idAt(from_ms + n * SLICE_MS),
    until: n === count - 1 ? HIGHEST_ID : idAt(from_ms + (n + 1) * SLICE_MS),
  }));
}

export type BestRule = RouteRule & { readonly then: BestOf };
export const isBest = (rule: RouteRule): rule is BestRule => 'best_of' in rule.then;

/** Ids of its contracts, in its own order. */
export const armsOf = (rule: BestRule, table: RoutingInForce): readonly string[] =>
  rule.then.best_of.map(compiled(table).idOf);

/** For each cell, the outcomes of each contract; older ones count less. */
export function seenOf(
  counts: readonly Count[],
  { rule, arms, hour }: { readonly rule: string; readonly arms: readonly string[]; readonly hour: number },
): ReadonlyMap<string, readonly Seen[]> {
  const cells = new Map<string, Seen[]>();
  for (const count of counts) {
    const arm = arms.indexOf(count.contract_id);
    if (count.rule !== rule || arm < 0) continue;
    const seen = cells.get(count.cell) ?? arms.map(() => NOTHING);
    const weight = fading(hour - count.hour);
    const { approved, tried } = seen[arm] ?? NOTHING;
    seen[arm] = { approved: approved + weight * count.approved, tried: tried + weight * count.tried };
    cells.set(count.cell, seen);
  }
  return cells;
}

/** The rules in force, and those that are compared with them; a rule that is in both learns once. */
function bestRules({ routing, compared }: Pick<LearningRow, 'routing' | 'compared'>) {
  const tables = [routing, compared].filter((table) => table !== null);
  const all = tables.flatMap((table) => table.rules.filter(isBest).map((rule) => ({ rule, table })));
  return all.filter(({ rule }, i) => all.findIndex((one) => isSameRule(one.rule, rule)) === i);
}

type Learning = {
  readonly counts: readonly Count[];
  readonly hour: number;
  readonly fees: readonly ContractFees[];
};

/** Undefined: nothing has moved that is worth a version. */
function nextWeights(row: LearningRow, learning: Learning): WeightsInForce | undefined {
  const { routing, weights } = row;
  if (!routing) return undefined;
  const rules = bestRules(row).map(({ rule, table }) => {
    const before = weights?.rules.find((one) => one.rule === rule.name && one.since === rule.since);
    return weightsOf(rule, { ...learning, arms: armsOf(rule, table), before });
  });
  const same =
    rules.length === (weights?.rules.length ?? 0) &&
    rules.every((rule) => weights?.rules.some((before) => !isNews(before, rule)));
  return same ? undefined : { version: (weights?.version ?? 0) + 1, rules };
}

const isSameRule = (one: RouteRule, other: RouteRule) => one.name === other.name && one.since === other.since;

type Weighing = Learning & {
  readonly arms: readonly string[];
  readonly before: RuleWeights | undefined;
};

function weightsOf(rule: BestRule, { arms, before, counts, hour, fees }: Weighing): RuleWeights {
  const { name, since, then } = rule;
  const { from_hour, stopped: was } = before ?? { from_hour: 0, stopped: null };
  const of = { rule: name, since, from_hour };
  const named = counts.filter((one) => one.rule === name);
  const worths = worthsOf({ then, arms, counts: named, fees });
  const own = valued(named, { arms, worths }).filter((one) => one.since === since && one.hour >= from_hour);
  const day = own.filter((one) => one.hour > hour - DAY_H);
  const stopped = was ?? guardOf(sidesOf(own), sidesOf(day), then) ?? null;
  // no order is sent elsewhere: the rule's own sequence, without the floor
  if (stopped !== null) return { ...of, stopped, shares: firstShares(arms.length, 0), cells: {} };
  const { shares, cells } = learnShares(seenOf(counts, { rule: name, arms, hour }), {
    arms: arms.length,
    floor: then.floor,
    worths,
  });
  return { ...of, stopped, shares, cells };
}

/** The control group beside all others. */
export function sidesOf(counts: readonly Count[]): { readonly kept: Seen; readonly tried: Seen } {
  return {
    kept: summed(counts.filter((one) => one.controlled)),
    tried: summed(counts.filter((one) => !one.controlled)),
  };
}

function isNews(before: RuleWeights, after: RuleWeights): boolean {
  if (before.rule !== after.rule || before.since !== after.since || before.stopped !== after.stopped) return true;
  const cells = new Set([...Object.keys(before.cells), ...Object.keys(after.cells)]);
  return (
    hasMoved(before.shares, after.shares) ||
    [...cells].some((cell) => hasMoved(before.cells[cell] ?? before.shares, after.cells[cell] ?? after.shares))
  );
}
