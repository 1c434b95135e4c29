// Experiments for people: each group with its rate and what is unsure of it, the difference, and what is missing until
// a verdict.
import { DAY_MS } from '../../../core/durations.ts';
import type { Group } from '../../../core/routing/experiment.ts';
import type { ExperimentShown } from '../../../core/routing/learn/shown.ts';
import {
  type Interval,
  LEAST,
  differenceBy,
  differenceInterval,
  meanBy,
  neededFor,
  rateInterval,
} from '../../../core/routing/learn/verdict.ts';
import type { Tools } from '../../tools.ts';
import { type ExperimentRow, findExperiments } from './experiments-store.ts';
import { type Compared, type Groups, groupsOf } from './experiments.ts';

/** The newest first. */
export async function readExperiments(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  account: string,
): Promise<readonly ExperimentShown[]> {
  const runner = db.tenant(account);
  const [rows, groups] = await Promise.all([findExperiments(runner), groupsOf(runner, 0)]);
  return rows.map((row) => shown(row, groups(row), clock.now()));
}

function shown(
  { version_a, version_b, share, ...row }: ExperimentRow,
  { counted, compared }: Compared,
  now: Date,
): ExperimentShown {
  const group = (name: Group) => {
    const { approved, tried: decided } = counted[name];
    const seen = compared?.[name];
    return {
      group: name,
      version: name === 'a' ? version_a : version_b,
      decided,
      approved,
      share: name === 'a' ? WHOLE - share : share,
      left: row.metric === 'value' && seen && decided > 0 ? meanBy('value', seen.approved / decided) : null,
      interval: across(seen && rateInterval(seen), (rate) => meanBy(row.metric, rate)),
    };
  };
  return {
    ...row,
    groups: [group('a'), group('b')],
    difference: across(compared && differenceInterval(compared.a, compared.b, row.method), (one) =>
      differenceBy(row.metric, one),
    ),
    missing: row.verdict === null && row.ended_at === null ? missingOf(row, compared, now) : '',
  };
}

const across = (interval: Interval | undefined, to: (end: number) => number): Interval | null =>
  interval ? { from: to(interval.from), to: to(interval.to) } : null;

const WHOLE = 10_000;
/** A point of approval: the difference that is worth an experiment. */
const WORTH = 0.01;

function missingOf(
  { method, metric, ends_at }: Pick<ExperimentRow, 'method' | 'metric' | 'ends_at'>,
  compared: Groups | undefined,
  now: Date,
): string {
  if (!compared) return 'Fees are not stated for some payments: until they are, what is left cannot be compared.';
  const { a, b } = compared;
  const fewest = Math.min(a.tried, b.tried);
  const days = Math.max(0, Math.ceil((ends_at.getTime() - now.getTime()) / DAY_MS));
  const until = days === 1 ? 'one more day' : `${days} more days`;
  const all = a.approved + b.approved;
  const needed = neededFor(
    WORTH / differenceBy(metric, 1),
    all > 0 && fewest >= LEAST ? all / (a.tried + b.tried) : undefined,
  );
  if (method === 'fixed')
    return `It is decided once, in ${until}. To find a difference of one point, ${needed} decided orders are needed in each group; the smaller one has ${fewest}.`;
  if (fewest < LEAST)
    return `At least ${LEAST} decided orders are needed in each group; the smaller one has ${fewest}. It is looked at for ${until}.`;
  return `No difference can be told from chance yet. It is looked at for ${until}; one point takes about ${needed} decided orders in each group, and the smaller one has ${fewest}.`;
}
