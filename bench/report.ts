// The outcome as tables for people; bench.ts writes the same as JSON.
import type { Scan, Wal } from './database.ts';
import type { Noise } from './machine.ts';
import type { Profile } from './profile.ts';
import { LINES, type Line, type Sample } from './rounds.ts';

export type Spread = { readonly median: number; readonly min: number; readonly max: number };
export type Ratio = Spread & { readonly name: string; readonly what: string; readonly reach: string };

export type Outcome = {
  /** When, in UTC. */
  readonly at: string;
  readonly machine: string;
  readonly node: string;
  readonly quick: boolean;
  readonly connections: number;
  readonly pgbench: { readonly version: string; readonly clients: number } | { readonly missing: string };
  /** Of one full flow, in the order in which the service sends them. */
  readonly statements: readonly string[];
  readonly round_trips: number;
  readonly boot_cold_ms: number;
  readonly boot_warm_ms: number;
  readonly idle_mb: number | undefined;
  readonly loaded_mb: number | undefined;
  readonly samples: readonly Sample[];
  readonly scans: readonly Scan[];
  /** Runs of pgbench: what it says it did, and the paid orders that are there. */
  readonly pgbench_paid: readonly { readonly said: number; readonly paid: number }[];
  readonly profile: Profile | undefined;
};

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
  return { median, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}

const RATIOS: readonly { name: string; what: string; of: Line; by: Line; reach: string }[] = [
  { name: 'P1', what: 'full flow ÷ reference', of: 'flow', by: 'reference', reach: '' },
  { name: '  ', what: 'full flow ÷ own statements', of: 'flow', by: 'pgbench', reach: '' },
  { name: 'R10', what: 'full flow with 40 rules ÷ without', of: 'flow, 40 rules', by: 'flow', reach: '≥ 0.97' },
  { name: 'P2', what: 'checkout ÷ bare', of: 'checkout', by: 'bare checkout', reach: '≥ 0.25, then 0.4' },
  { name: 'P3', what: 'token ÷ bare', of: 'token', by: 'bare token', reach: '≥ 0.2, then 0.35' },
  { name: 'P4', what: 'read ÷ bare', of: 'read', by: 'bare read', reach: '≥ 0.3, then 0.5' },
];

/** Each ratio is taken within a round. */
export function ratiosOf(samples: readonly Sample[]): readonly Ratio[] {
  const rate = (line: Line, round: number) =>
    samples.find((sample) => sample.line === line && sample.round === round)?.per_second ?? NaN;
  const rounds = [...new Set(samples.map(({ round }) => round))];
  return RATIOS.map(({ of, by, ...ratio }) => {
    const values = rounds.map((round) => rate(of, round) / rate(by, round));
    return { ...ratio, ...spreadOf(values.filter((value) => !Number.isNaN(value))) };
  });
}

/** Medians of a line: µs of processor time, and milliseconds of the caller. */
export function costsOf(samples: readonly Sample[], line: Line) {
  const of = samples.filter((sample) => sample.line === line);
  const median = (pick: (sample: Sample) => number | undefined) => spreadOf(of.map((s) => pick(s) ?? NaN)).median;
  return {
    service: median((s) => s.cpu_us?.service),
    postgres: median((s) => s.cpu_us?.postgres),
    p50_ms: median((s) => s.p50_ms),
    p99_ms: median((s) => s.p99_ms),
  };
}

/**
 * P5: what the slowest of a hundred payers waits, by what the usual one waits, at 70 % of what the service can take.
 */
export function slowestOf(samples: readonly Sample[]): Spread {
  return spreadOf(samples.filter(({ line }) => line === 'order, paced').map(({ p50_ms, p99_ms }) => p99_ms / p50_ms));
}

export type WalPerOrder = {
  readonly after_checkpoint: number;
  readonly later: number;
  readonly without_images: number;
  readonly commits: number;
};

export function walPerOrder(samples: readonly Sample[], line: Line = 'flow'): WalPerOrder {
  const flows = samples.filter((sample) => sample.line === line && sample.wal);
  const each = (of: (wal: Wal) => number, of_flows = flows) =>
    spreadOf(of_flows.map(({ wal, count }) => (wal ? of(wal) / count : NaN))).median;
  return {
    after_checkpoint: each(
      (wal) => wal.bytes,
      flows.filter(({ round }) => round === 0),
    ),
    later: each(
      (wal) => wal.bytes,
      flows.filter(({ round }) => round > 0),
    ),
    without_images: each((wal) => wal.bytes - wal.page_image_bytes),
    commits: each((wal) => wal.commits),
  };
}

