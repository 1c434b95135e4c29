// Experiments: begun and ended by a person with a reason, looked at by the worker, stopped by the guard. While one
// runs, rules are not published: its group `a` would be another one than it was begun with.
import { refuseField, refuseProblems } from '../../../core/refusals.ts';
import { GROUPS, type Group } from '../../../core/routing/experiment.ts';
import {
  type Method,
  type Metric,
  type Verdict,
  differenceBy,
  guardOf,
  seenBy,
  verdictOf,
} from '../../../core/routing/learn/verdict.ts';
import { NOTHING, type Seen } from '../../../core/routing/learn/weights.ts';
import { BASIS_POINTS, type DrawnBy } from '../../../core/routing/table.ts';
import { type TenantRunner, withTransaction } from '../../../kit/database.ts';
import type { Tools } from '../../tools.ts';
import { listContracts } from '../../merchant/contract-store.ts';
import { lockPresent } from '../../versions.ts';
import { feesToday } from '../fees.ts';
import { ROUTING, tableOf } from '../publish.ts';
import { refuseWhileCompared } from './compared.ts';
import {
  type ExperimentRow,
  findExperiments,
  findGroupCounts,
  insertExperiment,
  putEnd,
  putVerdict,
  updateExperimentInForce,
} from './experiments-store.ts';

const MOST_DAYS = 90;

type Db = Pick<Tools, 'db'>;
type Clocked = Pick<Tools, 'db' | 'clock'>;

export type Starting = {
  /** Must be the one in force; undefined: whichever is. */
  readonly version_a?: number | undefined;
  readonly version_b: number;
  readonly share: number;
  readonly subject: DrawnBy;
  readonly method: Method;
  readonly metric: Metric;
  readonly days: number;
  readonly by: string;
  readonly reason: string;
  /** Done in the commit of it. */
  also(tx: TenantRunner, number: number): Promise<void>;
};

/** Answers its number. Throws a Refusal with what is wrong. */
export async function startExperiment(tools: Clocked, account: string, starting: Starting): Promise<number> {
  const { db } = tools;
  const { version_a, version_b, share, subject, method, metric, days, by, reason, also } = starting;
  if (!(share >= 1 && share < BASIS_POINTS))
    throw refuseField('share', 'parameter_invalid', 'must be above 0 and below 100 %');
  if (!(days >= 1 && days <= MOST_DAYS)) throw refuseField('days', 'parameter_invalid', `must be 1 to ${MOST_DAYS}`);
  const table = version_b === 0 ? undefined : await tableOf({ db }, account, version_b);
  if (!table) throw refuseField('version', 'parameter_invalid', `${version_b} is none of this account`);
  if (metric === 'value') await refuseWithoutFees(tools, account);
  return withTransaction(db, account, async (tx) => {
    const { version } = await lockPresent(tx, ROUTING);
    if (version === 0) throw refuseField('version', 'parameter_invalid', 'has nothing beside it: publish rules first');
    if (version_a !== undefined && version_a !== version)
      throw refuseField('version', 'parameter_invalid', `${version_a} is not in force: version ${version} is`);
    if (version_b === version) throw refuseField('version', 'parameter_invalid', 'is in force already');
    await refuseWhileCompared(tx);
    const row = { version_a: version, version_b, share, subject, method, metric, days, started_by: by, reason };
    const number = await insertExperiment(tx, row);
    await updateExperimentInForce(tx, { number, subject, share, table });
    await also(tx, number);
    return number;
  });
}

/** A paid order that no fee is known of would leave its group without a value. */
async function refuseWithoutFees(tools: Clocked, account: string): Promise<void> {
  const [contracts, fees] = await Promise.all([listContracts(tools.db.tenant(account)), feesToday(tools, account)]);
  const without = contracts.filter(({ id, enabled }) => enabled && !fees.some((one) => one.contract_id === id));
  const refusal = refuseProblems(
    without.map(({ name }) => ({
      field: 'metric',
      refusal: 'parameter_invalid',
      message: `needs the fees of ${name}`,
    })),
  );
  if (refusal) throw refusal;
}

type Ending = {
  readonly number: number;
  readonly by: string;
  readonly reason: string;
  also(tx: TenantRunner): Promise<void>;
};

