// npm run bench:search -- [--orders N] [--noise N] [--times N] [--keep FOLDER] [--json FILE]
// Writes the orders of a shop into a database of its own, lets the worker's statement follow them, and asks for every
// filter and many combinations several times: median and worst, then the export with the memory of this process, then
// the list of the API.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { DAY_S } from '../src/core/durations.ts';
import { type Database, openDatabase } from '../src/kit/database.ts';
import { startEmbedded } from '../src/kit/embedded.ts';
import { openLog } from '../src/kit/log.ts';
import { migrate } from '../src/kit/migrate.ts';
import { type OrderFilters, exportOrders, searchOrders } from '../src/payment/order/search/rows.ts';
import { PAYMENT_ZONE } from '../src/payment/zone.ts';
import { populate, runnerOf } from '../test/search/population.ts';

const { values: asked } = parseArgs({
  options: {
    orders: { type: 'string', default: '200000' },
    noise: { type: 'string', default: '0.1' },
    times: { type: 'string', default: '7' },
    keep: { type: 'string' },
    json: { type: 'string' },
  },
});
const ORDERS = Number(asked.orders);
const NOISE = Math.floor(ORDERS * Number(asked.noise));
const TIMES = Number(asked.times);
const ACCOUNT = 'a'.repeat(24);
const TO_S = 1_760_000_000;
const FROM_S = TO_S - 365 * DAY_S;
const LOT = 50_000;
const daysAgo = (days: number) => new Date((TO_S - days * DAY_S) * 1000);

/**
 * Goes on where an earlier fill ended. The narrow rows are followed without their indexes, which are made afterwards.
 */
