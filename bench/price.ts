// npm run bench:price -- [--orders N]
// What the search costs: a row of the tables that payments write, with and without what the search adds to them (a
// column, three BRIN indexes); then what following takes an order, once it is settled. WAL is exact, time is of this
// machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openAdmin, walPosition, walSince } from './database.ts';
import { type Stock, openWorker, play } from './flows.ts';
import { socketOf, startFlorin } from './florin.ts';

const { values: asked } = parseArgs({
  options: { orders: { type: 'string', default: '300' } },
});
const ORDERS = Number(asked.orders);

const WITHOUT = `ALTER TABLE payment.events ALTER tx DROP DEFAULT;
  DROP INDEX IF EXISTS
    payment.events_by_tx, payment.operations_by_id, payment.transactions_by_id`;
const WITH = `${WITHOUT}; ALTER TABLE payment.events ALTER tx SET DEFAULT pg_current_xact_id()::text::bigint;
  CREATE INDEX events_by_tx ON payment.events
    USING brin (tx) WITH (pages_per_range = 32, autosummarize = on);
  CREATE INDEX operations_by_id ON payment.operations
    USING brin (id) WITH (pages_per_range = 64, autosummarize = on);
  CREATE INDEX transactions_by_id ON payment.transactions
    USING brin (id) WITH (pages_per_range = 64, autosummarize = on)`;

/** The rows that are there, once more; nothing of it stays. */
const INSERTS = {
  events: `INSERT INTO payment.events (
      subject_id, seq, merchant_account_id, type, code, request_id, order_version, at)
    SELECT
      subject_id, seq + 1000 * n, merchant_account_id, type, code, request_id, order_version, at
    FROM payment.events, generate_series(1, 10) n`,
  operations: `INSERT INTO payment.operations (
      id, order_id, transaction_id,
      merchant_account_id, provider, kind, amount_minor, currency, request_id, state,
      created_at, due_at)
    SELECT
      substr(id, 1, 8) || decode(lpad(to_hex(n), 8, '0'), 'hex'), order_id, transaction_id,
      merchant_account_id, provider, 'refund', amount_minor, currency, request_id, 'successful',
      created_at, due_at
    FROM payment.operations, generate_series(1, 10) n
    WHERE kind = 'authorize'`,
};

type Price = { readonly bytes: number; readonly us: number };
type Explained = { readonly 'QUERY PLAN': readonly { readonly Plan: Node }[] };
type Node = {
  readonly 'WAL Bytes': number;
  readonly 'WAL FPI': number;
  readonly 'Actual Total Time': number;
  readonly Plans: readonly { readonly 'Actual Rows': number }[];
};

/** What a row costs with this change made, the better of three; all of it is taken back. */
async function priceOf(admin: pg.Client, change: string, insert: string): Promise<Price> {
  const prices: Price[] = [];
  for (let time = 0; time < 4; time++) {
    await admin.query('BEGIN');
    await admin.query(change);
    const { rows } = await admin.query<Explained>(`EXPLAIN (ANALYZE, WAL, FORMAT JSON) ${insert}`);
    await admin.query('ROLLBACK');
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    const count = plan?.Plans[0]?.['Actual Rows'] ?? NaN;
    const bytes = ((plan?.['WAL Bytes'] ?? NaN) - 8192 * (plan?.['WAL FPI'] ?? 0)) / count;
    prices.push({ bytes, us: (1000 * (plan?.['Actual Total Time'] ?? NaN)) / count });
  }
  const least = (key: keyof Price) => Math.min(...prices.slice(1).map((price) => price[key]));
  return { bytes: least('bytes'), us: least('us') };
}

const data_dir = mkdtempSync(join(tmpdir(), 'florin-price-'));
const florin = await startFlorin({ data_dir });
const holder = new pg.Client({ host: socketOf(data_dir), user: 'florin', database: 'florin' });
try {
  const admin = await openAdmin(data_dir);
  await holder.connect();
  await holder.query('BEGIN');
  // no other request follows while the row is held
  await holder.query('SELECT FROM payment.order_search_state FOR UPDATE');
  const worker = openWorker(florin);
  const stock: Stock = { paid: [], payable: [] };
  const pay = async (count: number) => {
    for (let n = 0; n < count; n++) await play('flow', worker, stock);
  };
  await pay(ORDERS);
  for (const [table, insert] of Object.entries(INSERTS)) {
    const without = await priceOf(admin, WITHOUT, insert);
    const having = await priceOf(admin, WITH, insert);
    const show = ({ bytes, us }: Price) => `${bytes.toFixed(1)} WAL bytes and ${us.toFixed(2)} µs a row`;
    console.log(`${table}: ${show(without)} without, ${show(having)} with`);
  }
  await holder.query('ROLLBACK');
  const from = await walPosition(admin);
  const { rows } = await admin.query<{ n: string }>(
    `SELECT count(DISTINCT subject_id) AS n
     FROM payment.events
     WHERE tx >= (SELECT next_tx FROM payment.order_search_state)`,
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
