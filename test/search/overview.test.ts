// The overview's figures are those of the orders.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overviewOf } from '../../src/payment/overview/overview.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { populate } from './population.ts';

const DAY_S = 24 * 3600;
const TO_S = 20_376 * DAY_S;
const DECLINED = `'authorization_declined','authentication_declined'`;

let w: World;
let account: string;
beforeAll(async () => {
  w = await world();
  account = w.service.demo?.merchant_account_id ?? '';
  await populate(w.sql, { merchant_account_id: account, orders: 2000, from_s: TO_S - 10 * DAY_S, to_s: TO_S });
  await until(async () => {
    const [row] = await w.sql<{ done: boolean }>(
      `SELECT count(*) = 0 AS done FROM payment.events WHERE tx >= (SELECT next_tx FROM payment.order_search_state)`,
    );
    return row?.done ? true : undefined;
  }, 20);
});
afterAll(() => w[Symbol.asyncDispose]());

const overview = (step: 'hour' | 'day', zone_hours = 0) =>
  overviewOf(w.service.tools.db.tenant(account), {
    from: new Date((TO_S - 2 * DAY_S - zone_hours * 3600) * 1000),
    to: new Date((TO_S - zone_hours * 3600) * 1000),
    step,
    zone_hours,
  });

/** Orders made between two moments, seconds before the end. */
async function counted(where: string, from_s: number, to_s: number) {
  const [row] = await w.sql<{ orders: string; amount: string }>(
    `SELECT count(*) AS orders, coalesce(sum(o.amount_minor), 0) AS amount FROM payment.orders o JOIN payment.transactions t ON t.order_id = o.id
     WHERE o.created_at >= to_timestamp($1) AND o.created_at < to_timestamp($2) AND ${where}`,
    [TO_S - from_s, TO_S - to_s],
  );
  return { orders: Number(row?.orders), amount_minor: BigInt(row?.amount ?? 0) };
}

test('volume and approval are those of the orders, now and a week before', async () => {
  const { now, week_before } = await overview('day');
  const approved = await counted(
    `o.currency = 'EUR' AND o.status NOT IN (${DECLINED},'authorization_requested')`,
    2 * DAY_S,
    0,
  );
  expect(approved.orders).toBeGreaterThan(100);
  expect(now.money['EUR']?.approved).toEqual(approved);
  const declined = await counted(`o.status IN (${DECLINED})`, 2 * DAY_S, 0);
  const all = await counted(`o.status <> 'authorization_requested'`, 2 * DAY_S, 0);
  expect(now.approval_rate).toBe((all.orders - declined.orders) / all.orders);
  expect(week_before.money['EUR']?.declined).toEqual(
    await counted(`o.currency = 'EUR' AND o.status IN (${DECLINED})`, 9 * DAY_S, 7 * DAY_S),
  );
  expect(now.declines.reduce((sum, { orders }) => sum + orders, 0)).toBe(declined.orders);
  expect(now.declines[0]?.orders).toBeGreaterThanOrEqual(now.declines[1]?.orders ?? 0);
});

test('the parts by provider and by scheme add up to the whole', async () => {
  const { now } = await overview('day');
  for (const slices of [now.by_provider, now.by_scheme])
    expect(slices.reduce((sum, { money }) => sum + (money['EUR']?.approved?.orders ?? 0), 0)).toBe(
      now.money['EUR']?.approved?.orders,
    );
  const visa = now.by_scheme.find(({ name }) => name === 'visa');
  expect(visa?.money['USD']?.approved).toEqual(
    await counted(
      `t.payment_method_name = 'visa' AND o.currency = 'USD' AND o.status NOT IN (${DECLINED},'authorization_requested')`,
      2 * DAY_S,
      0,
    ),
  );
});

test('a series by hour adds up to the one by day, and a day begins where the viewer is', async () => {
  const hours = await overview('hour');
  const days = await overview('day');
  expect(days.series.map(({ at }) => at.getTime() / 1000)).toEqual([TO_S - 2 * DAY_S, TO_S - DAY_S]);
  const sum = (series: typeof hours.series) =>
    series.reduce((total, { money }) => total + (money['EUR']?.approved?.amount_minor ?? 0n), 0n);
  expect(sum(hours.series)).toBe(sum(days.series));
  const tokyo = await overview('day', 9);
  expect(tokyo.series.map(({ at }) => at.getTime() / 1000)).toEqual(
    [TO_S - 2 * DAY_S, TO_S - DAY_S].map((s) => s - 9 * 3600),
  );
  expect(tokyo.series[0]?.money['EUR']?.approved).toEqual(
    await counted(
      `o.currency = 'EUR' AND o.status NOT IN (${DECLINED},'authorization_requested')`,
      2 * DAY_S + 9 * 3600,
      DAY_S + 9 * 3600,
    ),
  );
});

test('money in doubt is what the queue holds', async () => {
  const { in_doubt } = await overview('day');
  const rows = await w.sql<{ currency: string; operations: string; amount: string }>(
    `SELECT currency, count(*) AS operations, sum(amount_minor) AS amount FROM payment.operations WHERE state = 'in_doubt' GROUP BY 1 ORDER BY 1`,
  );
  expect(
    in_doubt.map(({ currency, operations, amount_minor }) => [currency, String(operations), String(amount_minor)]),
  ).toEqual(rows.map(({ currency, operations, amount }) => [currency, operations, amount]));
});
