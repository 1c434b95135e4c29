// What best_of rules learn, once a minute: outcomes of first attempts are counted, weighed, and become the shares of the next minute.
// A rule whose control group does better is stopped, and keeps to its own order until a person lets it go on.
import { idAt } from '../../../core/ids.ts';
import { findResult } from '../../../core/results.ts';
import { classOf } from '../../../core/retries/classes.ts';
import { type RuleWeights, type WeightsInForce, cellOf } from '../../../core/routing/learn/in-force.ts';
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
import { compiled } from '../../../core/routing/route.ts';
import { type BestOf, type RouteRule, type RoutingInForce } from '../../../core/routing/table.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import { counter } from '../../../kit/metrics/registry.ts';
import { lockAccount } from '../../merchant/store.ts';
import type { Tools } from '../../tools.ts';
import { tableOf } from '../publish.ts';
import {
  type Count,
  type Outcomes,
  findCounts,
  findLearningAccounts,
  findOutcomes,
  replaceCounts,
} from './outcomes-store.ts';
import { type LearningRow, findLearning, forgetWeights, putWeights } from './weights-store.ts';

const stops = counter(
  'florin_routing_stopped_total',
  'What routing stopped by itself because a control group does better',
);

const HOUR_MS = 3_600_000;
const DAY_H = 24;
/** Orders are decided within hours, nearly all: so far back they are counted anew, once an hour further. */
const YOUNG_H = 3;
const UNSETTLED_H = 48;
/** How long a trial can ask for the weights of its day. */
const KEPT_DAYS = 100;

type LearnTools = Pick<Tools, 'db' | 'clock' | 'log'>;

/** Written in the commit that stops a rule. */
export type Stopping = (tx: TenantRunner, stopped: RuleWeights) => Promise<void>;

/** A round over all accounts that learn. One that cannot be done leaves none of the others behind. */
export function learner(tools: LearnTools, stopping: Stopping): () => Promise<void> {
  /** The hour in which this process last looked further back. */
  const looked = new Map<string, number>();
  return async () => {
    const hour = hourNow(tools);
    for (const account of await findLearningAccounts(tools.db)) {
      const back = looked.get(account) === hour ? YOUNG_H : UNSETTLED_H;
      await learn(tools, account, { back, stopping }).then(
        () => looked.set(account, hour),
        (error: unknown) => tools.log.warn({ account, error: String(error) }, 'routing could not learn'),
      );
    }
  };
}

export const hourNow = ({ clock }: Pick<Tools, 'clock'>): number => Math.floor(clock.now().getTime() / HOUR_MS);

