// The pages before the sign-in, with what people bring to them: long addresses, what is no address, a code that they
// have not got.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { looked, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

let made: Promise<Person> | undefined;
/** Makes a login with the link of the first owner, which works once. */
const owner = () => (made ??= firstOwner(w));

/** Where the focus is, by the name that its field has. */
const FOCUSED = 'document.activeElement.labels?.[0]?.innerText ?? document.activeElement.tagName';

test('what is wrong in the form of the first owner is said as it is, and the first wrong field has the focus', async () => {
  const seat = await takeSeat(w, browser, { width: 390 });
  const { page } = seat;
  await seat.open(w.service.first_link ?? '', 'Set up your back office');
  const create = page.getByRole('button', { name: 'Create account' });
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada at shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill('another one');
  await create.click();
  await page.getByText('The passwords do not match').waitFor();
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Confirm password');
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await create.click();
  await page.getByText('Is not an e-mail address').waitFor();
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('E-mail');
  await looked(seat, 'door-wrong', { width: 390 });
  await seat.context.close();
});

test('an invitation to a long address stays within its page', async () => {
  const email = `${'somebody.with.a.long.name'.repeat(2)}@a.department.of.the.shop.example`;
  const offer = await (await owner()).post('/api/team/invitations', { email, role: 'operator' });
  const link = offer.say('link');
  for (const width of [390, 1280]) {
    const seat = await takeSeat(w, browser, { width });
    await seat.open(link, 'Join Demo shop');
    await looked(seat, 'door-invitation', { width });
    const beside = await seat.page.evaluate(`(() => {
      const lead = document.querySelector('.panel p');
      return lead.scrollWidth - lead.clientWidth;
    })()`);
    expect([width, beside]).toEqual([width, 0]);
    await seat.context.close();
  }
});

test('whoever goes over to a recovery code, and back, begins with an empty field that has the focus', async () => {
  await owner();
  await w.sql(`UPDATE payment.people SET totp_confirmed_at = clock_timestamp() WHERE email = 'ada@shop.example'`);
  const seat = await takeSeat(w, browser, { width: 390 });
  const { page } = seat;
  await seat.open('/', 'Sign in');
  await page.getByLabel('E-mail').fill('ada@shop.example');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const first = page.getByLabel('Digit 1 of 6');
  await first.waitFor();
  await page.keyboard.type('000000');
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  const recovery = page.getByLabel('Recovery code');
  await recovery.waitFor();
  expect(await recovery.inputValue()).toBe('');
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('Recovery code');
  await page.keyboard.type('12ab-');
  await page.getByRole('button', { name: 'Use the authenticator app instead' }).click();
  await first.waitFor();
  const digits = await Promise.all((await page.getByLabel(/^Digit /).all()).map((one) => one.inputValue()));
  expect(digits).toEqual(Array.from({ length: 6 }, () => ''));
  await expect.poll(() => first.and(page.locator(':focus')).count()).toBe(1);
  await seat.context.close();
});
