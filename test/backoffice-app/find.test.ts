// Finding anything from anywhere with the keyboard: what the role may see of the own account, and nothing else.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt, until } from '../client.ts';
import { populate } from '../search/population.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let ada: Seat;
let order_id = '';
let request_id = '';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  const owner = await firstOwner(w);
  await invited(w, owner, 'reader');
  const fields = { order_merchant_id: 'cart-found', customer_id: 'grace-hopper', amount: '17.31' };
  const token = await w.shop.token({ token_type: 'recurring' });
  const paid = await w.shop.pay({}, { ...fields, token, token_type: 'recurring' });
  order_id = textAt(paid, 'order_id');
  await w.shop.decided(order_id);
  // of somebody else
  const span = { orders: 50, from_s: Date.now() / 1000 - 3600, to_s: Date.now() / 1000 };
  await populate(w.sql, { merchant_account_id: w.service.tools.chance.id(), ...span });
  request_id = await until(async () => {
    const { body } = await owner.get(`/api/requests?order_id=${order_id}`);
    return (body as { requests: readonly { id: string }[] }).requests[0]?.id;
  });
  ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/** Types it into the box, and what is found then, group by group. */
async function found({ page }: Seat, typed: string): Promise<string> {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Find anything' });
  await box.fill(typed);
  await until(async () => {
    const told = await page.locator('[role=dialog] [role=status]').innerText();
    return /found/.test(told) && (await box.inputValue()) === typed ? true : undefined;
  });
  const text = (await page.locator('.find-list').innerText()).replaceAll(/\s+/g, ' ').trim();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return text;
}

test('an order is found by its reference, amount, id, customer and last four, and opened without a mouse', async () => {
  const { page } = ada;
  await ada.open('/audit', 'Audit log');
  for (const typed of ['cart-found', '17.31', order_id, 'grace-hopper', '4242'])
    expect([typed, await found(ada, typed)]).toEqual([typed, expect.stringContaining('17.31 EUR · cart-found')]);
  for (const others of ['ref-7', 'guest', 'c-4']) expect([others, await found(ada, others)]).toEqual([others, '']);
  expect(await found(ada, 'grace')).toContain('Customers grace-hopper');
  expect(await found(ada, 'nobody at all')).toBe('');

  await page.keyboard.press('Control+k');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.type('cart-found');
  await page.getByRole('option', { name: /cart-found/ }).waitFor();
  expect(await flaws(ada)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/orders/${order_id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(ada);
});

test('requests by their id, settings and pages are found; what was looked at last stands there before anything is typed', async () => {
  const { page } = ada;
  expect(await found(ada, request_id)).toMatch(/Requests (?:POST|GET) \/payment/);
  expect(await found(ada, '3-D')).toContain('Settings Default 3-D Secure');
  expect(await found(ada, 'team')).toBe('Pages Team');
  await page.getByRole('button', { name: 'Find anything' }).click();
  await page.getByRole('group', { name: 'Recent' }).waitFor();
  await expect.poll(() => words(ada, '.find-list')).toMatch(/^Recent .*Pages Overview/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/me');
});

test('a viewer finds neither requests nor pages that their role may not open, and a phone has a button for it', async () => {
  const seat = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await seat.open('/', 'Sign in');
  await signIn(seat, 'reader@shop.example');
  const asked: string[] = [];
  seat.page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  expect(await found(seat, 'cart-found')).toContain('17.31 EUR');
  expect(await found(seat, request_id)).toBe('');
  expect(await found(seat, 'team')).toBe('');
  expect(asked).not.toContain('/api/requests');
  await seat.page.getByRole('button', { name: 'Find anything' }).click();
  await seat.page.getByRole('option').first().waitFor();
  expect(await words(seat, '.find-list')).not.toMatch(/Audit|Team|API keys/);
  expect(await flaws(seat)).toEqual([]);
  expect(seat.wrongs()).toEqual([]);
  await seat.context.close();
});