async function learn(
  tools: LearnTools,
  account: string,
  { back, stopping }: { readonly back: number; readonly stopping: Stopping },
): Promise<void> {
  const row = await findLearning(tools.db.tenant(account));
  if (!row?.routing) return;
  const hour = hourNow(tools);
  await recount(tools, account, hour - back);
  const counts = await findCounts(tools.db.tenant(account), hour - REMEMBERED_H);
  const next = nextWeights(row, counts, hour);
  if (!next) return;
  const stopped = next.rules.filter((one) => one.stopped !== null && !isStopped(row.weights, one));
  const { version } = row.routing;
  const written = await withTransaction(tools.db, account, async (tx) => {
    if (!(await putWeights(tx, next, version))) return false;
    for (const one of stopped) await stopping(tx, one);
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

/** Counts the orders since an hour anew; what is counted of the hours before stays. */
async function recount({ db }: Pick<Tools, 'db'>, account: string, from_hour: number): Promise<void> {
  const runner = db.tenant(account);
  const outcomes = await findOutcomes(runner, idAt(from_hour * HOUR_MS));
  const versions = new Map<number, RoutingInForce>();
  for (const v of new Set(outcomes.map((one) => one.v))) versions.set(v, await tableOf({ db }, account, v));
  const counts = countsOf(outcomes, versions);
  await withTransaction(db, account, async (tx) => {
    // of two processes that count at once one comes after the other
    await lockAccount(tx);
    await replaceCounts(tx, from_hour, counts);
  });
}

/** First attempts whose outcome says something of the contract they were sent to. */
function countsOf(outcomes: readonly Outcomes[], versions: ReadonlyMap<number, RoutingInForce>): readonly Count[] {
  const counts = new Map<string, Count>();
  for (const one of outcomes) {
    const rule = versions.get(one.v)?.rules[one.r ?? -1];
    const approved = one.state === 'successful';
    if (!rule || !('best_of' in rule.then) || one.named || one.contract_id === null) continue;
    if (!approved && !saysSomething(one)) continue;
    const { hour, contract_id, controlled, orders } = one;
    const cell = cellOf(one.currency, one.scheme, one.channel === 'recurring' ? 'merchant' : 'payer');
    const key = [hour, rule.name, rule.since, cell, contract_id, controlled].join('\0');
    const before = counts.get(key) ?? { tried: 0, approved: 0, amount_minor: 0 };
    counts.set(key, {
      ...{ hour, rule: rule.name, since: rule.since, cell, contract_id, controlled },
      tried: before.tried + orders,
      approved: before.approved + (approved ? orders : 0),
      amount_minor: before.amount_minor + one.amount_minor,
    });
  }
  return [...counts.values()];
}

/** The payer's own doing, such as an empty account, is the same everywhere. */
function saysSomething({ state, code }: Pick<Outcomes, 'state' | 'code'>): boolean {
  const found = state === 'declined' || state === 'not_sent' ? findResult(code ?? '') : undefined;
  return found !== undefined && classOf(found.name).counts_for_approval === 'yes';
}

export type BestRule = RouteRule & { readonly then: BestOf };
export const isBest = (rule: RouteRule): rule is BestRule => 'best_of' in rule.then;

/** Ids of its contracts, in its own order. */
export const armsOf = (rule: BestRule, table: RoutingInForce): readonly string[] =>
  rule.then.best_of.map(compiled(table).idOf);

/** Of each cell what was seen of each contract, the older the less. */
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

/** Undefined: nothing has moved that is worth a version. */
function nextWeights(
  { routing, weights }: LearningRow,
  counts: readonly Count[],
  hour: number,
): WeightsInForce | undefined {
  if (!routing) return undefined;
  const rules = routing.rules.filter(isBest).map((rule) => {
    const before = weights?.rules.find((one) => one.rule === rule.name && one.since === rule.since);
    return weightsOf(rule, { arms: armsOf(rule, routing), before, counts, hour });
  });
  const same =
    rules.length === (weights?.rules.length ?? 0) &&
    rules.every((rule) => weights?.rules.some((before) => !isNews(before, rule)));
  return same ? undefined : { version: (weights?.version ?? 0) + 1, rules };
}

type Weighing = {
  readonly arms: readonly string[];
  readonly before: RuleWeights | undefined;
  readonly counts: readonly Count[];
  readonly hour: number;
};

function weightsOf(rule: BestRule, { arms, before, counts, hour }: Weighing): RuleWeights {
  const { name, since, then } = rule;
  const { from_hour, stopped: was } = before ?? { from_hour: 0, stopped: null };
  const of = { rule: name, since, from_hour, unpriced: then.by === 'value' };
  const own = counts.filter((one) => one.rule === name && one.since === since && one.hour >= from_hour);
  const stopped = was ?? guardOf(sidesOf(own), sidesOf(own.filter((one) => one.hour > hour - DAY_H))) ?? null;
  // nobody is sent elsewhere: its own order, without the floor
  if (stopped !== null) return { ...of, stopped, shares: firstShares(arms.length, 0), cells: {} };
  const { shares, cells } = learnShares(seenOf(counts, { rule: name, arms, hour }), arms.length, {
    floor: then.floor,
    worthOf: () => undefined,
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
