// Where payments went, for the page of routing: by currency, scheme and contract, of the newest orders.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOrderBeyond, findRoutedCells } from '../../src/payment/routing/cells-store.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const FIRST = '0'.repeat(24);

test('if there are more orders than are looked at, the newest are counted', async () => {
  const { tools } = w.service;
  const db = tools.db.tenant(w.account);
  const ids: string[] = [];
  for (const card_number of ['4000000000009995', '5555555555554444', '4242424242424242'])
    ids.push(textAt(await w.shop.pay({ card_number }), 'order_id'));
  expect(await findOrderBeyond(db, { after: FIRST, most: 3 })).toBeUndefined();
  const beyond = await findOrderBeyond(db, { after: FIRST, most: 2 });
  expect(beyond).toBe(ids[0]);
  expect(await findOrderBeyond(db, { after: ids[0] ?? '', most: 2 })).toBeUndefined();
  const seen = async (after: string) =>
    (await findRoutedCells(db, { after })).map(({ scheme, attempts, approved }) => [scheme, attempts, approved]);
  expect(await seen(FIRST)).toEqual([
    ['mastercard', 1, 1],
    ['visa', 2, 1],
  ]);
  expect(await seen(beyond ?? '')).toEqual([
    ['mastercard', 1, 1],
    ['visa', 1, 1],
  ]);
});
