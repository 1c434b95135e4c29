// Adyen has approved a payment that must be undone, and its cancel comes to nothing: that nothing was found is no proof
// that nothing is held.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adyen } from '../conformance/at/adyen.ts';
import { type Stand, openStand } from '../conformance/stand.ts';
import { textAt } from '../client.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

/** The next cancel is of a payment that is not there, and so its message says that it came to nothing. */
function missNext(): () => void {
  const { tools } = stand.w.service;
  const { direct } = tools;
  let is_first = true;
  const missing: typeof direct = (call) => {
    if (call.step !== 'cancel_by_reference' || !is_first) return direct(call);
    is_first = false;
    const body = call.body.map((part) =>
      typeof part === 'string' ? part.replace(/("paymentReference":")/, '$1not-') : part,
    );
    return direct({ ...call, body });
  };
  Object.assign(tools, { direct: missing });
  return () => void Object.assign(tools, { direct });
}

test('the payment is cancelled once more, and nothing stays held', async () => {
  const bench = stand.bench(adyen);
  const restore = missNext();
  await bench.drive.arm('other_amount', 'payments');
  const order_id = textAt(await bench.pay({}, undefined, { prefer: 'wait=0' }), 'order_id');
  await stand.heal(order_id);
  restore();
  expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_declined');
  expect(await stand.differences(order_id)).toEqual([]);
});
