// A payer whose bank wants to see them, in a real browser: from the order's redirect_url over the look at the browser
// and the bank's page to the merchant's address, with a script and without, and from the hosted page.
import { mkdirSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { redirectOf } from '../authentication/payer.ts';
import { textAt } from '../client.ts';
import { hostedCheckout } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

const SHOTS = process.env['FLORIN_TEST_SHOTS'];
const CHALLENGE = { card_number: '4000002760003184' };
/**
 * From the bank's word to what follows it. The pages give up and go on by themselves after 10 s, so slower was stuck.
 */
const LONGEST_MS = 10_000;
const ASK = { authentication_indicator: 'ask_3ds' };

let w: World;
let browser: Browser;
/** The merchant's own site, where the payer comes back to. */
let site: Server;
let shop: string;
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  site = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const port = listeningPort(site);
  shop = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await browser.close();
  site.close();
  await w[Symbol.asyncDispose]();
});

const urls = () => ({
  accept_url: `${shop}/back?ok=1&n=1881`,
  decline_url: `${shop}/back?ok=0`,
  pending_url: `${shop}/wait`,
});

async function picture(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  for (const width of [1280, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
}

async function withPage(
  options: Parameters<Browser['newContext']>[0],
  act: (page: Page, context: BrowserContext) => Promise<void>,
) {
  const context = await browser.newContext(options);
  try {
    await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

test.each([
  ['2.2.0', CHALLENGE],
  ['2.3.1', { card_number: '4000000000003220' }],
])(
  'a challenge of %s with a script: the bank looks at the browser, asks for a code, and the payer is back at accept_url with its query',
  async (version, card) => {
    const reply = await w.shop.pay(card, { ...ASK, ...urls() });
    await withPage({}, async (page) => {
      const violations: string[] = [];
      page.on('console', (said) => said.type() === 'error' && violations.push(said.text()));
      const seen = page.waitForResponse((response) => response.url().endsWith('/seen'));
      await page.goto(redirectOf(reply));
      await seen;
      const since = performance.now();
      await page.getByRole('textbox').waitFor();
      expect(performance.now() - since).toBeLessThan(LONGEST_MS);
      await picture(page, 'bank');
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      await page.getByRole('textbox').fill('1234');
      const entered = performance.now();
      await page.keyboard.press('Enter');
      await page.waitForURL(urls().accept_url);
      expect(performance.now() - entered).toBeLessThan(LONGEST_MS);
      expect(violations).toEqual([]);
      const read = await w.shop.read(textAt(reply, 'order_id'));
      expect([read.at('status'), read.at('is_authenticated')]).toEqual(['capture_successful', true]);
      // back to the bank, and once more: decided is decided
      await page.goto(redirectOf(reply));
      await page.waitForURL(urls().accept_url);
    });
    const seen = await w.sql<{ method_url: string | null; version: string }>(
      `SELECT method_url, version FROM payment.authentications WHERE order_id = decode($1, 'hex')`,
      [textAt(reply, 'order_id')],
    );
    // asked after the bank had its look
    expect(seen).toEqual([{ method_url: null, version }]);
  },
);

test('a challenge without a script takes two more buttons', async () => {
  const reply = await w.shop.pay(CHALLENGE, { ...ASK, ...urls() });
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(redirectOf(reply));
    await picture(page, 'method-plain');
    expect((await page.getByRole('button').allTextContents()).length).toBe(1);
    await page.getByRole('button').click();
    await picture(page, 'to-the-bank');
    await page.getByRole('button').click();
    await page.getByRole('textbox').fill('1111');
    await page.keyboard.press('Enter');
    await page.getByRole('button').click();
    await page.waitForURL(urls().decline_url);
  });
  expect((await w.shop.read(textAt(reply, 'order_id'))).code).toBe('341000');
});

test('a challenge without a script that is not needed any more after the look at the browser: the button leads to the shop', async () => {
  const order_merchant_id = 'begun-twice';
  const reply = await w.shop.pay(CHALLENGE, { ...ASK, ...urls(), order_merchant_id });
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(redirectOf(reply));
    // the payer has begun again elsewhere, which ends this order (contract 7.3)
    await w.shop.pay({}, { order_merchant_id });
    await page.getByRole('button').click();
    await page.waitForURL(urls().decline_url);
  });
  expect((await w.shop.read(textAt(reply, 'order_id'))).code).toBe('361000');
});