/** Work that is not ours, or time the machine did not get. */
const NOISY = { foreign: 0.15, stolen: 0.03 };

function isNoisy(noise: Noise | undefined): boolean {
  return noise !== undefined && (noise.foreign > NOISY.foreign || noise.stolen > NOISY.stolen);
}

const whole = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? '-' : Math.round(value).toLocaleString('en');
const tenths = (value: number) => `${(value * 100).toFixed(1)} %`;
const percent = (value: number | undefined) => (value === undefined ? '-' : `${Math.round(value * 100)} %`);
const precise = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(2));

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

function lineRow(line: Line, samples: readonly Sample[]): readonly string[] {
  const of = samples.filter((sample) => sample.line === line);
  const rate = spreadOf(of.map(({ per_second }) => per_second));
  const median = (pick: (sample: Sample) => number | undefined) => spreadOf(of.map((s) => pick(s) ?? NaN)).median;
  const noisy = of.filter(({ noise }) => isNoisy(noise)).length;
  return [
    line,
    whole(rate.median),
    `${whole(rate.min)}-${whole(rate.max)}`,
    precise(median((s) => s.p50_ms)),
    precise(median((s) => s.p99_ms)),
    ...(['service', 'simulator', 'postgres', 'load'] as const).map((group) => whole(median((s) => s.cpu_us?.[group]))),
    percent(median((s) => s.noise?.busy)),
    percent(median((s) => s.noise?.foreign)),
    percent(median((s) => s.noise?.stolen)),
    whole(of.reduce((sum, { errors }) => sum + errors, 0)),
    noisy > 0 ? `noisy: ${noisy} of ${of.length}` : '',
  ];
}

const HEAD = [
  '',
  '/s',
  'min-max',
  'p50 ms',
  'p99 ms',
  'service',
  'simul.',
  'postgres',
  'load',
  'busy',
  'others',
  'stolen',
  'errors',
  '',
];

function problems({ samples, scans, pgbench_paid, pgbench }: Outcome): readonly string[] {
  const wrong = samples.flatMap(({ line, error_samples }) =>
    error_samples.map((said) => `WRONG ANSWER in ${line}: ${said}`),
  );
  const unpaid = pgbench_paid.filter(({ said, paid }) => paid < said * 0.99);
  return [
    ...('missing' in pgbench ? [`no database ceiling: ${pgbench.missing}`] : []),
    ...[...new Set(wrong)].slice(0, 10),
    ...unpaid.map(({ said, paid }) => `THE CEILING IS WRONG: pgbench ran ${said} payments, ${paid} orders are paid`),
    ...scans.map(({ table: name, by, rows }) => `${name} (${rows} rows) is read from end to end by ${by}`),
  ];
}

/** Of the service's processes and PostgreSQL; of the reference, of PostgreSQL alone. */
function cpuRatio(samples: readonly Sample[]): Spread {
  const cpuOf = (line: Line, round: number) => {
    const cpu = samples.find((sample) => sample.line === line && sample.round === round)?.cpu_us;
    return cpu ? cpu.service + cpu.postgres : NaN;
  };
  const rounds = [...new Set(samples.map(({ round }) => round))];
  return spreadOf(rounds.map((round) => cpuOf('flow', round) / cpuOf('reference', round)));
}

/** The same line of an earlier run, by its median: what is now ÷ what was then. */
function earlierTable({ samples }: Outcome, earlier: readonly Sample[] | undefined): string {
  if (!earlier) return '';
  const median = (of: readonly Sample[], line: Line, pick: (sample: Sample) => number) =>
    spreadOf(of.filter((sample) => sample.line === line).map(pick)).median;
  const cpu = ({ cpu_us }: Sample) => (cpu_us ? cpu_us.service + cpu_us.postgres : NaN);
  const wal = ({ wal: written, count }: Sample) => (written ? (written.bytes - written.page_image_bytes) / count : NaN);
  const rows = LINES.map((line) => [
    line,
    ...[(one: Sample) => one.per_second, cpu, wal].map((pick) =>
      precise(median(samples, line, pick) / median(earlier, line, pick)),
    ),
  ]);
  return `\n\nNow ÷ the earlier run\n${table([['', '/s', 'CPU', 'WAL'], ...rows])}`;
}

