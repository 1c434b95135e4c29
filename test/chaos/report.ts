// The report of a run.
import type { Outcome } from './run.ts';
import type { Percentiles } from './settle-times.ts';

const WIDTH = 110;

export function reportRun(seed: string, outcome: Outcome): readonly string[] {
  const { faults, counts, tally, settled, compared, observations, tries, receiver: told } = outcome;
  const { services, points, bank } = faults.kills;
  const sum = (map: ReadonlyMap<string, number>) =>
    [...map]
      .toSorted((a, b) => b[1] - a[1])
      .map(([name, n]) => `${name} ${n}`)
      .join(', ') || 'none';
  const answers = observations.filter(
    ({ source }) => source === 'answer' || source === 'inquiry' || source === 'vault',
  );
  const all = answers.reduce((total, { n }) => total + n, 0);
  const bad = answers
    .filter(({ outcome: seen }) => /unknown|not_sent|not_found|pending/.test(seen))
    .reduce((total, { n }) => total + n, 0);
  return [
    ...fold('schedule (s)', faults.schedule),
    `kills        ${services + points + bank}: services ${services}, at kill points ${points}, bank ${bank}; stopped in mid-step ${faults.freezes}; stalls ${faults.stalls} (backends, bank, full disks)`,
    `kill points  ${sum(tally.points)}${outcome.points_left.length > 0 ? `; not reached: ${[...new Set(outcome.points_left.map((point) => point.split(':')[0]))].join(', ')}` : ''}`,
    `database     ${faults.crashes} crashes, back after ${spread(faults.recoveries.map((ms) => ms / 1000))} s`,
    `starts       ${tally.starts}, of which ${tally.failed_starts} failed while the database was away`,
    `load         ${counts.orders} orders, ${counts.operations} operations, each sent twice; ${counts.requests} requests, ${counts.again} asked again (${sum(counts.why)}), ${counts.unanswered} unanswered; ${outcome.acks} answers on the disk`,
    `answers      ${sum(counts.codes)}`,
    `bank         ${all} outcomes learnt, ${all === 0 ? 0 : Math.round((100 * bad) / all)} % of them not definite: ${answers.map(({ source, outcome: seen, n }) => `${source} ${seen} ${n}`).join(', ')}`,
    `looked       ${outcome.polls} polls of the invariants; against the books ${compared.live} orders at rest, ${compared.last} at the end, ${compared.contradicted} contradicted after it`,
    `told         ${told.tries} tries, ${told.taken} taken, ${told.repeats} came again; the receiver was ${sum(told.moods)}; ${outcome.told} orders compared with what was told`,
    `providers    orders won: ${sum(outcome.vendors.won)}; calls gone wrong: ${sum(outcome.vendors.troubles)}; ended after ${outcome.vendors.drain_s.toFixed(0)} s`,
    `tries        ${tries.policies} policies of later tries, ${tries.later} later tries, ended: ${sum(new Map(Object.entries(tries.endings)))}; ${tries.fallbacks} fallbacks, ${tries.held} held back; ${tries.chosen} choices made again`,
    `errors       ${sum(tally.errors)}`,
    `second line  ${sum(tally.refused)}`,
    ...(settled
      ? [
          `settled      after the last fault ${shown(settled.after_peace)}; drained in ${outcome.drain_s.toFixed(1)} s`,
          `             by the clock, which is moved: those that recovery took up ${shown(settled.recovered)}; all ${shown(settled.all)}`,
        ]
      : []),
    ...outcome.violations.slice(0, 40).map((line) => `VIOLATION    ${line}`),
    `${outcome.violations.length === 0 ? 'held' : 'BROKEN'}: seed ${seed}, ${outcome.seconds.toFixed(0)} s`,
  ];
}

const shown = ({ n, p50, p99, max }: Percentiles): string =>
  `n ${n}, p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(2)} s, max ${max.toFixed(2)} s`;

function spread(values: readonly number[]): string {
  if (values.length === 0) return '-';
  return `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
}

/** A list over as many lines as it takes. */
function fold(label: string, items: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    if (line.length + item.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? item : ` · ${item}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((text, n) => `${(n === 0 ? label : '').padEnd(13)}${text}`);
}
