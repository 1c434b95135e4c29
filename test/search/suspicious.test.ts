// An order is suspicious in the list, the filter and the files exactly where its read says so: a rule of the account
// marked it, or its score is as high as the account had set.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { searchOrders } from '../../src/payment/order/search/rows.ts';
import { textAt, until } from '../client.ts';
import { accountOf, inForce, publish } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('an order is suspicious in a list where its read says so, before and after the worker has followed it', async () => {
  const account = await accountOf(w);
  await publish(w, [{ name: 'a little large', kind: 'amount', above: '800', currency: 'EUR', action: 'mark' }]);
  const marked = textAt(await w.shop.pay({}, { amount: '850' }), 'order_id');
  await changeSettings(w.service.tools, account, { risk_score_suspicious: 90 });
  await inForce(w);
  const low = textAt(await w.shop.pay({ card_number: '4000000000009235' }), 'order_id');
  const read = [(await w.shop.read(marked)).at('is_suspicious'), (await w.shop.read(low)).at('is_suspicious')];
  expect(read).toEqual([true, false]);
  const db = w.service.tools.db.tenant(account);
  const listed = async (filters: object) =>
    (await searchOrders(db, { filters, limit: 10 })).rows.map(({ id, is_suspicious }) => [id, is_suspicious]);
  expect(await listed({})).toEqual([
    [low, false],
    [marked, true],
  ]);
  await until(async () => {
    const [row] = await w.sql<{ done: boolean }>(
      `SELECT count(*) = 0 AS done FROM payment.events WHERE tx >= (SELECT next_tx FROM payment.order_search_state)`,
    );
    return row?.done ? true : undefined;
  });
  expect(await listed({ is_suspicious: true })).toEqual([[marked, true]]);
});
