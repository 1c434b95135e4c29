// The hosted page in a real browser: readable for everyone in every state, paid by keyboard, and at most one order
// whatever the payer does with the page.
import { mkdirSync, readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { textAt, until } from '../client.ts';
import { URLS as ELSEWHERE, hostedCheckout, nonceIn, open, pay, sendForm } from '../hosted-page/payer.ts';
import { undecided } from '../undecided.ts';
import { rowsOf } from '../sizes.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';

const SCRIPT = '/javascript/2.3/florin-client.min.js';
const STAND_IN = readFileSync(new URL('stand-in.js', import.meta.url), 'utf8');
const DECLINED = { card_number: '4000000000009995' };
/** A folder for pictures of every state, for those who want to look at them. */
const SHOTS = process.env['FLORIN_TEST_SHOTS'];

let w: World;
let browser: Browser;
let is_served: boolean;
/** The merchant's own site: another origin, where the payer comes back to. */
let site: Server;
let URLS: typeof ELSEWHERE;
/** From which page each picture was asked for. */
const pictures: string[] = [];
const LAMP =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><rect width="96" height="96" fill="#f1d9b5"/><path d="M30 54h36L58 24H38zM46 54h4v18h-4z" fill="#b4441f"/></svg>';
beforeAll(async () => {
  [w, browser] = await Promise.all([world(), openBrowser()]);
  site = createServer(({ url = '', headers }, response) => {
    const port = listeningPort(site);
    // a shop that has moved: what it gave as its address leads on to another origin
    if (url.startsWith('/moved')) response.writeHead(302, { location: `http://localhost:${port}/new${url}` });
    else if (url.endsWith('.svg')) {
      pictures.push(String(headers.referer));
      return response.setHeader('content-type', 'image/svg+xml').end(LAMP);
    } else response.setHeader('content-type', 'text/html');
    return response.end('<!doctype html><html lang="en"><title>Shop</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, resolve));
  const port = listeningPort(site);
  URLS = { ...ELSEWHERE };
  for (const name of Object.keys(ELSEWHERE) as (keyof typeof ELSEWHERE)[])
    URLS[name] = ELSEWHERE[name].replace('https://shop.example', `http://127.0.0.1:${port}`);
  is_served = (await fetch(w.service.addresses.vault_url + SCRIPT)).ok;
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="44" height="44"><rect width="44" height="44" rx="10" fill="#b4441f"/><path d="M12 30V14h20v16z" fill="#fff"/></svg>`;
  await settings({
    page_name: 'Lamps & Sons',
    page_colour: '#b4441f',
    page_logo: `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`,
    page_note: 'Questions? Call us on +33 1 23 45 67 89, Monday to Friday.',
  });
});
afterAll(async () => {
  await browser.close();
  site.close();
  await w[Symbol.asyncDispose]();
});

function settings(changes: Readonly<Record<string, string | boolean | readonly string[]>>) {
  return changeSettings(w.service.tools, w.account, changes);
}

/** A browser of its own: the element's script from the vault, or the stand-in; the merchant's site answers anything. */
async function contextOf(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  if (!is_served) {
    await context.route(`**${SCRIPT}`, (route) => route.fulfill({ contentType: 'text/javascript', body: STAND_IN }));
    await context.route('**/stylesheet/**', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  }
  return context;
}

function cardFields(page: Page): Record<'number' | 'expiry' | 'code', Locator> {
  const place = is_served ? page.frameLocator('#florin-payment-container iframe') : page;
  const field = (name: string) => place.locator(`[autocomplete="${name}"]`);
  return { number: field('cc-number'), expiry: field('cc-exp'), code: field('cc-csc') };
}

async function type(page: Page, number = '4242424242424242'): Promise<void> {
  const fields = cardFields(page);
  await fields.number.fill(number);
  await fields.expiry.fill('12/34');
  await fields.code.fill('123');
}

const isFree = (page: Page) => until(async () => ((await payButton(page).isEnabled()) ? true : undefined));
const payButton = (page: Page) => page.locator('#pay-button');
const ordersOf = async (checkout_id: string) =>
  (await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders') as readonly unknown[];

const BASKET = {
  order_merchant_id: 'cart-1881',
  order_description: 'Your order of 16 August',
  basket_content: [
    { product_name: 'Reading lamp “Florence”, brass', product_quantity: 2, total_amount: '31.00' },
    { product_name: 'Bulb E27', product_price: '6.60' },
  ],
  shipping_price: '4.90',
};

/** Every state a payer can see, and how the page came there. Answers its address. */
const STATES: Readonly<Record<string, () => Promise<string>>> = {
  open: async () => (await hostedCheckout(w.shop, BASKET)).url,
  'open-plain': async () => (await hostedCheckout(w.shop, { order_merchant_id: 'mail-7' })).url,
  arabic: async () => (await hostedCheckout(w.shop, { ...BASKET, locale: 'ar' })).url,
  german: async () => (await hostedCheckout(w.shop, { ...BASKET, locale: 'de_DE', amount: '12345.60' })).url,
  declined: async () => {
    const { url } = await hostedCheckout(w.shop, BASKET);
    await pay(w.shop, url, DECLINED);
    return url;
  },
  refused: async () => {
    const { url } = await hostedCheckout(w.shop, { max_attempts: 1 });
    await pay(w.shop, url, DECLINED);
    return url;
  },
  paid: async () => {
    const { url } = await hostedCheckout(w.shop, BASKET);
    await pay(w.shop, url);
    return url;
  },
  left: async () => {
    const { url } = await hostedCheckout(w.shop);
    await sendForm(`${url}/cancel`, { nonce: nonceIn(await open(url)) });
    return url;
  },
  expired: async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop);
    await w.sql(`UPDATE payment.checkouts SET expires_at = now() WHERE id = decode($1, 'hex')`, [checkout_id]);
    return url;
  },
  unable: async () => `${(await hostedCheckout(w.shop, BASKET)).url}?unable`,
  unknown: async () => `${w.service.addresses.vault_url}/pay/${'ab'.repeat(32)}`,
};

const VIEWS = [
  { width: 390, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  // the other two have the same colours and the same layout
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
] as const;

describe.each(rowsOf(VIEWS, 2))('at $width px, $scheme', ({ width, scheme }) => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await contextOf({ viewport: { width, height: 900 }, colorScheme: scheme });
  });
  afterAll(() => context.close());

  test.each(Object.keys(STATES))('the page that is %s is accessible, fits and asks nobody else', async (state) => {
    const url = (await STATES[state]?.()) ?? '';
    await looksWell(context, { url, name: `${state}-${width}-${scheme}`, width });
  });

  test('the page of an order that is held is accessible, fits and asks nobody else', async () => {
    for (const locale of ['en', 'ar'])
      await whileHeld({ locale }, async (url, hold) => {
        await hold();
        await looksWell(context, { url, name: `held-${locale}-${width}-${scheme}`, width });
      });
  });

  test('the page that goes on by itself is accessible, fits and asks nobody else', async () => {
    const { url } = await hostedCheckout(w.shop, { ...BASKET, accept_url: URLS.accept_url });
    await pay(w.shop, url);
    // long enough to be looked at: without its script it stays, and the refresh is for browsers that run none
    await context.route(`${url}?sent`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/<script type="module">.*<\/script>/s, '');
      await route.fulfill({ response, body });
    });
    await looksWell(context, { url: `${url}?sent`, name: `on-${width}-${scheme}`, width });
  });

  test('the page that waits is accessible, fits and asks nobody else', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, BASKET);
    await using outcomes = await undecided(w);
    const paying = pay(w.shop, url);
    await until(async () => ((await ordersOf(checkout_id)).length === 1 ? true : undefined));
    await looksWell(context, { url, name: `waiting-${width}-${scheme}`, width });
    await outcomes.decide();
    await paying;
  });
});

test.each(['fr', 'hu', 'el', 'ar'])(
  'whoever has their browser write twice as large reads all of the page, the card fields too, in %s',
  async (locale) => {
    const context = await contextOf({ viewport: { width: 390, height: 900 }, bypassCSP: true });
    await context.addInitScript(`document.addEventListener('DOMContentLoaded', () => {
      const style = document.createElement('style');
      style.textContent = 'html { font-size: 200% }';
      document.head.append(style);
    })`);
    const page = await context.newPage();
    await page.goto((await hostedCheckout(w.shop, { ...BASKET, locale, amount: '123456.50' })).url);
    await isFree(page);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/large-${locale}.png`, fullPage: true });
    // parts whose own text does not fit into them, or that are beside the window
    const cut = `[...document.querySelectorAll('.top *, .summary *, .pay button, .pay button *, #fields *')].filter((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      const is_shown = width > 1 && getComputedStyle(part).clipPath === 'none';
      const is_cut = part.clientWidth > 0 && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 3);
      return is_shown && (left < 0 || right > innerWidth || is_cut);
    }).map((part) => part.tagName + ' ' + (part.textContent || part.id))`;
    const all = await Promise.all(page.frames().map((frame) => frame.evaluate(cut)));
    expect(all.flat()).toEqual([]);
    const size = `getComputedStyle(document.getElementById('number')).fontSize`;
    expect(await page.frames().at(-1)?.evaluate(size)).toBe('32px');
    await context.close();
  },
);

/** A page whose order is paid elsewhere by `hold`, where the account takes each reference once. */
async function whileHeld(fields: object, act: (url: string, hold: () => Promise<unknown>) => Promise<void>) {
  const order_merchant_id = `held-${holds++}`;
  const { url } = await hostedCheckout(w.shop, { ...BASKET, order_merchant_id, ...fields });
  await settings({ unique_order_merchant_id: true });
  try {
    await act(url, () => w.shop.pay({}, { order_merchant_id }));
  } finally {
    await settings({ unique_order_merchant_id: false });
  }
}

let holds = 0;

async function looksWell(context: BrowserContext, { url, name, width }: { url: string; name: string; width: number }) {
  const page = await context.newPage();
  const seen = watch(page);
  await page.goto(url);
  if ((await payButton(page).count()) === 1) await isFree(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  if (SHOTS !== undefined) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  }
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  expect(seen.requests.filter((request) => new URL(request).origin !== new URL(url).origin)).toEqual([]);
  expect(seen.errors.filter((text) => !text.includes('status of 404'))).toEqual([]);
  await page.close();
}

/** What a page asks for, and what it complains about. */
function watch(page: Page) {
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  return { requests, errors };
}

describe('a payer', () => {
  let context: BrowserContext;
  beforeAll(async () => {
    context = await contextOf({ viewport: { width: 1280, height: 900 } });
  });
  afterAll(() => context.close());

  test('pays with the keyboard alone and comes back to the shop, at the very address it gave', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await context.newPage();
    const seen = watch(page);
    await page.goto(url);
    await isFree(page);
    await cardFields(page).number.focus();
    for (const text of ['4242424242424242', '1234', '123']) {
      await page.keyboard.type(!is_served && text === '1234' ? '12/34' : text);
      await page.keyboard.press('Tab');
    }
    await tabTo(page, '#pay-button');
    await page.keyboard.press('Enter');
    await page.waitForURL(URLS.accept_url);
    expect(page.url()).toBe(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toMatchObject([{ status: 'capture_successful' }]);
    expect(seen.errors).toEqual([]);
    await page.close();
  });

  test('comes back to a shop whose address leads on to another origin', async () => {
    const { origin, port } = new URL(URLS.accept_url);
    for (const javaScriptEnabled of [true, false]) {
      const other = await contextOf({ javaScriptEnabled });
      const page = await other.newPage();
      const seen = watch(page);
      const cancel_url = `${origin}/moved/cancel`;
      await page.goto((await hostedCheckout(w.shop, { cancel_url })).url);
      await page.locator('.leave').click();
      await page.waitForURL(`http://localhost:${port}/new/moved/cancel`);
      expect(seen.errors).toEqual([]);
      await other.close();
    }
    const { url } = await hostedCheckout(w.shop, { accept_url: `${origin}/moved/thanks?a=1` });
    const page = await context.newPage();
    const seen = watch(page);
    await page.goto(url);
    await type(page);
    await payButton(page).click();
    await page.waitForURL(`http://localhost:${port}/new/moved/thanks?a=1`);
    // back: led on again, and the form is not there
    await page.goBack();
    await page.waitForURL(`http://localhost:${port}/new/moved/thanks?a=1`);
    expect(seen.errors).toEqual([]);
    await page.close();
  });

  test('shows the pictures of its lines from the host that the account names, which is not told the address of the page', async () => {
    const port = listeningPort(site);
    const product_image_url = `http://127.0.0.1:${port}/lamp.svg`;
    const basket_content = BASKET.basket_content.map((line) => ({ ...line, product_image_url }));
    const { url } = await hostedCheckout(w.shop, { ...BASKET, basket_content });
    await settings({ page_picture_hosts: ['127.0.0.1'] });
    const page = await context.newPage();
    const seen = watch(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(url);
    const widths = () =>
      page.evaluate<number[]>("[...document.querySelectorAll('.lines img')].map((one) => one.naturalWidth)");
    await expect.poll(widths).toEqual([96, 96]);
    expect(seen.errors).toEqual([]);
    expect(new Set(pictures)).toEqual(new Set(['undefined']));
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/pictures.png`, fullPage: true });
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await settings({ page_picture_hosts: [] });
    await page.close();
  });

  test('leaves with the keyboard alone', async () => {
    const { url } = await hostedCheckout(w.shop, URLS);
    const page = await context.newPage();
    await page.goto(url);
    await tabTo(page, '.leave');
    await page.keyboard.press('Enter');
    await page.waitForURL(URLS.cancel_url);
    await page.close();
  });

  test('whose card is declined reads why at once, and pays with another', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await context.newPage();
    await page.goto(url);
    await type(page, '4000000000009995');
    await payButton(page).click();
    const alert = page.locator('.alert[role=alert]');
    await alert.waitFor();
    await until(async () => ((await alert.innerText()) === '' ? undefined : true));
    expect(await alert.innerText()).toMatch(
      /^Not enough funds on this card\s+Nothing was charged.*\s+Attempts left: 2$/,
    );
    expect(await page.evaluate('document.activeElement.id')).toBe('alert');
    // what was typed stays, and the code is asked for again
    const fields = cardFields(page);
    expect(await fields.number.inputValue()).toBe('4000 0000 0000 9995');
    expect(await fields.expiry.inputValue()).toBe('12 / 34');
    expect(await fields.code.inputValue()).toBe('');
    await isFree(page);
    await type(page);
    await payButton(page).click();
    await page.waitForURL(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toHaveLength(2);
    await page.close();
  });

  test('whose order was paid elsewhere meanwhile is told so when they press, and pays nothing', async () => {
    await whileHeld(URLS, async (url, hold) => {
      const page = await context.newPage();
      const seen = watch(page);
      await page.goto(url);
      await type(page);
      await hold();
      await payButton(page).click();
      await page.getByRole('heading', { name: 'This order is being paid or has been paid already' }).waitFor();
      await page.getByRole('link', { name: 'Refresh' }).click();
      await page.getByRole('heading', { name: 'This order is being paid or has been paid already' }).waitFor();
      expect(seen.errors).toEqual([]);
      await page.close();
    });
  });

  test('whose payment cannot be made at all is led to exception_url', async () => {
    const { url } = await hostedCheckout(w.shop, { ...URLS, merchant_contract: 'nobody' });
    await settings({ strict_contract: true });
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    await payButton(page).click();
    await page.waitForURL(URLS.exception_url);
    await settings({ strict_contract: false });
    await page.close();
  });

  test('who presses pay twice, in a hurry, pays once', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    // the vault takes its time
    const held = Promise.withResolvers<void>();
    await page.route('**/token', async (route) => {
      await held.promise;
      await route.continue();
    });
    await payButton(page).dblclick({ delay: 5 });
    expect(await payButton(page).innerText()).toBe('Paying…');
    expect(await payButton(page).isDisabled()).toBe(true);
    held.resolve();
    await page.waitForURL(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await page.close();
  });

  test('who goes back after paying is led on again, and pays once', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    await payButton(page).click();
    await page.waitForURL(URLS.accept_url);
    await page.goBack();
    await page.waitForURL(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await page.close();
  });

  test('who loads the page again during the payment waits, and is led on when the bank has answered', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: URLS.accept_url });
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    await using outcomes = await undecided(w);
    await payButton(page).click({ noWaitAfter: true });
    await until(async () => ((await ordersOf(checkout_id)).length === 1 ? true : undefined));
    await page.goto(url);
    expect(await page.locator('h1').innerText()).toBe('Waiting for your bank');
    await outcomes.decide();
    await page.waitForURL(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await page.close();
  });

  describe('who loads the page again before the order is made', () => {
    /** Pays, and loads the page again while what was sent is on its way. Answers what that was. */
    async function sentAndReloaded(page: Page, url: string): Promise<string> {
      const { pathname } = new URL(url);
      let body: string | undefined;
      await page.route(`**${pathname}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        body ??= route.request().postData() ?? '';
      });
      await page.goto(url);
      await type(page);
      await payButton(page).click({ noWaitAfter: true });
      const on_its_way = await until(async () => body);
      await page.goto(url);
      return on_its_way;
    }

    const arrives = (url: string, body: string) =>
      fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: new URL(url).origin, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
        body,
      });

    test('reads that it is being paid, cannot send another, and is led on once', async () => {
      const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: URLS.accept_url });
      const page = await context.newPage();
      const body = await sentAndReloaded(page, url);
      await page.locator('#pay[aria-busy="true"]').waitFor();
      expect(await payButton(page).innerText()).toBe('Paying…');
      expect(await payButton(page).isDisabled()).toBe(true);
      expect((await arrives(url, body)).status).toBe(303);
      await page.waitForURL(URLS.accept_url);
      expect(await ordersOf(checkout_id)).toHaveLength(1);
      await page.close();
    });

    test('reads why it was declined', async () => {
      const { url } = await hostedCheckout(w.shop);
      const page = await context.newPage();
      const body = await sentAndReloaded(page, url);
      await page.locator('#pay[aria-busy="true"]').waitFor();
      const token = await w.shop.token(DECLINED);
      const declined = new URLSearchParams(body);
      declined.set('token', token);
      await arrives(url, declined.toString());
      await page.getByText('Nothing was charged').waitFor();
      await isFree(page);
      await page.close();
    });

    test('can pay after a while in which nothing arrived', async () => {
      const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: URLS.accept_url });
      const page = await context.newPage();
      await page.clock.install();
      await sentAndReloaded(page, url);
      await page.locator('#pay[aria-busy="true"]').waitFor();
      await page.unroute(`**${new URL(url).pathname}`);
      await page.clock.runFor(30_000);
      await isFree(page);
      await type(page);
      await payButton(page).click();
      await page.waitForURL(URLS.accept_url);
      expect(await ordersOf(checkout_id)).toHaveLength(1);
      await page.close();
    });
  });

  describe('whose network swallows an answer', () => {
    /** The times for which our page waits pass twenty times as fast; those of the card fields do not. */
    const HURRY = `if (self === top) {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => timeout(ms / 20);
    }`;

    /** The first request of this method and path arrives, and its answer never does. */
    async function swallowOne(page: Page, method: string, path: string): Promise<void> {
      let left = 1;
      await page.route(`**${path}*`, async (route) => {
        if (route.request().method() !== method || left === 0) return route.continue();
        left -= 1;
        await route.fetch({ maxRedirects: 0 });
      });
    }

    test('pays once, and is led on', async () => {
      const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: URLS.accept_url });
      const page = await context.newPage();
      await page.addInitScript(HURRY);
      await page.goto(url);
      await swallowOne(page, 'POST', new URL(url).pathname);
      await type(page);
      await payButton(page).click();
      await page.waitForURL(URLS.accept_url);
      expect(await ordersOf(checkout_id)).toHaveLength(1);
      await page.close();
    });

    test('while the payment is waited for is led on once it is decided', async () => {
      const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: URLS.accept_url });
      const page = await context.newPage();
      await page.addInitScript(HURRY);
      await using outcomes = await undecided(w);
      const paying = pay(w.shop, url);
      await until(async () => ((await ordersOf(checkout_id)).length === 1 ? true : undefined));
      await swallowOne(page, 'GET', `${new URL(url).pathname}/status`);
      await page.goto(url);
      expect(await page.locator('h1').innerText()).toBe('Waiting for your bank');
      await outcomes.decide();
      await page.waitForURL(URLS.accept_url);
      await Promise.all([page.close(), paying]);
    });
  });

  test('whose connection goes away while they pay is told so on the page, and pays once when it is back', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, { accept_url: URLS.accept_url });
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    await page.route('**/pay/**', (route) => route.abort('internetdisconnected'));
    await payButton(page).click();
    await page.getByText('No connection. Please keep this page open and do not pay again').waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    expect(await ordersOf(checkout_id)).toEqual([]);
    await page.unroute('**/pay/**');
    await page.waitForURL(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await page.close();
  });

  test('with two windows pays once, and the second window says so', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop);
    const [one, two] = [await context.newPage(), await context.newPage()];
    for (const page of [one, two]) {
      await page.goto(url);
      await type(page);
    }
    await payButton(one).click();
    await one.getByRole('heading', { name: 'Paid' }).waitFor();
    await payButton(two).click();
    // the vault binds no token to a checkout that is paid
    await two.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await Promise.all([one.close(), two.close()]);
  });

  test('who types a wrong card is told, and the button is free again', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop);
    const page = await context.newPage();
    await page.goto(url);
    await type(page, '4242424242424241');
    await payButton(page).click();
    await isFree(page);
    expect(await ordersOf(checkout_id)).toEqual([]);
    await type(page);
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await page.close();
  });

  test('saves the card by ticking the box that the account has switched on', async () => {
    await settings({ display_save: true });
    const { url } = await hostedCheckout(w.shop, { customer_id: 'browser-1' });
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    await page.locator('#florin-payment-container input[type=checkbox]').check();
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    const record = await w.shop.api('/payment/information/browser-1');
    expect(textAt(record, 'payment_methods_saved.0.token')).toMatch(/^[0-9a-f]{64}$/);
    await settings({ display_save: false });
    await page.close();
  });

  test('with a saved card types the cvc only', async () => {
    await settings({ display_save: true });
    const customer_id = 'browser-2';
    const token = await w.shop.token({ token_type: 'recurring' });
    await w.shop.pay({}, { token, customer_id, token_type: 'recurring' });
    const { url, checkout_id } = await hostedCheckout(w.shop, { customer_id, ...BASKET });
    const page = await context.newPage();
    await page.goto(url);
    await isFree(page);
    const fields = cardFields(page);
    await fields.code.waitFor();
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/saved.png`, fullPage: true });
    expect(await fields.number.isVisible()).toBe(false);
    await fields.code.fill('123');
    await payButton(page).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    const record = await w.shop.api(`/payment/information/${customer_id}`);
    expect(record.at('payment_methods_saved')).toMatchObject([{ token, nb_use: 1 }]);
    await settings({ display_save: false });
    await page.close();
  });

  test('whose connection does not bring the card fields is told so, and nothing is lost', async () => {
    const { url } = await hostedCheckout(w.shop);
    const page = await context.newPage();
    await page.route(`**${SCRIPT}`, (route) => route.abort());
    // another window may have paid: before that is known, nothing is said of money
    let asked = 0;
    await page.route('**/status*', (route) => {
      asked += 1;
      return asked % 2 === 0 ? route.abort() : route.fulfill({ status: 502, body: '<html>' });
    });
    await page.goto(url);
    await until(() => (asked > 2 ? true : undefined));
    expect(await page.locator('#says').innerText()).toMatch(/^No connection\..* do not pay again/);
    await page.unroute('**/status*');
    await page
      .locator('#says')
      .getByText(/could not be loaded.*Nothing was paid/)
      .waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    await page.close();
  });

  test('whose payment meets a failure of ours is told so, and pays at the next try', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await context.newPage();
    await page.goto(url);
    await type(page);
    await w.sql('REVOKE INSERT ON payment.orders FROM payment_app');
    try {
      await payButton(page).click();
      await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
      expect(await page.locator('body').innerText()).toContain('You can safely try again');
    } finally {
      await w.sql('GRANT INSERT ON payment.orders TO payment_app');
    }
    await page.getByRole('link', { name: 'Try again' }).click();
    await type(page);
    await payButton(page).click();
    await page.waitForURL(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await page.close();
  });

  test('without JavaScript sees what is to be paid, reads what is needed, and may leave', async () => {
    const silent = await contextOf({ javaScriptEnabled: false });
    const { url } = await hostedCheckout(w.shop, { ...BASKET, cancel_url: URLS.cancel_url });
    const page = await silent.newPage();
    await page.goto(url);
    const text = await page.locator('body').innerText();
    for (const part of ['Lamps & Sons', '€42.50', 'Bulb E27', 'cart-1881', 'JavaScript']) expect(text).toContain(part);
    await page.locator('.leave').click();
    await page.waitForURL(URLS.cancel_url);
    await silent.close();
  });
});

test('the pay button stands in the first screen of a small desktop', async () => {
  const context = await contextOf({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto((await hostedCheckout(w.shop, BASKET)).url);
  await page.frameLocator('iframe').getByRole('textbox').first().waitFor();
  const { y = 0, height = 0 } = (await page.locator('#pay-button').boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y + height).toBeLessThanOrEqual(800);
  await context.close();
});

test.each([
  ['EUR', '1234567.12', 'de'],
  ['KWD', '1234567.125', 'ar'],
  ['JPY', '1234567890', 'en'],
  ['IDR', '1234567890.50', 'fr'],
])(
  'no digit of a large amount stands on a line of its own at 320 px: %s %s in %s',
  async (currency, amount, locale) => {
    const context = await contextOf({ viewport: { width: 320, height: 700 } });
    const page = await context.newPage();
    await page.goto((await hostedCheckout(w.shop, { currency, amount, locale })).url);
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/large-${currency}.png` });
    expect(await page.evaluate(`(${LINES_OF_DIGITS})('.sum')`)).toBe(1);
    await context.close();
  },
);

