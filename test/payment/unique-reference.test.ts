// unique_order_merchant_id: of one reference one order is paid, however close together the requests come.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateSettings } from '../../src/payment/merchant/store.ts';
import { type Reply, textAt, until } from '../client.ts';
import { slowCard } from '../slow-card.ts';
import { type World, world } from '../world.ts';

const SALE = { operation_type: 'direct_capture', amount: '10.00', currency: 'EUR' };

let w: World;
beforeAll(async () => {
  w = await world();
  const { tools } = w.service;
  await updateSettings(tools.db.tenant(w.account), { unique_order_merchant_id: true });
  // a changed setting is seen within a second
  await until(async () => {
    await w.shop.pay({}, { order_merchant_id: 'seen' });
    return (await w.shop.pay({}, { order_merchant_id: 'seen' })).status === 409 || undefined;
  });
});
afterAll(() => w[Symbol.asyncDispose]());

const refusedFor = (reply: Reply) => [reply.status, reply.code, reply.at('order_id')];

test('a second order that was looked at before the first one was paid is refused as well', async () => {
  const order_merchant_id = 'two-tabs';
  const [one, other] = [await w.shop.token(), await w.shop.token()];
  const slow = slowCard(w);
  const second = w.shop.order({ token: one, ...SALE, order_merchant_id });
  await slow.asked;
  const first = await w.shop.order({ token: other, ...SALE, order_merchant_id });
  expect(first.code).toBe('955555');
  slow.letGo();
  expect(refusedFor(await second)).toEqual([409, '111035', first.at('order_id')]);
  const again = await w.shop.order({ token: one, ...SALE, order_merchant_id: 'another' });
  expect(again.code, 'its token was not spent').toBe('955555');
});

test('another attempt of a declined order is refused where another order was paid meanwhile', async () => {
  const order_merchant_id = 'tried-again';
  const declined = await w.shop.pay({ card_number: '4000000000009995' }, { order_merchant_id });
  const token = await w.shop.token();
  const slow = slowCard(w);
  const retried = w.shop.api(`/payment/order/${textAt(declined, 'order_id')}`, { method: 'PUT', body: { token } });
  await slow.asked;
  const first = await w.shop.pay({}, { order_merchant_id });
  expect(first.code).toBe('955555');
  slow.letGo();
  expect(refusedFor(await retried)).toEqual([409, '111035', first.at('order_id')]);
});
