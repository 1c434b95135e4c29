// What a merchant is told (contract 13), over real sockets.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { brandSignature } from '../../src/payment/notification/sign.ts';
import { type Client, type Reply } from '../client.ts';
import { world } from '../world.ts';
import { receiver } from './receiver.ts';

async function endpoint(shop: Client, fields: object): Promise<{ id: string; secret: string; reply: Reply }> {
  const reply = await shop.api('/notification/endpoint', { body: fields });
  expect(reply.status, reply.text).toBe(200);
  return { id: String(reply.at('endpoint._id')), secret: String(reply.at('endpoint.secret')), reply };
}

test('a sale is told in two notifications, in order, signed in both ways, with the money of its commit', async () => {
  await using florin = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await using shop_server = await receiver();
  const { secret } = await endpoint(florin.shop, { url: shop_server.url });
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
    order_version: 2,
  });
  const read = await florin.shop.read(String(order.at('order_id')));
  expect(second?.body['capture_id']).toBe(read.at('transactions.0.captures.0.capture_id'));
  for (const one of [first, second]) {
    if (!one) throw new Error('there are two');
    expect(one.headers['content-type']).toBe('application/json');
    new Webhook(secret).verify(one.text, one.headers);
    const timestamp = one.headers['florin-timestamp'] ?? '';
    expect(one.headers['florin-signature']).toBe(brandSignature(secret, { id: one.id, body: one.text, timestamp }));
  }
});
