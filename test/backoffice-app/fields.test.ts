// Forms of the web app whose fields the service checks: what is wrong stands beside it, what is right holds.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { openBrowser } from '../browser/browser.ts';
import { badRequest } from '../browser/watch.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Seat, flaws, settled, signIn, takeSeat, words } from './seat.ts';

let w: World;
let browser: Browser;
let owner: Person;
let ada: Seat;
beforeAll(async () => {
  [w, browser] = await Promise.all([world({ FLORIN_SIMULATOR_DEADLINE_S: '3' }), openBrowser()]);
  owner = await firstOwner(w);
  ada = await takeSeat(w, browser);
  await ada.open('/', 'Sign in');
  await signIn(ada);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

/** Once nothing moves: a button that was busy fades in again. */
const flawsAtRest = async () => {
  await ada.page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))');
  return flaws(ada);
};

const choose = async (label: string, option: string) => {
  await ada.page.getByRole('combobox', { name: label, exact: true }).click();
  await ada.page.getByRole('option', { name: option, exact: true }).click();
};

test('a ruling says beside each field what is wrong with it, and settles once it is right', async () => {
  const { page } = ada;
  const match = { order_merchant_id: 'cart-doubt' };
  const faults = [
    { operation: 'capture', fault: 'http_500_after', times: 100, match },
    { operation: 'inquiry', fault: 'http_500_before', times: 100 },
  ];
  for (const fault of faults) await w.shop.api('/sandbox/scenario', { body: fault });
  const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize', ...match }), 'order_id');
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
  await until(async () => ((await owner.get('/api/in-doubt')).at('operations.0') === undefined ? undefined : true));
  await ada.open('/in-doubt', 'Outcome unknown');
  await page.getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog');
  // what is ruled on, and what that does, stands beside the choice
  await dialog.getByText(`This capture of 25.00 EUR at Simulator, order ${order_id}`).waitFor();
  await dialog.getByText('It is booked as successful').waitFor();
  await dialog.getByRole('radio', { name: /was done/ }).check();
  await dialog.getByLabel('Evidence: what you saw, and where').fill('  seen it ');
  expect(await dialog.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Evidence: what you saw, and where').fill("It is in the provider's file of today");
  await dialog.getByLabel('Provider reference').fill('cap 4711');
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await dialog.getByText("Must be the provider's own id").waitFor();
  expect(await flawsAtRest()).toEqual([]);
  await dialog.getByLabel('Provider reference').fill('cap_4711');
  // a reference that is not shown any more is not said either
  await dialog.getByRole('radio', { name: /was not done/ }).check();
  const refused = { status: 409, json: { title: 'It is only looked at', status: 409 } };
  await page.route('**/rule', (route) => route.fulfill(refused), { times: 1 });
  const [sent] = await Promise.all([
    page.waitForRequest('**/rule'),
    dialog.getByRole('button', { name: 'Resolve' }).click(),
  ]);
  expect(sent.postDataJSON()).toEqual({ as: 'not-done', reason: "It is in the provider's file of today" });
  await dialog.getByText('It is only looked at').waitFor();
  await dialog.getByRole('radio', { name: /was done/ }).check();
  await dialog.getByRole('button', { name: 'Resolve' }).click();
  await page.getByText('Resolved').waitFor();
  expect((await w.shop.decided(order_id)).at('status')).toBe('capture_successful');
  await owner.ask('DELETE', '/api/sandbox/scenarios');
});

test('an existing key is brought by its text, which nobody sees again; a private one in a page is warned of', async () => {
  const { page } = ada;
  const brought = 'sk_old_gateway_4711-abcdefgh';
  await ada.open('/keys', 'API keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Old shop');
  await dialog.getByLabel('Existing key to import').fill('too short');
  await dialog.getByRole('button', { name: 'Import key' }).click();
  await dialog.getByText('Must be 24 to 128 letters').waitFor();
  expect(await flawsAtRest()).toEqual([]);
  await dialog.getByLabel('Existing key to import').fill(brought);
  await dialog.getByRole('button', { name: 'Import key' }).click();
  await page.getByText('Key imported').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.content()).not.toContain(brought);
  const headers = { origin: 'https://shop.example' };
  expect((await w.shop.api('/payment/order', { key: brought, headers })).status).toBe(200);
  await until(async () => ((await owner.get('/api/keys')).text.includes('"in_page_at":"20') ? true : undefined));
  await ada.open('/keys', 'API keys');
  await page.getByText('A private key came from a browser').waitFor();
  await expect.poll(() => words(ada, 'tbody tr:has-text("Old shop")')).toContain('In a page');
  expect(await flawsAtRest()).toEqual([]);
});

