// What a provider told and nobody could apply, and the credentials of a contract, as a person works with them.
// FLORIN_TEST_SHOTS names a folder for pictures, and asks for a phone's too.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { mail } from '../doubt/mail.ts';
import { type World, world } from '../world.ts';
import { type Seat, SHOTS, looked, signIn, takeSeat } from './seat.ts';

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

describe.each(SHOTS === undefined ? [1280] : [1280, 390])('at %i px', (width) => {
  let seat: Seat;
  beforeAll(async () => {
    seat = await takeSeat(w, browser, { width });
    await seat.open('/in-doubt', 'Sign in');
    await signIn(seat);
  });
  afterAll(() => seat.context.close());

  const looksWell = (name: string) => looked(seat, `messages-${name}`, { width });

  test('a message that was not understood is shown until it is set aside', async () => {
    const { page } = seat;
    expect((await mail(w, JSON.stringify({ id: `evt_of_${width}`, what: 'nobody knows' }))).status).toBe(200);
    await page.reload();
    await page.getByText('Not understood').first().waitFor();
    await page.getByText('Message', { exact: true }).first().click();
    await page.getByText('nobody knows').first().waitFor();
    await looksWell('parked');
    await page.getByRole('button', { name: 'Set aside' }).first().click();
    await page.getByLabel('Reason').fill('it is of a test');
    await page.getByRole('dialog').getByRole('button', { name: 'Set aside' }).click();
    await page.getByText('Not understood').first().waitFor({ state: 'detached' });
    expect(seat.wrongs()).toEqual([]);
  });

  test('a secret for messages is replaced: both are valid until the older one is removed', async () => {
    const { page } = seat;
    await seat.open('/providers', 'Providers');
    const open = async () => page.getByRole('button', { name: 'Credentials' }).first().click();
    const save = async () => {
      await page.getByLabel('Reason').fill('a new secret');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await open();
    await page.getByLabel('Message secret').fill(`a-new-secret-of-${width}`);
    await save();
    await page.getByText('is valid, too').first().waitFor();
    await looksWell('two-values');
    await open();
    await page.getByRole('button', { name: 'Remove the older value' }).click();
    await looksWell('removal');
    await save();
    await page.getByText('is valid, too').first().waitFor({ state: 'detached' });
    expect(seat.wrongs()).toEqual([]);
  });
});
