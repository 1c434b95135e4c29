// Rules hold on the hosted page as they do for a merchant's server; the payer is not told which one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { URLS, hostedCheckout, nonceIn, open, sendForm, typed } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { publish } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

test('a payer who is refused sees a decline, may take another card, and never reads the rule', async () => {
  await publish(w, [{ name: 'card tries', kind: 'velocity', subject: 'bin', limit: 1, window_s: 3600 }]);
  expect((await w.shop.pay()).code).toBe('955555');
  const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
  const pay = async (card_number: string) => {
    const page = await open(url);
    await sendForm(url, { token: await typed(w.shop, page, { card_number }), nonce: nonceIn(page) });
    return open(url);
  };
  const refused = await pay('4242424242424242');
  expect(refused.html).toContain('<b>The payment was declined</b>');
  expect(refused.html).not.toContain('card tries');
  const read = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect(read.at('checkout.orders.0.status')).toBe('risk_assessment_declined');
  const order = await w.shop.read(textAt(read, 'checkout.orders.0.order_id'));
  expect([order.code, order.at('risk_assessment_reason_code')]).toEqual(['131055', '131055']);
  await pay('4111111111111111');
  const paid = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect(paid.at('checkout.status')).toBe('completed');
});
