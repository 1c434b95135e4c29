// The simulated Stripe's pages in a real browser: the payer presses a button at the bank and is back in the shop, and
// its books are readable for everyone.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { factsOf, go, run } from '../providers/driver.ts';
import { type Played, playStripe } from '../stripe/played.ts';
import { openBrowser } from './browser.ts';

/** A folder for pictures, for those who want to look at them. */
const SHOTS = process.env['FLORIN_TEST_SHOTS'];

let played: Played;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Where the payer came from. */
let shop: Server;
beforeAll(async () => {
  [played, browser] = await Promise.all([playStripe(), openBrowser()]);
  context = await browser.newContext({ viewport: { width: 390, height: 700 } });
  page = await context.newPage();
  shop = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Shop</title><h1>Back in the shop</h1>');
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
});
afterAll(async () => {
  await browser.close();
  shop.close();
  await played.close();
});

async function isReadable(name: string): Promise<void> {
  if (SHOTS !== undefined) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.length])).toEqual([]);
  }
}

test.each([
  ['Complete authentication', 'approved'],
  ['Fail authentication', 'declined'],
])('%s: the payer is back, and the look says %s', async (button, kind) => {
  const return_url = `http://127.0.0.1:${listeningPort(shop)}/back`;
  const payer = { return_url, three_ds: 'ask' } as const;
  const ran = await run(played.wire('4000000000003220'), factsOf('authorize', { payer }));
  const bank = ran.outcome?.kind === 'payer_must_act' ? ran.outcome.go.url : '';
  await page.goto(bank);
  await isReadable('stripe-3ds');
  await page.getByRole('button', { name: button }).click();
  await page.getByText('Back in the shop').waitFor();
  expect((await go(played.wire(), ran, 'look')).outcome?.kind).toBe(kind);
  // an address that is opened again leads back, too
  await page.goto(bank);
  await page.getByText('Back in the shop').waitFor();
});

test('the books', async () => {
  await run(played.wire(), factsOf('authorize', { with_capture: true }));
  await page.goto(played.url);
  await page.getByRole('heading', { name: 'Simulated Stripe' }).waitFor();
  expect(await page.locator('table').first().locator('tbody tr').count()).toBeGreaterThan(2);
  await isReadable('stripe-books');
});
