// Apple Pay itself on the hosted page, in a real browser with an Apple Pay of the test: from the click by Apple's host,
// behind mutual TLS, and a payload that only the vault can open, to the provider's books. Only Apple is played.
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { textAt, until } from '../client.ts';
import { hostedCheckout, open } from '../hosted-page/payer.ts';
import { newFolder } from '../start/child.ts';
import {
  type Apple,
  MERCHANT_ID,
  SESSION,
  answerSession,
  applePayload,
  newIssuer,
  newPayloadKey,
  openApple,
  setApplePay,
  setIdentity,
} from '../vault/wallets/apple.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { GOOD, fieldsOf, type } from './stage.ts';

const folder = newFolder('florin-apple-');
const key = newPayloadKey();
let [w, browser, apple]: [World, Browser, Apple] = [] as never;
beforeAll(async () => {
  apple = await openApple(folder.path);
  [w, browser] = await Promise.all([world(apple.settings), openBrowser()]);
  await changeSettings(w.service.tools, w.account, { page_wallets: ['apple_pay'], page_name: 'Blumen Müller' });
  await setApplePay(w, apple.issuer.issue(), key);
  const { url } = await hostedCheckout(w.shop);
  await until(async () => (await open(url)).html.includes('id="apple-pay"') || undefined);
});
afterAll(async () => {
  await browser.close();
  await w[Symbol.asyncDispose]();
  await apple[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});
beforeEach(() => {
  apple.answer = answerSession;
  apple.heard.length = 0;
});

const IN_BROWSER = fileURLToPath(new URL('./apple-pay.js', import.meta.url));

type Sheet = { readonly page: Page; readonly told: string[]; readonly strange: string[]; readonly checkout_id: string };
type Wanted = { number?: string; can?: boolean; leaves?: boolean; waits?: boolean; seal?: typeof key };

async function pageWith(wanted: Wanted = {}) {
  const { number = '5555555555554444', can = true, leaves = false, waits = false, seal = key } = wanted;
  const { url, checkout_id } = await hostedCheckout(w.shop);
  const page = await browser.newPage();
  const sheet: Sheet = { page, told: [], strange: [], checkout_id };
  page.on('request', (request) => {
    const own = request.url().startsWith(new URL(url).origin) || request.url().startsWith('data:');
    if (!own) sheet.strange.push(request.url());
  });
  await page.exposeFunction('told', (what: string) => void sheet.told.push(what));
  await page.exposeFunction('sealed', (request: object, session: object) => {
    expect(session).toEqual(SESSION);
    expect(request).toEqual({
      countryCode: 'FR',
      currencyCode: 'EUR',
      merchantCapabilities: ['supports3DS'],
      supportedNetworks: [
        'visa',
        'masterCard',
        'amex',
        'discover',
        'jcb',
        'chinaUnionPay',
        'cartesBancaires',
        'maestro',
      ],
      total: { label: 'Blumen Müller', amount: '42.50', type: 'final' },
    });
    return applePayload({ number, minor: 4250n, currency: 'EUR', key: seal });
  });
  await page.addInitScript(`window.applePay = ${JSON.stringify({ can, leaves, waits })}`);
  await page.addInitScript({ path: IN_BROWSER });
  await page.goto(url);
  return sheet;
}

const press = (page: Page) => page.getByRole('button', { name: 'Apple Pay' }).click();
const orders = async ({ checkout_id }: Sheet) =>
  (await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders');

/** Nothing was paid, the payer was told so, and may pay by card. */
async function cardStillWorks(sheet: Sheet): Promise<void> {
  const { page } = sheet;
  await page.locator('#says').getByText('Nothing was charged').waitFor();
  await expect.poll(() => page.locator('#pay-button').isEnabled()).toBe(true);
  expect(await orders(sheet)).toEqual([]);
  await page.close();
}

test('a payer pays with Apple Pay: Apple knows the merchant, the vault opens the payload, the provider gets a cryptogram', async () => {
  const sheet = await pageWith();
  await press(sheet.page);
  await sheet.page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await sheet.page.locator('.receipt').innerText()).toContain('Mastercard ending in');
  expect(sheet.told).toEqual(['done']);
  const [{ url, body, merchant } = { url: '', body: '{}', merchant: '' }, ...more] = apple.heard;
  expect([url, merchant, more]).toEqual([
    '/paymentservices/paymentSession',
    `Apple Pay Merchant Identity:${MERCHANT_ID}`,
    [],
  ]);
  expect(JSON.parse(body)).toEqual({
    merchantIdentifier: MERCHANT_ID,
    displayName: 'Blumen Müller',
    initiative: 'web',
    initiativeContext: new URL(w.service.addresses.vault_url).hostname,
  });
  const checkout = await w.shop.api(`/payment/checkout/${sheet.checkout_id}`);
  const order = await w.shop.decided(textAt(checkout, 'checkout.orders.0.order_id'));
  expect(order.at('status')).toBe('capture_successful');
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(order, 'order_id')}`);
  expect(books.text).toMatch(/"cryptogram_digest":"[0-9a-f]{16}","eci":"05"/);
  // the address that the browser brought was not gone to, by the page or by us
  expect(sheet.strange).toEqual([]);
  await sheet.page.close();
});

test('where the browser cannot pay, or has no Apple Pay, there is no button, and nothing on the page moves', async () => {
  const top = async (page: Page) => (await page.locator('#pay').boundingBox())?.y;
  const { page } = await pageWith({ can: false });
  await expect.poll(() => page.locator('#pay-button').isEnabled()).toBe(true);
  const [none, unasked] = [await browser.newPage(), await browser.newPage()];
  await none.goto(page.url());
  await expect.poll(() => none.locator('#pay-button').isEnabled()).toBe(true);
  // of one scheme alone: no wallet is on this page at all
  await unasked.goto((await hostedCheckout(w.shop, { payment_method_name: 'visa' })).url);
  expect([await page.locator('#wallets').isVisible(), await top(page)]).toEqual([false, await top(unasked)]);
  expect([await none.locator('#wallets').isVisible(), await top(none)]).toEqual([false, await top(unasked)]);
  for (const one of [page, none, unasked]) await one.close();
});

test('a decline is told to the sheet as a failure and to the payer in words, and the card form is there', async () => {
  const { page, told } = await pageWith({ number: '4000000000009995' });
  await press(page);
  await page.locator('#alert').getByText('Not enough funds').waitFor();
  expect(told).toEqual(['failed']);
  expect(await page.locator('#pay-button').isEnabled()).toBe(true);
  await page.close();
});

test.each([
  ['an error', (response: Parameters<typeof answerSession>[0]) => response.writeHead(500).end('{}')],
  ['a redirect', (response: Parameters<typeof answerSession>[0]) => response.writeHead(302, { location: '/' }).end()],
  ['no JSON', (response: Parameters<typeof answerSession>[0]) => response.end('<html>')],
  ['nothing in time', () => undefined],
])('where Apple answers %s, the sheet closes, the payer is told, and pays by card', async (_, answer) => {
  apple.answer = answer;
  const sheet = await pageWith();
  await press(sheet.page);
  await cardStillWorks(sheet);
  expect([sheet.told, apple.heard.length]).toEqual([['closed'], 1]);
});

test('where Apple refuses the certificate, the sheet closes, the payer is told, and pays by card', async () => {
  await setIdentity(w, newIssuer('Somebody else').issue());
  // the running vault takes it up within a second
  const session = () => w.service.tools.vault.walletSession({ merchant_account_id: w.account, display_name: 'Any' });
  await until(async () => (await session()) === null || undefined);
  apple.heard.length = 0;
  const sheet = await pageWith();
  await press(sheet.page);
  await cardStillWorks(sheet);
  expect([sheet.told, apple.heard]).toEqual([['closed'], []]);
  await setIdentity(w, apple.issuer.issue());
  await until(async () => (await session()) !== null || undefined);
});

test('a payload that is sealed for another merchant is refused by the vault: told, and paid by card', async () => {
  const sheet = await pageWith({ seal: newPayloadKey() });
  await press(sheet.page);
  await cardStillWorks(sheet);
  expect(sheet.told).toEqual(['failed']);
});

test('a payer who leaves the sheet is on the page as before, and nothing is said', async () => {
  const sheet = await pageWith({ leaves: true });
  const answered = sheet.page.waitForResponse('**/wallet-session');
  await press(sheet.page);
  await answered;
  await expect.poll(() => sheet.page.locator('#pay-button').isEnabled()).toBe(true);
  expect(await sheet.page.locator('#says').innerText()).toBe('');
  expect([sheet.told, await orders(sheet)]).toEqual([[], []]);
  await sheet.page.close();
});

test.each([
  ['opens it', {}],
  ['refuses it', { seal: newPayloadKey() }],
])('a sheet that is closed while the vault looks at what it gave pays nothing: the vault %s', async (_, wanted) => {
  const sheet = await pageWith({ ...wanted, waits: true });
  const { page, told } = sheet;
  await press(page);
  await expect.poll(() => page.evaluate('typeof authorize')).toBe('function');
  let answer: () => void = () => undefined;
  const held = new Promise<void>((done) => (answer = done));
  await page.route('**/token', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest('**/token');
  await page.evaluate('void (window.authorized = authorize())');
  await asked;
  await page.evaluate('leave()');
  await expect.poll(() => page.locator('#pay-button').isEnabled()).toBe(true);
  answer();
  await page.evaluate('window.authorized');
  expect([told, await page.locator('#says').innerText(), await orders(sheet)]).toEqual([[], '', []]);
  expect(await page.locator('#pay-button').isEnabled()).toBe(true);
  await page.close();
});

/** The sheet waits for its payer; a card was sent by a key in its own frame, and its answer is not there. */
async function besideCard(wanted: Wanted = {}) {
  const sheet = await pageWith({ ...wanted, waits: true });
  const { page } = sheet;
  const fields = await fieldsOf(page);
  await type(fields, GOOD);
  await press(page);
  await expect.poll(() => page.evaluate('typeof authorize')).toBe('function');
  let answer: () => void = () => undefined;
  const held = new Promise<void>((done) => (answer = done));
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url() === page.url());
  await page.route(page.url(), async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await fields.locator('#code').press('Enter');
  await sent;
  return { ...sheet, answer };
}

test.each([
  ['can be opened', {}],
  ['is refused by the vault', { seal: newPayloadKey() }],
])(
  'beside a card that is on its way, what Apple Pay gives is not paid, and nothing is said of the card: it %s',
  async (_, wanted) => {
    const sheet = await besideCard(wanted);
    const { page, told, answer } = sheet;
    await page.evaluate('authorize()');
    await expect.poll(() => told).toEqual(['failed']);
    expect([await page.locator('#says').innerText(), await page.locator('#pay-button').isEnabled()]).toEqual([
      '',
      false,
    ]);
    answer();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await orders(sheet)).toHaveLength(1);
    await page.close();
  },
);
