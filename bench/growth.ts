// npm run bench:growth -- [--orders N] [--seconds N] [--rounds N]: whether a database that has grown is slower (P6).
// The CPU that PostgreSQL spends on an order, a read by id and the first page of the list, by turns in a database of
// 5,000 orders and in one with many; and what an order takes on disk, table by table. Many are written by SQL, as a
// shop has them after a year; what is weighed are those that were paid through the API. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { DAY_S } from '../src/core/durations.ts';
import { populate, runnerOf } from '../test/search/population.ts';
import { accountOf, openAdmin } from './database.ts';
import { type Florin, startFlorin } from './florin.ts';
import { KINDS } from './flows.ts';
import type { Played } from './load.ts';
import { cpuOf } from './machine.ts';
import { at } from './pace.ts';
import { Helper } from './rounds.ts';

const { values: asked } = parseArgs({
  options: {
    orders: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
  },
});
const FEW = 5000;
const SECONDS = Number(asked.seconds);
const WARM_S = 4;
const LOT = 50_000;
const YEAR_S = 365 * DAY_S;
const LISTS = 200;

type Measured = 'write' | 'read' | 'list';

/** An installation of its own with so many orders. */
type Shop = {
  readonly orders: number;
  readonly florin: Florin;
  readonly load: Helper;
  readonly admin: pg.Client;
  readonly account: string;
  readonly taken: Readonly<Record<Measured, number[]>>;
};

type Closers = (() => Promise<void> | void)[];
const closers: Closers = [];

async function openShop(orders: number): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-growth-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another account, which must be able to walk through
  chmodSync(folder, 0o711);
  const data_dir = join(folder, 'data');
  const florin = await startFlorin({ data_dir });
  closers.push(() => florin.stop());
  const load = new Helper('load.ts');
  closers.push(() => load.close());
  const admin = await openAdmin(data_dir);
  closers.push(() => admin.end());
  const account = await accountOf(admin, florin.private_key);
  return { orders, florin, load, admin, account, taken: { write: [], read: [], list: [] } };
}

async function followed({ admin }: Shop): Promise<void> {
  for (let left = '1'; left !== '0';) {
    const { rows } = await admin.query<{ left: string | null }>('SELECT payment.follow_orders(1000) AS left');
    left = rows[0]?.left ?? '0';
  }
}

async function fill(shop: Shop): Promise<void> {
  const { admin, orders: all, account: merchant_account_id } = shop;
  const began = performance.now();
  const now_s = Date.now() / 1000 - 3600;
  const when = (n: number) => now_s - YEAR_S * (1 - n / all);
  await admin.query('SET synchronous_commit = off');
  for (let first = 0; first < all; first += LOT) {
    const orders = Math.min(LOT, all - first);
    const span = { from_s: when(first), to_s: when(first + orders) };
    await populate(runnerOf(admin), { merchant_account_id, orders, first: first + 1, ...span });
    await followed(shop);
  }
  await admin.query('RESET synchronous_commit');
  await admin.query('VACUUM (ANALYZE)');
  await admin.query('CHECKPOINT');
  console.error(`${all} orders after ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** Bytes of each table with its indexes; of one that is parted, of all its parts. */
async function weigh({ admin }: Shop): Promise<ReadonlyMap<string, number>> {
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

async function payWeighed(shop: Shop, pay: () => Promise<number>): Promise<void> {
  const before = await weigh(shop);
  const count = await pay();
  await followed(shop);
  for (const [name, bytes] of await weigh(shop))
    weighed.bytes.set(name, (weighed.bytes.get(name) ?? 0) + bytes - (before.get(name) ?? 0));
  weighed.orders += count;
}

function printWeights(): void {
  const rows = [...weighed.bytes].map(([name, bytes]) => ({ name, each: bytes / weighed.orders }));
  const disk = rows.reduce((sum, { each }) => sum + each, 0);
  console.log(`${disk.toFixed(0)} bytes on disk a paid order with checkout and token (${weighed.orders} of them):`);
  for (const { name, each } of rows.toSorted((one, other) => other.each - one.each))
    if (each >= 1) console.log(`${each.toFixed(0).padStart(8)}  ${name}`);
}

function play({ florin, load }: Shop, kind: (typeof KINDS)[number], seconds: number): Promise<number> {
  const { api_url, vault_url, private_key, public_key } = florin;
  const target = { api_url, vault_url, private_key, public_key };
  return load.tell<Played>({ kind, target, connections: 64, seconds }).then(({ count }) => count);
}

async function readLists({ florin: { api_url, private_key } }: Shop): Promise<number> {
  for (let n = 0; n < LISTS; n++) {
    const answer = await fetch(`${api_url}/payment/order`, { headers: { 'x-api-key': private_key } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the list answered ${answer.status}: ${text}`);
  }
  return LISTS;
}

/** Takes PostgreSQL's µs for one of each. */
async function takeRound(shop: Shop): Promise<void> {
  const postgresUs = () => cpuOf(shop.florin.pid, undefined)?.postgres ?? NaN;
  const measured = async (of: Measured, run: () => Promise<number>) => {
    const before = postgresUs();
    const count = await run();
    shop.taken[of].push((postgresUs() - before) / count);
    return count;
  };
  await payWeighed(shop, () => measured('write', () => play(shop, 'flow', SECONDS)));
  await measured('read', () => play(shop, 'read', SECONDS));
  await measured('list', () => readLists(shop));
}

const medianOf = ({ taken }: Shop, of: Measured) =>
  at(
    taken[of].toSorted((a, b) => a - b),
    0.5,
  );

try {
  const few = await openShop(FEW);
  const many = await openShop(Number(asked.orders));
  await fill(few);
  await fill(many);
  for (const shop of [few, many]) {
    await play(shop, 'flow', WARM_S);
    await followed(shop);
  }
  for (let round = 0; round < Number(asked.rounds); round++)
    for (const shop of round % 2 === 0 ? [few, many] : [many, few]) await takeRound(shop);
  const line = (name: string, of: Measured) => {
    const [small, large] = [medianOf(few, of), medianOf(many, of)];
    console.log(
      `P6 ${name}: ${small.toFixed(0)} µs of PostgreSQL with ${few.orders} orders, ${large.toFixed(0)} with ${many.orders}: ${(large / small).toFixed(2)} (asked: at most 1.2, then 1.05)`,
    );
  };
  line('paid order', 'write');
  line('read by id', 'read');
  line('first page of the list', 'list');
  printWeights();
} finally {
  for (const close of closers.splice(0).toReversed()) await close();
}
process.exit();
