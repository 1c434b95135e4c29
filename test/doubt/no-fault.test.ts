// What is refused here is no fault of the provider: its health is that of all accounts.
import { expect, test } from 'vitest';
import { inquire } from '../../src/payment/order/engine/inquire.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { textAt, until } from '../client.ts';
import type { CallSeen } from '../../src/payment/tools.ts';
import { stripe } from '../conformance/at/stripe.ts';
import { type World, world } from '../world.ts';

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce', operation_type: 'authorize' };

test('an account without its credentials closes a provider to nobody, however often it is asked', async () => {
  await using w = await world({ FLORIN_WITH: 'stripe' });
  const id = textAt(await w.shop.pay({}, AT_STRIPE), 'order_id');
  await w.shop.decided(id);
  const { tools } = w.service;
  const [row] = await w.sql<{ account: string }>(
    `UPDATE payment.contracts SET credentials_sealed = NULL WHERE name = 'stripe'
     RETURNING encode(merchant_account_id, 'hex') AS account`,
  );
  const order = await findOrder(tools.db.tenant(row?.account ?? ''), id);
  const operation = order?.operations[0];
  const provider = tools.providers.get('stripe');
  if (!order || !operation || !provider) throw new Error('there is an order at Stripe');
  for (let i = 0; i < 6; i++)
    expect((await inquire(tools, { provider, order, operation })).outcome.kind).toBe('unknown');
  expect(tools.breaker.stateOf('stripe')).toBe('closed');
});

test('an account that asks too often is slowed down by the provider, which is no trouble of the others', async () => {
  await using w = await world({ FLORIN_WITH: 'stripe' });
  const { breaker } = w.service.tools;
  const counted = hear(w);
  for (let i = 0; i < 6; i++) {
    await stripe.drive(w).arm('too_many', 'shell');
    await w.shop.pay({}, AT_STRIPE);
  }
  expect(breaker.stateOf('stripe')).toBe('closed');
  expect(counted).toEqual([]);
});

test('an account whose key is refused does not speak for a provider that leaves the others without an answer', async () => {
  await using w = await world({ FLORIN_WITH: 'stripe' });
  const { breaker } = w.service.tools;
  const unanswered = { answered: false, trouble: false, ms: 10 };
  for (let i = 0; i < 4; i++) breaker.saw('stripe', unanswered);
  const counted = hear(w);
  await stripe.drive(w).arm('credentials', 'shell');
  await w.shop.pay({}, AT_STRIPE);
  expect(counted).toEqual([]);
  breaker.saw('stripe', unanswered);
  expect(breaker.stateOf('stripe')).toBe('open');
});

/** What is told of Stripe's health from now on. */
function hear({ service: { tools } }: World): readonly CallSeen[] {
  const heard: CallSeen[] = [];
  const { saw } = tools.breaker;
  Object.assign(tools.breaker, {
    saw: (provider: string, seen: CallSeen) => {
      if (provider === 'stripe') heard.push(seen);
      saw(provider, seen);
    },
  });
  return heard;
}

test('a provider that asks for credentials, which nobody but accounts has, is tried again', async () => {
  await using w = await world({ FLORIN_WITH: 'stripe' });
  const { breaker } = w.service.tools;
  for (let i = 0; i < 5; i++) breaker.saw('stripe', { answered: false, trouble: false, ms: 10 });
  expect(breaker.stateOf('stripe')).toBe('open');
  await until(() => breaker.stateOf('stripe') === 'half' || undefined);
});
