// The back office in French: where it is asked for, and where it is chosen.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { flaws, settled, signIn, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  await firstOwner(w);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

test('a browser that asks for French gets it from the sign-in on, and one that asks for neither gets English', async () => {
  const french = await takeSeat(w, browser, { locale: 'fr-FR' });
  await french.open('/', 'Se connecter');
  expect(await french.page.locator('html').getAttribute('lang')).toBe('fr');
  await signIn(french, 'ada@shop.example', 'fr');
  await french.open('/', 'Vue d’ensemble');
  await settled(french);
  expect([...french.wrongs(), ...(await flaws(french))]).toEqual([]);
  const dutch = await takeSeat(w, browser, { locale: 'nl-NL' });
  await dutch.open('/', 'Sign in');
  expect(await dutch.page.locator('html').getAttribute('lang')).toBe('en');
  await Promise.all([french.context.close(), dutch.context.close()]);
});

test('a browser on a system without a locale, which asks for a tag that is none, gets English', async () => {
  const seat = await takeSeat(w, browser);
  await seat.context.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en_US'] });
  });
  await seat.open('/', 'Sign in');
  expect(await seat.page.locator('html').getAttribute('lang')).toBe('en');
  await seat.context.close();
});

test('a person who chooses French at the sign-in keeps it, and chooses English again on their own page', async () => {
  const seat = await takeSeat(w, browser);
  const { page } = seat;
  await seat.open('/', 'Sign in');
  await page.getByText('Français').click();
  await signIn(seat, 'ada@shop.example', 'fr');
  await seat.open('/me', 'Mot de passe et sécurité');
  await page.getByText('English').click();
  await page.getByRole('heading', { level: 1, name: 'Password and security' }).waitFor();
  await seat.context.close();
});
