// florin routing compare, experiments and end: compare two published versions of rules on live orders.
import { METHODS, METRICS } from '../../core/routing/learn/verdict.ts';
import { StartError } from '../../kit/start-error.ts';
import type { ExperimentShown } from '../../core/routing/learn/shown.ts';
import { readExperiments } from '../../payment/routing/learn/compared-view.ts';
import { endExperiment, startExperiment } from '../../payment/routing/learn/experiments.ts';
import { grouped } from '../ledger/table.ts';
import { numberOf, record } from '../published.ts';
import { rateText } from '../rate-text.ts';
import type { Doing } from './routing.ts';

const SUBJECTS = ['order', 'customer', 'card'] as const;
const HOW = 'florin routing compare A B --account ID --by NAME --note TEXT';

/** Version A must be in force, so that nothing changes for its group. */
export async function compare({ tools, account, words }: Doing, [a = '', b = '']: readonly string[]): Promise<string> {
  const [note, by] = [words.needed('note'), words.needed('by')];
  const share = Number(words.text('share') ?? '50') * 100;
  const subject = oneOf(SUBJECTS, words.text('stays') ?? 'order', '--stays');
  const method = oneOf(METHODS, words.text('method') ?? 'sequential', '--method');
  const metric = oneOf(METRICS, words.text('metric') ?? 'approval', '--metric');
  const [, days] = /^(\d{1,2})d$/.exec(words.text('horizon') ?? '28d') ?? [];
  if (days === undefined) throw new StartError('--horizon must be days such as 28d.');
  const [version_a, version_b] = [numberOf(a, HOW), numberOf(b, HOW)];
  const asked = {
    version_a,
    version_b,
    share: Math.round(share),
    subject,
    method,
    metric,
    days: Number(days),
    by,
    reason: note,
  };
  const number = await startExperiment(tools, account, {
    ...asked,
    also: (tx, made) => {
      const detail = { version_a, version_b, share: asked.share, method, metric, days };
      return record(words, tx, { action: 'experiment started', object: `experiment ${made}`, reason: note, detail });
    },
  });
  return `Experiment ${number} runs: ${share / 100} % of orders go by version ${b}, the others by version ${a}.`;
}

function oneOf<T extends string>(list: readonly T[], text: string, name: string): T {
  const found = list.find((one) => one === text);
  if (found === undefined) throw new StartError(`${name} must be one of ${list.join(', ')}.`);
  return found;
}

export async function experiments({ tools, account, words }: Doing): Promise<string> {
  const all = await readExperiments(tools, account);
  if (words.flag('json')) return JSON.stringify(all, undefined, 2);
  return all.length === 0 ? 'No versions of rules were ever compared.' : all.map(experimentText).join('\n\n');
}

const VERDICTS = {
  a: 'The rules in force are better.',
  b: 'The other version is better.',
  none: 'No difference was found.',
};

function experimentText(one: ExperimentShown): string {
  const { number, groups, difference, missing, verdict, ended_at, ended_by, end_reason } = one;
  return [
    `Experiment ${number}, by ${one.started_by} on ${one.started_at.toISOString()}: ${one.reason}`,
    ...groups.map(({ group, version, share, decided, approved, left, interval }) => {
      const rate = interval
        ? `${rateText(approved / decided)} of ${grouped(decided)} approved${left === null ? '' : `, ${rateText(left)} left after fees`} (${rateText(interval.from)} to ${rateText(interval.to)})`
        : 'nothing decided yet';
      return `  ${group}: version ${version}, ${share / 100} %: ${rate}`;
    }),
    difference ? `  b less a: ${rateText(difference.from)} to ${rateText(difference.to)}` : '',
    verdict === null ? '' : `  ${VERDICTS[verdict]}`,
    missing === '' ? '' : `  ${missing}`,
    ended_at === null ? '' : `  Ended ${ended_at.toISOString()} by ${ended_by ?? ''}: ${end_reason ?? ''}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export async function end({ tools, account, words }: Doing, [number = '']: readonly string[]): Promise<string> {
  const [by, reason] = [words.needed('by'), words.needed('note')];
  const object = `experiment ${number}`;
  await endExperiment(tools, account, {
    by,
    reason,
    number: numberOf(number, 'florin routing end EXPERIMENT --account ID --by NAME --note TEXT'),
    also: (tx) => record(words, tx, { action: 'experiment ended', object, reason }),
  });
  return `Experiment ${number} has ended: every order goes by the rules in force.`;
}
