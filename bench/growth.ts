// npm run bench:growth -- [--orders N] [--seconds N] [--rounds N]: whether a database that has grown is slower (P6).
// The CPU that PostgreSQL spends on an order, a read by id and the first page of the list, with 5,000 orders and with
// many; and what an order takes on disk, table by table. Many are written by SQL, as a shop has them after a year; what
// is weighed are those that were paid through the API. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { populate, runnerOf } from '../test/search/population.ts';
import { accountOf, openAdmin } from './database.ts';
import { startFlorin } from './florin.ts';
import { KINDS } from './flows.ts';
import type { Played } from './load.ts';
import { cpuOf } from './machine.ts';
import { at } from './pace.ts';
import { Helper } from './rounds.ts';

const { values: asked } = parseArgs({
  options: {
    orders: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
});
const FEW = 5000;
const MANY = Number(asked.orders);
const LOT = 50_000;
const YEAR_S = 365 * 24 * 3600;
const LISTS = 200;

const folder = mkdtempSync(join(tmpdir(), 'florin-growth-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const data_dir = join(folder, 'data');
const florin = await startFlorin({ data_dir });
const load = new Helper('load.ts');
const admin = await openAdmin(data_dir);

async function followed(): Promise<void> {
  for (let left = '1'; left !== '0';) {
    const { rows } = await admin.query<{ left: string | null }>('SELECT payment.follow_orders(1000) AS left');
    left = rows[0]?.left ?? '0';
  }
}

async function fill(merchant_account_id: string, from: number, to: number): Promise<void> {
  const now_s = Date.now() / 1000 - 3600;
  const when = (n: number) => now_s - YEAR_S * (1 - n / MANY);
  await admin.query('SET synchronous_commit = off');
  for (let first = from; first < to; first += LOT) {
    const orders = Math.min(LOT, to - first);
    const span = { from_s: when(first), to_s: when(first + orders) };
    await populate(runnerOf(admin), { merchant_account_id, orders, first: first + 1, ...span });
    await followed();
  }
  await admin.query('RESET synchronous_commit');
  await admin.query('VACUUM (ANALYZE)');
  await admin.query('CHECKPOINT');
  await wait(1000);
}

/** Bytes of each table with its indexes; of one that is parted, of all its parts. */
async function weigh(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await admin.query<{ name: string; bytes: string }>(
    `SELECT
       coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS name,
       sum(pg_total_relation_size(c.oid)) AS bytes
     FROM pg_class c
     WHERE c.relnamespace IN ('payment'::regnamespace, 'vault'::regnamespace)
       AND c.relkind = 'r'
     GROUP BY 1`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** Orders that were paid through the API, and what they added to each table. */
const weighed = { orders: 0, bytes: new Map<string, number>() };

async function payWeighed(pay: () => Promise<number>): Promise<number> {
  const before = await weigh();
  const count = await pay();
  await followed();
  for (const [name, bytes] of await weigh())
    weighed.bytes.set(name, (weighed.bytes.get(name) ?? 0) + bytes - (before.get(name) ?? 0));
  weighed.orders += count;
  return count;
}

function printWeights(): void {
  const rows = [...weighed.bytes].map(([name, bytes]) => ({ name, each: bytes / weighed.orders }));
  const disk = rows.reduce((sum, { each }) => sum + each, 0);
  console.log(`${disk.toFixed(0)} bytes on disk a paid order with checkout and token (${weighed.orders} of them):`);
  for (const { name, each } of rows.toSorted((one, other) => other.each - one.each))
    if (each >= 1) console.log(`${each.toFixed(0).padStart(8)}  ${name}`);
}

const postgresUs = () => cpuOf(florin.pid, undefined)?.postgres ?? NaN;
const median = (values: readonly number[]) =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** PostgreSQL's µs for one of each. */
async function measure() {
  const { api_url, vault_url, private_key, public_key } = florin;
  const target = { api_url, vault_url, private_key, public_key };
  const cost = async (run: () => Promise<number>) => {
    const before = postgresUs();
    const count = await run();
    return (postgresUs() - before) / count;
  };
  const play = (kind: (typeof KINDS)[number], seconds: number) =>
    load.tell<Played>({ kind, target, connections: 64, seconds }).then(({ count }) => count);
  const lists = async () => {
    for (let n = 0; n < LISTS; n++) {
      const answer = await fetch(`${api_url}/payment/order`, { headers: { 'x-api-key': private_key } });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the list answered ${answer.status}: ${text}`);
    }
    return LISTS;
  };
  await play('flow', 2);
  await followed();
  const taken = { write: [] as number[], read: [] as number[], list: [] as number[] };
  for (let round = 0; round < Number(asked.rounds); round++) {
    await payWeighed(async () => {
      let count = 0;
      const pay = async () => (count = await play('flow', Number(asked.seconds)));
      taken.write.push(await cost(pay));
      return count;
    });
    taken.read.push(await cost(() => play('read', Number(asked.seconds))));
    taken.list.push(await cost(lists));
  }
  return { write: median(taken.write), read: median(taken.read), list: median(taken.list) };
}

try {
  const account = await accountOf(admin, florin.private_key);
  await fill(account, 0, FEW);
  const few = await measure();
  const began = performance.now();
  await fill(account, FEW, MANY);
  console.error(`${MANY} orders after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const many = await measure();
  const line = (name: string, of: keyof typeof few) =>
    console.log(
      `P6 ${name}: ${few[of].toFixed(0)} µs of PostgreSQL with ${FEW} orders, ${many[of].toFixed(0)} with ${MANY}: ${(many[of] / few[of]).toFixed(2)} (asked: at most 1.2, then 1.05)`,
    );
  line('paid order', 'write');
  line('read by id', 'read');
  line('first page of the list', 'list');
  printWeights();
} finally {
  await admin.end();
  await load.close();
  await florin.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
