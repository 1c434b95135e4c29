// Capture, refund and cancel without a mouse: each is reached by Tab, says what is missing, and leaves the focus where
// the person was.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, seated, settled } from './seat.ts';

let w: World;
let browser: Browser;
let ada: Seat;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  await firstOwner(w);
  ada = await seated(w, browser);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const focused = (page: Page) => page.evaluate('document.activeElement.innerText');

async function tabTo(page: Page, text: string): Promise<void> {
  for (let times = 0; times < 80; times++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === text) return;
  }
  throw new Error(`${text} cannot be reached with the keyboard`);
}

test.each([
  ['authorize', 'Capture', 'Capture 55.00 EUR', 'Captured'],
  ['direct_capture', 'Refund', 'Refund 55.00 EUR', 'Refunded'],
  ['authorize', 'Cancel', 'Cancel the authorization', 'Cancelled'],
])('an order of %s: %s by the keyboard alone', async (operation_type, button, submit, status) => {
  const { page } = ada;
  const reference = `keys-${button}`;
  const made = await w.shop.pay({}, { operation_type, amount: '55.00', order_merchant_id: reference });
  const order_id = textAt(made, 'order_id');
  await w.shop.decided(order_id);
  await ada.open(`/orders/${order_id}`, reference);
  await settled(ada);
  const dialog = page.getByRole('dialog');
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe(button);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await dialog.getByLabel('Reason').focus();
  await page.keyboard.type('asked by telephone');
  await tabTo(page, submit);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.order-head').getByText(status, { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe(button);
});

test('whoever removes a note, and then closes the message of it, goes on where notes are written', async () => {
  const { page } = ada;
  const made = await w.shop.pay({}, { order_merchant_id: 'keys-note' });
  await ada.open(`/orders/${textAt(made, 'order_id')}`, 'keys-note');
  await settled(ada);
  const field = page.getByLabel('Add a note');
  await field.fill('The parcel was lost');
  await page.getByRole('button', { name: 'Add note' }).press('Enter');
  await page.getByRole('button', { name: 'Remove this note' }).press('Enter');
  await page.getByText('No notes.').waitFor();
  const writes = async () => (await field.and(page.locator(':focus')).count()) === 1;
  expect(await writes()).toBe(true);
  await page.locator('.toast').last().getByRole('button', { name: 'Close' }).press('Enter');
  expect(await writes()).toBe(true);
});

test('where the system chooses the colours, what is chosen and what a colour means is still seen', async () => {
  const { page } = ada;
  await page.emulateMedia({ forcedColors: 'active' });
  await ada.open('/', 'Overview');
  await settled(ada);
  const look = (selector: string) =>
    page.evaluate(`(() => {
      const { backgroundColor, outlineStyle } = getComputedStyle(document.querySelector('${selector}'));
      return [backgroundColor, outlineStyle];
    })()`) as Promise<[ground: string, line: string]>;
  const [chosen] = await look('.mantine-SegmentedControl-label[data-active]');
  const [other] = await look('.mantine-SegmentedControl-label:not([data-active])');
  expect(chosen).not.toBe(other);
  expect((await look('.nav a[aria-current=page]'))[1]).toBe('solid');
  expect((await look('.nav a:not([aria-current])'))[1]).toBe('none');
  await page.emulateMedia({ forcedColors: 'none' });
});
