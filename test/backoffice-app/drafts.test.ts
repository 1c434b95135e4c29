// A draft of rules that nobody else has: it stays until its person publishes or discards it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { type Seat, signIn, takeSeat } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  owner = await firstOwner(w);
  ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const reason = 'a test of drafts';
const risk = (...names: string[]) => ({
  rules: names.map((name) => ({ name, kind: 'amount', above: '9000', currency: 'EUR' })),
});
const routing = (...names: string[]) => ({
  document: { rules: names.map((name) => ({ name, then: { order: ['simulator'] } })) },
});

test.each([
  ['risk', 'Risk', risk],
  ['routing', 'Routing', routing],
] as const)(
  'a draft of %s rules outlasts the other tabs of its page and what others publish',
  async (kind, heading, of) => {
    const { page } = ada;
    const publish = async (base_version: number, ...names: string[]) => {
      const { status, text } = await owner.post(`/api/${kind}/publish`, { ...of(...names), base_version, reason });
      expect([status, text]).toEqual([200, expect.anything()]);
    };
    await publish(0, 'first', 'second');
    await ada.open(`/${kind}`, heading);
    await page.getByRole('button', { name: 'Remove second' }).click();
    const draft = page.getByRole('listitem').filter({ hasText: /^Removed second/ });
    await draft.waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('cell', { name: 'Version 1' }).waitFor();
    await page.getByRole('tab', { name: /ules$/ }).click();
    await draft.waitFor();
    // somebody else is quicker
    await publish(1, 'first', 'second', 'third');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('second is not needed');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await dialog.getByText('version 2 was published meanwhile').waitFor();
    await page.getByText(/^Version 2 was published meanwhile$/).waitFor();
    await page.getByText(/^Version 2 is active$/).waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('second is not needed');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await draft.waitFor();
    expect(await page.getByRole('button', { name: 'Remove third' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Remove third' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByLabel('Reason').fill('third is not needed');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 3 is active').waitFor();
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    // without a draft the page follows
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Roll back' }).first().click();
    await dialog.getByLabel('Reason').fill('third is needed');
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('tab', { name: /ules$/ }).click();
    await page.getByText('Version 4 is active').waitFor();
    await page.getByRole('button', { name: 'Remove third' }).waitFor();
  },
);

test.each([
  ['risk', 'Risk', risk, "Test on last week's orders", /^Of \d+ payments last week/],
  ['routing', 'Routing', routing, "Test on last month's orders", /^Of \d+ payments, \d+ would have gone elsewhere/],
] as const)(
  'what a try of %s rules told is not shown beside another draft',
  async (kind, heading, of, button, told) => {
    const { page } = ada;
    const { version } = (await owner.get(`/api/${kind}`)).body as { version: number };
    const published = await owner.post(`/api/${kind}/publish`, { ...of('one', 'two'), base_version: version, reason });
    expect(published.status).toBe(200);
    await ada.open(`/${kind}`, heading);
    await page.getByRole('button', { name: 'Remove one' }).click();
    await page.getByRole('button', { name: button }).click();
    await page.getByText(told).waitFor();
    await page.getByRole('button', { name: 'Remove two' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Removed two/ })
      .waitFor();
    expect(await page.getByText(told).count()).toBe(0);
  },
);

test('settings that a person has changed and not saved outlast what others save, and are saved beside it', async () => {
  const { page } = ada;
  await ada.open('/integration', 'Integration');
  const score = page.getByLabel('Risk score that marks an order suspicious');
  await score.fill('75');
  await page.getByText('1 setting changed').waitFor();
  expect((await owner.ask('PUT', '/api/settings', { challenge_minutes: 7 })).status).toBe(200);
  // some time later the person comes back to the page, and it looks again
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000; }');
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await expect.poll(() => page.getByLabel('3-D Secure timeout').inputValue()).toBe('7 min');
  expect(await score.inputValue()).toBe('75');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved').waitFor();
  await expect.poll(() => page.getByText('1 setting changed').count()).toBe(0);
  const saved = (await owner.get('/api/settings')).at('settings');
  expect(saved).toMatchObject({ challenge_minutes: 7, risk_score_suspicious: 75 });
});
