// Later tries in the back office, in a real browser: what is planned, what it brought back, and a person who stops one;
// in every look.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, VIEWS, flaws, seated, settled, shoot, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let ada: Seat;
let poor = '';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  const owner = await firstOwner(w);
  await invited(w, owner, 'reader');
  await alone('4000009908000048', { order_merchant_id: 'rent-paid', amount: '740.00' });
  await alone('5300000000000204', { order_merchant_id: 'rent-stopped', currency: 'USD' });
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 7 * 86_400 } });
  poor = await alone('4000000000009995', { order_merchant_id: 'rent-poor', amount: '1240.50' });
  await alone('5300000000000105', { order_merchant_id: 'rent-advised', currency: 'USD' });
  ada = await takeSeat(w, browser);
  await ada.page.goto('/retries');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

async function alone(card_number: string, fields: object): Promise<string> {
  const policy = { payment_channel: 'recurring', retry_policy: 'default' };
  return textAt(await w.shop.pay({ card_number, token_type: 'recurring' }, { ...policy, ...fields }), 'order_id');
}

test.each(VIEWS)(
  'shows what came back by currency, what is planned and why, and what ended ($width $scheme)',
  async (view) => {
    const seat = await seated(w, browser, view);
    await seat.open('/retries', 'Retries');
    await seat.page.getByRole('link', { name: 'rent-poor' }).waitFor();
    await settled(seat);
    await shoot(seat, `retries-${view.width}-${view.scheme}`);
    expect(await flaws(seat)).toEqual([]);
    await expect.poll(() => words(seat, '.tiles')).toContain('740.00');
    await seat.open(`/orders/${poor}`, 'rent-poor');
    await seat.page.getByText('This payment is tried again later').waitFor();
    await settled(seat);
    await shoot(seat, `order-${view.width}-${view.scheme}`);
    expect(await flaws(seat)).toEqual([]);
    expect(seat.wrongs()).toEqual([]);
    await seat.context.close();
  },
);

test('a person who may move money stops a later try with a reason, which the timeline and the audit keep; a reader is not offered it', async () => {
  const { page } = ada;
  await ada.open('/retries', 'Retries');
  await page.getByRole('button', { name: 'Stop later tries of rent-poor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('the tenant pays by transfer');
  await shoot(ada, 'retries-stop');
  expect(await flaws(ada)).toEqual([]);
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('A person stopped it in the back office').first().waitFor();
  await ada.open(`/orders/${poor}`, 'rent-poor');
  await page.getByText('Later tries ended').waitFor();
  await shoot(ada, 'order-ended');
  const kept = await w.sql<{ reason: string }>(
    `SELECT reason FROM payment.audit WHERE action = 'later tries stopped' AND object = $1`,
    [poor],
  );
  expect(kept).toEqual([{ reason: 'the tenant pays by transfer' }]);
  const reader = await takeSeat(w, browser);
  await reader.open('/', 'Sign in');
  await signIn(reader, 'reader@shop.example');
  await reader.open('/retries', 'Retries');
  await reader.page.getByRole('link', { name: 'rent-advised' }).waitFor();
  expect(await reader.page.getByRole('button', { name: /^Stop/ }).count()).toBe(0);
});
