// npm run bench:overview -- [--orders N] [--times N] [--keep FOLDER] [--fill-only]
// The kept sums of a shop's orders over a year, and how long the overview takes to read each range of them, now and
// before: median, worst, processor time of no other process. The orders themselves are not written: the overview does
// not read them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { DAY_S } from '../src/core/durations.ts';
import { openDatabase } from '../src/kit/database.ts';
import { startEmbedded } from '../src/kit/embedded.ts';
import { openLog } from '../src/kit/log.ts';
import { migrate } from '../src/kit/migrate.ts';
import { overviewOf } from '../src/payment/overview/overview.ts';
import { findUncounted, listCurrencies } from '../src/payment/overview/store.ts';
import { PAYMENT_ZONE } from '../src/payment/zone.ts';
import { populate, runnerOf } from '../test/search/population.ts';

const { values: asked } = parseArgs({
  options: {
    orders: { type: 'string', default: '5000000' },
    times: { type: 'string', default: '15' },
    keep: { type: 'string' },
    'fill-only': { type: 'boolean', default: false },
  },
});
const ORDERS = Number(asked.orders);
const TIMES = Number(asked.times);
const ACCOUNT = 'a'.repeat(24);
const DAYS = 365;
const LAST_DAY = 20_376;
const LOTS = DAYS;

async function fill(admin: pg.Client): Promise<void> {
  const run = runnerOf(admin);
  await admin.query('SET synchronous_commit = off');
  const began = performance.now();
  const orders = Math.ceil(ORDERS / LOTS);
  for (let lot = 0; lot < LOTS; lot++) {
    const from_s = (LAST_DAY - DAYS + 1 + lot) * DAY_S;
    const span = { from_s, to_s: from_s + DAY_S };
    await populate(run, { merchant_account_id: ACCOUNT, orders, first: 1 + lot * orders, ...span }, 'sums');
  }
  await admin.query('VACUUM (ANALYZE)');
  console.log(`sums of ${orders * LOTS} orders after ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

const data_dir = asked.keep ?? mkdtempSync(join(tmpdir(), 'florin-overview-'));
const server = await startEmbedded({ data_dir });
const admin = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });
try {
  await admin.connect();
  await migrate(admin, PAYMENT_ZONE);
  const { rows } = await admin.query<{ n: string }>('SELECT count(*) AS n FROM payment.order_sums');
  if (rows[0]?.n === '0') await fill(admin);
  const at = { socket_dir: server.socket_dir, user: server.user, database: server.database };
  const db = openDatabase({ at, role: 'payment_app', name: 'florin bench overview', max: 4, log: openLog('warn') });
  const tenant = db.tenant(ACCOUNT);
  const now = new Date(((LAST_DAY + 1) * DAY_S - 3600) * 1000);
  for (const count of asked['fill-only'] ? [] : [1, 7, 30, 90, 182, 365])
    for (const currency of [null, 'EUR']) {
      const times: number[] = [];
      for (let n = 0; n <= TIMES; n++) {
        const began = performance.now();
        const range = { first: LAST_DAY - count + 1, count, zone: 'Europe/Paris', before: count, currency, now };
        await Promise.all([overviewOf(tenant, range), listCurrencies(tenant), findUncounted(tenant)]);
        // the first one warms up
        if (n > 0) times.push(performance.now() - began);
      }
      const sorted = times.toSorted((one, other) => one - other);
      const median = sorted[Math.floor(TIMES / 2)] ?? NaN;
      console.log(
        `${count} days and as many before, ${currency ?? 'all'}: ${median.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`,
      );
    }
  await db.close();
} finally {
  await admin.end();
  await server.stop();
  if (asked.keep === undefined) rmSync(data_dir, { recursive: true, force: true });
}
