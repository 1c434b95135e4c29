// Google Pay itself on the hosted page, in a real browser with a script of the test in place of Google's: from the
// click in the frame by the sheet, a window of its own, and a payload that only the vault can open, to the provider's
// books.
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { textAt, until } from '../client.ts';
import { hostedCheckout, open } from '../hosted-page/payer.ts';
import { newPayloadKey } from '../vault/wallets/apple.ts';
import {
  GOOGLE_ID,
  type Google,
  answerScript,
  googlePayload,
  openGoogle,
  pointOf,
  setGooglePay,
} from '../vault/wallets/google.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

const SHOTS = process.env['FLORIN_TEST_SHOTS'];

let [w, browser, google]: [World, Browser, Google] = [] as never;
beforeAll(async () => {
  google = await openGoogle();
  [w, browser] = await Promise.all([world(google.settings), openBrowser()]);
  await changeSettings(w.service.tools, w.account, { page_wallets: ['google_pay'], page_name: 'Blumen Müller' });
  await setGooglePay(w);
  const { url } = await hostedCheckout(w.shop);
  await until(async () => (await open(url)).html.includes('id="google-pay"') || undefined);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
  await google[Symbol.asyncDispose]();
});
beforeEach(() => {
  google.script = answerScript;
  google.heard.length = 0;
});

type Asked = {
  readonly merchantInfo: object;
  readonly transactionInfo: object;
  readonly environment: string;
  readonly allowedPaymentMethods: readonly {
    readonly parameters: object;
    readonly tokenizationSpecification: { readonly parameters: { readonly publicKey: string } };
  }[];
};
type Opened = {
  readonly page: Page;
  readonly strange: string[];
  readonly checkout_id: string;
  readonly asked: Asked[];
};
type Wanted = {
  readonly number?: string;
  readonly ready?: boolean;
  readonly foreign?: boolean;
  readonly card_only?: boolean;
  readonly context?: Parameters<Browser['newPage']>[0];
  readonly fields?: object;
  readonly hangs?: boolean;
};

/** `foreign`: the device seals for another key than the page names; `hangs`: the frame itself never comes. */
async function pageWith({
  number = '5555555555554444',
  ready = true,
  foreign = false,
  context,
  fields,
  hangs = false,
  card_only = false,
}: Wanted = {}) {
  const { url, checkout_id } = await hostedCheckout(w.shop, fields);
  const page = await (await browser.newContext(context)).newPage();
  const opened: Opened = { page, strange: [], checkout_id, asked: [] };
  const known = [new URL(url).origin, google.wallet_url, google.url, 'data:'];
  page.on('request', (request) => {
    if (!known.some((origin) => request.url().startsWith(origin))) opened.strange.push(request.url());
  });
  await page.exposeFunction('sealed', (request: Asked) => {
    opened.asked.push(request);
    const named = request.allowedPaymentMethods[0]?.tokenizationSpecification.parameters.publicKey ?? '';
    return googlePayload({ number, public_key: foreign ? pointOf(newPayloadKey()) : named, card_only });
  });
  await page.addInitScript(`window.googlePay = ${JSON.stringify({ ready })}`);
  if (hangs) await page.route('**/google-pay', () => undefined);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  return opened;
}

const buttonOf = (page: Page) => page.frameLocator('#google-pay iframe').getByRole('button', { name: 'Google Pay' });

/** Presses the button, and does in the window that opens what a payer does there. */
async function payerDoes({ page }: Opened, what: 'agreed' | 'left' | 'failed'): Promise<void> {
  const opened = page.waitForEvent('popup');
  await buttonOf(page).click();
  const sheet = await opened;
  const closed = sheet.waitForEvent('close');
  await sheet.getByRole('button', { name: what }).click();
  await closed;
}