async function fill(admin: pg.Client): Promise<void> {
  const run = runnerOf(admin);
  await admin.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'");
  const { rows: indexes } = await admin.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text
     FROM pg_index
     WHERE indrelid = 'payment.order_search'::regclass
       AND NOT indisprimary`,
  );
  for (const { name } of indexes) await admin.query(`DROP INDEX ${name}`);
  const lots = Math.ceil(ORDERS / LOT);
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n
     FROM payment.orders
     WHERE merchant_account_id = decode($1, 'hex')`,
    [ACCOUNT],
  );
  const began = performance.now();
  for (let lot = Math.ceil((rows[0]?.n ?? 0) / LOT); lot < lots; lot++) {
    await fillLot(run, lot, lots);
    // as its owner, without the service's limit of 5 s: a lot is one transaction
    for (let left = '1'; left !== '0';)
      left = (await admin.query<{ left: string }>('SELECT payment.follow_orders(1000) AS left')).rows[0]?.left ?? '1';
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    if (lot % 10 === 9) console.log(`${(lot + 1) * LOT} orders after ${seconds} s`);
  }
  for (const { text } of indexes) await admin.query(text);
  await admin.query('VACUUM (ANALYZE)');
  console.log(`filled after ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

async function fillLot(run: ReturnType<typeof runnerOf>, lot: number, lots: number): Promise<void> {
  const from_s = FROM_S + ((TO_S - FROM_S) * lot) / lots;
  const span = { from_s, to_s: FROM_S + ((TO_S - FROM_S) * (lot + 1)) / lots };
  const orders = Math.min(LOT, ORDERS - lot * LOT);
  await populate(run, { merchant_account_id: ACCOUNT, orders, first: 1 + lot * LOT, ...span });
  for (let n = 0; n < 5; n++) {
    const noise = Math.ceil(NOISE / lots / 5);
    const merchant_account_id = `${'b'.repeat(23)}${n}`;
    if (noise > 0)
      await populate(run, { merchant_account_id, orders: noise, first: 1e9 + n * 1e8 + lot * LOT, ...span });
  }
}

/** What the page offers, alone and together; the rare with the common, and what excludes each other. */
const SEARCHES: Readonly<Record<string, OrderFilters>> = {
  'no filter': {},
  'status, common': { statuses: ['capture_successful'] },
  'status, rare': { statuses: ['refund_declined'] },
  'four statuses': {
    statuses: ['authorization_declined', 'authentication_declined', 'refund_declined', 'capture_declined'],
  },
  'decline code': { codes: ['420091'] },
  'currency, common': { currencies: ['EUR'] },
  'currency, rare': { currencies: ['KWD'] },
  provider: { provider: 'simulator_b' },
  'scheme, rare': { payment_method_name: 'jcb' },
  'operation type': { operation_type: 'authorize' },
  suspicious: { is_suspicious: true },
  'in doubt': { in_doubt: true },
  'in doubt + currency + scheme': { in_doubt: true, currencies: ['USD'], payment_method_name: 'mastercard' },
  'amount, exact, common': { amount_from: 4990n, amount_to: 4990n },
  'amount, exact, rare': { amount_from: 123_456n, amount_to: 123_456n },
  'amount, range narrow': { amount_from: 5000n, amount_to: 5100n },
  'amount, range wide': { amount_from: 1000n, amount_to: 100_000n },
  'amount range + rare currency': { amount_from: 1500n, amount_to: 90_000n, currencies: ['KWD'] },
  'amount range + rare status': { amount_from: 1500n, amount_to: 2500n, statuses: ['refund_declined'] },
  'amount above + decline code + scheme': { amount_from: 300_000n, codes: ['420014'], payment_method_name: 'jcb' },
  'created, one old day': { created_from: daysAgo(300), created_to: daysAgo(299) },
  'created, old day + rare status': {
    created_from: daysAgo(300),
    created_to: daysAgo(299),
    statuses: ['refund_declined'],
  },
  'created, half a year + rare everything': {
    created_to: daysAgo(180),
    statuses: ['authentication_declined'],
    currencies: ['SEK'],
    payment_method_name: 'jcb',
    provider: 'simulator_b',
  },
  'six filters, few': {
    statuses: ['refund_successful'],
    currencies: ['GBP'],
    provider: 'simulator_b',
    payment_method_name: 'maestro',
    operation_type: 'authorize',
    amount_from: 10_000n,
  },
  'six filters, none': {
    statuses: ['refund_declined'],
    currencies: ['KWD'],
    provider: 'simulator_b',
    payment_method_name: 'jcb',
    operation_type: 'authorize',
    is_suspicious: true,
  },
  customer: { customer_id: 'c-4711' },
  'customer, 6 % of all': { customer_id: 'guest' },
  'customer, 6 % of all + rare': { customer_id: 'guest', statuses: ['refund_declined'], currencies: ['SEK'] },
  'customer, 6 % of all + none': {
    customer_id: 'guest',
    currencies: ['KWD'],
    payment_method_name: 'jcb',
    statuses: ['refund_declined'],
  },
  'e-mail': { email: 'GUEST77@shop.example' },
  'last four': { last4: '4242' },
  'last four + status + currency': { last4: '4242', statuses: ['authorization_declined'], currencies: ['USD'] },
  'text: order_merchant_id': { text: `ref-${Math.floor(ORDERS / 2)}` },
  'text: four digits': { text: '4242' },
  'text: amount': { text: '49.90' },
  'text: e-mail': { text: 'guest77@shop.example' },
  'text: nothing': { text: 'nobody' },
};

async function isFilled(admin: pg.Client): Promise<boolean> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT coalesce(sum(orders), 0)::int AS n
     FROM payment.order_classes
     WHERE merchant_account_id = decode($1, 'hex')`,
    [ACCOUNT],
  );
  return (rows[0]?.n ?? 0) >= ORDERS;
}

type Figure = {
  readonly name: string;
  readonly rows: number;
  readonly median_ms: number;
  readonly worst_ms: number;
  /** Of the database, for one search: true also on a machine that others use. */
  readonly cpu_ms: number;
  readonly second_page_ms: number;
};

