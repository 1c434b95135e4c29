// What goes away under a person: what is shown once asks before another page takes it, and a role that was taken away
// takes its buttons along.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBase32 } from '../base32.ts';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { PASSWORD, type Person, invited } from '../backoffice/person.ts';
import { textAt } from '../client.ts';
import type { World } from '../world.ts';
import { type Seat, flaws, ownersSeat, shoot, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
let leave: () => Promise<void>;
beforeAll(async () => {
  ({ w, browser, owner, ada, leave } = await ownersSeat('/keys'));
});
afterAll(() => leave());

/** Comes to a page from the overview, by the menu, so that Back stays inside of the app. */
async function comeTo(link: string, heading: string): Promise<void> {
  const { page } = ada;
  await ada.open('/', 'Overview');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** The first Back stays and says why, closing the window asks, and the next Back goes. */
async function asksBeforeBack(secret: string, says: string, heading: string): Promise<void> {
  const { page } = ada;
  const dialog = page.getByRole('dialog');
  await page.goBack();
  await dialog.getByText(says).waitFor();
  expect(await dialog.innerText()).toContain(secret);
  await page.getByRole('heading', { level: 1, name: heading, includeHidden: true }).waitFor();
  await expect.poll(() => page.url()).not.toMatch(/:\d+\/$/);
  expect(await flaws(ada)).toEqual([]);
  const asked = page.waitForEvent('dialog');
  const closed = page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closed;
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  // the way forward is still there
  await page.goForward();
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

test('Back asks before it takes a key that is shown once, and so does the window', async () => {
  const { page } = ada;
  const dialog = page.getByRole('dialog');
  await comeTo('API keys', 'API keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await dialog.getByLabel('Name').fill('Reports');
  // what is typed is held as well
  await page.goBack();
  await dialog.getByText('What you typed or chose is not kept').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Reports');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).waitFor();
  const secret = await dialog.locator('.secret code').innerText();
  await asksBeforeBack(secret, 'It is not shown again', 'API keys');
});

test('a role that is taken away takes its buttons along: by a refusal, or when the person comes back', async () => {
  const paid = await w.shop.pay({}, { order_merchant_id: 'cart-roles', operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  await w.shop.decided(order_id);
  const olga = await invited(w, owner, 'operator', 'olga@shop.example');
  const person_id = (await olga.get('/api/session')).say('session.person.id');
  const roleIs = async (role: string) =>
    expect((await owner.ask('PUT', `/api/team/${person_id}`, { role, reason: 'of a test' })).status).toBe(200);
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await page.goto('/');
  await signIn(seat, 'olga@shop.example');
  await seat.open(`/orders/${order_id}`, 'cart-roles');
  const capture = page.getByRole('button', { name: 'Capture', exact: true });
  await capture.click();
  await roleIs('reader');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('it is shipped');
  await dialog.getByRole('button', { name: /^Capture/ }).click();
  await page.getByText('Your rights have changed').waitFor();
  await page.getByText('Your role is Viewer now.').waitFor();
  await expect.poll(() => capture.isDisabled()).toBe(true);
  expect(await flaws(seat)).toEqual([]);
  await shoot(seat, 'rights-changed');

  await page.locator('.toast').getByRole('button', { name: 'Close' }).first().click();
  await roleIs('operator');
  await expect
    .poll(async () => {
      await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
      return capture.isDisabled();
    })
    .toBe(false);
  await page.getByText('Your role is Operator now.').waitFor();
  await seat.context.close();
});

test('a session that ended is noticed when the person comes back, and what they looked at waits behind the sign-in', async () => {
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await page.goto('/');
  await signIn(seat, 'olga@shop.example');
  await seat.open('/customers', 'Customers');
  await seat.context.clearCookies();
  await expect
    .poll(async () => {
      await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
      return page.getByRole('heading', { name: 'Sign in' }).count();
    })
    .toBe(1);
  await seat.context.close();
});

// the owner's other sessions end with it
test('recovery codes outlast a click on the menu, Escape, Back, and a look at another window', async () => {
  const { page } = ada;
  const dialog = page.getByRole('dialog');
  await comeTo('API keys', 'API keys');
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Password and security' }).click();
  await page.getByRole('heading', { level: 1, name: 'Password and security' }).waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.locator('.secret code').waitFor();
  const [row] = await w.sql<{ s: number }>(`SELECT extract(epoch FROM clock_timestamp())::float8 AS s`);
  const text = await words(ada, '[role=dialog] .secret code');
  await dialog.locator('.mantine-PinInput-input').first().focus();
  await page.keyboard.type(totpCode(fromBase32(text.replaceAll(' ', '')), totpStep(row?.s ?? 0)));
  await page.keyboard.press('Enter');
  await dialog.locator('code.codes').waitFor();
  const [code = ''] = (await words(ada, '[role=dialog] code.codes')).split(' ');
  const menu = await page.getByRole('link', { name: 'Orders', includeHidden: true }).first().boundingBox();
  await page.mouse.click((menu?.x ?? 0) + 20, (menu?.y ?? 0) + 5);
  expect(await dialog.innerText()).toContain(code);
  await page.keyboard.press('Escape');
  await dialog.getByText('They are not shown again').waitFor();
  await shoot(ada, 'recovery-codes-asked');
  await dialog.getByText('Keep these codes').click();
  await dialog.getByText('They are not shown again').waitFor({ state: 'detached' });
  await page.goBack();
  await dialog.getByText('They are not shown again').waitFor();
  expect(await dialog.innerText()).toContain(code);
  expect(page.url()).toMatch(/\/me$/);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('10 recovery codes are left').waitFor();
});
