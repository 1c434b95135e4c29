// Payers with Firefox and with WebKit, the engine of Safari: the hosted page, a payment link, both generations of
// Hosted Elements in the demo shop, and what the two engines do otherwise than Chromium, in which everything else is
// tested.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedPageInputs } from '../../src/hosts/demo-account.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { openEgress } from '../../src/kit/egress.ts';
import { readConfig } from '../../src/settings/config.ts';
import type { Shop } from '../../src/shop/shop.ts';
import { textAt } from '../client.ts';
import { openShop } from '../shop/opened.ts';
import { type World, world } from '../world.ts';
import { ENGINES, type Engine, KEY } from './engine.ts';

let w: World;
let shop: Shop;
const egress = openEgress();
beforeAll(async () => {
  w = await world();
  const page_inputs = await seedPageInputs(w.service.tools, readConfig({ FLORIN_DATA_DIR: w.data_dir }));
  shop = await openShop(w, egress, page_inputs);
});
afterAll(async () => {
  await shop.close();
  await egress.close();
  await w[Symbol.asyncDispose]();
});

const pageSettings = (changes: Readonly<Record<string, boolean | readonly string[]>>) =>
  changeSettings(w.service.tools, w.account, changes);

const one = (selector: string) => `document.querySelector(${JSON.stringify(selector)})`;
/** Parts of the form, which are in its shadow tree. */
const inForm = (selector: string) => `${one('#florin-payment-form')}?.shadowRoot.querySelector('${selector}')`;
const says = (text: string) => `document.body.innerText.includes(${JSON.stringify(text)})`;
const FREE = "document.querySelector('#pay-button')?.disabled === false";
const PAYS = inForm('.florin-pay:enabled');

for (const { name, packages, is_here, open } of ENGINES)
  describe.skipIf(!is_here)(`${name} (skipped without: apt-get install ${packages})`, () => {
    payers(open);
  });

