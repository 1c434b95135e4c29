// The new generation of the element (contract 12.2), in a real browser, on a merchant's page of another site than the
// vault.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../client.ts';
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
import { type Watched, strangers, watch } from './watch.ts';

let w: World;
let browser: Browser;
let stage: Stage;
let page: Page;
let seen: Watched;
beforeAll(async () => {
  [w, browser, stage] = await Promise.all([world(), openBrowser(), openStage()]);
});
afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});
beforeEach(async () => {
  page = await browser.newPage();
  seen = watch(page);
});
afterEach(() => page.close());

const TOKEN = /^[0-9a-f]{64}$/;

/** Opens a page with the element; `config` are more members of its configuration, as JavaScript. */
async function open(config = '', more: object = {}) {
  const { vault_url, key } = keysOf(w);
  await page.goto(stage.set(elementPage({ vault_url, config: `publicapikey: '${key}', ${config}`, ...more })));
}

async function pay(): Promise<void> {
  await page.locator('.florin-pay').click();
  await page.waitForSelector('[data-state="done"]');
}

test('a card becomes a token: the instance has it before the callback runs, and only masked things leave the frame', async () => {
  await open(`onSubmit: function (given) { seen.push(arguments.length, given, { ...window.payment }) }`);
  const frame = await fieldsOf(page);
  await type(frame, GOOD);
  await pay();
  const instance = await instanceOf(page);
  expect(instance).toEqual({
    publicapikey: w.keys.public_key,
    token: expect.stringMatching(TOKEN),
    paymentMethodName: 'visa',
    tokenType: 'oneshot',
  });
  const [count, given, then] = await page.evaluate<unknown[]>('window.seen');
  expect(count).toBe(1);
  expect(given).toEqual({ token: instance['token'], paymentMethodName: 'visa', tokenType: 'oneshot' });
  expect(then).toEqual(instance);
  expect(strangers(seen, stage.origin, w.service.addresses.vault_url)).toEqual([]);
  expect(seen.errors).toEqual([]);
});

test('the token pays its checkout, and no other one', async () => {
  const checkout = await checkoutOf(w);
  const other = await checkoutOf(w);
  await open(`checkoutId: '${checkout.id}', paymentmethods: ${JSON.stringify(checkout.answer)}`);
  await type(await fieldsOf(page), { ...GOOD, number: '5555555555554444' });
  await pay();
  const { token, paymentMethodName } = await instanceOf(page);
  expect(paymentMethodName).toBe('mastercard');
  expect((await w.shop.order({ token, checkout_id: other.id })).code).toBe('241021');
  expect((await w.shop.order({ token, checkout_id: checkout.id })).code).toBe('955555');
});

