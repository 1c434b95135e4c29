import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('a checkout is created, a card tokenized, an order authorized and read back', async () => {
  const checkout_id = await w.shop.checkout();
  const token = await w.shop.token({ checkout_id });
  const order = await w.shop.order({ token, checkout_id });
  expect(order.status).toBe(200);
  expect(order.code).toBe('421080');
  expect(order.at('status')).toBe('authorization_requested');
  expect(order.at('is_captured')).toBe(false);
  const read = await w.shop.decided(textAt(order, 'order_id'));
  expect(read.code).toBe('944444');
  expect(read.at('status')).toBe('authorization_successful');
  expect(read.at('transactions.0.is_capturable')).toBe(true);
  expect(read.at('transactions.0.capturable_amount')).toBe(42.5);
});

test('a direct capture is answered with its outcome', async () => {
  const reply = await w.shop.pay();
  expect(reply.code).toBe('955555');
  expect(reply.at('status')).toBe('capture_successful');
  expect(reply.at('is_captured')).toBe(true);
  expect(reply.at('capture_total_amount')).toBe(25);
});

test('the answer to an order and a read of it say the same', async () => {
  for (const card of ['4242424242424242', '4000000000009995', '4000000000004954']) {
    const reply = await w.shop.pay(
      { card_number: card },
      {
        customer_first_name: 'Zoë',
        customer_country: 'fr',
        order_description: 'two\nlines',
        accept_url: 'https://shop.example/a?b=1',
      },
    );
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect(read.body).toMatchObject(reply.body as object);
  }
});
