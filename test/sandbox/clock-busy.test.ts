// A moment at which very much is due (contract 15.4): the clock goes on when it is done, and misses nothing behind it.
import { expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { jobsOf } from '../../src/worker/jobs.ts';
import { makeTestClock } from '../../src/worker/test-clock.ts';
import { HANGS_MS, textAt } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';

/** More than are sent at one moment: four at once to an endpoint, twenty times. */
const MANY = 100;

/**
 * Checkouts that all end at one moment, made together: one after the other each waits for its turn on a machine that
 * does much else.
 */
async function checkouts(w: World, count: number, expires: Date): Promise<void> {
  const expiration_date = expires.toISOString();
  const fields = (n: number) => ({ order_merchant_id: `busy-${n}`, expiration_date });
  await Promise.all(Array.from({ length: count }, (_, n) => w.shop.checkout(fields(n))));
}

test('a hundred messages to one endpoint at one moment do not move what is due later', async () => {
  await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await using shop = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: shop.url, events: ['checkout.expired'] } });
  await checkouts(w, MANY, new Date(Date.now() + 2 * DAY_S * 1000));
  const paid = await w.shop.pay({}, { operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds: 40 * DAY_S } });
  expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  expect(shop.taken).toHaveLength(MANY);
  const [expired] = await w.sql<{ days: number }>(
    `SELECT extract(epoch FROM e.at - o.created_at)::float8 / 86400 AS days FROM payment.events e
     JOIN payment.orders o ON o.id = e.subject_id WHERE o.id = decode($1, 'hex') AND e.type = 'authorization_expired'`,
    [order_id],
  );
  expect(expired?.days).toBeCloseTo(30, 1);
});

test('notifications are sent at their own moment of the clock, also where nothing else is due until its goal', async () => {
  await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  const { clock } = w.service.tools;
  const sent: number[] = [];
  await using shop = await receiver(() => {
    sent.push(clock.now().getTime());
    return 200;
  });
  await w.shop.api('/notification/endpoint', { body: { url: shop.url, events: ['checkout.expired'] } });
  const expires = clock.now().getTime() + 2 * DAY_S * 1000;
  // of two moments and a half
  await checkouts(w, 2 * MANY, new Date(expires));
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds: 40 * DAY_S } });
  expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  expect(sent).toHaveLength(2 * MANY);
  expect(Math.max(...sent) - expires).toBeLessThan(60_000);
  expect(Math.min(...sent) - expires).toBeGreaterThanOrEqual(0);
});

test('work that is due at the very moment the clock is moved to is done as well', async () => {
  await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await using shop = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: shop.url, events: ['checkout.expired'] } });
  const expires = new Date(Date.now() + 2 * DAY_S * 1000);
  await checkouts(w, MANY, expires);
  const to = new Date(expires.getTime() + 1).toISOString();
  expect((await w.shop.api('/sandbox/clock/advance', { body: { to } })).at('settled')).toBe(true);
  expect(shop.taken).toHaveLength(MANY);
});

test('work that is due again and again holds nothing up for ever, and the rest keeps its time', async () => {
  await using w = await world();
  const { tools } = w.service;
  const from = tools.clock.now().getTime();
  const did: number[] = [];
  const later = {
    name: 'of a later part',
    every_ms: 1000,
    due: [],
    next: async () => (did.length > 0 ? undefined : from + 10 * DAY_S * 1000 - tools.clock.now().getTime()),
    run: async () => did.push(tools.clock.now().getTime()) < 0,
  };
  const endless = {
    name: 'that never ends',
    every_ms: 1000,
    due: [],
    next: async () => 0,
    run: async () => {
      // only who holds the clock already sees a goal, so that nobody else goes there
      await w.sql(`UPDATE payment.clock SET goal = interval '20 days' WHERE goal < interval '20 days'`);
      return false;
    },
  };
  expect(await makeTestClock(tools, [...jobsOf(tools), endless, later]).reach(20 * DAY_S * 1000, HANGS_MS)).toBe(true);
  expect(did).toHaveLength(1);
  expect(Math.abs((did[0] ?? 0) - from - 10 * DAY_S * 1000)).toBeLessThan(60_000);
});
