// Orders at the simulated Stripe, through the public API: what the engine makes of a provider with several steps.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
});
afterAll(() => w[Symbol.asyncDispose]());

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce' };

test('an order is authorized in three steps, captured once and refunded', async () => {
  const paid = await w.shop.pay({}, { ...AT_STRIPE, operation_type: 'authorize' });
  expect(paid.code).toBe('944444');
  expect(paid.at('payin_partner')).toBe('stripe');
});
