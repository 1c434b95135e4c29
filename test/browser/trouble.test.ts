// What goes wrong in front of a payer: each ends in a clear state, and in at most one order.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openEgress } from '../../src/kit/egress.ts';
import type { Shop } from '../../src/shop/shop.ts';
import { until } from '../client.ts';
import { openShop } from '../shop/opened.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import {
  GOOD,
  READY,
  type Stage,
  checkoutOf,
  elementPage,
  fieldsOf,
  instanceOf,
  keysOf,
  openStage,
  type,
} from './stage.ts';
import { type Watched, watch } from './watch.ts';

let w: World;
let browser: Browser;
let stage: Stage;
let shop: Shop;
let page: Page;
let seen: Watched;
const egress = openEgress();
beforeAll(async () => {
  [w, browser, stage] = await Promise.all([world(), openBrowser(), openStage()]);
  shop = await openShop(w, egress);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await egress.close();
  await stage[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});
beforeEach(async () => {
  page = await browser.newPage();
  seen = watch(page);
});
afterEach(() => page.close());

async function open(config = '', key = w.keys.public_key) {
  const { vault_url } = keysOf(w);
  const callbacks = 'onSubmit(given) { seen.push(given) }, onError(given) { seen.push({ error: given }) }';
  await page.goto(stage.set(elementPage({ vault_url, config: `publicapikey: '${key}', ${callbacks}, ${config}` })));
  const frame = await fieldsOf(page);
  await page.waitForSelector(READY);
  return frame;
}

/** The text the form shows once it has an answer. */
async function told(): Promise<string> {
  return until(async () => (await page.locator('.florin-error').textContent()) || undefined);
}

describe.each([
  ['an unknown key', 'FL_PUB_sWrongWrongWrongWrongWrongWrongWrong'],
  ['no key at all', ''],
  ['what is no key', '../<b>"é€'],
])('%s', (_, key) => {
  test('shows the form all the same; tokenization answers 403 or 401 and onSubmit is not called', async () => {
    const frame = await open('', key);
    await type(frame, GOOD);
    const answer = page.waitForResponse((response) => response.url().endsWith('/token'));
    await page.locator('.florin-pay').click();
    expect((await answer).status()).toBe(key === '' ? 401 : 403);
    expect(await told()).toBe('This payment form is not set up correctly. Please tell the shop.');
    expect(await page.evaluate('seen')).toEqual([
      { error: { code: '111022', message: 'This payment form is not set up correctly. Please tell the shop.' } },
    ]);
    expect((await instanceOf(page))['token']).toBeUndefined();
    expect(await page.locator('.florin-pay').isEnabled()).toBe(true);
  });
});

test('a page without the container: the constructor does not throw, and after ten seconds the console says why', async () => {
  await page.clock.install();
  const { vault_url } = keysOf(w);
  await page.goto(stage.set(elementPage({ vault_url, config: `publicapikey: 'k'`, body: '' })));
  expect(await page.evaluate('typeof window.payment')).toBe('object');
  expect(seen.errors).toEqual([]);
  await page.clock.fastForward(10_001);
  await until(() => (seen.errors.length > 0 ? true : undefined));
  expect(seen.errors).toEqual([
    'Florin: there is no element with the id florin-payment-container: the payment form was not shown',
  ]);
});

describe('a vault that is not there', () => {
  test('at tokenization: nothing is said of money, the form is free, and it works once the vault is back', async () => {
    const frame = await open();
    await type(frame, GOOD);
    await page.route('**/token', (route) => route.abort('connectionrefused'));
    await page.locator('.florin-pay').click();
    expect(await told()).toMatch(/^No connection\..* try again\.$/);
    expect(await page.evaluate('seen')).toMatchObject([{ error: { code: '' } }]);
    await page.unroute('**/token');
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
  });

  test('a browser that is offline sends nothing, and only then the form says that nothing was paid', async () => {
    const frame = await open();
    await type(frame, GOOD);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.context().setOffline(true);
    await page.locator('.florin-pay').click();
    await expect.poll(told).toMatch(/^No connection\..* Nothing was paid\.$/);
    expect(sent).toEqual([]);
    await page.context().setOffline(false);
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
  });

  test('when the fields are to be loaded: the form says so, and offers to try again', async () => {
    await page.route('**/fields/**', (route) => route.abort('connectionrefused'));
    const { vault_url, key } = keysOf(w);
    const head = '<style>button { display: block; width: 100% }</style>';
    await page.goto(stage.set(elementPage({ vault_url, head, config: `publicapikey: '${key}'` })));
    expect(await told()).toBe('The card fields could not be loaded. Try again');
    // in one line with what is said, whatever buttons of the page look like
    expect((await page.locator('.florin-error').boundingBox())?.height).toBeLessThan(40);
    expect(await page.locator('.florin-pay').isEnabled()).toBe(false);
    await page.unroute('**/fields/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector(READY);
  });

  test('an answer that cannot be read, and one of 503, are told', async () => {
    const frame = await open();
    await type(frame, GOOD);
    await page.route('**/token', (route) => route.fulfill({ status: 502, body: '<html>' }));
    await page.locator('.florin-pay').click();
    expect(await told()).toMatch(/^No connection/);
    await page.unroute('**/token');
    await page.route('**/token', (route) => route.fulfill({ status: 503, body: '{"result":{"code":"111013"}}' }));
    await page.locator('.florin-pay').click();
    await expect.poll(told).toMatch(/^Too many payments/);
  });
});

describe('card fields that go away under the payer', () => {
  const LOST = 'The card fields could not be loaded. Try again';

  test('where their frame is loaded anew and is not there: the form says so, and offers to try again', async () => {
    await open();
    await page.route('**/fields/**', (route) => route.abort('connectionrefused'));
    await page.evaluate(`document.querySelector('main').append(document.querySelector('#florin-payment-container'))`);
    expect(await told()).toBe(LOST);
    expect(await page.locator('.florin-pay').isEnabled()).toBe(false);
    await page.unroute('**/fields/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector(READY);
  });

  test('and give no answer any more, as if their process had ended: the form says so, and submit() ends', async () => {
    await page.clock.install();
    const frame = await open();
    await type(frame, GOOD);
    await frame.evaluate('MessagePort.prototype.postMessage = () => undefined');
    await page.evaluate('void payment.submit().then((outcome) => seen.push({ outcome: String(outcome) }))');
    expect(await page.locator('.florin-pay').isDisabled()).toBe(true);
    await page.clock.fastForward(40_000);
    expect(await told()).toBe(LOST);
    await expect.poll(() => page.evaluate('seen')).toEqual([{ outcome: 'undefined' }]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await type(await fieldsOf(page), GOOD);
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
  });
});

test('a checkout that the account of the key does not have: the payer is told, and the console says why', async () => {
  const { id } = await checkoutOf({ ...w, shop: await w.otherShop() });
  const frame = await open(`checkoutId: '${id}'`);
  await type(frame, GOOD);
  await page.locator('.florin-pay').click();
  expect(await told()).toBe('This payment session is over. Go back to the shop.');
  await expect
    .poll(() => seen.errors.join())
    .toContain('POST /token: 400 checkout_id is unknown, expired, or could not take an order now');
});

test('an expired checkout says that the session is over', async () => {
  const checkout = await checkoutOf(w);
  await w.sql(`UPDATE payment.checkouts SET expires_at = now() - interval '1 minute' WHERE id = decode($1, 'hex')`, [
    checkout.id,
  ]);
  const frame = await open(`checkoutId: '${checkout.id}'`);
  await type(frame, GOOD);
  await page.locator('.florin-pay').click();
  expect(await told()).toBe('This payment session is over. Go back to the shop.');
  expect(await page.evaluate('seen')).toMatchObject([{ error: { code: '111012' } }]);
});

describe('pressing twice', () => {
  test('sends one request, also by double click, Enter and submit() at once, and after it is done', async () => {
    const frame = await open();
    await type(frame, GOOD);
    await page.locator('.florin-pay').dblclick();
    await page.evaluate('void payment.submit()');
    await frame.locator('#code').press('Enter');
    await page.waitForSelector('[data-state="done"]');
    await page.evaluate('payment.submit().then((outcome) => seen.push({ outcome: String(outcome) }))');
    expect(await page.locator('.florin-pay').isDisabled()).toBe(true);
    expect(await page.evaluate('seen')).toEqual([
      { token: expect.any(String), paymentMethodName: 'visa', tokenType: 'oneshot' },
      { outcome: 'undefined' },
    ]);
    expect(seen.requests.filter((request) => request.endsWith('/token'))).toHaveLength(1);
  });

  test('while the page still pays with a token, a change makes no second one; behind it, it does', async () => {
    const frame = await open(`onSubmit: (given) => new Promise((paid) => { window.paid = paid; seen.push(given) })`);
    await type(frame, GOOD);
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
    await frame.locator('#code').fill('999');
    await frame.locator('#code').press('Enter');
    // the frame's messages keep their order: what was changed and entered before has been heard
    await page.evaluate('payment.submit().then((outcome) => seen.push({ outcome: String(outcome) }))');
    await expect.poll(() => page.evaluate('seen.length')).toBe(2);
    expect(await page.locator('.florin-pay').isDisabled()).toBe(true);
    await page.evaluate('paid()');
    await page.waitForSelector(READY);
    expect(seen.requests.filter((request) => request.endsWith('/token'))).toHaveLength(1);
    // a page that knows that it was declined need not wait for its own callback
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
    await page.evaluate('payment.again()');
    await page.waitForSelector(READY);
  });

  test('a callback that fails frees the form; so does a change', async () => {
    const frame = await open(`onSubmit: async () => { throw new Error('the server of the shop is away') }`);
    await type(frame, GOOD);
    await page.locator('.florin-pay').click();
    await until(() => (seen.errors.some((error) => error.includes('onSubmit failed')) ? true : undefined));
    await page.waitForSelector(READY);
    const other = await open();
    await type(other, GOOD);
    await page.locator('.florin-pay').click();
    await page.waitForSelector('[data-state="done"]');
    await other.locator('#code').fill('999');
    await page.waitForSelector(READY);
  });
});

describe('a token whose payment the page knows nothing of', () => {
  const LOST = `onSubmit: async () => { throw new Error('no answer of the shop') }`;

  test.each([
    ['without a connection', /^No connection/, { abort: true }],
    ['after a failure of ours', /^Something went wrong/, { status: 500, code: '111013' }],
  ])('is not said to be unpaid %s; behind a declined one, what is not sent is', async (_, says, answer) => {
    const frame = await open(LOST);
    await type(frame, GOOD);
    await page.locator('.florin-pay').click();
    await until(() => (seen.errors.some((error) => error.includes('onSubmit failed')) ? true : undefined));
    await page.waitForSelector(READY);
    await page.route('**/token', (route) =>
      'abort' in answer
        ? route.abort('connectionrefused')
        : route.fulfill({
            status: answer.status,
            contentType: 'application/problem+json',
            headers: { 'access-control-allow-origin': '*' },
            body: JSON.stringify({
              result: { code: answer.code },
              errors: [],
            }),
          }),
    );
    await page.locator('.florin-pay').click();
    expect(await told()).toMatch(says);
    expect(await told()).not.toContain('Nothing was paid');
    await page.context().setOffline(true);
    await page.locator('.florin-pay').click();
    await expect.poll(told).toMatch(/^No connection/);
    expect(await told()).not.toContain('Nothing was paid');
    await page.evaluate('payment.again()');
    await page.locator('.florin-pay').click();
    await expect.poll(told).toContain('Nothing was paid');
  });
});

describe('in the shop', () => {
  async function buy(): Promise<void> {
    await page.goto(shop.url);
    await page.locator('button[value="elements"]').click();
    await page.waitForSelector(READY);
  }
  async function payHere(number = '4242424242424242'): Promise<void> {
    await type(await fieldsOf(page), { ...GOOD, number });
    await page.locator('.florin-pay').click();
  }
  const orders = async () => Number((await w.sql<{ n: string }>('SELECT count(*) AS n FROM payment.orders'))[0]?.n);

  test('a double click, the back button and a reload make one order', async () => {
    const before = await orders();
    await buy();
    await type(await fieldsOf(page), GOOD);
    await page.locator('.florin-pay').dblclick();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await orders()).toBe(before + 1);
    await page.reload();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    // back: the shop looks first, and shows that it is paid
    await page.goBack();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await orders()).toBe(before + 1);
  });

  test('a reload while the payment is under way makes one order, and the shop finds it', async () => {
    const before = await orders();
    await buy();
    const paid = page.waitForRequest((request) => request.url().includes('/pay/'));
    await payHere();
    await paid;
    await page.reload().catch(() => undefined);
    await until(async () => ((await orders()) === before + 1 ? true : undefined));
    await expect
      .poll(async () => {
        await page.reload();
        return page.locator('h1').textContent();
      })
      .toBe('Thank you');
    expect(await orders()).toBe(before + 1);
  });

  test('a payer whose connection goes away while they pay is told so, and led on once it is back', async () => {
    const before = await orders();
    await buy();
    await page.route('**/pay/*', async (route) => {
      await route.fetch();
      // the request may have ended by this
      await page.context().setOffline(true);
      await route.abort('internetdisconnected').catch(() => undefined);
    });
    await payHere();
    await page.getByText('No connection').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await orders()).toBe(before + 1);
  });

  test('a declined card says so, and another one may be tried', async () => {
    await buy();
    await payHere('4000000000000002');
    await page.getByRole('heading', { name: 'Not paid' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('Your bank declined this card');
    await page.getByRole('link', { name: 'Try another card' }).click();
    await page.waitForSelector(READY);
    await payHere();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });
});
