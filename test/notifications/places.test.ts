// Places of deliveries are shared by account (decision 76): receivers that hang hold up their own accounts, and no
// other.
import { expect, test } from 'vitest';
import { makeDispatcher } from '../../src/payment/notification/dispatcher.ts';
import { CONNECTIONS } from '../../src/payment/notification/schedule.ts';
import { idleWorld } from '../world.ts';
import { account, endpoint, events } from './queue.ts';
import { receiver } from './receiver.ts';

const [SLOW_ACCOUNTS, ENDPOINTS] = [4, 4];
/** As many as the slow ones have connections: without shares they would take them all. */
const PLACES = SLOW_ACCOUNTS * ENDPOINTS * CONNECTIONS;

test('four accounts whose receivers all hang leave a place for a fifth', async () => {
  await using world = await idleWorld();
  await using slow = await receiver(() => 'hang');
  await using quick = await receiver();
  const { tools } = world.service;
  for (let n = 0; n < SLOW_ACCOUNTS; n++) {
    const shop = await account(world);
    for (let i = 0; i < ENDPOINTS; i++) await endpoint(world, shop, { url: slow.url });
    await events(world, shop, { orders: 2 * CONNECTIONS, each: 1 });
  }
  const dispatcher = makeDispatcher(tools, { most: PLACES, ended: () => undefined });
  // more often than they have places: they hold all that they are ever given
  for (let n = 0; n < PLACES; n++) await dispatcher.look();
  const [held] = await world.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.notifications WHERE leased_until > payment.now()`,
  );
  expect(held?.n).toBeGreaterThan(PLACES / 2);
  const fifth = await account(world);
  await endpoint(world, fifth, { url: quick.url });
  await events(world, fifth, { orders: 1, each: 1 });
  await dispatcher.look();
  await quick.until(({ length }) => length === 1);
  expect(slow.taken).toEqual([]);
  // their deadline is far away: the test ends them
  await tools.outside.destroy();
  await dispatcher.drain();
});
