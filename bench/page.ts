// npm run bench:page -- FILE: what `npm run bench -- --json FILE` measured, as the first section of docs/performance.md
// and the charts in it. The section says when and on what it was measured; the tests look only that it is of one run.
import { readFileSync, writeFileSync } from 'node:fs';
import { barsOf } from './chart.ts';
import { type Outcome, costsOf, ratiosOf, slowestOf, walPerOrder } from './report.ts';
import type { Line } from './rounds.ts';

const PAGE = 'docs/performance.md';
const PICTURES = 'site/public/pictures';
const BEGIN = '<!-- bench:page writes from here -->';
const END = '<!-- to here -->';
const SHOWN: readonly Line[] = ['checkout', 'token', 'read', 'order', 'authorize', 'flow'];
const TABLES = 14;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('bench:page FILE: a file that npm run bench -- --json FILE wrote');
const outcome = JSON.parse(readFileSync(file, 'utf8')) as Outcome;
const { samples } = outcome;

const whole = (value: number) => Math.round(value).toLocaleString('en');
const costs = SHOWN.map((line) => ({ line, ...costsOf(samples, line) }));

writeFileSync(
  `${PICTURES}/performance-cpu.svg`,
  barsOf({
    title: 'Processor time of a request, in µs',
    parts: ['Node', 'PostgreSQL'],
    rows: costs.map(({ line, service, postgres }) => ({ name: line, values: [service, postgres] })),
  }),
);
const flow = samples.findLast(({ line, wal }) => line === 'flow' && wal);
const tables = (flow?.wal?.tables ?? []).slice(0, TABLES);
writeFileSync(
  `${PICTURES}/performance-wal.svg`,
  barsOf({
    title: 'WAL of a paid order by table, in bytes',
    parts: ['bytes'],
    rows: tables.map(({ name, bytes }) => ({ name, values: [bytes / (flow?.count ?? NaN)] })),
  }),
);

const slowest = slowestOf(samples);
const ratios = ratiosOf(samples).map(
  ({ name, what, median, min, max }) =>
    `| ${name.trim()} ${what} | ${median.toFixed(2)} (${min.toFixed(2)}-${max.toFixed(2)}) |`,
);
const wal = walPerOrder(samples);
const section = `${BEGIN}
Measured on ${outcome.at.slice(0, 10)} by \`npm run bench\`${outcome.quick ? ' with `--quick`' : ''}: ${outcome.machine}, Node ${outcome.node}, ${outcome.connections} connections,
${new Set(samples.map(({ round }) => round)).size} rounds; medians, and from the least to the most. ${outcome.statements.length} statements in ${outcome.round_trips} round trips for a paid order.

| ratio | reached |
|---|---|
${ratios.join('\n')}
| P5 p99 ÷ p50 of an order at 70 % of the most | ${slowest.median.toFixed(2)} (${slowest.min.toFixed(2)}-${slowest.max.toFixed(2)}) |
| P7 WAL of a paid order, bytes | ${whole(wal.without_images)} |
| P10 boot to first answer, warm, ms | ${whole(outcome.boot_warm_ms)} |

| µs of processor time | Node | PostgreSQL | p50 ms | p99 ms |
|---|---|---|---|---|
${costs.map(({ line, service, postgres, p50_ms, p99_ms }) => `| ${line} | ${whole(service)} | ${whole(postgres)} | ${p50_ms.toFixed(1)} | ${p99_ms.toFixed(1)} |`).join('\n')}

![Bars: processor time of each request in Node and in PostgreSQL, as in the table above](../${PICTURES}/performance-cpu.svg)

![Bars: bytes of WAL that a paid order writes, by table; ${tables[0]?.name ?? ''} is the largest](../${PICTURES}/performance-wal.svg)
${END}`;

const page = readFileSync(PAGE, 'utf8');
const [before = '', rest = ''] = page.split(BEGIN);
const [, after = ''] = rest.split(END);
if (!page.includes(BEGIN) || !page.includes(END)) throw new Error(`${PAGE} has no place for it: ${BEGIN} … ${END}`);
writeFileSync(PAGE, `${before}${section}${after}`);
console.log(`written: ${PAGE}, and two charts in ${PICTURES}`);