function walTable({ samples }: Outcome, most: number): string {
  const flow = samples.findLast((sample) => sample.line === 'flow' && sample.wal);
  if (!flow?.wal) return '';
  const rows = flow.wal.records
    .slice(0, most)
    .map(({ kind, count, bytes }) => [`  ${kind}`, precise(count / flow.count), whole(bytes / flow.count)]);
  const { tables } = flow.wal;
  const by_table = tables.slice(0, most).map(({ name, bytes }) => [`  ${name}`, whole(bytes / flow.count)]);
  const records = table([['  WAL records of one flow', 'count', 'bytes'], ...rows]);
  return `${records}\n\n${table([['  WAL of one flow by table, with its indexes', 'bytes'], ...by_table])}`;
}

function profileTables({ profile }: Outcome): string {
  if (!profile) return '';
  const functions = profile.functions.map((one) => [
    `  ${one.function}`,
    tenths(one.share),
    whole(one.us_each),
    ` ${one.place}`,
  ]);
  const areas = profile.areas.map((one) => [`  ${one.function}`, tenths(one.share), whole(one.us_each)]);
  return `\n\nWhere the service's main thread was in the full flow, by function: µs of wall time a flow, waiting for a processor included\n${table([['', 'share', 'µs', ''], ...functions])}\n\nThe same by area\n${table([['', 'share', 'µs'], ...areas])}`;
}

export function reportOf(outcome: Outcome, earlier?: readonly Sample[]): string {
  const { samples } = outcome;
  const wal = walPerOrder(samples);
  const cpu = cpuRatio(samples);
  const slowest = slowestOf(samples);
  const ratios = ratiosOf(samples).map((ratio) => [
    `${ratio.name}  ${ratio.what}`,
    precise(ratio.median),
    Number.isNaN(ratio.median) ? '' : `${precise(ratio.min)}-${precise(ratio.max)}`,
    ratio.reach,
  ]);
  const counts = new Map<string, number>();
  for (const name of outcome.statements) counts.set(name, (counts.get(name) ?? 0) + 1);
  const statements = [...counts].map(([name, count]) => (count > 1 ? `${name} x${count}` : name));
  return `${outcome.machine}, Node ${outcome.node}, ${outcome.connections} connections, ${outcome.quick ? 'quick, ' : ''}${'missing' in outcome.pgbench ? 'no pgbench' : `${outcome.pgbench.version}, ${outcome.pgbench.clients} clients`}

${table([HEAD, ...LINES.filter((line) => samples.some((s) => s.line === line)).map((line) => lineRow(line, samples))])}
CPU in µs for each one; "service" of a bare line is the bare server. Others: the share of the machine that was not ours.

${table([
  ['', 'median', 'min-max', 'reach'],
  ...ratios,
  [
    'P5  p99 ÷ p50 of an order at 70 % of the most',
    precise(slowest.median),
    `${precise(slowest.min)}-${precise(slowest.max)}`,
    '≤ 4, then 2.5',
  ],
  ['P8  CPU of a flow ÷ of the reference', precise(cpu.median), `${precise(cpu.min)}-${precise(cpu.max)}`, ''],
  ['P7  WAL bytes of a paid order, without page images', whole(wal.without_images), '', '≤ 4,500, then 2,000'],
  ['    of the reference', whole(walPerOrder(samples, 'reference').without_images), '', ''],
  [
    '    the order alone, its checkout and token made before',
    whole(walPerOrder(samples, 'order').without_images),
    '',
    '',
  ],
  ['    with them, right after a checkpoint', whole(wal.after_checkpoint), '', ''],
  ['    with them, later', whole(wal.later), '', ''],
  [
    'P10 boot to first answer, warm, ms',
    whole(outcome.boot_warm_ms),
    `cold ${whole(outcome.boot_cold_ms)}`,
    '≤ 3,000, then 1,500',
  ],
  [
    'P10 idle memory of the tree, MB',
    whole(outcome.idle_mb),
    `after load ${whole(outcome.loaded_mb)}`,
    '≤ 400, then 250',
  ],
])}

One full flow: ${outcome.statements.length} statements in ${outcome.round_trips} round trips, ${precise(wal.commits)} commits that wrote
  ${statements.join(', ')}
${walTable(outcome, 14)}${profileTables(outcome)}${earlierTable(outcome, earlier)}
${problems(outcome)
  .map((problem) => `\n${problem}`)
  .join('')}`;
}
