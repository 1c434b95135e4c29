// Single sign-on in a real browser at a real provider that runs here: set up by an owner, offered by the address, used,
// and left.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany } from '../backoffice/company.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let company: Company;
beforeAll(async () => {
  [w, browser] = await Promise.all([world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' }), openBrowser()]);
  company = await openCompany(w);
  owner = await firstOwner(w, 'ada@office.example');
  const form = { ...company.client, issuer: company.issuer, domains: ['shop.example'], passwords: true };
  await owner.ask('PUT', '/api/sign-on', { ...form, new_role: 'reader', reason: 'the company wants it' });
  company.people.set('lea', { sub: 'lea', email: 'lea@shop.example', email_verified: true, name: 'Lea' });
});
afterAll(async () => {
  await browser.close();
  await company[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

/** From the sign-in page to the company, and what a person does there. */
async function goToCompany({ page }: Seat): Promise<void> {
  await page.goto('/');
  await page.getByLabel('E-mail').fill('lea@shop.example');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: `Continue at ${new URL(company.issuer).host}` }).click();
  await page.locator('input[name="login"]').fill('lea');
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await page.locator('button[type="submit"]', { hasText: 'Continue' }).click();
}

test('an owner changes it, and the page says how owners still come in', async () => {
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await page.goto('/team');
  await signIn(seat, 'ada@office.example');
  await page.getByRole('link', { name: 'Single sign-on' }).click();
  await page.getByText('Owners always have a way in').waitFor();
  await settled(seat);
  expect(await flaws(seat)).toEqual([]);
  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Issuer').fill(`${company.issuer}/wrong`);
  await dialog.getByLabel('Client id').fill(company.client.client_id);
  await dialog.getByLabel('Client secret').fill(company.client.client_secret);
  await dialog.getByLabel('Domains').first().fill('other.example');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Reason').fill('the company wants it');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Does not answer as a provider').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await dialog.getByLabel('Issuer').fill(company.issuer);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('other.example, shop.example').waitFor();
  expect(await flaws(seat)).toEqual([]);
  await seat.context.close();
});

test('somebody new comes in by it on a phone in the dark, and signing out leads to the company', async () => {
  const seat = await takeSeat(w, browser, { width: 390, scheme: 'dark' });
  const { page } = seat;
  await page.goto('/');
  await page.getByLabel('E-mail').fill('lea@shop.example');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: /^Continue at/ }).waitFor();
  expect(await flaws(seat)).toEqual([]);
  await goToCompany(seat);
  await page.locator('.shell').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect((await owner.get('/api/team')).text).toContain('lea@shop.example');
  await seat.open('/me', 'Password and security');
  await settled(seat);
  expect(await flaws(seat)).toEqual([]);
  await page.evaluate(`fetch('/api/session').then((a) => a.json()).then(({ session }) =>
    fetch('/api/session', { method: 'DELETE', headers: { 'x-csrf-token': session.csrf } })
      .then((a) => a.json()).then(({ provider_url }) => location.assign(provider_url)))`);
  await page.getByRole('button', { name: /sign me out/i }).waitFor();
  expect(page.url()).toContain('/session/end');
  await seat.context.close();
});

test('an answer that does not hold is said on a page of its own, which leads back', async () => {
  const seat = await takeSeat(w, browser);
  company.change = (path) => (path === '/token' ? '{"error":"invalid_grant"}' : undefined);
  await goToCompany(seat);
  await seat.page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  await expect.poll(() => words(seat, '.panel')).toContain('does not hold');
  expect(new URL(seat.page.url()).search).toBe('');
  expect(await flaws(seat)).toEqual([]);
  await seat.page.getByRole('button', { name: 'Go to sign-in' }).click();
  await seat.page.getByLabel('E-mail').waitFor();
  await seat.context.close();
});
