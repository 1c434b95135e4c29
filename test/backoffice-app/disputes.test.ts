// An order whose money the payer's bank took back: it is shown wherever the order is, and a refund of it is a second,
// deliberate step.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timelineText } from '../../src/commands/order/order.ts';
import { DAY_S } from '../../src/core/durations.ts';
import { timelineOf } from '../../src/payment/order/timeline/read-timeline.ts';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, signIn, takeSeat, words } from './seat.ts';

/** Captured; a day later the payer disputes it. */
const DISPUTED_CARD = '4000000000000259';

let w: World;
let browser: Browser;
let ada: Seat;
let order_id = '';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  await firstOwner(w);
  const fields = { amount: '25.00', order_merchant_id: 'cart-disputed', operation_type: 'direct_capture' };
  order_id = textAt(await w.shop.pay({ card_number: DISPUTED_CARD }, fields), 'order_id');
  await w.shop.pay({}, { ...fields, order_merchant_id: 'cart-fine' });
  await w.shop.decided(order_id);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: DAY_S + 60 } });
  await until(async () => ((await w.shop.read(order_id)).text.includes('"is_chargebacked":true') ? true : undefined));
  ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const row = (reference: string) => `.orders tbody tr:has-text("${reference}")`;

test('a disputed order says so in the list and is found by the filter; its status is no green one', async () => {
  const { page } = ada;
  await ada.open('/orders', 'Orders');
  await page.locator(row('cart-disputed')).waitFor();
  await expect.poll(() => words(ada, row('cart-disputed'))).toContain('Charged back');
  expect(await words(ada, row('cart-fine'))).not.toContain('Charged back');
  expect(await page.locator(`${row('cart-disputed')} .tag.good`).count()).toBe(0);
  await page.getByRole('button', { name: 'Disputed', exact: true }).click();
  await page.waitForURL(/disputed=true/);
  await page.locator(row('cart-fine')).waitFor({ state: 'detached' });
  await page.locator(row('cart-disputed')).waitFor();
});

test('an order in dispute says so in the header, the money and the timeline of its page, and in florin order show', async () => {
  await ada.open(`/orders/${order_id}`, 'cart-disputed');
  await settled(ada);
  // it comes before the status, and before everything else of the page
  await expect.poll(() => words(ada, '.order-head')).toMatch(/Charged back Captured$/);
  await expect.poll(() => words(ada, '.banner')).toMatch(/^The payer's bank took 25\.00 EUR back Charged back /);
  await expect.poll(() => words(ada, '.money-box')).toContain('Charged back 25.00 EUR');
  await expect.poll(() => words(ada, '.timeline')).toContain('Charged back: the payer opened a dispute');
  expect(await flaws(ada)).toEqual([]);
  const { tools } = w.service;
  const timeline = await timelineOf(tools.db.tenant(w.account), order_id);
  if (!timeline) throw new Error('the account has the order');
  expect(timelineText(timeline)).toMatch(/^dispute +opened +25\.00 EUR /m);
});

async function receipt(): Promise<string> {
  const { page } = ada;
  await ada.open(`/orders/${order_id}`, 'cart-disputed');
  await page.getByRole('button', { name: 'Receipt' }).click();
  await page.locator('.receipt').waitFor();
  expect(await flaws(ada)).toEqual([]);
  return words(ada, '.receipt');
}

test('its receipt does not say that it is paid', async () => {
  expect(await receipt()).toMatch(
    /^Demo shop 25\.00 EUR Charged back .* Charged 25\.00 EUR Charged back −25\.00 EUR [0-9a-f]{24}$/,
  );
});

test('a refund of it is refused at first, and made only once the second step is ticked', async () => {
  const { page } = ada;
  await ada.open(`/orders/${order_id}`, 'cart-disputed');
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The payer asked for it');
  const refund = dialog.getByRole('button', { name: 'Refund 25.00 EUR' });
  await refund.click();
  await dialog.getByText('This money is disputed. Nothing was refunded.').waitFor();
  expect(await refund.isDisabled()).toBe(true);
  expect((await w.shop.read(order_id)).at('transactions.0.refunded_amount')).toBe(0);
  expect(await flaws(ada)).toEqual([]);
  await dialog.getByLabel('Refund anyway: the payer gets the money twice').check();
  await refund.click();
  await page.getByText('Payment refunded').waitFor();
  expect((await w.shop.decided(order_id)).at('transactions.0.refunded_amount')).toBe(25);
  expect(await receipt()).toMatch(
    /^Demo shop 25\.00 EUR Refunded and charged back .* Charged 25\.00 EUR Refunded −25\.00 EUR Charged back −25\.00 EUR /,
  );
});
