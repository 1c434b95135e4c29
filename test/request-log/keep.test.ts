// How the request log is kept: by day, in bounded memory, and never at the cost of a payment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DatabaseUnavailable, type Runner } from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { exposition } from '../../src/kit/metrics/registry.ts';
import type { LogEntry } from '../../src/payment/log-entry.ts';
import { openRequestLog } from '../../src/payment/request-log/gather.ts';
import { keepDays } from '../../src/payment/request-log/store.ts';
import { type World, world } from '../world.ts';
import { rowOf, rowsOf, wholeLog } from './played.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const log = openLog('silent');
const entry: LogEntry = {
  merchant_account_id: 'a'.repeat(24),
  at: new Date(),
  id: 'b'.repeat(24),
  kind: 'request',
  key_id: null,
  method: 'GET',
  path: '/payment/order',
  status: 200,
  code: null,
  duration_ms: 1,
  order_id: null,
  headers: '{}',
  request: '{}',
  answer: '{}',
};

async function droppedFor(why: string): Promise<number> {
  const found = new RegExp(`florin_request_log_dropped_total\\{why="${why}"\\} (\\d+)`).exec(await exposition());
  return Number(found?.[1] ?? 0);
}

async function days(): Promise<readonly string[]> {
  const rows = await w.sql<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'payment.request_log'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name.slice(-8));
}

const dayAt = (ahead: number) =>
  new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

test('today and two days ahead are made, and days that are over are dropped as a whole', async () => {
  // the database may have been made on the day before
  await keepDays(w.service.tools.db, 0);
  await keepDays(w.service.tools.db, 7);
  expect(await days()).toEqual([dayAt(0), dayAt(1), dayAt(2)]);
  const old = dayAt(-9);
  const kept = dayAt(-7);
  for (const [day, at] of [
    [old, -9],
    [kept, -7],
  ] as const) {
    const from = new Date(Date.now() + at * 86_400_000).toISOString().slice(0, 10);
    await w.sql(
      `SET ROLE florin_owner; CREATE TABLE payment.request_log_${day} PARTITION OF payment.request_log
       FOR VALUES FROM ('${from} 00:00+00') TO ('${from} 23:59+00');
       ALTER TABLE payment.request_log_${day} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; RESET ROLE`,
    );
  }
  await keepDays(w.service.tools.db, 7);
  expect(await days()).toEqual([kept, dayAt(0), dayAt(1), dayAt(2)]);
});

test('a day that is missing is made by who writes to it', async () => {
  await keepDays(w.service.tools.db, 0);
  expect(await days()).toEqual([]);
  await rowOf(w, await w.shop.pay());
  expect(await days()).toContain(dayAt(0));
});

test('with 0 days nothing is kept', async () => {
  const none = openRequestLog({ db: w.service.tools.db, log, days: 0 });
  const before = (await rowsOf(w)).length;
  none.note(() => entry);
  await none.close();
  expect((await rowsOf(w)).length).toBe(before);
});

test('a process that stops writes the entries that it has gathered', async () => {
  const one = openRequestLog({ db: w.service.tools.db, log, days: 7 });
  one.note(() => ({ ...entry, id: 'c'.repeat(24) }));
  await one.close();
  expect(await wholeLog(w)).toContain('c'.repeat(24));
});

test('a database that hangs costs who notes nothing: beyond a bound entries are dropped and counted', async () => {
  const hanging: Runner = { run: () => new Promise(() => undefined) };
  const before = await droppedFor('no room');
  const one = openRequestLog({ db: hanging, log, days: 7 });
  let made = 0;
  for (let n = 0; n < 12_000; n++)
    one.note(() => {
      made++;
      return entry;
    });
  expect(made).toBe(0);
  expect((await droppedFor('no room')) - before).toBe(2000);
});

test('entries that a database which is away did not take are counted, and the next are written', async () => {
  const { db } = w.service.tools;
  let away = true;
  const runner: Runner = {
    run: (...asked) => (away ? Promise.reject(new DatabaseUnavailable('away')) : db.run(...asked)),
  };
  const before = await droppedFor('not written');
  const one = openRequestLog({ db: runner, log, days: 7 });
  one.note(() => ({ ...entry, id: 'd'.repeat(24) }));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await one.close();
  expect((await droppedFor('not written')) - before).toBe(1);
  away = false;
  const next = openRequestLog({ db: runner, log, days: 7 });
  next.note(() => ({ ...entry, id: 'e'.repeat(24) }));
  await next.close();
  expect(await wholeLog(w)).toContain('e'.repeat(24));
});
