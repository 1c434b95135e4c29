// The worker of a deployment is killed again and again while it delivers: nothing is lost, and the order of each order
// is kept. With npm run drain: what a dead worker held is free again after half a minute of real time.
import { expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { worldOfProcesses } from '../world.ts';
import { receiver } from './receiver.ts';

const SALES = 18;
const KILLS = 3;

test(`${SALES} sales are told although the worker is killed ${KILLS} times`, async () => {
  await using florin = await worldOfProcesses({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  const { service, shop } = florin;
  await using server = await receiver();
  const made = await shop.api('/notification/endpoint', { body: { url: server.url } });
  expect(made.status, made.text).toBe(200);
  const orders: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const before = server.got.length;
    const paid = await Promise.all(Array.from({ length: SALES / KILLS }, () => shop.pay()));
    orders.push(...paid.map((order) => textAt(order, 'order_id')));
    // while it is at it: the first of these have come, the others have not
    await server.until(() => server.got.length > before);
    service.signal('worker', 'SIGKILL');
    await service.start('worker');
  }
  await server.until((taken) => new Set(taken.map(({ id }) => id)).size === SALES * 2);
  for (const order_id of orders) {
    const told = server.got
      .filter(({ body }) => body['order_id'] === order_id)
      .map(({ body }) => Number(body['sequence']));
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect([...new Set(told)]).toEqual([2, 3]);
  }
  console.log(`${server.got.length - SALES * 2} of ${SALES * 2} came twice`);
}, 300_000);
