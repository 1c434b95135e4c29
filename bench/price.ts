// npm run bench:price -- [--orders N] [--rounds N]
// What following costs: the same payments with and without what migration 0011 adds to the tables they write (a column, three
// BRIN indexes), in turns, while nobody follows; then what the follower takes to catch up. WAL is exact; processor time is that
// of the database's processes and is to be read as a ratio.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkpoint, openAdmin, walPosition, walSince } from './database.ts';
import { type Stock, openWorker, play } from './flows.ts';
import { socketOf, startFlorin } from './florin.ts';

const { values: asked } = parseArgs({
  options: { orders: { type: 'string', default: '300' }, rounds: { type: 'string', default: '3' } },
});
const ORDERS = Number(asked.orders);
const ROUNDS = Number(asked.rounds);

const WITHOUT = `ALTER TABLE payment.events ALTER tx DROP DEFAULT; DROP INDEX IF EXISTS payment.events_by_tx, payment.operations_by_id, payment.transactions_by_id`;
const WITH = `ALTER TABLE payment.events ALTER tx SET DEFAULT pg_current_xact_id()::text::bigint;
  CREATE INDEX events_by_tx ON payment.events USING brin (tx) WITH (pages_per_range = 32, autosummarize = on);
  CREATE INDEX operations_by_id ON payment.operations USING brin (id) WITH (pages_per_range = 64, autosummarize = on);
  CREATE INDEX transactions_by_id ON payment.transactions USING brin (id) WITH (pages_per_range = 64, autosummarize = on)`;

/** Processor time of every backend of the service so far, in milliseconds. */
async function databaseTime(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'florin %' AND application_name <> 'florin bench'`,
  );
  const ticks = rows.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, value) => sum + value, 0) * 10;
}

const data_dir = mkdtempSync(join(tmpdir(), 'florin-price-'));
const florin = await startFlorin({ data_dir });
const holder = new pg.Client({ host: socketOf(data_dir), user: 'florin', database: 'florin' });
try {
  const admin = await openAdmin(data_dir);
  await holder.connect();
  await holder.query('BEGIN');
  // nobody else follows while the row is held
  await holder.query('SELECT FROM payment.order_search_state FOR UPDATE');
  const worker = openWorker(florin);
  const stock: Stock = { paid: [], payable: [] };
  const pay = async (count: number) => {
    for (let n = 0; n < count; n++) await play('flow', worker, stock);
  };
  const measured = async (what: string, work: () => Promise<void>, count: number) => {
    await checkpoint(admin);
    await work();
    const from = await walPosition(admin);
    const time = await databaseTime(admin);
    await work();
    const wal = await walSince(admin, from);
    const ms = (await databaseTime(admin)) - time;
    const plain = wal.bytes - wal.page_image_bytes;
    console.log(
      `${what.padEnd(22)}${(plain / count).toFixed(0).padStart(7)} WAL bytes a flow${((1000 * ms) / count).toFixed(0).padStart(7)} µs of the database`,
    );
    return { bytes: plain / count, us: (1000 * ms) / count };
  };
  await pay(ORDERS);
  const without: number[][] = [];
  const having: number[][] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const [what, change, figures] of [
      ['without', WITHOUT, without],
      ['with', WITH, having],
    ] as const) {
      await admin.query(change);
      const { bytes, us } = await measured(what, () => pay(ORDERS), ORDERS);
      figures.push([bytes, us]);
    }
  const mean = (figures: readonly number[][], at: number) =>
    figures.reduce((sum, one) => sum + (one[at] ?? 0), 0) / figures.length;
  console.log(
    `with ÷ without: WAL ${(mean(having, 0) / mean(without, 0)).toFixed(3)}, processor ${(mean(having, 1) / mean(without, 1)).toFixed(3)}`,
  );
  await holder.query('ROLLBACK');
  const from = await walPosition(admin);
  const { rows } = await admin.query<{ n: string }>(
    `SELECT count(DISTINCT subject_id) AS n FROM payment.events WHERE tx >= (SELECT next_tx FROM payment.order_search_state)`,
  );
  const began = performance.now();
  for (let left = '1'; left !== '0';)
    left =
      (await admin.query<{ left: string | null }>('SELECT payment.follow_orders(1000) AS left')).rows[0]?.left ?? '1';
  const ms = performance.now() - began;
  const wal = await walSince(admin, from);
  const followed = Number(rows[0]?.n);
  console.log(
    `followed ${followed} orders: ${((wal.bytes - wal.page_image_bytes) / followed).toFixed(0)} WAL bytes and ${((1000 * ms) / followed).toFixed(0)} µs (wall) an order`,
  );
  await admin.end();
} finally {
  await holder.end();
  await florin.stop();
  rmSync(data_dir, { recursive: true, force: true });
}
