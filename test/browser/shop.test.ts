// The demo shop (florin shop), as people try it: each way to pay, readable for everybody, in both sizes, light and
// dark, with nothing from elsewhere.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedPageInputs } from '../../src/hosts/demo-account.ts';
import { openEgress } from '../../src/kit/egress.ts';
import { readConfig } from '../../src/settings/config.ts';
import { resultPage } from '../../src/shop/pages.ts';
import type { Shop } from '../../src/shop/shop.ts';
import { rowsOf } from '../sizes.ts';
import { CART, openShop } from '../shop/opened.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { GOOD, READY, fieldsOf, type } from './stage.ts';
import { strangers, violationsIn, watch } from './watch.ts';

let w: World;
let browser: Browser;
let shop: Shop;
const egress = openEgress();
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  const page_inputs = await seedPageInputs(w.service.tools, readConfig({ FLORIN_DATA_DIR: w.data_dir }));
  shop = await openShop(w, egress, page_inputs);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await egress.close();
  await w[Symbol.asyncDispose]();
});

const VIEWS = [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  // the other two have the same colours and the same layout
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
] as const;

async function choose(page: Page, way: string, lang = 'en'): Promise<void> {
  await page.goto(shop.url);
  await page.getByLabel('Language of the payment form').selectOption(lang);
  await page.locator(`button[value="${way}"]`).click();
}

async function clean(page: Page, width: number): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  expect(await violationsIn(page)).toEqual([]);
}

describe.each(rowsOf(VIEWS, 1))('at $width px, $scheme', ({ width, scheme }) => {
  test('the whole way with Hosted Elements', async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
    const seen = watch(page);
    await page.goto(shop.url);
    await clean(page, width);
    await choose(page, 'elements');
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    await clean(page, width);
    expect(await frame.evaluate('document.documentElement.dataset.theme')).toBe(scheme);
    await page.locator('.florin-pay').click();
    await frame.waitForSelector('#number[aria-invalid]');
    await clean(page, width);
    await type(frame, { ...GOOD, number: '4035501000000008', holder: 'Ada Martin' });
    await frame.getByRole('radio', { name: 'Cartes Bancaires' }).check();
    await clean(page, width);
    await page.locator('.florin-pay').click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await clean(page, width);
    expect(strangers(seen, shop.url, w.service.addresses.vault_url)).toEqual([]);
    // axe itself puts styles into the page, which the shop's policy refuses
    expect(seen.errors.filter((error) => !error.startsWith('Applying inline style'))).toEqual([]);
    await context.close();
  });

  test('the way with card inputs in the page', async () => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
    const page = await context.newPage();
    const seen = watch(page);
    await choose(page, 'page-inputs');
    await page.locator('#florin-card_number').pressSequentially('5555555555554444');
    await page.locator('#florin-card_validity').pressSequentially('1234');
    await page.locator('#florin-cvc').pressSequentially('123');
    await page.waitForSelector('#florin-payment-logo img');
    await clean(page, width);
    await page.locator('#payment-button').click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(strangers(seen, shop.url, w.service.addresses.vault_url)).toEqual([]);
    // axe itself puts styles into the page, which the shop's policy refuses
    expect(seen.errors.filter((error) => !error.startsWith('Applying inline style'))).toEqual([]);
    await context.close();
  });
});

test('in Arabic the form runs from right to left', async () => {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 900 } })).newPage();
  await choose(page, 'elements', 'ar');
  const frame = await fieldsOf(page);
  await page.waitForSelector(READY);
  expect(await page.locator('.florin-pay').textContent()).toMatch(/^ادفع .*42\.50/);
  expect(await frame.evaluate('document.dir')).toBe('rtl');
  await clean(page, 390);
  await page.context().close();
});

test('the hosted page is a link of the vault’s, and its five outcomes lead back to the shop', async () => {
  const answer = await fetch(`${shop.url}/buy`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ way: 'hosted', amount: '42.50', lang: 'en' }),
  });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(new RegExp(`^${w.service.addresses.vault_url}/pay/[0-9a-f]{64}$`));
  const [row] = await w.sql<{ body: Readonly<Record<string, string>> }>(
    `SELECT body FROM payment.checkouts WHERE body->>'type' = 'hosted_page'`,
  );
  for (const outcome of ['accept', 'decline', 'cancel', 'pending', 'exception'])
    expect(row?.body[`${outcome}_url`]).toMatch(new RegExp(`^${shop.url}/result/[0-9a-f]{16}\\?came=${outcome}$`));
});

test.each([
  ['capture_successful', 'Thank you', 'Paid'],
  ['authorization_declined', 'Not paid', 'Declined'],
  ['authentication_declined', 'Not paid', 'Not verified'],
  ['refund_successful', 'Refunded', 'Refunded'],
  ['refund_declined', 'Thank you', 'Paid'],
  ['authorization_requested', 'Confirming your payment', 'Waiting for your bank'],
])('a receipt says what became of it in words for a customer: %s', (status, title, payment) => {
  const html = resultPage(CART, { status: 'created' }, [{ status, result: { code: '420100' } }]);
  expect(html).toContain(`<h1>${title}</h1>`);
  expect(html).toContain(`<dt>Payment</dt><dd>${payment}</dd>`);
  expect(html).toContain('<dd>€42.50</dd>');
  expect(html).not.toMatch(/_|420100|\d EUR/);
});

test('a receipt that is not decided refreshes itself, and has a button for it', () => {
  const html = resultPage(CART, {}, [{ status: 'authentication_requested' }]);
  expect(html).toContain('<meta http-equiv="refresh" content="4; url=/result/abc">');
  expect(html).toContain('href="/result/abc">Refresh</a>');
  expect(resultPage(CART, {}, [{ status: 'capture_successful' }])).not.toContain('http-equiv="refresh"');
});

test('no other window keeps a hold of the shop, and it asks for nothing of the machine', async () => {
  const { headers } = await fetch(shop.url);
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('permissions-policy')).toContain('payment=()');
});

test('an unknown path of the shop is not found, and makes no order', async () => {
  for (const path of ['/result/nope', '/checkout/nope', '/else', '/pay/nope'])
    expect((await fetch(shop.url + path)).status).toBe(404);
  expect((await fetch(`${shop.url}/pay/nope`, { method: 'POST', body: '{' })).status).toBe(404);
});

test('the first field can be used soon after the script is there (the figure is printed, not judged)', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript(`addEventListener('florin-ready', () => { window.readyAt = performance.now() }, true)`);
  await choose(page, 'elements');
  await page.waitForSelector(READY);
  const script = `performance.getEntriesByType('resource').find((entry) => entry.name.includes('florin-client.min.js')).responseEnd`;
  const took = Number(await page.evaluate(`Math.round(window.readyAt - ${script})`));
  console.log(`first field usable ${took} ms after the script was loaded`);
  expect(took).toBeGreaterThan(0);
  await page.context().close();
});