test('credentials of a contract are given and never shown; a wrong one is told beside its field, and a test call says that they are refused', async () => {
  const { page } = ada;
  await ada.open('/providers', 'Providers');
  const contract = page.locator('section', { has: page.getByRole('heading', { name: 'simulator', exact: true }) });
  const give = async (value: string) => {
    await contract.getByRole('button', { name: 'Credentials' }).click();
    await page.getByLabel('API key').fill(value);
    await page.getByLabel('Reason').fill('the bank changed it');
    expect(await flawsAtRest()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await give('blank at its end ');
  await page.getByText('visible characters of ASCII').waitFor();
  await page.getByLabel('API key').fill('invalid-of-this-shop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Credentials saved').waitFor();
  await contract.getByRole('button', { name: 'Test call' }).click();
  await page.getByText('Credentials rejected').waitFor();
  await give('good-of-this-shop');
  await contract.getByRole('button', { name: 'Test call' }).click();
  await page.getByText(/^Answered in/).waitFor();
  expect(await page.content()).not.toContain('of-this-shop');
  await contract.getByRole('button', { name: 'Credentials' }).click();
  await page.getByRole('dialog').getByText('Set on').first().waitFor();
  expect(await page.getByLabel('API key').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await contract.getByText('Set on').first().waitFor();
  await expect
    .poll(() => ada.wrongs())
    .toEqual([
      badRequest('/api/in-doubt/:id/rule'),
      // the one that a test answered itself
      'Failed to load resource: the server responded with a status of 409 (Conflict) /api/in-doubt/:id/rule',
      badRequest('/api/keys'),
      badRequest('/api/providers/:id/credentials'),
    ]);
});

test('a fault is armed with everything a scenario has, and shown so', async () => {
  const { page } = ada;
  await ada.open('/sandbox', 'Sandbox');
  await settled(ada);
  await choose('Fault', 'Decline');
  await page.getByLabel('Decline code').fill('123456');
  await choose('Provider', 'Simulator b');
  await page.getByLabel('Order', { exact: true }).fill('cart-armed');
  await page.getByLabel('Response delay').fill('250');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Is no code that ends this operation').waitFor();
  expect(await flawsAtRest()).toEqual([]);
  await page.getByLabel('Decline code').fill('420100');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Armed: it applies to the next matching call').waitFor();
  const row = page.locator('tr', { hasText: 'cart-armed' });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/at simulator_b, code 420100, 250 ms late, order cart-armed/);
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByText('None: every call does what its card says.').waitFor();
});

test('languages of the hosted page and hosts of return addresses are set, and a wrong host is told beside its field', async () => {
  const { page } = ada;
  await ada.open('/integration', 'Integration');
  await page.getByRole('combobox', { name: 'Languages' }).click();
  for (const name of ['French', 'English']) await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
  const hosts = page.getByRole('combobox', { name: 'Allowed return URLs' });
  await hosts.fill('https://shop.example/back');
  await hosts.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must be a list of at most 50 hosts').waitFor();
  expect(await flawsAtRest()).toEqual([]);
  await hosts.press('Backspace');
  await hosts.fill('Shop.example');
  await hosts.press('Enter');
  await page.getByLabel('Risk score that marks an order suspicious').fill('75');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  const { body } = await owner.get('/api/settings');
  expect(body).toMatchObject({
    settings: { page_languages: ['fr', 'en'], return_url_hosts: ['shop.example'], risk_score_suspicious: 75 },
  });
});

test('the overview is of the viewer’s days, with UTC beside its hours', async () => {
  const { page } = ada;
  const asked = page.waitForRequest(/\/api\/overview\?/);
  await ada.open('/?range=1', 'Overview');
  expect(new URL((await asked).url()).searchParams.get('zone')).toBe('Europe/Paris');
  await page.locator('.chart svg').focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => words(ada, '.chart figcaption')).toMatch(/00:00 \(2[23]:00 UTC\)/);
});

test('the days of the list of orders are typed with the keyboard, and are the viewer’s, of 25 hours too', async () => {
  const { page } = ada;
  await ada.open('/orders', 'Orders');
  await page.getByRole('button', { name: 'Filter' }).click();
  for (const label of ['From', 'To (inclusive)']) {
    await page.getByLabel(label, { exact: true }).focus();
    await page.keyboard.type('10252026');
    expect([label, await page.getByLabel(label, { exact: true }).inputValue()]).toEqual([label, '2026-10-25']);
  }
  const query = new URL(page.url()).searchParams;
  expect([query.get('created_from'), query.get('created_to')]).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

test('settings of routing and of limits are chosen in words, and hold once they are saved', async () => {
  const { page } = ada;
  await ada.open('/integration', 'Integration');
  await choose('An order names its contract', 'Only this one (only)');
  await choose('Try declined payments again later', 'Yes (default)');
  await choose('Limits of card schemes, without the payer', 'Sent and counted (warn)');
  await choose('Limits of card schemes, with the payer', 'Held back (hold)');
  await page.getByRole('switch', { name: 'Try another provider after a decline without a reason' }).press('Space');
  await page.getByText('5 settings changed').waitFor();
  expect(await flawsAtRest()).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Settings saved').waitFor();
  expect((await owner.get('/api/settings')).at('settings')).toMatchObject({
    named_contract: 'only',
    default_retry_policy: 'default',
    caps_merchant: 'warn',
    caps_payer: 'hold',
    fallback_on_generic_decline: true,
  });
});