function payers(open: () => Promise<Engine>) {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
  });
  afterAll(() => engine.close());
  beforeEach(() => engine.leave());

  /** Types a card into the frame, each field after a click into it. */
  async function card(number: string, code = '123') {
    await engine.enter();
    await put('#number', number);
    await put('#expiry', '1234');
    await put('#code', code);
    await engine.leave();
  }

  async function put(selector: string, text: string) {
    await engine.click(one(selector));
    await engine.type(text);
  }

  const valueOf = (selector: string) => engine.look(`${one(selector)}.value`);

  async function hostedPage(more: object = {}) {
    const fields = { type: 'hosted_page', operation_type: 'authorize', amount: '42.50', currency: 'EUR' };
    const made = await w.shop.api('/payment/checkout', { body: { ...fields, order_merchant_id: 'cart', ...more } });
    await engine.go(textAt(made, 'redirect_url'));
    await engine.until(FREE);
  }

  /** The shop's page with its way to pay. */
  async function choose(way: string) {
    await engine.go(shop.url);
    await engine.click(one(`button[value="${way}"]`));
  }

  test('the hosted page: nothing typed, a decline, another card; back shows what was paid', async () => {
    await hostedPage();
    await engine.click(one('#pay-button'));
    await engine.enter();
    await engine.until("document.activeElement?.id === 'number'");
    await engine.leave();
    await card('4000000000000002');
    await engine.click(one('#pay-button'));
    await engine.until(says('The payment was declined'));
    await engine.until(FREE);
    await engine.enter();
    expect([await valueOf('#number'), await valueOf('#code')]).toEqual(['4000 0000 0000 0002', '']);
    await engine.look(`${one('#number')}.select()`);
    await engine.type(KEY.backspace);
    await engine.leave();
    await card('4242424242424242');
    await engine.click(one('#pay-button'));
    await engine.until(says('Thank you.'));
    await engine.back();
    await engine.until(says('Thank you.'));
    expect(await engine.look(one('#pay'))).toBeNull();
  });

  test('the hosted page: the bank asks for a code', async () => {
    await hostedPage();
    await card('4000000000003220');
    await engine.click(one('#pay-button'));
    await engine.until(says('One-time code'));
    await put('#code', `1234${KEY.enter}`);
    await engine.until(says('Thank you.'));
  });

  test('the hosted page: a saved card asks for its code, and is paid with it', async () => {
    const customer_id = 'engines';
    const token = await w.shop.token({ token_type: 'recurring' });
    await w.shop.pay({}, { token, customer_id, token_type: 'recurring' });
    await pageSettings({ display_save: true });
    await hostedPage({ customer_id });
    await engine.click(one('#pay-button'));
    await engine.enter();
    await engine.until("document.activeElement?.id === 'code'");
    expect(await engine.look(`${one('#number')}?.checkVisibility() ?? false`)).toBe(false);
    await engine.type('123');
    await engine.leave();
    await engine.click(one('#pay-button'));
    await engine.until(says('Thank you.'));
    await pageSettings({ display_save: false });
  });

  test('the hosted page: a simulated wallet is left, come back to, and pays', async () => {
    await pageSettings({ page_wallets: ['apple_pay'] });
    await hostedPage();
    const wallet = one('#wallets [value="apple_pay"]');
    await engine.click(wallet);
    await engine.until(one('#sheet[open]'));
    await engine.type(KEY.escape);
    await engine.until(`!${one('#sheet[open]')}`);
    expect(await engine.look(`document.activeElement === ${wallet}`)).toBe(true);
    await engine.click(wallet);
    await engine.click(one('#sheet [value="pay"]'));
    await engine.until(says('Thank you.'));
    await pageSettings({ page_wallets: [] });
  });

  test('a payment link: too small an amount is typed anew at once, then paid; back is the link again', async () => {
    const link = { usage: 'many', amount_least: '5.00', amount_most: '100.00', currency: 'EUR' };
    const made = await w.shop.api('/payment/link', { body: { ...link, order_merchant_id: 'stand' } });
    await engine.go(textAt(made, 'link.url'));
    await put('#amount', `3,50${KEY.enter}`);
    // the page that comes has the keyboard in the field, where what is typed replaces what was not taken
    await engine.until("document.activeElement?.matches('#amount[aria-invalid]')");
    await engine.until(`${one('#amount')}.selectionStart === 0 && ${one('#amount')}.selectionEnd === 4`);
    await engine.type(`12,50${KEY.enter}`);
    await engine.until(FREE);
    expect(await engine.look(`${one('#pay-button')}.innerText.trim()`)).toBe('Pay €12.50');
    await card('4242424242424242');
    await engine.click(one('#pay-button'));
    await engine.until(says('Thank you.'));
    await engine.back();
    await engine.until(one('#amount'));
  });

  test('Hosted Elements: nothing typed, then paid; back never shows the form again', async () => {
    await choose('elements');
    await engine.click(PAYS);
    // WebKit lets a frame of another site that nobody has touched take no focus: its page gives it
    await engine.until("document.activeElement?.tagName === 'IFRAME'");
    await engine.enter();
    await engine.until(`${one('#code-error')}.textContent !== ''`);
    expect(await engine.look(`getComputedStyle(${one('#code-hint')}).display`)).toBe('none');
    await put('#holder', 'Ada');
    await engine.leave();
    await engine.click(PAYS);
    await engine.enter();
    await engine.until("document.activeElement?.id === 'number'");
    await engine.leave();
    await card('4242424242424242');
    await engine.click(PAYS);
    await engine.until(says('Thank you'));
    await engine.back();
    await engine.until(says('Thank you'));
  });

  test.each([
    ['elements', '#number'],
    ['page-inputs', '#florin-card_number'],
  ])('%s: backspace and delete go over the spaces of the number', async (way, number) => {
    await choose(way);
    if (way === 'elements') await engine.enter();
    await put(number, '4242424242424242');
    await engine.type(KEY.left.repeat(4) + KEY.backspace);
    expect([await valueOf(number), await engine.look(`${one(number)}.selectionStart`)]).toEqual([
      '4242 4242 4244 242',
      13,
    ]);
    await engine.look(`${one(number)}.setSelectionRange(4, 4)`);
    await engine.type(KEY.delete);
    expect(await valueOf(number)).toBe('4242 2424 2442 42');
  });

  test('card inputs in the page: paid', async () => {
    await choose('page-inputs');
    await put('#florin-card_number', '5555555555554444');
    await put('#florin-card_validity', '1234');
    await put('#florin-cvc', '123');
    await engine.click(one('#payment-button'));
    await engine.until(says('Thank you'));
    await engine.back();
    await engine.until(says('Thank you'));
  });
}