/** Ends an experiment: from this commit on no order is routed by it. Throws a Refusal if it does not run. */
export async function endExperiment({ db }: Db, account: string, ending: Ending): Promise<void> {
  const done = await withTransaction(db, account, (tx) => endIn(tx, ending));
  if (!done) throw refuseField('number', 'parameter_invalid', 'is no experiment that runs');
}

async function endIn(tx: TenantRunner, { number, by, reason, also }: Ending): Promise<boolean> {
  await lockPresent(tx, ROUTING);
  if (!(await putEnd(tx, number, { by, reason }))) return false;
  await updateExperimentInForce(tx, null);
  await also(tx);
  return true;
}

export type Groups = Readonly<Record<Group, Seen>>;

export type Compared = {
  /** Decided orders of each group, and how many of them were approved. */
  readonly counted: Groups;
  /**
   * The groups as they are compared. By value, `approved` is the sum of what is left of the orders, each from 0 to 1.
   * Undefined: the fees of an order are not known.
   */
  readonly compared: Groups | undefined;
};

/** The groups of each experiment. */
export async function groupsOf(
  db: TenantRunner,
  from_hour: number,
): Promise<(of: Pick<ExperimentRow, 'number' | 'metric'>) => Compared> {
  const counts = await findGroupCounts(db, from_hour);
  return ({ number, metric }) => {
    const [a, b] = GROUPS.map((arm) => counts.find((one) => one.number === number && one.arm === arm));
    const seen = (one: typeof a, sum: number | null | undefined, by: Metric = 'approval'): Seen =>
      one ? seenBy(by, sum ?? 0, one.decided) : NOTHING;
    const counted = { a: seen(a, a?.approved), b: seen(b, b?.approved) };
    if (metric === 'approval') return { counted, compared: counted };
    const is_known = [a, b].every((one) => one === undefined || one.kept !== null);
    const compared = { a: seen(a, a?.kept, metric), b: seen(b, b?.kept, metric) };
    return { counted, compared: is_known ? compared : undefined };
  };
}

const NONE: Groups = { a: NOTHING, b: NOTHING };

/** The worker's decision about an experiment; the commit that decides also writes the event. */
export type Told = {
  readonly number: number;
  readonly verdict: Verdict | null;
  /** Why it has ended; null: it goes on. */
  readonly ended: string | null;
  /** True: the guard ended it. */
  readonly guarded: boolean;
};
export type Telling = (tx: TenantRunner, told: Told) => Promise<void>;

const DAY_H = 24;
const BY = 'florin';

/** Looks at the one that runs; answers what was decided, undefined: nothing. */
export async function lookAtExperiment(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  account: string,
  { hour, telling }: { readonly hour: number; readonly telling: Telling },
): Promise<Told | undefined> {
  const runner = db.tenant(account);
  const running = (await findExperiments(runner)).find(({ ended_at }) => ended_at === null);
  if (!running) return undefined;
  const [all, day] = await Promise.all([groupsOf(runner, 0), groupsOf(runner, hour - DAY_H)]);
  const of = { all: all(running).compared ?? NONE, day: day(running).compared ?? NONE };
  const told = decide(running, { ...of, now: clock.now() });
  if (told.verdict === running.verdict && told.ended === null) return undefined;
  return withTransaction(db, account, async (tx) => {
    const { number, verdict, ended } = told;
    const decided = verdict !== null && (await putVerdict(tx, number, verdict));
    const also = (run: TenantRunner) => telling(run, told);
    if (ended !== null) return (await endIn(tx, { number, by: BY, reason: ended, also })) ? told : undefined;
    if (!decided) return undefined;
    await also(tx);
    return told;
  });
}

type Known = { readonly all: Groups; readonly day: Groups; readonly now: Date };

/** A verdict holds once it is found; only the guard and its last day end it. */
function decide({ number, method, metric, ends_at, verdict: was }: ExperimentRow, { all, day, now }: Known): Told {
  const sides = ({ a, b }: Groups) => ({ kept: a, tried: b });
  const guarded = guardOf(sides(all), sides(day), { by: metric, reach: differenceBy(metric, 1) });
  if (guarded !== undefined) return { number, verdict: was ?? 'a', ended: guarded, guarded: true };
  const over = now >= ends_at;
  const verdict = was ?? verdictOf(all.a, all.b, { how: method, over }) ?? null;
  return { number, verdict, ended: over ? 'its days are over' : null, guarded: false };
}
