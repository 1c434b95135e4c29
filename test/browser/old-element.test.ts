// The old generation of the element (contract 12.3), as its integrations use it, under the house's brand and under
// another one.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { hostedCheckout } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { openBrowser } from './browser.ts';
import { READY, type Stage, compose, elementPage, fieldsOf, openStage, type } from './stage.ts';
import { type Watched, violationsIn, watch } from './watch.ts';

let browser: Browser;
let stage: Stage;
beforeAll(async () => {
  [browser, stage] = await Promise.all([openBrowser(), openStage()]);
});
afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
});

describe.each([
  { brand: 'florin', global: 'Florin' },
  { brand: 'acme', global: 'Acme' },
])('as $global', ({ brand, global }) => {
  let w: World;
  let page: Page;
  let seen: Watched;
  beforeAll(async () => {
    w = await world({ FLORIN_BRAND: brand });
    await pageInputs(true);
  });
  afterAll(() => w[Symbol.asyncDispose]());
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
    seen = watch(page);
  });
  afterEach(() => page.context().close());

  const pageInputs = (page_inputs: boolean) => changeSettings(w.service.tools, w.account, { page_inputs });

  const place = (part: string, more = '') => `<span id="${brand}-payment-${part}" ${more}></span>`;
  const FORM = `<form id="${brand}-payment-form" method="get" action="/posted"><input type="hidden" name="own" value="kept">
${place('card', 'data-class="own wide" data-placeholder="Number"')}${place('expiry')}${place('cvv')}${place('holder')}${place('logo')}
<p id="${brand}-payment-error"></p><button id="payment-button"><span id="payment-button-amount">Pay</span><span id="payment-button-sending">Wait</span></button></form>`;

  /** A page of the old kind: script only, then whatever the merchant does with the inputs. */
  async function open(script = '', form = FORM): Promise<void> {
    const { vault_url } = w.service.addresses;
    const html = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
<script src="${vault_url}/javascript/0.2/${brand}-client.js"></script></head><body><main><h1>Pay</h1>${form}</main>
<script>const form = document.getElementById('${brand}-payment-form'); const added = [];
new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes) added.push([node.nodeType, node.nodeName, node.id, node.value]) }).observe(form ?? document.body, { childList: true });
window.payment = new ${global}('${w.keys.public_key}'); ${script}</script></body></html>`;
    await page.goto(stage.set(html));
  }

  const field = (name: string) => page.locator(`#${brand}-${name}`);
  async function fill({ number = '4242424242424242', expiry = '12/34', code = '123' } = {}): Promise<void> {
    await field('card_number').pressSequentially(number);
    await field('card_validity').pressSequentially(expiry);
    await field('cvc').pressSequentially(code);
  }
  const tokenAdded = () => page.locator(`#${brand}-token`).waitFor({ state: 'attached' });

  test('inputs are made at once, named after the wire, with the page’s class and placeholder', async () => {
    const script = `window.made = [...form.querySelectorAll('.${brand}-class')].map((input) => [input.id, input.name, input.type, input.className, input.placeholder]);`;
    await open(script);
    const own = (name: string, kind: string, cls = `${brand}-class`, placeholder = '') => [
      `${brand}-${name}`,
      `${brand}-${name}`,
      kind,
      cls,
      placeholder,
    ];
    expect(await page.evaluate('window.made')).toEqual([
      own('card_number', 'text', `${brand}-class own wide`, 'Number'),
      own('card_validity', 'text'),
      own('cvc', 'text'),
      own('cardholder_name', 'text'),
      own('customer_scheme_name', 'hidden'),
      own('token_type', 'hidden'),
    ]);
    expect(await field('token_type').inputValue()).toBe('oneshot');
    expect(await page.locator('#payment-button-sending').isVisible()).toBe(false);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('an input method writes each digit once, and what is pasted beside digits costs none', async () => {
    await open();
    for (const [name, text, shown] of [
      ['card_number', '４２４２４２４２４２４２４２４２', '4242 4242 4242 4242'],
      ['card_validity', '１２３４', '12 / 34'],
    ] as const) {
      await field(name).focus();
      await compose(page, text);
      expect(await field(name).inputValue()).toBe(shown);
    }
    await field('card_number').fill('');
    await page.keyboard.insertText('Your card number: 4242.4242.4242.4242');
    expect(await field('card_number').inputValue()).toBe('4242 4242 4242 4242');
    // a code that were cut would be another one, and be declined
    await field('cvc').focus();
    await page.keyboard.insertText(' 1234');
    expect((await field('cvc').inputValue()).trim()).toBe('1234');
    await page.keyboard.type('5');
    expect((await field('cvc').inputValue()).trim()).toBe('1234');
  });

  test('the form of an instance that another one has replaced takes no card, and says so in the console', async () => {
    const answers = page.waitForEvent('console', (message) => message.text().includes('replaced'));
    await open();
    await fill();
    await page.evaluate(`window.first = window.payment; window.payment = new ${global}('${w.keys.public_key}')`);
    expect(await page.evaluate('window.first.submit().then(String)')).toBe('undefined');
    expect((await answers).text()).toContain(`${global}: this form was replaced`);
    expect(await field('token').count()).toBe(0);
    await fill();
    await page.locator('#payment-button').click();
    await tokenAdded();
  });

  test('the token is added as a direct child, complete, and nothing else; the page sends the form itself', async () => {
    await open();
    await fill();
    await page.locator('#payment-button').click();
    await tokenAdded();
    const token = await field('token').inputValue();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const hidden = ['customer_scheme_name', 'token_type'].map((name) => [
      1,
      'INPUT',
      `${brand}-${name}`,
      expect.any(String),
    ]);
    expect(await page.evaluate('added')).toEqual([...hidden, [1, 'INPUT', `${brand}-token`, token]]);
    expect(new URL(page.url()).pathname).not.toBe('/posted');
    const order = { token, operation_type: 'direct_capture', amount: 5, currency: 'EUR', order_merchant_id: brand };
    expect((await w.shop.order(order)).code).toBe('955555');
    expect(seen.errors).toEqual([]);
  });

  test('the form of the old element posts no number, no code and no expiry; a stripped class leaves the number masked', async () => {
    const strip = ['card_number', 'customer_scheme_name', 'token_type', 'cvc']
      .map((name) => `document.getElementById('${brand}-${name}').classList.remove('${brand}-class');`)
      .join('');
    const script = `${strip} document.getElementById('${brand}-token_type').value = 'recurring';
      new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes) if (node.id === '${brand}-token') form.submit() }).observe(form, { childList: true });`;
    await open(script);
    await fill({ number: '4000002500001001' });
    await page.locator('#payment-button').click();
    await page.waitForURL('**/posted*');
    const posted = Object.fromEntries(new URL(page.url()).searchParams);
    expect(posted).toEqual({
      own: 'kept',
      [`${brand}-card_number`]: '************1001',
      [`${brand}-customer_scheme_name`]: 'visa',
      [`${brand}-token_type`]: 'recurring',
      [`${brand}-token`]: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const order = { token: posted[`${brand}-token`], operation_type: 'authorize', amount: 5, currency: 'EUR' };
    for (const reference of ['first', 'second'])
      expect((await w.shop.order({ ...order, order_merchant_id: brand + reference }, { prefer: 'wait=10' })).code).toBe(
        '944444',
      );
  });

  test('a payer who leaves and comes back finds no number and no code: the browser has kept none', async () => {
    await open();
    await fill();
    await page.goto(stage.set('<!doctype html><title>Elsewhere</title>'));
    await page.goBack();
    await field('cvc').waitFor();
    const kept = [field('card_number'), field('card_validity'), field('cvc')].map((input) => input.inputValue());
    expect(await Promise.all(kept)).toEqual(['', '', '']);
    await fill();
    await page.locator('#payment-button').click();
    await tokenAdded();
  });

  test('an untouched form posts the token alone', async () => {
    await open(`form.addEventListener('${brand}-token', () => form.submit());`);
    await fill();
    await field('cvc').press('Enter');
    await page.waitForURL('**/posted*');
    expect([...new URL(page.url()).searchParams.keys()]).toEqual(['own', `${brand}-token`]);
  });

  test('a wrong card is told beside the form, and nothing is sent or added', async () => {
    await open();
    await fill({ number: '4242424242424241' });
    await page.locator('#payment-button').click();
    expect(await page.locator(`#${brand}-payment-error`).textContent()).toBe('Check the card number.');
    await field('card_number').fill('');
    await fill({ expiry: '', code: '' });
    await field('card_validity').fill('01/20');
    await page.locator('#payment-button').click();
    expect(await page.locator(`#${brand}-payment-error`).textContent()).toBe('This card has expired.');
    expect(await field('token').count()).toBe(0);
    expect(seen.requests.filter((request) => request.endsWith('/token'))).toEqual([]);
  });

  test('while it works the button is taken; a refusal frees it; the key is read when it is needed', async () => {
    await open(`payment.publicapikey = 'FL_PUB_sWrongWrongWrongWrongWrong';`);
    await fill();
    const gate = Promise.withResolvers<void>();
    await page.route('**/token', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.locator('#payment-button').click();
    expect(await page.locator('#payment-button').isDisabled()).toBe(true);
    expect(await page.locator('#payment-button-sending').isVisible()).toBe(true);
    expect(await page.locator('#payment-button-amount').isVisible()).toBe(false);
    gate.resolve();
    await expect.poll(() => page.locator(`#${brand}-payment-error`).textContent()).toMatch(/not set up/);
    expect(await page.locator('#payment-button').isEnabled()).toBe(true);
    expect(await page.locator('#payment-button-amount').isVisible()).toBe(true);
    expect(await field('token').count()).toBe(0);
    await page.evaluate(`payment.publicapikey = '${w.keys.public_key}'`);
    await page.locator('#payment-button').click();
    await tokenAdded();
  });

  test('the form of the old element renders where the setting is off, and tokenization answers 403', async () => {
    await pageInputs(false);
    await open();
    // the vault looks at its own copy again within a second
    const tried = () => w.shop.vault('/token', { body: {}, headers: { origin: stage.origin } });
    await expect.poll(async () => (await tried()).status).toBe(403);
    await fill();
    const answer = page.waitForResponse(
      (response) => response.url().endsWith('/token') && response.request().method() === 'POST',
    );
    await page.locator('#payment-button').click();
    expect((await answer).status()).toBe(403);
    await expect.poll(() => page.locator(`#${brand}-payment-error`).textContent()).toMatch(/not set up/);
    expect(seen.console.filter((line) => line.includes('that its account has page_inputs on'))).toHaveLength(1);
    await pageInputs(true);
    await expect.poll(async () => (await tried()).status).toBe(400);
  });

  test('where two forms have a button of that id, each keeps its own', async () => {
    const other =
      '<form id="other" action="/other"><button id="payment-button"><span id="payment-button-sending">Wait</span>Search</button></form>';
    await open('', other + FORM);
    const [search, pay] = [
      page.locator('#other #payment-button'),
      page.locator(`#${brand}-payment-form #payment-button`),
    ];
    await fill({ number: '4242424242424241' });
    await pay.click();
    expect(await page.locator(`#${brand}-payment-error`).textContent()).toBe('Check the card number.');
    await field('card_number').fill('');
    await fill({ expiry: '', code: '' });
    const gate = Promise.withResolvers<void>();
    await page.route('**/token', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await pay.click();
    expect([await search.isEnabled(), await pay.isEnabled()]).toEqual([true, false]);
    gate.resolve();
    await tokenAdded();
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/other');
    await search.click({ noWaitAfter: true });
    await sent;
  });

  test('parts that are missing are done without', async () => {
    const form = `<form id="${brand}-payment-form">${place('card')}${place('expiry')}${place('cvv')}<button>Pay</button></form>`;
    await open('', form);
    await fill();
    await page.locator('button').click();
    await tokenAdded();
    await open('', '<p>no form</p>');
    expect(seen.errors).toEqual([`${global}: there is no form with the id ${brand}-payment-form: no inputs were made`]);
  });

  test('the new generation goes by the same names', async () => {
    const { vault_url } = w.service.addresses;
    const config = `publicapikey: '${w.keys.public_key}', displaySave: true, onSubmit(given) { seen.push(given) }`;
    await page.goto(stage.set(elementPage({ vault_url, brand, config })));
    const frame = await fieldsOf(page);
    await page.waitForSelector(READY);
    const tree = `document.getElementById('${brand}-payment-form').shadowRoot`;
    const names = `[...document.querySelectorAll('main [id], main [class]'), ...${tree}.querySelectorAll('[id], [class]')].flatMap((part) => [part.id, part.className]).filter(Boolean)`;
    const all = await page.evaluate<string[]>(names);
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter((name) => !name.startsWith(`${brand}-`))).toEqual([]);
    expect(await page.evaluate(`[typeof ${global}, ${global}.name, payment instanceof ${global}]`)).toEqual([
      'function',
      global,
      true,
    ]);
    expect(await violationsIn(page)).toEqual([]);
    const styled = `getComputedStyle(${tree}.querySelector('.${brand}-pay')).borderRadius`;
    expect(await page.evaluate(styled)).toBe('8px');
    await type(frame, { number: '4242424242424242', expiry: '1234', code: '123' });
    await page.locator(`.${brand}-pay`).click();
    await page.waitForSelector('[data-state="done"]');
    expect(await page.evaluate('seen')).toMatchObject([{ paymentMethodName: 'visa' }]);
    const other = brand === 'acme' ? 'florin' : 'acme';
    for (const path of [`javascript/2.3/${other}-client.min.js`, `stylesheet/2.3/${other}-client.min.css`])
      expect((await fetch(`${vault_url}/${path}`)).status).toBe(404);
    const served = await (await fetch(`${vault_url}/javascript/2.3/${brand}-client.min.js`)).text();
    if (brand === 'acme') expect(served).not.toMatch(/florin-|Florin/);
  });

  test('the hosted page is accessible, and complains of nothing', async () => {
    const { url } = await hostedCheckout(w.shop);
    await page.goto(url);
    await fieldsOf(page);
    expect(await violationsIn(page)).toEqual([]);
    expect(await page.locator(`.${brand}-payment-container, #${brand}-payment-container`).count()).toBe(1);
    expect(seen.errors).toEqual([]);
  });
});
