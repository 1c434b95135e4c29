// Rules hold on the hosted page as they do for a merchant's server; the payer is not told which one.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedStatements } from '../../src/kit/database.ts';
import { textAt } from '../client.ts';
import { URLS, hostedCheckout, nonceIn, open, sendForm, typed } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { accountOf, publish } from './till.ts';

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

/** Characters that a statement answers, asked with one value. */
async function answered(name: string, value: string): Promise<number> {
  const { text = '', names } = preparedStatements().get(name) ?? {};
  expect([name, names]).toEqual([name, [expect.any(String)]]);
  const rows = await w.sql(text, [Buffer.from(value, 'hex')]);
  expect(rows).toHaveLength(1);
  return JSON.stringify(rows).length;
}

test('pages are shown without the rules of their account, which are read by who pays', async () => {
  const values = Array.from({ length: 100 }, (_, n) => `refused-${n}@shop.example`);
  const names = Array.from({ length: 50 }, (_, n) => `rule ${n}`);
  await publish(
    w,
    names.map((name) => ({ name, kind: 'field', of: 'customer_email', values })),
  );
  const { url } = await hostedCheckout(w.shop);
  const body = { amount: '5.00', currency: 'EUR', order_merchant_id: 'shown' };
  const link = textAt(await w.shop.api('/payment/link', { body }), 'link.url');
  const page = await open(url);
  expect([page.status, (await open(link)).status]).toEqual([200, 200]);
  await sendForm(url, { token: await typed(w.shop, page), nonce: nonceIn(page) });
  const account = await accountOf(w);
  const handleOf = (address: string) => address.slice(-64);
  expect(await answered('find_account', account)).toBeGreaterThan(100_000);
  expect(await answered('find_page_owner', handleOf(url))).toBeLessThan(3000);
  expect(await answered('find_link_owner', handleOf(link))).toBeLessThan(3000);
  await open(
    textAt(
      await w.shop.pay({ card_number: '4000002760003184' }, { authentication_indicator: 'ask_3ds' }),
      'redirect_url',
    ),
  );
  expect(await answered('find_settings', account)).toBeLessThan(3000);
});
