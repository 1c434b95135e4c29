// The disputes desk in a browser: from the overview to an answer, in the dark and on a phone as well. FLORIN_TEST_SHOTS
// names a folder for pictures.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { badRequest } from '../browser/watch.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, VIEWS, flaws, seated, settled, shoot, words } from './seat.ts';

let w: World;
let browser: Browser;
const disputes: string[] = [];
beforeAll(async () => {
  [w, browser] = await Promise.all([world({ FLORIN_WITH: 'stripe' }), openBrowser()]);
  const ada = await firstOwner(w);
  const fields = {
    merchant_contract: 'stripe',
    operation_type: 'direct_capture',
    customer_ip: '203.0.113.9',
    customer_id: 'grace',
  };
  const url = w.service.simulators?.get('stripe')?.control_url ?? '';
  for (const [i, amount] of ['42.00', '1280.00', '9.90'].entries()) {
    const paid = await w.shop.pay(
      {},
      { ...fields, amount, order_merchant_id: `cart-${i}`, customer_first_name: 'Grace' },
    );
    await w.shop.decided(textAt(paid, 'order_id'));
    const books = await (await fetch(`${url}/control/books`)).json();
    const { intents } = books as { intents: readonly { id: string; metadata: { order_id: string } }[] };
    const payment_intent = intents.find(({ metadata }) => metadata.order_id === textAt(paid, 'order_id'))?.id;
    await fetch(`${url}/control/disputes`, { method: 'POST', body: JSON.stringify({ payment_intent }) });
  }
  const rows = await until(async () => {
    const seen = (await ada.get('/api/disputes')).at('disputes') as readonly { id: string }[];
    return seen.length === 3 ? seen : undefined;
  });
  disputes.push(...rows.map(({ id }) => id));
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

test.each(VIEWS)('at $width px, $scheme, the desk is accessible and fits: list, page, question', async (view) => {
  const seat = await seated(w, browser, view);
  const { page } = seat;
  const name = `${view.width}-${view.scheme}`;
  await seat.open('/disputes', 'Disputes');
  await settled(seat);
  await shoot(seat, `disputes-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await page.getByText('All', { exact: true }).click();
  await page.waitForURL(/show=all/);
  await page.getByText('Won', { exact: true }).click();
  await page.getByText('None won yet').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await seat.open(`/disputes/${disputes[1]}`);
  await page.getByRole('heading', { name: /disputed$/ }).waitFor();
  await settled(seat);
  await shoot(seat, `dispute-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await page.getByRole('button', { name: 'Submit evidence' }).click();
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
  await shoot(seat, `dispute-submit-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await page.keyboard.press('Escape');
  await reportsAndPerson(seat, name);
  expect(seat.wrongs()).toEqual([]);
  await seat.context.close();
});

/** The other pages of finance: reports with their form, and a person's data with what would stay. */
async function reportsAndPerson(seat: Seat, name: string): Promise<void> {
  const { page } = seat;
  await seat.open('/reports', 'Reports');
  await settled(seat);
  expect(await flaws(seat)).toEqual([]);
  await page.getByRole('button', { name: 'New report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(`Night ${name}`);
  await dialog.getByLabel('How often').selectOption('daily');
  await shoot(seat, `report-new-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await dialog.getByRole('button', { name: 'Make report' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New report' }).click();
  await dialog.getByLabel('Name').fill(`March ${name}`);
  await dialog.getByRole('button', { name: 'Make report' }).click();
  await page.getByRole('button', { name: `Download March ${name}` }).waitFor();
  await settled(seat);
  await shoot(seat, `reports-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await seat.open('/customers/grace', 'grace');
  await settled(seat);
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  await page.getByText('The ledger', { exact: true }).waitFor();
  await shoot(seat, `erase-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await page.keyboard.press('Escape');
  const customer_email = `guest-${name}@mail.example`;
  await w.shop.pay({}, { operation_type: 'direct_capture', customer_email, order_merchant_id: `guest-${name}` });
  await seat.open('/customers', 'Customers');
  const erase = page.getByRole('button', { name: 'Erase', exact: true });
  expect(await erase.isDisabled()).toBe(true);
  await page.getByLabel('E-mail of the guest').fill(customer_email);
  await settled(seat);
  await shoot(seat, `guest-${name}`);
  await erase.click();
  await page.getByText('The ledger', { exact: true }).waitFor();
  await shoot(seat, `erase-guest-${name}`);
  expect(await flaws(seat)).toEqual([]);
  await page.getByLabel('Reason').fill('they wrote to us');
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('The person is being erased').waitFor();
  await until(async () => {
    const left = await w.sql(`SELECT 1 FROM payment.orders WHERE body ->> 'customer_email' = $1`, [customer_email]);
    return left.length === 0 ? true : undefined;
  });
}

test('from the overview to an answer that the provider took', async () => {
  const seat = await seated(w, browser);
  const { page } = seat;
  const tile = page.getByRole('link', { name: 'Disputes to answer' });
  await tile.getByText('3', { exact: true }).waitFor();
  await settled(seat);
  await shoot(seat, 'overview-with-disputes');
  await tile.click();
  await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor();
  await page.getByRole('link', { name: 'Not made by the cardholder' }).first().click();
  await page.getByRole('heading', { name: /disputed$/ }).waitFor();
  await page.getByRole('button', { name: 'Use it for IP address of the purchase' }).click();
  await page.getByLabel('In your words').fill('4242 4242 4242 4242 paid for it');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('In your words holds a card number').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await page.getByLabel('In your words').fill('winning_evidence');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await page.getByText('is none of application/pdf', { exact: false }).waitFor();
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n');
  await files.setInputFiles({ name: 'messages.pdf', mimeType: 'application/pdf', buffer: pdf });
  await page.getByText('messages.pdf', { exact: false }).waitFor();
  await shoot(seat, 'dispute-with-evidence');
  await page.getByRole('button', { name: 'Submit evidence' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 texts and 1 file go to Stripe').waitFor();
  await dialog.getByLabel('Reason').fill('the customer paid before');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('The money is back.').waitFor();
  await settled(seat);
  await shoot(seat, 'dispute-won');
  expect(await flaws(seat)).toEqual([]);
  await expect.poll(() => words(seat, '.page-head')).toContain('Won');
  // what was refused on the way is said on the page, and the browser says so as well
  await expect
    .poll(() => seat.wrongs())
    .toEqual([badRequest('/api/disputes/:id/evidence'), badRequest('/api/disputes/:id/files')]);
});