describe('the configuration is read as existing pages write it', () => {
  test.each([
    ['nothing but a key', ''],
    ['an empty text', `paymentmethods: ''`],
    ['items with a name and a type only', `paymentmethods: '[{"name":"visa","component_type":"card"}]'`],
    [
      'an object',
      `paymentmethods: { payment_methods_available: [{ name: 'visa', component_type: 'card', logo: '' }] }`,
    ],
    ['broken JSON', `paymentmethods: '{'`],
  ])('payment methods: %s', async (_, config) => {
    await open(`${config}${config && ','} environment: 'sandbox', locale: 'en_EN', tokentype: 'oneshot'`);
    await type(await fieldsOf(page), GOOD);
    await pay();
    expect((await instanceOf(page))['paymentMethodName']).toBe('visa');
    expect(seen.console).toEqual([]);
  });

  test.each(['CardHolderValue', 'cardHolderValue'])('the holder may be preset as %s', async (name) => {
    await open(`displayCardHolder: true, ${name}: 'Ada Martin'`);
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    expect(await frame.locator('#holder').inputValue()).toBe('Ada Martin');
    expect(JSON.stringify(await instanceOf(page))).not.toContain('Ada');
  });

  test('without displayCardHolder there is no such field, and without buttons the page calls submit()', async () => {
    await open('displayButtons: false');
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    expect(await frame.locator('#holder').isVisible()).toBe(false);
    expect(await page.locator('.florin-pay').count()).toBe(0);
    await type(frame, GOOD);
    const outcome = await page.evaluate('window.payment.submit()');
    expect(outcome).toEqual({ token: expect.stringMatching(TOKEN), paymentMethodName: 'visa', tokenType: 'oneshot' });
    expect(Object.keys(await instanceOf(page))).not.toContain('submit');
  });

  test('a private key pays as a public one does, no address holds it, and the console says what anyone could do with it', async () => {
    const { vault_url } = keysOf(w);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const told = page.waitForEvent('console', (message) => message.text().includes('private key'));
    await page.goto(stage.set(elementPage({ vault_url, config: `publicapikey: '${w.keys.private_key}'` })));
    await type(await fieldsOf(page), GOOD);
    const said = await told;
    expect([said.type(), said.text()]).toEqual(['error', expect.stringContaining('Put a public key here')]);
    await pay();
    expect((await instanceOf(page))['token']).toMatch(TOKEN);
    expect(addresses.filter((url) => url.includes('/fields/'))).toHaveLength(1);
    expect(addresses.join()).not.toContain(w.keys.private_key);
  });

  test('an environment that is not the script’s is only warned about', async () => {
    await open(`environment: 'production'`);
    await page.waitForSelector(READY);
    expect(seen.console.join()).toMatch(/^warning: Florin: environment is production/);
  });

  test.each([
    [`amount: '42.5', currency: 'eur'`, 'Pay €42.50'],
    [`amount: 42.5, currency: 'EUR', locale: 'de_DE'`, '42,50\u00a0€ bezahlen'],
    [`amount: '1500', currency: 'JPY', locale: 'fr'`, 'Payer 1\u202f500\u00a0JPY'],
    [`amount: '1.234', currency: 'KWD', locale: 'pl'`, 'Zapłać 1,234\u00a0KWD'],
  ])('the pay button names the amount: %s', async (config, says) => {
    await open(config);
    await page.waitForSelector(READY);
    expect(await page.locator('.florin-pay').textContent()).toBe(says);
    expect(seen.console).toEqual([]);
  });

  test('the pay button takes amount and currency from a whole checkout answer', async () => {
    await open(`paymentmethods: ${JSON.stringify((await checkoutOf(w)).answer)}`);
    await page.waitForSelector(READY);
    expect(await page.locator('.florin-pay').textContent()).toBe('Pay €42.50');
  });

  test.each([`amount: '42.505', currency: 'EUR'`, `amount: '0x10', currency: 'EUR'`, `amount: '5', currency: 'XXX'`])(
    'an amount that cannot be read is not shown: %s',
    async (config) => {
      await open(config);
      await page.waitForSelector(READY);
      expect(await page.locator('.florin-pay').textContent()).toBe('Pay');
      expect(seen.console.join()).toMatch(/^warning: Florin: amount .* cannot be read/);
    },
  );

  test('a list without cards says so, and takes none', async () => {
    await open(`paymentmethods: { payment_methods_available: [] }`);
    expect(await page.locator('.florin-error').textContent()).toBe('No card can be used for this payment.');
    expect(await page.locator('iframe').count()).toBe(0);
  });
});

describe('the container', () => {
  test('may come later', async () => {
    const script = `window.payment = new Florin({ publicapikey: '${w.keys.public_key}' });
      setTimeout(() => { const place = document.createElement('div'); place.id = 'florin-payment-container'; document.body.append(place) }, 300);`;
    await open('', { body: '', script });
    await type(await fieldsOf(page), GOOD);
    await pay();
    expect(seen.errors).toEqual([]);
  });

  test('is emptied by a second construction; the first instance goes inert and keeps what it has', async () => {
    await open();
    await type(await fieldsOf(page), GOOD);
    await pay();
    const first = await instanceOf(page);
    await page.evaluate(
      `window.first = window.payment; window.payment = new Florin({ publicapikey: '${w.keys.public_key}' })`,
    );
    await page.waitForSelector(READY);
    expect(await page.locator('#florin-payment-form').count()).toBe(1);
    expect(await page.locator('iframe').count()).toBe(1);
    expect(JSON.parse(String(await page.evaluate('JSON.stringify(window.first)')))).toEqual(first);
    const told = page.waitForEvent('console', (message) => message.text().includes('replaced'));
    expect(await page.evaluate('window.first.submit().then(String)')).toBe('undefined');
    expect((await told).text()).toContain('Florin: this form was replaced');
    await page.evaluate(
      `window.second = window.payment; window.payment = new Florin({ publicapikey: '${w.keys.public_key}' })`,
    );
    // one that never paid is as inert, and does not leave its caller waiting
    expect(await page.evaluate('window.second.submit().then(String)')).toBe('undefined');
    await page.waitForSelector(READY);
    await type(await fieldsOf(page), { ...GOOD, number: '5555555555554444' });
    await pay();
    expect((await instanceOf(page))['paymentMethodName']).toBe('mastercard');
  });

  test('may be moved in the page: its frame is loaded anew, and pays', async () => {
    await open();
    await page.waitForSelector(READY);
    await type(await fieldsOf(page), { number: '4242' });
    await page.evaluate(`document.querySelector('h1').before(document.getElementById('florin-payment-container'))`);
    await expect.poll(async () => (await fieldsOf(page)).locator('#number').inputValue()).toBe('');
    await expect.poll(async () => (await fieldsOf(page)).evaluate('innerHeight > 100')).toBe(true);
    await type(await fieldsOf(page), GOOD);
    await pay();
    expect(seen.errors).toEqual([]);
  });

  test('may be built again and again, and removed inside the callback', async () => {
    await open(`onSubmit: () => { document.getElementById('florin-payment-container').remove() }`);
    await page.waitForSelector(READY);
    for (let times = 0; times < 3; times++)
      await page.evaluate(
        `window.payment = new Florin({ publicapikey: '${w.keys.public_key}', onSubmit() { document.getElementById('florin-payment-container').remove() } })`,
      );
    await page.waitForSelector(READY);
    await type(await fieldsOf(page), GOOD);
    await page.locator('.florin-pay').click();
    await until(async () => ((await page.locator('#florin-payment-container').count()) === 0 ? true : undefined));
    expect((await instanceOf(page))['token']).toMatch(TOKEN);
    expect(seen.errors).toEqual([]);
  });
});

