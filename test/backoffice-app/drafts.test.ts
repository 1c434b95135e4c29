// A draft of rules that nobody else has: it stays until its person publishes or discards it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { type World, world } from '../world.ts';
import { type Seat, shoot, signIn, takeSeat } from './seat.ts';

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

test.each([
  ['risk', 'Risk', risk, /^Removed second/],
  ['routing', 'Routing', routing, /^Removed second/],
] as const)(
  'a draft of %s rules is there again after other pages and a lost session, and a closed window asks first',
  async (kind, heading, of, removed) => {
    const { page } = ada;
    const { version } = (await owner.get(`/api/${kind}`)).body as { version: number };
    const names = of('first', 'second');
    expect((await owner.post(`/api/${kind}/publish`, { ...names, base_version: version, reason })).status).toBe(200);
    await ada.open(`/${kind}`, heading);
    await page.getByRole('button', { name: 'Remove second' }).click();
    const draft = page.getByRole('listitem').filter({ hasText: removed });
    await draft.waitFor();
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Disputes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor();
    await menu.getByRole('link', { name: heading, exact: true }).click();
    await draft.waitFor();
    await ada.context.clearCookies();
    await menu.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(ada);
    await menu.getByRole('link', { name: heading, exact: true }).click();
    await draft.waitFor();
    const asked = page.waitForEvent('dialog');
    const closed = page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await closed;
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await menu.getByRole('link', { name: 'Disputes' }).click();
    await menu.getByRole('link', { name: heading, exact: true }).click();
    await page.getByRole('button', { name: 'Remove second' }).waitFor();
    expect(await draft.count()).toBe(0);
  },
);

test.each([
  ['/risk', 'Risk', undefined, 'Add a rule', 'Name'],
  ['/risk', 'Risk', 'Lists', 'Add', 'Value'],
  ['/routing', 'Routing', undefined, 'Add a rule', 'Name'],
  ['/experiments', 'Experiments', undefined, 'Compare versions', 'Reason'],
])(
  'what was typed on %s into a dialog of %s, tab %s, outlasts one Escape, and is gone with the next',
  async (...names) => {
    const { page } = ada;
    const [path, heading, tab, button, label] = names;
    await ada.open(path, heading);
    if (tab !== undefined) await page.getByRole('tab', { name: tab }).click();
    const dialog = page.getByRole('dialog');
    const opener = page.getByRole('button', { name: button, exact: true });
    await opener.click();
    await dialog.waitFor();
    // nothing was typed
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await opener.click();
    const field = dialog.getByLabel(label, { exact: true });
    await field.pressSequentially('by hand');
    await page.keyboard.press('Escape');
    await dialog.getByText('What you typed or chose is not kept').waitFor();
    expect(await field.inputValue()).toBe('by hand');
    await field.press('End');
    await field.pressSequentially(', again');
    await page.keyboard.press('Escape');
    await dialog.getByText('What you typed or chose is not kept').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  },
);

test('what was chosen in a dialog outlasts one Escape as what was typed does, unless it is as it was again', async () => {
  const { page } = ada;
  await ada.open('/keys', 'API keys');
  await page.getByRole('table').getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog');
  const choose = async (name: string) => {
    await dialog.getByRole('combobox', { name: 'The old key works for' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  const warning = dialog.getByText('What you typed or chose is not kept');
  await choose('3 days');
  await page.keyboard.press('Escape');
  await warning.waitFor();
  await shoot(ada, 'dialog-not-kept');
  await choose('7 days');
  await warning.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await warning.waitFor();
  await choose('1 day');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  // a reason, as any dialog asks for it
  await ada.open('/providers', 'Providers');
  await page.getByRole('button', { name: 'Hold', exact: true }).first().click();
  await dialog.getByLabel('Reason').fill('slow since this morning');
  await page.keyboard.press('Escape');
  await warning.waitFor();
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('slow since this morning');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('two people who change different lists of a contract at the same time keep what each of them changed', async () => {
  const { page } = ada;
  await ada.open('/providers', 'Providers');
  const contract = page.locator('section', { has: page.getByRole('heading', { name: 'simulator', exact: true }) });
  await contract.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const read = async () => {
    const { contracts } = (await owner.get('/api/providers')).body as { contracts: Record<string, unknown>[] };
    return contracts.find(({ name }) => name === 'simulator');
  };
  const id = String((await read())?.['id']);
  const { status } = await owner.ask('PUT', `/api/providers/${id}`, { channels: ['e-commerce', 'moto'], reason });
  expect(status).toBe(200);
  await dialog.getByRole('combobox', { name: 'Currencies' }).fill('EUR');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Reason').fill('euros only');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ channels: ['e-commerce', 'moto'], currencies: ['EUR'] });
  await owner.ask('PUT', `/api/providers/${id}`, { channels: [], currencies: [], reason });
});

test('a secret that is shown once outlasts one Escape, and a closed window asks first', async () => {
  const { page } = ada;
  await ada.open('/keys', 'API keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Shown once');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = dialog.locator('.secret code');
  await secret.waitFor();
  const warning = dialog.getByText('It is not shown again');
  await page.keyboard.press('Escape');
  await warning.waitFor();
  await shoot(ada, 'secret-not-copied');
  const asked = page.waitForEvent('dialog');
  const closed = page.close({ runBeforeUnload: true });
  await (await asked).dismiss();
  await closed;
  await dialog.getByRole('button', { name: /^Copy/ }).click();
  await warning.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await warning.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('what was typed into a dialog is there again when its person signs in after a lost session', async () => {
  const { page } = ada;
  await ada.open('/providers', 'Providers');
  await page.getByRole('button', { name: 'Hold', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  const typed = dialog.getByLabel('Reason');
  await typed.fill('slow since this morning');
  await ada.context.clearCookies();
  await dialog.getByRole('button', { name: 'Hold' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your session has ended. What you typed is there again once you have signed in.').waitFor();
  await shoot(ada, 'session-lost');
  expect(await dialog.isVisible()).toBe(false);
  expect(await page.getByText('slow since this morning').isVisible()).toBe(false);
  await page.keyboard.press('Control+k');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await signIn(ada);
  await dialog.getByText('Your session had ended, and nothing was done. Send it once more.').waitFor();
  expect(await typed.inputValue()).toBe('slow since this morning');
  await shoot(ada, 'session-back');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Providers' }).waitFor();
});

test('of two people who change the same list of a contract, the second is told before anything of the first is lost', async () => {
  const { page } = ada;
  await ada.open('/providers', 'Providers');
  const contract = page.locator('section', { has: page.getByRole('heading', { name: 'simulator', exact: true }) });
  const dialog = page.getByRole('dialog');
  const change = async () => {
    await contract.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Currencies' }).fill('EUR');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Reason').fill('euros, too');
  };
  const read = async () => {
    const { contracts } = (await owner.get('/api/providers')).body as { contracts: Record<string, unknown>[] };
    return contracts.find(({ name }) => name === 'simulator');
  };
  const id = String((await read())?.['id']);
  await change();
  expect((await owner.ask('PUT', `/api/providers/${id}`, { currencies: ['USD'], reason })).status).toBe(200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('somebody has changed currencies of this contract meanwhile').waitFor();
  expect(await read()).toMatchObject({ currencies: ['USD'] });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await change();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ currencies: ['USD', 'EUR'] });
  await owner.ask('PUT', `/api/providers/${id}`, { currencies: [], reason });
});

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
