// npm run pictures: photographs what the guides show, in a real browser at a sandbox of its own. Looked at before they
// are kept.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled, signIn, takeSeat } from '../backoffice-app/seat.ts';
import { firstOwner } from '../backoffice/person.ts';
import { GOOD, READY, fieldsOf, type } from '../browser/stage.ts';
import { openBrowser } from '../browser/browser.ts';
import { redirectOf } from '../authentication/payer.ts';
import { receiver } from '../notifications/receiver.ts';
import { hostedCheckout } from '../hosted-page/payer.ts';
import { world } from '../world.ts';
import { playFortnight } from './fortnight.ts';
import { ROOT } from './pages.ts';
import { startProgram } from './programs.ts';

const FOLDER = fileURLToPath(new URL('site/public/pictures/', ROOT));
/** Of README.md. */
const FRONT = fileURLToPath(new URL('docs/pictures/', ROOT));

test('the pictures of the guides', async () => {
  mkdirSync(FOLDER, { recursive: true });
  await using w = await world();
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 720, height: 340 }, colorScheme: 'light' });
  const page = await context.newPage();
  const take = (name: string) =>
    page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true, animations: 'disabled', caret: 'hide' });

  await using shop = await startProgram(w, ['node', 'examples/node/shop.mjs']);
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Buy' }).click();
  await filled(page);
  await take('elements');

  const asked = await w.shop.pay({ card_number: '4000002760003184' }, { authentication_indicator: 'ask_3ds' });
  await page.goto(redirectOf(asked));
  await page.getByRole('textbox').waitFor();
  await take('bank');

  // wide enough for its two sides
  await page.setViewportSize({ width: 1120, height: 600 });
  const basket_content = [
    { product_name: 'Reading lamp, brass', product_quantity: 2, total_amount: '31.00' },
    { product_name: 'Bulb E27', product_price: '6.60' },
  ];
  const cart = { order_merchant_id: 'cart-1881', basket_content, shipping_price: '4.90' };
  await page.goto((await hostedCheckout(w.shop, cart)).url);
  await filled(page);
  await take('hosted-page');
  await browser.close();
});

/** The form with a card that nobody has. */
async function filled(page: Page): Promise<void> {
  const frame = await fieldsOf(page);
  await page.waitForSelector(READY);
  await type(frame, { ...GOOD, code: '' });
}

test('the pictures of the back office', async () => {
  await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  const browser = await openBrowser();
  const owner = await firstOwner(w);
  await owner.ask('PUT', '/api/settings', { page_name: 'Lumen', page_colour: '#0b5d57', page_note: NOTE });
  await using notified = await receiver();
  const { order, link, receipt } = await playFortnight(w, owner, notified.url);

  const seats = { light: await takeSeat(w, browser), dark: await takeSeat(w, browser, { scheme: 'dark' }) };
  for (const seat of Object.values(seats)) {
    await seat.open('/', 'Sign in');
    await signIn(seat);
  }
  /** A page from its top, or from the part with this heading; that the app complained about nothing is part of it. */
  const take = async (path: string, file: string, { look = 'light', height = 860, from, main, ready }: Shot = {}) => {
    const seat = seats[look];
    const { page } = seat;
    await page.setViewportSize({ width: 1280, height });
    await seat.open(path);
    await ready?.(page);
    await settled(seat);
    if (from !== undefined) await page.getByRole('heading', { name: from }).first().evaluate(toTop, 24);
    const clip = { x: MENU, y: 0, width: 1280 - MENU, height };
    await page.screenshot({ path: file, animations: 'disabled', caret: 'hide', ...(main && { clip }) });
    expect([path, seat.wrongs()]).toEqual([path, []]);
  };

  await take('/', `${FRONT}back-office-overview.png`, { height: 1000 });
  await take(`/orders/${order}`, `${FRONT}back-office-order.png`, { height: 800 });
  const refund = async (page: Page) => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.locator('[role=dialog] input:visible').first().waitFor();
  };
  await take(`/orders/${order}`, `${FOLDER}refund.png`, { height: 640, ready: refund });
  await take('/integration', `${FRONT}back-office-integration.png`, { look: 'dark', height: 720, from: 'Hosted page' });
  await take('/', `${FOLDER}overview-dark.png`, { look: 'dark', height: 1000 });
  await take('/orders', `${FOLDER}orders.png`, { height: 720 });
  await take('/disputes', `${FOLDER}disputes.png`, { height: 540 });
  await take(`/links/${link}`, `${FOLDER}payment-link.png`, { height: 800 });
  await take('/reports', `${FOLDER}reports.png`, { height: 860, main: true });
  await take('/routing', `${FOLDER}routing-rules.png`, { height: 600 });
  const cells = (page: Page) => page.getByRole('tab', { name: 'Where payments went' }).click();
  await take('/routing', `${FOLDER}routing-cells.png`, { height: 900, main: true, ready: cells });
  await take('/providers', `${FOLDER}providers.png`, { height: 790, main: true });
  await take('/retries', `${FOLDER}retries.png`, { height: 760 });

  const payer = await browser.newContext({ viewport: { width: 390, height: 760 }, locale: 'fr-FR' });
  const page = await payer.newPage();
  await page.goto(receipt);
  await page.locator('.receipt').waitFor();
  await page.screenshot({ path: `${FOLDER}receipt-french.png`, fullPage: true, animations: 'disabled' });
  await browser.close();
});

/** How wide the menu is. */
const MENU = 236;
const NOTE = 'Questions? Write to help@lumen.example.';

type Shot = {
  readonly look?: 'light' | 'dark';
  readonly height?: number;
  readonly from?: string;
  /** Without the menu: where a page has much to read. */ readonly main?: true;
  readonly ready?: (page: Page) => Promise<void>;
};

/** With so many pixels of what is above it. */
const toTop = (element: Placed, above: number) => scrollBy(0, element.getBoundingClientRect().top - above);
type Placed = { getBoundingClientRect(): { readonly top: number } };
declare function scrollBy(x: number, y: number): void;
