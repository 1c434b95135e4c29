// Wallets on the hosted page of a sandbox, in a real browser: from the simulated sheet by the vault to the provider's
// books.
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { walletsOf } from '../../src/payment/page/wallets.ts';
import { loadPage } from '../../src/payment/page/load.ts';
import { textAt, until } from '../client.ts';
import { cardsIn } from '../canary/scanner.ts';
import { hostedCheckout, open } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

const SHOTS = process.env['FLORIN_TEST_SHOTS'];
const VIEWS = [
  { width: 1280, colorScheme: 'light', locale: 'en' },
  { width: 1280, colorScheme: 'dark', locale: 'fr' },
  { width: 390, colorScheme: 'light', locale: 'ar' },
  { width: 390, colorScheme: 'dark', locale: 'fr' },
  { width: 320, colorScheme: 'light', locale: 'hu' },
] as const;

let w: World;
let browser: Browser;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  await wallets('google_pay', 'apple_pay');
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
});

const wallets = (...page_wallets: string[]) => changeSettings(w.service.tools, w.account, { page_wallets });

async function pageAt(url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

const orderOf = async (checkout_id: string) => {
  const read = await until(async () => {
    const checkout = await w.shop.api(`/payment/checkout/${checkout_id}`);
    return checkout.at('checkout.orders.0.order_id') === undefined ? undefined : checkout;
  });
  return w.shop.decided(textAt(read, 'checkout.orders.0.order_id'));
};

const openSheet = (page: Page, name: string) => page.getByRole('button', { name }).click();

test.each(['Google Pay', 'Apple Pay'])(
  'a payer pays with %s: sheet, vault, network token with its cryptogram, provider',
  async (name) => {
    const { url, checkout_id } = await hostedCheckout(w.shop);
    const page = await pageAt(url);
    const strange: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith('data:'))
        strange.push(request.url());
    });
    await openSheet(page, name);
    const sheet = page.getByRole('dialog', { name });
    expect(await sheet.innerText()).toContain('no money is moved');
    await sheet.getByText('Mastercard •••• 4444').click();
    await sheet.getByRole('button', { name: 'Pay €42.50' }).press('Enter');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await page.locator('.receipt').innerText()).toContain('Mastercard ending in');
    const order = await orderOf(checkout_id);
    expect(order.at('status')).toBe('capture_successful');
    const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(order, 'order_id')}`);
    expect(books.text).toMatch(/"cryptogram_digest":"[0-9a-f]{16}","eci":"05"/);
    expect(strange).toEqual([]);
    await page.close();
  },
);

test('a payer who leaves the sheet, or is declined, is on the page as before, and may pay otherwise', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop);
  const page = await pageAt(url);
  await openSheet(page, 'Google Pay');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await openSheet(page, 'Apple Pay');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders')).toEqual([]);
  await openSheet(page, 'Google Pay');
  await page.getByText('Visa •••• 9995').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
  await page.locator('#alert').getByText('Not enough funds').waitFor();
  await shoot(page, 'wallet-declined');
  await openSheet(page, 'Apple Pay');
  await page.getByText('Visa •••• 4242').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.close();
});

test.each([
  ['was paid in another window', 'Paid'],
  ['has ended', 'This payment page has expired'],
])('who approves the sheet when the payment %s reads that, and not that nothing was charged', async (how, heading) => {
  const { url, checkout_id } = await hostedCheckout(w.shop);
  const page = await pageAt(url);
  await openSheet(page, 'Google Pay');
  if (heading === 'Paid') {
    const other = await pageAt(url);
    await openSheet(other, 'Apple Pay');
    await other.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
    await other.getByRole('heading', { name: 'Paid' }).waitFor();
  } else
    await w.sql(`UPDATE payment.checkouts SET expires_at = now() - interval '1 minute' WHERE encode(id, 'hex') = $1`, [
      checkout_id,
    ]);
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: heading }).waitFor();
  const orders = await w.sql(`SELECT FROM payment.orders WHERE encode(checkout_id, 'hex') = $1`, [checkout_id]);
  expect([how, orders.length]).toEqual([how, heading === 'Paid' ? 1 : 0]);
  await page.close();
});

test('who approves the sheet and has no line reads that nothing was charged only once that is known', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop);
  const [first, second] = [await pageAt(url), await pageAt(url)];
  for (const page of [first, second]) {
    await openSheet(page, 'Google Pay');
    await page.context().setOffline(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
    await page.locator('#says').getByText('No connection').waitFor();
    expect(await page.locator('#pay-button').isEnabled()).toBe(false);
  }
  await first.context().setOffline(false);
  await first.locator('#says').getByText('Nothing was charged').waitFor();
  await openSheet(first, 'Google Pay');
  await first.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
  await first.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await second.locator('#says').innerText()).not.toContain('Nothing');
  await second.context().setOffline(false);
  await second.getByRole('heading', { name: 'Paid' }).waitFor();
  const orders = await w.sql(`SELECT FROM payment.orders WHERE encode(checkout_id, 'hex') = $1`, [checkout_id]);
  expect(orders.length).toBe(1);
  await Promise.all([first.close(), second.close()]);
});

test('a sheet that is approved, left and come back to pays once', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop);
  const page = await pageAt(url);
  const sent: string[] = [];
  // the answer is on its way when the payer leaves
  let go = () => {};
  const gone = new Promise<void>((resolve) => (go = resolve));
  await page.route(url, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(route.request().postData() ?? '');
    const answer = await route.fetch({ maxRedirects: 0 });
    await gone;
    return route.fulfill({ response: answer }).catch(() => {});
  });
  await openSheet(page, 'Apple Pay');
  const button = page.getByRole('dialog').getByRole('button', { name: 'Pay' });
  await button.dblclick().catch(() => {});
  await expect.poll(() => sent.length).toBe(1);
  await page.goto('about:blank');
  go();
  await page.goBack();
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  const orders = await w.sql(`SELECT FROM payment.orders WHERE encode(checkout_id, 'hex') = $1`, [checkout_id]);
  expect([sent.length, orders.length]).toEqual([1, 1]);
  await page.close();
});

test('a payload that the vault does not take is said, nothing is charged, and the card fields are there', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop);
  const page = await pageAt(url);
  await page.route('**/sandbox/wallet', (route) => route.fulfill({ body: '{"protocolVersion":"ECv2"}' }));
  await openSheet(page, 'Google Pay');
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click();
  await page.locator('#says').getByText('Nothing was charged').waitFor();
  expect(await page.locator('#pay-button').isEnabled()).toBe(true);
  await shoot(page, 'wallet-failed');
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders')).toEqual([]);
  await page.close();
});

test('page and sheet are accessible and whole in every look', async () => {
  for (const { width, colorScheme, locale } of VIEWS) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    await page.goto((await hostedCheckout(w.shop, { locale })).url);
    await page.locator('#wallets button').first().waitFor();
    const flaws = async () =>
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
    expect(await flaws()).toEqual([]);
    await shoot(page, `wallets-${width}-${colorScheme}-${locale}`);
    await page.locator('#wallets button').first().click();
    await page.locator('#sheet[open]').waitFor();
    expect(await flaws()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await shoot(page, `sheet-${width}-${colorScheme}-${locale}`);
    await context.close();
  }
});

test('buttons are there only where a wallet can pay: not without the setting, for a scheme, for later payments, or in production', async () => {
  const has = async (fields: object) =>
    (await open((await hostedCheckout(w.shop, fields)).url)).html.includes('id="wallets"');
  expect(await has({})).toBe(true);
  expect(await has({ payment_method_name: 'visa' })).toBe(false);
  expect(await has({ token_type: 'recurring' })).toBe(false);
  const { url } = await hostedCheckout(w.shop);
  const { tools } = w.service;
  const page = await loadPage(tools, url.split('/').at(-1) ?? '');
  if (!page) throw new Error('the page is there');
  const simulated = async (change: object = {}) => (await walletsOf({ ...tools, ...change }, page)).simulated;
  expect(await simulated()).toEqual(['google_pay', 'apple_pay']);
  // what production shows of Apple Pay itself: test/vault/wallets/apple-session.test.ts
  expect(await walletsOf({ ...tools, environment: 'production' }, page)).toEqual({
    simulated: [],
    apple_pay: undefined,
  });
  const cardOnly = new Map(
    [...tools.providers].map(([name, one]) => [name, { ...one, can: { ...one.can, network_token: false } }] as const),
  );
  expect(await simulated({ providers: cardOnly })).toEqual([]);
  await wallets();
  expect(await has({})).toBe(false);
  await wallets('google_pay');
  expect((await open(url)).html).not.toContain('value="apple_pay"');
  await wallets('google_pay', 'apple_pay');
});

test('the server behind the sheet makes payloads for the cards of the sandbox, and for nothing else; no card number is on the page', async () => {
  const { vault_url } = w.service.addresses;
  const ask = async (change: Readonly<Record<string, string>>) => {
    const fields = { wallet: 'google_pay', card: 'visa', minor: '4250', currency: 'EUR', ...change };
    return (await fetch(`${vault_url}/sandbox/wallet`, { method: 'POST', body: new URLSearchParams(fields) })).status;
  };
  expect(await ask({})).toBe(200);
  for (const wrong of [
    { wallet: 'x' },
    { card: '4242424242424242' },
    { minor: '0' },
    { minor: '1e3' },
    { currency: 'XXX' },
  ])
    expect(await ask(wrong)).toBe(400);
  const { html } = await open((await hostedCheckout(w.shop)).url);
  expect(cardsIn(html)).toEqual([]);
});

test('the first load with both wallets is below 60 KB', async () => {
  const page = await browser.newPage();
  const sizes: Promise<{ responseBodySize: number; responseHeadersSize: number }>[] = [];
  page.on('requestfinished', (request) => {
    if (!request.url().startsWith('data:')) sizes.push(request.sizes());
  });
  await page.goto((await hostedCheckout(w.shop)).url, { waitUntil: 'networkidle' });
  const bytes = (await Promise.all(sizes)).reduce(
    (sum, one) => sum + one.responseBodySize + one.responseHeadersSize,
    0,
  );
  if (SHOTS !== undefined) console.log(`first load: ${bytes} bytes`);
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThan(60_000);
  await page.close();
});

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