test('a payer whom the bank keeps waiting may give up, and tries again on the hosted page with another card', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop, { ...urls(), amount: '1300', locale: 'fr' });
  await withPage({}, async (page) => {
    await page.goto(`${url}?lang=de`);
    const fields = page.frameLocator('#florin-payment-container iframe');
    await fields.locator('[autocomplete="cc-number"]').fill('4242424242424242');
    await fields.locator('[autocomplete="cc-exp"]').fill('12/34');
    await fields.locator('[autocomplete="cc-csc"]').fill('123');
    await page.locator('#pay-button').click();
    await page.getByRole('textbox').waitFor();
    const checkout = await w.shop.api(`/payment/checkout/${checkout_id}`);
    const order_id = textAt(checkout, 'checkout.orders.0.order_id');
    const redirect = redirectOf(await w.shop.read(order_id));
    // opened again meanwhile, the page says where the payer is wanted
    await page.goto(`${url}?lang=de`);
    // ten minutes from when the bank asked, counted down
    const left = /^Verbleibende Zeit für die Prüfung durch die Bank: (?:10:00|9:\d\d)$/;
    await page.getByRole('timer').getByText(left).waitFor();
    await picture(page, 'challenge');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    // and whoever came back from the bank without its word waits, in the language that was chosen
    await page.goto(`${redirect}?back`);
    await page.getByRole('heading', { name: 'Warten auf Ihre Bank' }).waitFor();
    await page.getByRole('timer').getByText(left).waitFor();
    await picture(page, 'back-from-the-bank');
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole('button', { name: 'Prüfung durch die Bank abbrechen' }).click();
    const alert = page.locator('#alert');
    await alert.getByText('Die Prüfung durch die Bank wurde nicht abgeschlossen').waitFor();
    expect(await alert.innerText()).toContain('Es wurde nichts abgebucht');
    expect((await w.shop.read(order_id)).code).toBe('361000');
  });
});

test('reload, back and a second window during the challenge make one payment', async () => {
  const reply = await w.shop.pay({}, { ...ASK, ...urls(), amount: '1000' });
  await withPage({}, async (page, context) => {
    await page.goto(redirectOf(reply));
    await page.getByRole('textbox').waitFor();
    await page.reload();
    await page.getByRole('textbox').waitFor();
    const other = await context.newPage();
    await other.goto(redirectOf(reply));
    await other.getByRole('textbox').fill('1234');
    await other.keyboard.press('Enter');
    await other.waitForURL(urls().accept_url);
    await page.getByRole('textbox').fill('1111');
    await page.keyboard.press('Enter');
    await page.waitForURL(urls().accept_url);
  });
  const order_id = textAt(reply, 'order_id');
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${order_id}`);
  expect((books.at('entries') as readonly { effects: number }[]).map(({ effects }) => effects)).toEqual([1, 1]);
});

test('a payer on the hosted page goes to the bank and comes back to the outcome', async () => {
  const { url, checkout_id } = await hostedCheckout(w.shop, { ...urls(), amount: '1200' });
  await withPage({}, async (page) => {
    await page.goto(url);
    const fields = page.frameLocator('#florin-payment-container iframe');
    await fields.locator('[autocomplete="cc-number"]').fill('4242424242424242');
    await fields.locator('[autocomplete="cc-exp"]').fill('12/34');
    await fields.locator('[autocomplete="cc-csc"]').fill('123');
    await page.locator('#pay-button').click();
    await page.getByLabel(/code/i).first().fill('1111');
    await page.keyboard.press('Enter');
    // declined, and the payer may try again
    await page.getByRole('alert').first().waitFor();
    await picture(page, 'again-after-the-bank');
    await fields.locator('[autocomplete="cc-number"]').fill('4242424242424242');
    await fields.locator('[autocomplete="cc-exp"]').fill('12/34');
    await fields.locator('[autocomplete="cc-csc"]').fill('123');
    await page.locator('#pay-button').click();
    await page.getByLabel(/code/i).first().fill('1234');
    await page.keyboard.press('Enter');
    await page.waitForURL(urls().accept_url);
  });
  const checkout = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect(checkout.at('checkout.status')).toBe('completed');
});