describe('saving a card', () => {
  test('the box makes the token recurring', async () => {
    await open('displaySave: true');
    await type(await fieldsOf(page), GOOD);
    await page.getByLabel('Save this card for my next purchases').check();
    await pay();
    expect((await instanceOf(page))['tokenType']).toBe('recurring');
  });

  test('without the box there is none, and tokentype decides', async () => {
    await open(`tokentype: 'recurring'`);
    await type(await fieldsOf(page), GOOD);
    expect(await page.locator('.florin-save').count()).toBe(0);
    await pay();
    expect((await instanceOf(page))['tokenType']).toBe('recurring');
  });
});

/** What a merchant's page is given of a saved card (contract 5.1). */
function saved(token: string): string {
  const detail = (key: string, value: string) => ({ key, value });
  const methods = {
    payment_methods_available: [{ name: 'visa', component_type: 'card' }],
    payment_methods_saved: [
      {
        name: 'visa',
        component_type: 'card',
        id: '66bf18a35d1c9a0e47b2f302',
        token,
        logo: 'visa.svg',
        payment_details: [
          detail('last_4_digits', '4242'),
          detail('first_6_digits', '424242'),
          detail('card_validity_month', '12'),
          detail('card_validity_year', '34'),
        ],
      },
    ],
  };
  return `paymentmethods: ${JSON.stringify(JSON.stringify(methods))}`;
}

describe('a saved card', () => {
  test('shows scheme, last four and expiry, and asks for its code only; another card brings all fields', async () => {
    await open(`displaySave: true, displayCardHolder: true, ${saved('ab'.repeat(32))}`);
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    const visible = async () => {
      const names = ['number', 'expiry', 'code', 'holder'];
      const shown = await Promise.all(names.map((name) => frame.locator(`#${name}`).isVisible()));
      return names.filter((_, i) => shown[i]);
    };
    await until(async () => ((await visible()).length === 1 ? true : undefined));
    expect(await visible()).toEqual(['code']);
    // nothing of the fields is cut off
    const beyond = () => frame.evaluate('document.documentElement.scrollHeight - innerHeight');
    await expect.poll(beyond).toBe(0);
    const card = page.getByLabel('Visa ending in 4242, expires 12/34');
    expect(await card.isChecked()).toBe(true);
    expect(await page.locator('main').innerText()).not.toContain('424242');
    expect(await page.getByLabel('Save this card').isVisible()).toBe(false);
    await page.getByLabel('Another card').check();
    await frame.waitForSelector('#number', { state: 'visible' });
    expect(await visible()).toEqual(['number', 'expiry', 'code', 'holder']);
    await expect.poll(beyond).toBe(0);
    expect(await page.getByLabel('Save this card').isVisible()).toBe(true);
  });

  test('sends its token with the code, and nothing else', async () => {
    const token = await w.shop.token({ token_type: 'recurring' });
    await open(`checkoutId: '66bf18a35d1c9a0e47b2f301', ${saved(token)}`);
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    await type(frame, { code: '321' });
    const request = page.waitForRequest((asked) => asked.method() === 'POST');
    await page.locator('.florin-pay').click();
    expect(JSON.parse((await request).postData() ?? '')).toEqual({
      token,
      cvc: '321',
      checkout_id: '66bf18a35d1c9a0e47b2f301',
    });
  });

  test('that can no longer be used is told as such', async () => {
    await page.route('**/token', (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"result":{"code":"241021"}}' }),
    );
    await open(`${saved('ab'.repeat(32))}, onError(given) { seen.push(given.code) }`);
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    await type(frame, { code: '321' });
    await page.locator('.florin-pay').click();
    const says = () => page.locator('.florin-error').textContent();
    await expect.poll(says).toMatch(/^This saved card can no longer be used/);
    expect(await page.evaluate('window.seen')).toEqual(['241021']);
  });

  test('without a code nothing is sent', async () => {
    await open(saved('ab'.repeat(32)));
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    await page.locator('.florin-pay').click();
    await frame.waitForSelector('#code[aria-invalid="true"]');
    expect(await frame.locator('#code-error').textContent()).toBe('Enter the 3 digits of the security code.');
    expect(seen.requests.filter((request) => request.endsWith('/token'))).toEqual([]);
  });
});

