// Reports of what is found by its time: few statements however long the time is, and each row once.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/durations.ts';
import type { TenantRunner } from '../../src/kit/database.ts';
import { idAt } from '../../src/core/ids.ts';
import { tableOf } from '../../src/payment/report/rows.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

const FROM = new Date('2028-01-01T00:00Z');
const after = (days: number) => new Date(FROM.getTime() + days * DAY_MS);
const BUSY = new Date('2028-01-03T06:00Z').getTime();

let w: World;
beforeAll(async () => {
  w = await world();
  const order_id = await captured();
  // one on each day of a quiet year, thousands in one hour and as many in one of its minutes
  await capture(
    order_id,
    Array.from({ length: 400 }, (_, day) => idAt(after(day).getTime())),
  );
  await capture(
    order_id,
    Array.from({ length: 3000 }, (_, n) => idAt(BUSY + 1 + n * 1100)),
  );
  await capture(
    order_id,
    Array.from({ length: 3000 }, (_, n) => idAt(BUSY + n * 17).replace(/0$/, '1')),
  );
});
afterAll(() => w[Symbol.asyncDispose]());

async function captured(): Promise<string> {
  return textAt(await w.shop.pay({}, { operation_type: 'direct_capture' }), 'order_id');
}

async function capture(order_id: string, ids: readonly string[]): Promise<void> {
  await w.sql(
    `INSERT INTO payment.operations (
       id, order_id, merchant_account_id, transaction_id, provider, kind, amount_minor, currency, created_at, due_at,
       state, final)
     SELECT decode(n.id, 'hex'), p.order_id, p.merchant_account_id, p.transaction_id, p.provider, 'capture', 1,
       p.currency, p.created_at, p.due_at, 'declined', true
     FROM payment.operations p, unnest($2::text[]) n (id)
     WHERE p.order_id = decode($1, 'hex')
       AND p.kind = 'authorize'`,
    [order_id, ids],
  );
}

/** A report's rows of captures, and the times of which its statements asked. */
async function report(to: Date, run: (db: TenantRunner) => TenantRunner['run'] = (db) => db.run) {
  const { db, origins } = w.service.tools;
  const tenant = db.tenant(w.account);
  const asked: string[] = [];
  const reading: TenantRunner = {
    ...tenant,
    run: async (name, statement, parameters) => {
      asked.push(name);
      return run(tenant)(name, statement, parameters);
    },
  };
  const table = tableOf({ db: reading, origins }, { kind: 'captures', zone: 'UTC', from: FROM, to });
  const rows: string[] = [];
  let largest = 0;
  for await (const portion of table.rows) {
    rows.push(...portion.map(([id]) => (typeof id === 'string' ? id : '')));
    largest = Math.max(largest, portion.length);
  }
  return { rows, largest, statements: asked.filter((name) => name === 'list_operations_of_span').length };
}

test('a report of the captures of 400 days asks for them day by day, and has each once, in portions', async () => {
  const { rows, largest, statements } = await report(after(400));
  expect([rows.length, new Set(rows).size]).toEqual([6400, 6400]);
  expect(rows).toEqual(rows.toSorted((one, other) => (one < other ? -1 : 1)));
  expect(largest).toBeLessThanOrEqual(1000);
  expect(statements).toBeLessThan(450);
});

test('where a day takes the database too long, an hour is asked for', async () => {
  const tooLong = new pg.DatabaseError('canceling statement due to statement timeout', 0, 'error');
  tooLong.code = '57014';
  const { rows, statements } = await report(after(10), (db) => async (name, statement, parameters) => {
    const [low, high] = ['low', 'high'].map((of) => parseInt(String(parameters?.[of]).slice(2, 10), 16));
    if (name === 'list_operations_of_span' && (high ?? 0) - (low ?? 0) > 7200) throw tooLong;
    return db.run(name, statement, parameters);
  });
  expect([rows.length, new Set(rows).size]).toEqual([6010, 6010]);
  expect(statements).toBeGreaterThan(240);
});