const orders = async ({ checkout_id }: Opened) =>
  (await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders');
async function canPay(page: Page): Promise<void> {
  await expect.poll(() => page.locator('#pay-button').isEnabled()).toBe(true);
}

test('a payer pays with Google Pay: a frame by itself, a payload for the account’s key, the provider gets a cryptogram', async () => {
  const opened = await pageWith();
  const { page } = opened;
  await payerDoes(opened, 'agreed');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await page.locator('.receipt').innerText()).toContain('Mastercard ending in');
  const [asked, ...more] = opened.asked;
  expect([asked, more]).toMatchObject([
    {
      environment: 'TEST',
      merchantInfo: { merchantId: GOOGLE_ID, merchantName: 'Blumen Müller' },
      transactionInfo: { totalPriceStatus: 'FINAL', totalPrice: '42.50', currencyCode: 'EUR', countryCode: 'FR' },
      allowedPaymentMethods: [
        {
          type: 'CARD',
          parameters: {
            allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
            allowedCardNetworks: ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'JCB'],
          },
          tokenizationSpecification: { type: 'DIRECT', parameters: { protocolVersion: 'ECv2' } },
        },
      ],
    },
    [],
  ]);
  const checkout = await w.shop.api(`/payment/checkout/${opened.checkout_id}`);
  const order = await w.shop.decided(textAt(checkout, 'checkout.orders.0.order_id'));
  expect(order.at('status')).toBe('capture_successful');
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(order, 'order_id')}`);
  expect(books.text).toMatch(/"cryptogram_digest":"[0-9a-f]{16}","eci":"05"/);
  // Google is told the origin of the frame, and neither the page nor its handle
  expect(google.heard.map(({ url, headers }) => [url, headers.referer])).toEqual([
    ['/gp/p/js/pay.js', `${google.wallet_url}/`],
    ['/sheet', `${google.wallet_url}/`],
  ]);
  expect(opened.strange).toEqual([]);
  await page.close();
});

test('a card of Google’s without a token of the device is authenticated as any card is, and paid without a cryptogram', async () => {
  const opened = await pageWith({ number: '4242424242424242', card_only: true });
  await payerDoes(opened, 'agreed');
  await opened.page.getByRole('heading', { name: 'Paid' }).waitFor();
  const checkout = await w.shop.api(`/payment/checkout/${opened.checkout_id}`);
  const order = await w.shop.decided(textAt(checkout, 'checkout.orders.0.order_id'));
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(order, 'order_id')}`);
  expect([order.at('status'), books.text.includes('cryptogram_digest":"')]).toEqual(['capture_successful', false]);
  const read = await w.shop.read(textAt(order, 'order_id'));
  expect(read.text).toContain('"authentication_indicator":"ask_3ds"');
  await opened.page.close();
});

test('a payer who leaves the sheet is on the page as before, nothing is said, and the next try pays', async () => {
  const opened = await pageWith();
  const { page } = opened;
  await payerDoes(opened, 'left');
  await canPay(page);
  expect([await page.locator('#says').innerText(), await orders(opened)]).toEqual(['', []]);
  await payerDoes(opened, 'agreed');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  await page.close();
});

test('a decline is said in words, and both the card form and Google Pay are there', async () => {
  const opened = await pageWith({ number: '4000000000009995' });
  const { page } = opened;
  await payerDoes(opened, 'agreed');
  await page.locator('#alert').getByText('Not enough funds').waitFor();
  await canPay(page);
  expect(await page.locator('#google-pay').getAttribute('inert')).toBe(null);
  await page.close();
});

test.each(['an error of Google', 'a payload that is sealed for another'])(
  'where the sheet gives %s, the payer is told and pays by card',
  async (what) => {
    const opened = await pageWith({ foreign: what !== 'an error of Google' });
    const { page } = opened;
    await payerDoes(opened, what === 'an error of Google' ? 'failed' : 'agreed');
    await page.locator('#says').getByText('Nothing was charged').waitFor();
    await canPay(page);
    expect(await orders(opened)).toEqual([]);
    await page.close();
  },
);

const top = async (page: Page) => (await page.locator('#pay').boundingBox())?.y;

