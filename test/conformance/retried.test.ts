// An order that is tried again at the same provider, and asked for something else in the middle of a call without an
// answer: one attempt holds the money, and nothing of the others stands there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

const AT_ONCE = { prefer: 'wait=0' };

async function retry(bench: Bench, order_id: string, body: object, headers: object = AT_ONCE) {
  const token = await stand.w.shop.token({ card_number: bench.at.cards.good });
  return stand.w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token, ...body },
    headers: { ...headers },
  });
}

/** An order whose first card the provider declines. */
async function declined(bench: Bench): Promise<string> {
  const [card = ''] = Object.keys(bench.at.cards.declined);
  const reply = await bench.pay({ max_attempts: 5 }, card);
  const order_id = textAt(reply, 'order_id');
  await stand.heal(order_id);
  expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_declined');
  return order_id;
}

const OTHERS = [{ amount: '24.00' }, { currency: 'USD' }, { amount: '25.00', currency: 'JPY' }];

describe.each(PROVIDERS)('$name', (at) => {
  const step = at.steps.authorize.at(-1) ?? '';
  const troubles = at.troubles.filter((one) => ['silent_after', 'closed_before'].includes(one));

  test.each(troubles)(
    'another attempt whose answer is %s is alone, whatever is asked for meanwhile',
    async (trouble) => {
      const bench = stand.bench(at);
      const order_id = await declined(bench);
      await bench.quiet(true);
      for (const other of OTHERS) expect((await retry(bench, order_id, other)).status).toBe(400);
      await bench.drive.arm(trouble, step);
      expect((await retry(bench, order_id, { amount: '25.00' })).status).toBe(200);
      // where a message is quicker than the answer it may be there to be captured
      expect((await retry(bench, order_id, {})).status).toBe(409);
      await bench.maintain('capture', order_id, { amount: '5.00' }, AT_ONCE);
      await bench.maintain('refund', order_id, {}, AT_ONCE);
      await stand.heal(order_id);
      await bench.drive.clear();
      await bench.quiet(false);
      await bench.drive.tellWaiting();
      await bench.drive.retell();
      await stand.heal(order_id);
      expect(await stand.differences(order_id)).toEqual([]);
      expect(await stand.triedAt(order_id)).toEqual([at.name, at.name]);
    },
  );

  test.each(troubles)('an order that is held is not tried again, also while its capture is %s', async (trouble) => {
    const bench = stand.bench(at);
    const order_id = textAt(await bench.pay({ max_attempts: 5 }), 'order_id');
    await stand.heal(order_id);
    await bench.quiet(true);
    const refused = [await retry(bench, order_id, {}), await retry(bench, order_id, { amount: '24.00' })];
    await bench.drive.arm(trouble, at.steps.capture.at(-1) ?? '');
    await bench.maintain('capture', order_id, {}, AT_ONCE);
    refused.push(await retry(bench, order_id, {}));
    await stand.heal(order_id);
    await bench.drive.clear();
    refused.push(await retry(bench, order_id, {}));
    await bench.quiet(false);
    await bench.drive.tellWaiting();
    await bench.drive.retell();
    await stand.heal(order_id);
    expect(refused.map(({ status }) => status)).toEqual([409, 400, 409, 409]);
    expect(await stand.differences(order_id)).toEqual([]);
    expect(await stand.triedAt(order_id)).toEqual([at.name]);
  });

  test('what is heard of an attempt that was given up changes nothing of the next one', async () => {
    const bench = stand.bench(at);
    await bench.quiet(true);
    await bench.drive.arm('silent_after', step);
    const order_id = textAt(await bench.pay({ max_attempts: 5 }, undefined, AT_ONCE), 'order_id');
    const early = await retry(bench, order_id, {});
    await stand.heal(order_id);
    await bench.drive.clear();
    const { code } = await stand.w.shop.read(order_id);
    // where it was undone; else it is there, and stays the only one
    const second = await retry(bench, order_id, {}, { prefer: 'wait=2' });
    await bench.quiet(false);
    await bench.drive.tellWaiting();
    await bench.drive.retell();
    await stand.heal(order_id);
    expect([early.status, second.status]).toEqual([409, code === '944444' ? 409 : 200]);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_successful');
    expect(await stand.differences(order_id)).toEqual([]);
  });

  test.each(troubles)('a cancel that is %s ends once, whatever is asked for and told meanwhile', async (trouble) => {
    const bench = stand.bench(at);
    const order_id = textAt(await bench.pay({ max_attempts: 5 }), 'order_id');
    await stand.heal(order_id);
    await bench.quiet(true);
    await bench.drive.arm(trouble, at.steps.cancel.at(-1) ?? '');
    await bench.maintain('cancel', order_id, {}, AT_ONCE);
    const meanwhile = [
      await bench.maintain('capture', order_id, { amount: '5.00' }, AT_ONCE),
      await bench.maintain('cancel', order_id, {}, AT_ONCE),
      await retry(bench, order_id, {}),
    ];
    await bench.drive.tellWaiting();
    await stand.heal(order_id);
    await bench.drive.clear();
    await bench.quiet(false);
    await bench.drive.tellWaiting();
    await bench.drive.retell();
    await stand.heal(order_id);
    expect(meanwhile.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
    expect(await stand.differences(order_id)).toEqual([]);
  });
});