/** On how many lines the digits of an element stand. */
const LINES_OF_DIGITS = `(selector) => {
  const [text] = document.querySelector(selector).childNodes;
  const range = document.createRange();
  const tops = [...text.data].flatMap((char, at) => {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return /[0-9]/.test(char) ? [Math.round(range.getBoundingClientRect().top)] : [];
  });
  return new Set(tops).size;
}`;

test.each([320, 640])('at %s px, as at a zoom of 400 or 200 %, nothing is cut off', async (width) => {
  const context = await contextOf({ viewport: { width, height: 400 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto((await hostedCheckout(w.shop, { ...BASKET, order_merchant_id: 'x'.repeat(200) })).url);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await context.close();
});

test.each([320, 640, 1280])(
  'at %s px nothing in the head of the page covers another thing while the button for the language has the focus',
  async (width) => {
    const context = await contextOf({ viewport: { width, height: 450 }, deviceScaleFactor: 2 });
    const page = await context.newPage();
    await page.goto((await hostedCheckout(w.shop, { ...BASKET, locale: 'de' })).url);
    await page.locator('.lang button').focus();
    // a focused one is as large as its outline
    const covered = await page.evaluate(`(() => {
      const parts = ['.merchant img', '#lang', '.lang button', '.sum'].map((name) => [name, document.querySelector(name).getBoundingClientRect()]);
      const arrow = ['arrow', document.querySelector('.lang > svg').getBoundingClientRect()];
      const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      const button = document.querySelector('.lang button').getBoundingClientRect();
      const outlined = new DOMRect(button.x - 4, button.y - 4, button.width + 8, button.height + 8);
      const pairs = parts.flatMap(([one, a], i) => parts.slice(i + 1).filter(([, b]) => !apart(a, b)).map(([other]) => one + ' ' + other));
      const over = [...parts, arrow].filter(([name, part]) => name !== '.lang button' && !apart(outlined, part)).map(([name]) => 'the outline ' + name);
      return [...pairs, ...over];
    })()`);
    expect(covered).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await context.close();
  },
);

test('in Arabic an amount stands right of its currency, whose own sign and letters stay in order', async () => {
  const context = await contextOf();
  const page = await context.newPage();
  await page.goto((await hostedCheckout(w.shop, { ...BASKET, locale: 'ar', currency: 'USD' })).url);
  expect(await fromLeft(page, '.sum')).toBe('US$42.50');
  expect(await fromLeft(page, '#pay-button span')).toBe('US$42.50');
  expect(await fromLeft(page, '.lines .price')).toBe('US$31.00');
  // joined letters that are pulled together run into each other
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.sum')).letterSpacing`)).toBe('normal');
  await page.goto((await hostedCheckout(w.shop, { locale: 'ar', currency: 'EUR' })).url);
  expect(await fromLeft(page, '.sum')).toBe('€42.50');
  await context.close();
});

test('what is typed after a payment link refused an amount replaces that amount', async () => {
  const link = { usage: 'many', amount_least: '5', amount_most: '200', currency: 'EUR', order_merchant_id: 'stand' };
  const context = await contextOf();
  const page = await context.newPage();
  await page.goto(textAt(await w.shop.api('/payment/link', { body: link }), 'link.url'));
  await page.fill('#amount', '3,50');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#amount[aria-invalid]:focus');
  expect(await page.inputValue('#amount')).toBe('3,50');
  const selected = () => page.locator('#amount').evaluate((field) => Reflect.get(field, 'selectionEnd'));
  // by the script of the page, a moment after the browser gave the focus
  await expect.poll(selected).toBe('3,50'.length);
  await page.keyboard.type('12');
  // and not 123,50, which this link would take
  expect(await page.inputValue('#amount')).toBe('12');
  await context.close();
});

/** Digits, Latin letters and signs of the first such element, as they are drawn from left to right. */
async function fromLeft(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const text = document.querySelector('${selector}').firstChild;
    const range = document.createRange();
    const drawn = [...text.data].map((char, at) => {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return { char, left: range.getBoundingClientRect().left };
    });
    return drawn.filter(({ char }) => /[\\w.$€]/.test(char)).sort((a, b) => a.left - b.left).map(({ char }) => char).join('');
  })()`);
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let times = 0; times < 20; times++) {
    if ((await page.locator(`${selector}:focus`).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached with the keyboard`);
}
