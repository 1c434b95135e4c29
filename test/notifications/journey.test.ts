// What a merchant is told (contract 13), over real sockets.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { brandSignature } from '../../src/payment/notification/sign.ts';
import { type Client, textAt } from '../client.ts';
import { world } from '../world.ts';
import { receiver } from './receiver.ts';

const SETTINGS = { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' };

/** Makes an endpoint; answers its secret. */
async function endpoint(shop: Client, fields: object): Promise<string> {
  return textAt(await shop.api('/notification/endpoint', { body: fields }), 'endpoint.secret');
}

test('a sale is told in two notifications, in order, signed in both ways, with the money of its commit', async () => {
  await using florin = await world(SETTINGS);
  await using shop_server = await receiver();
  const secret = await endpoint(florin.shop, { url: shop_server.url });
  const order = await florin.shop.pay({}, { order_merchant_id: 'cart-1', amount: '42.50' });
  expect(order.at('status')).toBe('capture_successful');
  const taken = await shop_server.until(({ length }) => length === 2);
  expect(taken.map(({ body }) => [body['event'], body['status'], body['sequence'], body['previous_sequence']])).toEqual(
    [
      ['authorization_successful', 'authorization_successful', 2, null],
      ['capture_successful', 'capture_successful', 3, 2],
    ],
  );
  const [first, second] = taken;
  expect(second?.body).toMatchObject({
    order_id: order.at('order_id'),
    transaction_id: order.at('transaction_id'),
    merchant_order_id: 'cart-1',
    amount: 42.5,
    currency: 'EUR',
    payin_partner: 'simulator',
    payment_method: 'VISA',
    capture_total_amount: 42.5,
    refund_total_amount: 0,
    is_capturable: false,
    is_refundable: true,
    is_cancellable: false,
    card_6_digits: '424242',
    card_4_digits: '4242',
    card_validity_month: '12',
    card_validity_year: '34',
    is_order_last_transaction: true,
    result: { code: '955555', description: 'capture successful' },
    order_version: 4,
  });
  const read = await florin.shop.read(textAt(order, 'order_id'));
  expect(second?.body['capture_id']).toBe(read.at('transactions.0.captures.0.capture_id'));
  for (const one of [first, second]) {
    if (!one) throw new Error('there are two');
    expect(one.headers['content-type']).toBe('application/json');
    new Webhook(secret).verify(one.text, one.headers);
    const timestamp = one.headers['florin-timestamp'] ?? '';
    expect(one.headers['florin-signature']).toBe(brandSignature(secret, { id: one.id, body: one.text, timestamp }));
  }
});

test('every step of an order is told, subscribed or not counted, with the amounts and the operation of its moment', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  await using few = await receiver();
  const all = ['authorization_requested', 'authorization_successful', 'capture_requested', 'capture_successful'];
  const more = ['refund_requested', 'refund_successful', 'authorization_cancel_requested', 'authorization_cancelled'];
  await endpoint(shop, { url: server.url, events: [...all, ...more] });
  await endpoint(shop, { url: few.url, events: ['capture_successful', 'refund_successful'] });
  // nothing is sent before all has happened: a body that were made late would show later amounts
  server.mood = few.mood = () => 503;
  const order = textAt(await shop.pay({}, { operation_type: 'authorize', amount: '50.00' }), 'order_id');
  const operation = (kind: string, body: object) => shop.api(`/payment/maintenance/${kind}/${order}`, { body });
  const captured = await operation('capture', { amount: '20.00', operation_merchant_id: 'c-1' });
  expect(captured.code).toBe('955555');
  const refunded = await operation('refund', { amount: '5.00' });
  expect(refunded.code).toBe('966666');
  const second = textAt(await shop.pay({}, { operation_type: 'authorize', amount: '9.00' }), 'order_id');
  await shop.api(`/payment/maintenance/cancel/${second}`, { body: { operation_merchant_id: 'x-1' } });
  server.mood = few.mood = () => 200;
  await florin.sql(`UPDATE payment.clock SET shift = interval '10 s'`);
  const taken = await server.until(({ length }) => length === 10);
  const of = (id: string) => taken.filter(({ body }) => body['order_id'] === id).map(({ body }) => body);
  const told = of(order).map((body) => [
    body['event'],
    body['sequence'],
    body['capture_total_amount'],
    body['refund_total_amount'],
    body['is_capturable'],
    body['is_refundable'],
    body['is_cancellable'],
  ]);
  expect(told).toEqual([
    ['authorization_requested', 1, 0, 0, false, false, true],
    ['authorization_successful', 2, 0, 0, true, false, true],
    ['capture_requested', 3, 0, 0, true, false, false],
    ['capture_successful', 4, 20, 0, true, true, false],
    ['refund_requested', 5, 20, 0, true, true, false],
    ['refund_successful', 6, 20, 5, true, true, false],
  ]);
  const capture_id = captured.at('capture_id');
  expect(of(order)[3]).toMatchObject({ capture_id, operation_merchant_id: 'c-1', order_version: 5 });
  expect(of(order)[5]).toMatchObject({ refund_id: refunded.at('refund_id'), status: 'refund_successful' });
  expect(of(second).map((body) => [body['event'], body['operation_merchant_id']])).toEqual([
    ['authorization_requested', undefined],
    ['authorization_successful', undefined],
    ['authorization_cancel_requested', 'x-1'],
    ['authorization_cancelled', 'x-1'],
  ]);
  await few.until(({ length }) => length === 2);
  expect(few.taken.map(({ body }) => [body['sequence'], body['previous_sequence']])).toEqual([
    [4, null],
    [6, 4],
  ]);
});

