// Passkeys in a real browser, with the authenticator that Chromium has for tests: made on one's own page, used at the
// door, instead of a code, and where a proof is asked for.
import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { totpCode, totpStep } from '../../src/kit/person/totp.ts';
import { PASSWORD, type Person, firstOwner, invited } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, signIn, takeSeat, words } from './seat.ts';
import { fromBase32 } from '../base32.ts';

let w: World;
let browser: Browser;
let owner: Person;
let seat: Seat;
let keys: CDPSession;
let authenticatorId: string;
const email = 'kim@shop.example';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  await invited(w, owner, 'operator', email);
  // a passkey is for a name, and a sandbox is told by its number
  const here = (await owner.get('/api/session')).say('passkey_origin');
  seat = await takeSeat(w, browser, { at: here });
  keys = await seat.context.newCDPSession(seat.page);
  await keys.send('WebAuthn.enable');
  ({ authenticatorId } = await keys.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  }));
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

async function turnOnCodes(): Promise<void> {
  const { page } = seat;
  await page.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = await words(seat, '.secret code');
  const [row] = await w.sql<{ s: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS s');
  await dialog.locator('input[type="tel"], input[inputmode="numeric"]').first().focus();
  await page.keyboard.type(totpCode(fromBase32(secret), totpStep(row?.s ?? 0)));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function signOut(): Promise<void> {
  await w.sql(`DELETE FROM payment.sessions`);
  await seat.page.goto('/me');
  await seat.page.getByLabel('E-mail').waitFor();
}

test('one is made on one’s own page once there are codes, and stands in the list', async () => {
  const { page } = seat;
  await page.goto('/me');
  await signIn(seat, email);
  await seat.open('/me', 'Password and security');
  await page.getByText('Turn on two-factor authentication first').waitFor();
  await turnOnCodes();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('My laptop');
  expect(await flaws(seat)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove My laptop' }).waitFor();
  await settled(seat);
  await expect.poll(() => words(seat, 'tr:has-text("My laptop")')).toContain('Never');
  expect(await flaws(seat)).toEqual([]);
  const { credentials } = await keys.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials.map(({ isResidentCredential, rpId }) => [isResidentCredential, rpId])).toEqual([
    [true, 'localhost'],
  ]);
});

test('signs in alone, by keyboard, without an address or a password', async () => {
  await signOut();
  const { page } = seat;
  expect(await flaws(seat)).toEqual([]);
  await page.getByLabel('Password', { exact: true }).focus();
  // the eye of the password is no stop of the keyboard
  await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.shell').waitFor();
  await seat.open('/me', 'Password and security');
  await settled(seat);
  expect(await words(seat, 'tr:has-text("My laptop")')).not.toContain('Never');
  expect(seat.wrongs()).toEqual([]);
});

test('stands in for the code after the password', async () => {
  await signOut();
  const { page } = seat;
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use a passkey instead' }).waitFor();
  expect(await flaws(seat)).toEqual([]);
  await page.getByRole('button', { name: 'Use a passkey instead' }).click();
  await page.locator('.shell').waitFor();
});

test('proves who one is where a proof is asked for', async () => {
  const { page } = seat;
  await seat.open('/me', 'Password and security');
  await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make secret' }).click();
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText('It is confirmed that it is you').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await dialog.getByRole('button', { name: 'Make secret' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
});

test('opens nothing where the authenticator did not look at the person, and the page says so', async () => {
  await signOut();
  const { page } = seat;
  await keys.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('No passkey was used').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await keys.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
});

test('opens nothing any more once it was removed', async () => {
  const { page } = seat;
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.locator('.shell').waitFor();
  await seat.open('/me', 'Password and security');
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove My laptop' }).waitFor({ state: 'detached' });
  await signOut();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('not known here any more').waitFor();
});

test('a phone in the dark shows the same, and where passkeys do not hold the page leads there', async () => {
  const phone = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  await phone.page.goto('/me');
  expect(await phone.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await signIn(phone);
  await phone.open('/me', 'Password and security');
  await settled(phone);
  expect(await flaws(phone)).toEqual([]);
  await phone.context.close();
});
