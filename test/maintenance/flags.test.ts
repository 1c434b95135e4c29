// Contract 7.5 against 8: what the flags of a read promise is what a capture or a cancel is then told; the end of an
// authorization of which a part was captured is told apart from a full capture.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, textAt } from '../client.ts';
import { type Till, openTill } from './till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const flags = async (order_id: string) => {
  const read = await till.shop.read(order_id);
  const names = ['is_capturable', 'is_cancellable', 'is_cancelled'] as const;
  return names.filter((name) => read.at(`transactions.0.${name}`) === true);
};
const advance = (seconds: number) => till.shop.api('/sandbox/clock/advance', { body: { seconds } });
const pay = async (card_number: string, fields: object = {}): Promise<Reply> =>
  till.shop.order(
    {
      token: await till.shop.token({ card_number }),
      operation_type: 'authorize',
      amount: '9.00',
      currency: 'EUR',
      order_merchant_id: `flags-${card_number}-${process.pid}`,
      ...fields,
    },
    { prefer: 'wait=0' },
  );

describe('the flags of a read', () => {
  test('of a held amount: it can be captured and cancelled, and after that neither', async () => {
    const order_id = await till.authorize();
    expect(await flags(order_id)).toEqual(['is_capturable', 'is_cancellable']);
    await till.maintain('cancel', order_id);
    expect(await flags(order_id)).toEqual(['is_cancelled']);
  });

  test('while a cancel is undecided: neither is taken, and neither is promised', async () => {
    const order_id = await till.authorize({}, '4000009904000026');
    expect((await till.maintain('cancel', order_id, {}, { prefer: 'wait=0' })).code).toBe('721080');
    expect(await flags(order_id)).toEqual([]);
    expect((await till.maintain('capture', order_id)).code).toBe('520220');
    expect((await till.maintain('cancel', order_id)).code).toBe('711033');
  });

  test('while an authorization is undecided: a cancel is promised, and taken', async () => {
    const order_id = textAt(await pay('4000009901000110'), 'order_id');
    expect(await flags(order_id)).toEqual(['is_cancellable']);
    expect((await till.maintain('cancel', order_id, {}, { prefer: 'wait=0' })).status).toBe(200);
    // it may be done before it is read
    expect([[], ['is_cancelled']]).toContainEqual(await flags(order_id));
  });

  test('while the payer is asked: a cancel is promised, taken, and shown', async () => {
    const reply = await pay('4000002760003184', { authentication_indicator: 'force_3ds' });
    expect(reply.at('status')).toBe('authentication_requested');
    const order_id = textAt(reply, 'order_id');
    expect(await flags(order_id)).toEqual(['is_cancellable']);
    expect((await till.maintain('cancel', order_id)).code).toBe('977777');
    expect(await flags(order_id)).toEqual(['is_cancelled']);
  });

  test('of a declined order: nothing is promised', async () => {
    const reply = await till.shop.pay({ card_number: '4000000000009995' });
    expect(await flags(textAt(reply, 'order_id'))).toEqual([]);
  });
});

test('the rest of an authorization that lapsed after a part was captured is told as lapsed, not as captured', async () => {
  const order_id = await till.authorize();
  expect((await till.maintain('capture', order_id, { amount: '10.00' })).code).toBe('955555');
  await advance(31 * 24 * 3600);
  const late = await till.maintain('capture', order_id, { amount: '1.00' });
  expect([late.status, late.code]).toEqual([409, '520120']);
  const whole = await till.sell();
  const again = await till.maintain('capture', whole, { amount: '1.00' });
  expect([again.status, again.code]).toEqual([409, '511030']);
});
