// The time of an authorization is counted from the attempt that was approved, however old its order is, and whatever
// the clock was for a while.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { textAt, until } from '../client.ts';
import { type Till, openTill } from './till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const advance = (days: number) => till.shop.api('/sandbox/clock/advance', { body: { seconds: days * DAY_S } });
const status = async (order_id: string) => (await till.shop.read(order_id)).at('status');

async function declined(): Promise<string> {
  const token = await till.shop.token({ card_number: '4000000000000002' });
  const fields = {
    operation_type: 'authorize',
    amount: '9.00',
    currency: 'EUR',
    order_merchant_id: `again-${++count}`,
  };
  return textAt(await till.shop.order({ token, ...fields }, { prefer: 'wait=5' }), 'order_id');
}
let count = 0;

async function retried(order_id: string): Promise<void> {
  const token = await till.shop.token({});
  await till.shop.api(`/payment/order/${order_id}`, { method: 'PUT', body: { token } });
  await until(async () => ((await status(order_id)) === 'authorization_successful' ? true : undefined));
}

test('an order that is tried again on its last day, or after it, is held as long as any other', async () => {
  const [before, after] = [await declined(), await declined()];
  await advance(29);
  await retried(before);
  await advance(2);
  await retried(after);
  expect(await status(before)).toBe('authorization_successful');
  await advance(29);
  expect([await status(before), await status(after)]).toEqual(['authorization_expired', 'authorization_successful']);
  await advance(2);
  expect(await status(after)).toBe('authorization_expired');
});

test('a clock that was ahead for a while and was set back hides no order whose time is over', async () => {
  // where the worker had come under the clock that was ahead by two months
  await till.w.sql(`
    UPDATE payment.jobs SET at = payment.now() + interval '60 days', position = payment.id_at(payment.now() + interval '30 days')
    WHERE name LIKE 'lapse after %'`);
  const order_id = await till.authorize();
  await until(async () => {
    const ahead = await till.w.sql(`SELECT 1 FROM payment.jobs WHERE name LIKE 'lapse after %' AND at > payment.now()`);
    return ahead.length === 0 || undefined;
  });
  await advance(31);
  expect(await status(order_id)).toBe('authorization_expired');
});