describe('a co-badged card', () => {
  test('lets the payer choose; the card’s own brand is picked beforehand', async () => {
    await open();
    const frame = await fieldsOf(page);
    await type(frame, { number: '4000002500001001' });
    expect(await frame.getByRole('radio', { name: 'Visa' }).isChecked()).toBe(true);
    await frame.getByRole('radio', { name: 'Cartes Bancaires' }).check();
    await type(frame, { expiry: '1234', code: '123' });
    await pay();
    expect((await instanceOf(page))['paymentMethodName']).toBe('cb');
  });

  test('offers no brand the checkout does not take', async () => {
    await open(`paymentmethods: [{ name: 'cb', component_type: 'card' }]`);
    const frame = await fieldsOf(page);
    await type(frame, { ...GOOD, number: '4000002500001001' });
    expect(await frame.getByRole('radio').count()).toBe(0);
    await pay();
    expect((await instanceOf(page))['paymentMethodName']).toBe('cb');
  });
});

test('events tell validity and scheme, and never what was typed', async () => {
  const script = `for (const name of ['ready', 'change', 'submit', 'token', 'error'])
    document.addEventListener('florin-' + name, (event) => window.seen.push([name, event.detail]));
    window.payment = new Florin({ publicapikey: '${w.keys.public_key}' });`;
  await open('', { script });
  await type(await fieldsOf(page), { ...GOOD, number: '5454545454545454' });
  await pay();
  const events = await page.evaluate<[string, Readonly<Record<string, unknown>>][]>('window.seen');
  const names = events.map(([name]) => name);
  expect([names[0], names.at(-2), names.at(-1)]).toEqual(['ready', 'submit', 'token']);
  const last = events.filter(([name]) => name === 'change').at(-1);
  expect(last?.[1]).toEqual({
    complete: true,
    scheme: 'mastercard',
    fields: {
      number: { empty: false, valid: true },
      expiry: { empty: false, valid: true },
      code: { empty: false, valid: true },
      holder: { empty: true, valid: true },
    },
  });
});

test('browserData() gives what the base specification names; a time zone that fails is logged and left out', async () => {
  await open();
  await page.waitForSelector(READY);
  const data = await page.evaluate<Record<string, unknown>>('Florin.browserData()');
  expect(data).toEqual({
    customer_browser_info_js_enabled: true,
    customer_browser_info_color_depth: String(await page.evaluate('screen.colorDepth')),
    customer_browser_info_language: await page.evaluate('navigator.language'),
    customer_browser_info_screen_height: await page.evaluate('screen.height'),
    customer_browser_info_screen_width: await page.evaluate('screen.width'),
    customer_browser_info_user_agent: await page.evaluate('navigator.userAgent'),
    customer_browser_info_time_zone: await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
  });
  const reply = await w.shop.api('/payment/checkout', {
    body: { type: 'api', operation_type: 'authorize', amount: 5, currency: 'EUR', order_merchant_id: 'b', ...data },
  });
  expect(reply.headers.get('x-ignored-fields')).toBeNull();
  expect(reply.at('checkout.customer_browser_info_user_agent')).toBe(data['customer_browser_info_user_agent']);
  await page.evaluate(`Intl.DateTimeFormat = function () { throw new RangeError('no zones here') }`);
  const without = await page.evaluate<Record<string, unknown>>('Florin.browserData()');
  expect(Object.keys(without)).not.toContain('customer_browser_info_time_zone');
  expect(seen.console.join()).toContain('the time zone cannot be read');
});
