// One attempt whose payer is asked twice: by the bank for us, and, because the first provider cannot be reached, by the
// next provider on its own page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticates, open, redirectOf } from '../authentication/payer.ts';
import { textAt, until } from '../client.ts';
import { stripe as at } from '../conformance/at/stripe.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
  await w.sql(`UPDATE payment.contracts SET enabled = provider IN ('simulator', 'stripe')`);
});
afterAll(() => w[Symbol.asyncDispose]());

const URLS = { accept_url: 'https://shop.example/back?ok=1', decline_url: 'https://shop.example/back?ok=0' };
/** The simulator refuses connections. */
const UNREACHABLE = { card_number: '4000009901000052' };
/** An amount for which the bank wants to see the payer. */
const FORCE = { amount: '1000', authentication_indicator: 'force_3ds', payment_channel: 'e-commerce', ...URLS };

const statusOf = (page: string) => fetch(`${page}/status?seen=successful`).then((response) => response.json());

test('the payer is led on to the next provider’s page, and both pages lead where the attempt ends', async () => {
  const order = await w.shop.pay(UNREACHABLE, FORCE);
  const order_id = textAt(order, 'order_id');
  const page = redirectOf(order);
  const led_to = await authenticates(order);
  const next = redirectOf(await w.shop.read(order_id));
  expect(next).not.toBe(page);
  expect([led_to.url, led_to.location]).toEqual([next, (await open(next)).location]);
  // who waits at the first page meanwhile goes on at once, too
  expect(await statusOf(page)).toMatchObject({ next: 'reload' });
  await open((await at.payer?.acts(await open(page), 'complete')) ?? '');
  await until(async () => (await w.shop.read(order_id)).at('status') === 'capture_successful' || undefined);
  expect([(await open(page)).location, (await open(next)).location]).toEqual([URLS.accept_url, URLS.accept_url]);
});
