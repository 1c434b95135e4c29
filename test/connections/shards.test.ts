// Whether an account can live in a database of its own: every statement that a payment makes says whose it is, and
// those that do not say in their own text why: run once in each shard, or before it is known whose a request is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedStatements } from '../../src/kit/database.ts';
import { textAt } from '../client.ts';
import { ANY_ACCOUNT } from '../tidy/data.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('every statement of a payment names its account, except statements of the queues and of the zone', async () => {
  const checkout_id = await w.shop.checkout();
  const order = await w.shop.order({ checkout_id, token: await w.shop.token({ checkout_id }) }, { prefer: 'wait=10' });
  const order_id = textAt(order, 'order_id');
  for (const [kind, body] of [
    ['capture', { amount: '5' }],
    ['refund', { amount: '2' }],
  ] as const)
    expect((await w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { body })).status).toBe(200);
  expect((await w.shop.read(order_id)).status).toBe(200);
  expect((await w.shop.api('/payment/order')).status).toBe(200);
  const ran = [...preparedStatements()].filter(([, { text }]) => text.includes('payment.'));
  const without = ran.filter(([, { text }]) => !/\bmerchant_account_id\b/.test(text.replace(/--[^\n]*/g, '')));
  expect(ran.length).toBeGreaterThan(20);
  expect(without.filter(([, { text }]) => !ANY_ACCOUNT.test(text)).map(([name]) => name)).toEqual([]);
});

test('an id says the shard behind its moment: the first, while there is one', () => {
  const ids = Array.from({ length: 100 }, () => w.service.tools.chance.id());
  for (const id of ids) expect((parseInt(id.slice(8, 16), 16) >>> 12) & 0x3ff).toBe(0);
  expect(new Set(ids.map((id) => id.slice(13))).size).toBe(100);
});
