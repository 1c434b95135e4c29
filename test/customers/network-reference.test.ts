// Contract 11: the scheme's id of a subscription's first payment is kept and sent with later ones; nobody else's is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkReference } from '../../src/sandbox/call/answer.ts';
import { textAt } from '../client.ts';
import { type Till, openTill } from '../maintenance/till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const RECURRING = { payment_channel: 'recurring', token_type: 'recurring' };
const LATER = { payment_channel: 'recurring', operation_type: 'direct_capture' };

/** A subscription with its first payment: its id, its token and the first order. */
async function subscribe(card: object = {}) {
  const order_merchant_id = `subscription-${Math.random()}`;
  const checkout = await till.shop.api('/payment/checkout', {
    body: {
      type: 'api',
      operation_type: 'direct_capture',
      amount: '5.00',
      currency: 'EUR',
      order_merchant_id,
      ...RECURRING,
    },
  });
  const token = await till.shop.token({ token_type: 'recurring', ...card });
  const checkout_id = textAt(checkout, 'checkout.checkout_id');
  const first = await till.shop.order({ checkout_id, token }, { prefer: 'wait=10' });
  return { subscription_id: textAt(checkout, 'checkout.subscription_id'), token, first };
}

const named = async (order_id: string): Promise<unknown> => {
  const [entry] = await till.books(order_id);
  return entry && 'previous_reference' in entry ? entry.previous_reference : undefined;
};
const referenceOf = async (order_id: string) => networkReference((await till.books(order_id))[0]?.reference ?? '');

test('later payments of a subscription name its first one, and go on naming that one', async () => {
  const { subscription_id, token, first } = await subscribe();
  const first_id = textAt(first, 'order_id');
  expect(await named(first_id)).toBeUndefined();
  for (let month = 0; month < 2; month++) {
    const next = await till.shop.pay({}, { token, subscription_id, ...LATER });
    expect([next.code, await named(textAt(next, 'order_id'))]).toEqual(['955555', await referenceOf(first_id)]);
  }
});

test('a declined payment gives no network reference: the first payment that was approved does', async () => {
  const { subscription_id, first } = await subscribe({ card_number: '4000000000009995' });
  expect(first.code).toBe('420100');
  const token = await till.shop.token({ token_type: 'recurring' });
  const second = await till.shop.pay({}, { token, subscription_id, ...LATER });
  expect([second.code, await named(textAt(second, 'order_id'))]).toEqual(['955555', undefined]);
  const third = await till.shop.pay({}, { token, subscription_id, ...LATER });
  expect(await named(textAt(third, 'order_id'))).toBe(await referenceOf(textAt(second, 'order_id')));
});

test('a payment of another subscription, or of none, does not name the network reference of this one', async () => {
  const [one, other] = [await subscribe(), await subscribe()];
  const next = await till.shop.pay({}, { token: other.token, subscription_id: other.subscription_id, ...LATER });
  expect(await named(textAt(next, 'order_id'))).toBe(await referenceOf(textAt(other.first, 'order_id')));
  const plain = await till.shop.pay({}, { token: one.token });
  expect(await named(textAt(plain, 'order_id'))).toBeUndefined();
});

test('a network reference whose answer was lost is kept from the inquiry', async () => {
  const { subscription_id, token, first } = await subscribe({ card_number: '4000009901000045' });
  const first_id = textAt(first, 'order_id');
  await till.shop.decided(first_id);
  const next = await till.shop.pay(
    {},
    { token, subscription_id, ...LATER, order_merchant_id: `later-${Math.random()}` },
  );
  expect(await named(textAt(next, 'order_id'))).toBe(await referenceOf(first_id));
});