/** Processor time of the database's processes that search, so far. */
async function databaseTime(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'florin bench search'`,
  );
  const ticks = rows.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, value) => sum + value, 0) * 10;
}

type Looking = { readonly db: ReturnType<Database['tenant']>; readonly admin: pg.Client };

async function measure({ db, admin }: Looking, name: string, filters: OrderFilters): Promise<Figure> {
  const times: number[] = [];
  const timed = async (before: string | null) => {
    const began = performance.now();
    const page = await searchOrders(db, { filters, before, limit: 50 });
    return { page, ms: performance.now() - began };
  };
  let rows = 0;
  let next: string | null = null;
  await timed(null);
  const from = await databaseTime(admin);
  for (let time = 0; time < TIMES; time++) {
    const { page, ms } = await timed(null);
    times.push(ms);
    rows = page.rows.length;
    next = page.next;
  }
  const cpu_ms = ((await databaseTime(admin)) - from) / TIMES;
  const second_page_ms = next === null ? 0 : (await timed(next)).ms;
  const sorted = times.toSorted((one, other) => one - other);
  return {
    name,
    rows,
    median_ms: sorted[Math.floor(TIMES / 2)] ?? NaN,
    worst_ms: sorted.at(-1) ?? NaN,
    cpu_ms,
    second_page_ms,
  };
}

function show({ name, rows, median_ms, worst_ms, cpu_ms, second_page_ms }: Figure): void {
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(11);
  console.log(
    `${name.padEnd(42)}${String(rows).padStart(4)} rows${ms(median_ms)}${ms(worst_ms)}${ms(cpu_ms)}${ms(second_page_ms)}`,
  );
}

async function measureExport(db: ReturnType<Database['tenant']>, name: string, filters: OrderFilters) {
  const began = performance.now();
  const heap = () => process.memoryUsage().rss / 1e6;
  let rows = 0;
  let most = 0;
  let first: number | undefined;
  for await (const portion of exportOrders(db, filters)) {
    first ??= heap();
    rows += portion.length;
    most = Math.max(most, heap());
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `export, ${name}: ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)}/s, resident ${(first ?? 0).toFixed(0)} MB at the first portion, ${most.toFixed(0)} MB at most`,
  );
  return { name, rows, seconds, first_mb: first, most_mb: most };
}

const data_dir = asked.keep ?? mkdtempSync(join(tmpdir(), 'florin-search-'));
const server = await startEmbedded({ data_dir });
const admin = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });
try {
  await admin.connect();
  await migrate(admin, PAYMENT_ZONE);
  const at = { socket_dir: server.socket_dir, user: server.user, database: server.database };
  const db = openDatabase({ at, role: 'payment_app', name: 'florin bench search', max: 4, log: openLog('warn') });
  if (!(await isFilled(admin))) await fill(admin);
  const { rows: sizes } = await admin.query<{ name: string; size: string }>(
    `SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size
     FROM pg_class
     WHERE relnamespace = 'payment'::regnamespace
       AND relkind IN ('r', 'i')
       AND pg_relation_size(oid) > 1e6
     ORDER BY pg_relation_size(oid) DESC
     LIMIT 20`,
  );
  console.log(sizes.map(({ name, size }) => `${name} ${size}`).join(', '));
  const { rows: classes } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n
     FROM payment.order_classes
     WHERE merchant_account_id = decode($1, 'hex')`,
    [ACCOUNT],
  );
  console.log(
    `${ORDERS} orders of the account, ${NOISE} of five others, ${classes[0]?.n} classes; median, worst of ${TIMES}, processor time of the database, second page`,
  );
  const tenant = db.tenant(ACCOUNT);
  const figures: Figure[] = [];
  for (const [name, filters] of Object.entries(SEARCHES)) {
    const figure = await measure({ db: tenant, admin }, name, filters);
    figures.push(figure);
    show(figure);
  }
  const exports = [
    await measureExport(tenant, 'few', { statuses: ['refund_declined'] }),
    await measureExport(tenant, 'a fifth', { statuses: ['authorization_declined', 'authentication_declined'] }),
    await measureExport(tenant, 'most', { operation_type: 'direct_capture' }),
  ];
  if (asked.json !== undefined)
    writeFileSync(asked.json, `${JSON.stringify({ orders: ORDERS, noise: NOISE, figures, exports }, undefined, 2)}\n`);
  await db.close();
} finally {
  await admin.end();
  await server.stop();
  if (asked.keep === undefined) rmSync(data_dir, { recursive: true, force: true });
}