test('a decline is told; one that is followed at once by another provider is not', async () => {
  await using florin = await world(SETTINGS);
  await using server = await receiver();
  await endpoint(florin.shop, { url: server.url });
  await florin.shop.pay({ card_number: '4000000000009995' });
  await server.until(({ length }) => length === 1);
  await florin.shop.pay({ card_number: '4000009901000052' });
  const taken = await server.until(({ length }) => length === 3);
  expect(taken.map(({ body }) => [body['event'], body['payin_partner']])).toEqual([
    ['authorization_declined', 'simulator'],
    ['authorization_successful', 'simulator_b'],
    ['capture_successful', 'simulator_b'],
  ]);
});

test('a checkout that expires and a customer whose cards are removed are told, each with a count of its own', async () => {
  await using florin = await world(SETTINGS);
  const { shop } = florin;
  await using server = await receiver();
  await endpoint(shop, { url: server.url, events: ['checkout.expired', 'customer.updated'] });
  const checkout_id = await shop.checkout({ order_merchant_id: 'cart-7', amount: '12.30' });
  const token = await shop.token({ token_type: 'recurring' });
  await shop.order(
    {
      token,
      customer_id: 'ada',
      token_type: 'recurring',
      operation_type: 'direct_capture',
      amount: 5,
      currency: 'EUR',
      order_merchant_id: 'k',
    },
    { prefer: 'wait=10' },
  );
  await shop.api('/payment/information/id', { method: 'DELETE', body: { customer_id: 'ada' } });
  const [updated] = await server.until(({ length }) => length === 1);
  expect(updated?.body).toMatchObject({
    event: 'customer.updated',
    sequence: 1,
    previous_sequence: null,
    customer_id: 'ada',
  });
  await florin.sql(`UPDATE payment.clock SET shift = interval '16 min'`);
  const [, expired] = await server.until(({ length }) => length === 2);
  expect(expired?.body).toMatchObject({
    event: 'checkout.expired',
    sequence: 1,
    checkout_id,
    merchant_order_id: 'cart-7',
    amount: 12.3,
    currency: 'EUR',
  });
});