test('where Google cannot pay, or does not answer, there is no button, and nothing on the page moves', async () => {
  // of one scheme alone: no wallet is on this page at all, and no frame
  const { page: none } = await pageWith({ fields: { payment_method_name: 'visa' } });
  await canPay(none);
  expect(await none.locator('iframe[src$="/google-pay"]').count()).toBe(0);
  const before = await top(none);
  const stays = async (page: Page) => {
    await canPay(page);
    expect([await page.locator('#wallets').isVisible(), await top(page)]).toEqual([false, before]);
    await page.close();
  };
  const { page: cannot } = await pageWith({ ready: false });
  const frame = cannot.frames().find((one) => one.url().startsWith(google.wallet_url));
  const was_asked = () => cannot.frameLocator('#google-pay iframe').locator('html[data-asked]');
  await was_asked().waitFor({ state: 'attached' });
  await frame?.evaluate('0');
  await stays(cannot);
  for (const answer of SILENT) {
    google.heard.length = 0;
    google.script = answer;
    const { page } = await pageWith();
    await until(() => google.heard.some(({ url }) => url.endsWith('/pay.js')) || undefined);
    await stays(page);
  }
  const { page: hangs } = await pageWith({ hangs: true });
  await hangs.locator('#google-pay iframe').waitFor({ state: 'attached' });
  await stays(hangs);
  await none.close();
});

/** Of Google's script: nothing, an error, and another script than it is. */
const SILENT: readonly (typeof answerScript)[] = [
  () => undefined,
  (response) => void response.writeHead(500).end(),
  (response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('window.google = {}'),
];

test('the page hears its frame alone: not another origin, not another window', async () => {
  // the frame itself is silent
  google.script = () => undefined;
  const { page } = await pageWith();
  await page.locator('#google-pay iframe').waitFor({ state: 'attached' });
  await canPay(page);
  const says = async (source: 'frame' | 'page', origin: string) => {
    const from = source === 'frame' ? `document.querySelector('#google-pay iframe').contentWindow` : 'window';
    await page.evaluate(dispatched({ kind: 'ready' }, from, origin));
    return page.locator('#google-pay').isVisible();
  };
  const { wallet_url } = google;
  expect(await says('page', wallet_url)).toBe(false);
  expect(await says('frame', w.service.addresses.vault_url)).toBe(false);
  expect(await says('frame', `${wallet_url}0`)).toBe(false);
  expect(await says('frame', wallet_url)).toBe(true);
  await page.close();
});

test('the frame hears the page around it alone, and no other page can frame it', async () => {
  const page = await browser.newPage();
  await page.goto(`${google.wallet_url}/google-pay`);
  const hears = async (origin: string) => {
    await page.evaluate(dispatched({ request: {} }, 'window', origin));
    return page.locator('script[src]').count();
  };
  expect(await hears(google.wallet_url)).toBe(0);
  expect(await hears(google.url)).toBe(0);
  // its own window is its parent here, so that this is what the page would say
  expect(await hears(w.service.addresses.vault_url)).toBe(1);
  await page.goto(`${google.url}/sheet`);
  const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  const src = JSON.stringify(`${google.wallet_url}/google-pay`);
  await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: ${src} }))`);
  await refused;
  await page.close();
});

/** A message as the browser gives it to a page, from wherever the test says. */
const dispatched = (data: object, source: string, origin: string) =>
  `dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(data)}, source: ${source}, origin: ${JSON.stringify(origin)} }))`;

test('the page is accessible and whole in every look with Google’s button, and at most 60 kB without what is Google’s', async () => {
  for (const width of [390, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = { viewport: { width, height: 844 }, colorScheme };
      const { page } = await pageWith({ context });
      await buttonOf(page).waitFor();
      const { violations } = await new AxeBuilder({ page }).exclude('#google-pay').analyze();
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `google-${width}-${colorScheme}.png`) });
      await page.context().close();
    }
  const page = await browser.newPage();
  const sizes: Promise<{ responseBodySize: number; responseHeadersSize: number }>[] = [];
  page.on('requestfinished', (request) => {
    const { origin } = new URL(request.url());
    if (origin !== 'null' && origin !== google.url) sizes.push(request.sizes());
  });
  await page.addInitScript('window.googlePay = { ready: true }');
  await page.goto((await hostedCheckout(w.shop)).url, { waitUntil: 'networkidle' });
  await buttonOf(page).waitFor();
  const bytes = (await Promise.all(sizes)).reduce(
    (sum, one) => sum + one.responseBodySize + one.responseHeadersSize,
    0,
  );
  if (SHOTS !== undefined) console.log(`first load with Google's frame: ${bytes} bytes`);
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThan(60_000);
  await page.close();
});
