// Orders at the simulated Adyen, through the public API: what the engine makes of a provider whose changes are answered by messages, and
// which cannot be asked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'adyen' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_ADYEN = { merchant_contract: 'adyen', payment_channel: 'e-commerce' };

const statusOf = async (order_id: string, status: string) =>
  until(async () => {
    const reply = await w.shop.read(order_id);
    return reply.at('status') === status ? reply : undefined;
  }, 15);

test('a hold is captured in parts and refunded, each ended by a message', async () => {
  const paid = await w.shop.pay({}, { ...AT_ADYEN, operation_type: 'authorize' });
  expect([paid.code, paid.at('payin_partner')], paid.text).toEqual(['944444', 'adyen']);
  const order_id = textAt(paid, 'order_id');
  const capture = await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '10.00' } });
  expect(capture.status, capture.text).toBeLessThan(300);
  await statusOf(order_id, 'capture_successful');
  const refund = await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '4.00' } });
  expect(refund.status, refund.text).toBeLessThan(300);
  await statusOf(order_id, 'refund_successful');
});

test('a sale is held, and captured by a call of ours', async () => {
  const paid = await w.shop.pay({}, AT_ADYEN);
  const order = await statusOf(textAt(paid, 'order_id'), 'capture_successful');
  expect(order.at('capture_amount') ?? order.text).toBe(25);
});
