// 10,000 notifications that waited for a receiver: how long until all are there. Prints, and asserts no time.
import { expect, test } from 'vitest';
import { until } from '../client.ts';
import { idleWorld } from '../world.ts';
import { account, count, endpoint, events, later, worker } from './queue.ts';
import { receiver } from './receiver.ts';

const ORDERS = Number(process.env['FLORIN_TEST_ORDERS'] ?? 5000);

test(`${ORDERS * 2} notifications that waited for an hour are drained`, async () => {
  await using world = await idleWorld();
  const { clock } = world.service.tools;
  await using server = await receiver(() => 503);
  const shop = await account(world);
  await endpoint(world, shop, { url: server.url });
  await events(world, shop, { orders: ORDERS, each: 2 });
  const busy = worker(world);
  for (let minute = 0; minute < 60; minute++) {
    const before = server.got.length;
    await until(() => (server.got.length > before ? true : undefined));
    await later(world, 60);
  }
  expect(await count(world, 'waiting')).toBe(ORDERS * 2);
  server.mood = () => 204;
  const back = clock.ticks();
  await later(world, 60);
  await server.until(({ length }) => length > 0);
  const first = clock.ticks();
  await server.until(({ length }) => length >= ORDERS * 2);
  const done = clock.ticks();
  await busy.stop();
  const ids = new Set(server.taken.map(({ id }) => id));
  expect(ids.size).toBe(ORDERS * 2);
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
  console.log(
    `first after ${seconds(back, first)} s, all ${ids.size} after ${seconds(back, done)} s, ` +
      `${Math.round(ids.size / ((done - first) / 1000))} a second over 4 connections, ${server.taken.length - ids.size} twice`,
  );
});
