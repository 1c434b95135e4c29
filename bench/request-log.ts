// npm run bench:log -- [--flows N] [--rounds N]
// What the request log costs: two Florins as they ship, one that keeps it and one that does not, are played in turn by
// the same payers. Processor time a flow (checkout, token, charge) and a read, of the hosts and of PostgreSQL; WAL a
// flow. It asserts nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openAdmin, walPosition, walSince } from './database.ts';
import { type Kind, type Stock, openWorker, play } from './flows.ts';
import { type Florin, startFlorin } from './florin.ts';
import { cpuOf } from './machine.ts';

const { values: asked } = parseArgs({
  options: { flows: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '6' } },
});
const FLOWS = Number(asked.flows);
const ROUNDS = Number(asked.rounds);
const PAYERS = 16;
/** What is gathered is written behind the answer: it counts. */
const SETTLE_MS = 1500;

type Side = {
  readonly name: 'with' | 'without';
  readonly florin: Florin;
  readonly data_dir: string;
  readonly stock: Stock;
};
type Sample = { readonly service: number; readonly postgres: number; readonly wal: number };

const sides: Side[] = [];
try {
  for (const [name, days] of [
    ['with', '7'],
    ['without', '0'],
  ] as const) {
    const data_dir = mkdtempSync(join(tmpdir(), `florin-log-${name}-`));
    const florin = await startFlorin({ data_dir, env: { FLORIN_REQUEST_LOG_DAYS: days } });
    sides.push({ name, florin, data_dir, stock: { paid: [], payable: [] } });
  }
  for (const side of sides) {
    await measure(side, 'flow', FLOWS);
    // the places are counted for the whole process
    side.stock.paid.splice(0, side.stock.paid.length, ...side.stock.paid.filter((id) => id !== undefined));
  }
  for (const kind of ['read', 'checkout', 'flow'] as const) await compare(kind);
} finally {
  for (const { florin, data_dir } of sides) {
    await florin.stop();
    rmSync(data_dir, { recursive: true, force: true });
  }
}

async function compare(kind: Kind): Promise<void> {
  const samples = { with: [] as Sample[], without: [] as Sample[] };
  for (let round = 0; round < ROUNDS; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      samples[side.name].push(await measure(side, kind, FLOWS));
  const middle = (side: Side['name'], of: (sample: Sample) => number) => {
    const all = samples[side].map(of).toSorted((a, b) => a - b);
    return ((all[Math.floor((all.length - 1) / 2)] ?? 0) + (all[Math.ceil((all.length - 1) / 2)] ?? 0)) / 2;
  };
  const rows: readonly (readonly [string, (sample: Sample) => number])[] = [
    ['hosts, µs', ({ service }) => service],
    ['PostgreSQL, µs', ({ postgres }) => postgres],
    ['both, µs', ({ service, postgres }) => service + postgres],
    ['WAL, bytes', ({ wal }) => wal],
  ];
  for (const [name, of] of rows) {
    const [on, off] = [middle('with', of), middle('without', of)];
    const ratios = samples.with.map((sample, i) => of(sample) / of(samples.without[i] ?? sample));
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    console.log(
      `${kind.padEnd(9)} ${name.padEnd(16)} with ${on.toFixed(0).padStart(6)}  without ${off.toFixed(0).padStart(6)}  ratio ${(on / off).toFixed(3)} (rounds ${least.toFixed(3)}-${most.toFixed(3)})`,
    );
  }
}

async function measure({ florin, data_dir, stock }: Side, kind: Kind, count: number): Promise<Sample> {
  const admin = await openAdmin(data_dir);
  const wal = await walPosition(admin);
  const before = cpuOf(florin.pid, undefined);
  let left = count;
  await Promise.all(
    Array.from({ length: PAYERS }, async () => {
      const worker = openWorker(florin);
      while (left-- > 0) await play(kind, worker, stock);
      worker.api.close();
      worker.vault.close();
    }),
  );
  await wait(SETTLE_MS);
  const after = cpuOf(florin.pid, undefined);
  const { bytes } = await walSince(admin, wal);
  await admin.end();
  if (!before || !after) throw new Error('processor time is read from /proc');
  return {
    service: (after.service - before.service) / count,
    postgres: (after.postgres - before.postgres) / count,
    wal: bytes / count,
  };
}
