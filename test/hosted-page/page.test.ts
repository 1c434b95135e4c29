// The hosted page as a payer's browser speaks with it (contract 10.3, 10.4): every state, every outcome, at most one
// order.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_LANGUAGES } from '../../src/core/payer/language.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { type Json, textAt, until } from '../client.ts';
import { age, undecided } from '../undecided.ts';
import { type World, world } from '../world.ts';
import { URLS, type Visit, dataIn, follow, hostedCheckout, nonceIn, open, pay, sendForm, typed } from './payer.ts';

/** Of the attempt that the page would send next. */
const NONCE: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const DECLINED = { card_number: '4000000000009995' };

async function ordersOf(checkout_id: string): Promise<readonly Json[]> {
  const orders = (await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.orders');
  return Array.isArray(orders) ? orders : [];
}

async function statusOf(checkout_id: string) {
  return (await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.status');
}

function settings(changes: Readonly<Record<string, string | boolean | null | readonly string[]>>) {
  return changeSettings(w.service.tools, w.account, changes);
}

/**
 * No window that opened the page keeps a hold of it, no other site reads it, and it asks for nothing of the machine.
 */
const GUARDS = ['same-origin', 'same-origin', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'];
const guardsOf = ({ headers }: Visit) =>
  ['cross-origin-opener-policy', 'cross-origin-resource-policy', 'permissions-policy'].map((name) => headers.get(name));

/** Which of these texts are missing: shorter to read than a whole page. */
const missing = (html: string, ...texts: readonly string[]) => texts.filter((text) => !html.includes(text));

describe('an open page', () => {
  test.each(['hosted_page', 'qrcode', 'mail_to_pay'])(
    'of type %s shows what is paid and to whom, and asks nobody else',
    async (type) => {
      const { url } = await hostedCheckout(w.shop, {
        type,
        order_merchant_id: 'cart-<1>',
        order_description: 'two\nlines & more',
        basket_content: [
          { product_name: 'Lamp <b>', product_quantity: 2, total_amount: '39.00' },
          { product_name: 'Bulb', product_price: 3.5 },
        ],
        shipping_price: '4.9',
        order_tax_amount: 0,
      });
      const page = await open(url);
      expect(page.status).toBe(200);
      for (const text of [
        '€42.50',
        'Demo shop',
        'cart-&lt;1&gt;',
        'Lamp &lt;b&gt;',
        '× 2',
        '€39.00',
        '€3.50',
        '€4.90',
        'lines &amp; more',
        'Pay €42.50',
      ])
        expect(missing(page.html, text)).toEqual([]);
      expect(page.html).not.toContain('Tax');
      expect(page.html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self';");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('*');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect(guardsOf(page)).toEqual(GUARDS);
      expect(page.html).not.toContain(w.keys.public_key);
      expect(page.html).not.toContain(w.keys.private_key);
    },
  );

  test('shows pictures of order lines from hosts that the account names, and asks no other host', async () => {
    const line = (product_image_url: string) => ({ product_name: 'Lamp', product_image_url });
    const basket_content = [
      line('https://images.shop.example/lamp.jpg?w=96&h=96'),
      line('https://images.shop.example/bulb.jpg'),
      line('https://else.example/x.jpg'),
    ];
    const { url } = await hostedCheckout(w.shop, { basket_content });
    const policyOf = ({ headers }: Visit) => /img-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    const none = await open(url);
    expect([policyOf(none), none.html.includes('.jpg')]).toEqual(["'self' data:", false]);
    await settings({ page_picture_hosts: ['images.shop.example'] });
    const page = await open(url);
    await settings({ page_picture_hosts: [] });
    expect(policyOf(page)).toBe("'self' data: https://images.shop.example");
    expect(page.html.match(/<img [^>]*\.jpg[^>]*>/g)).toEqual([
      '<img src="https://images.shop.example/lamp.jpg?w=96&amp;h=96" alt="" width="48" height="48" loading="lazy" decoding="async">',
      '<img src="https://images.shop.example/bulb.jpg" alt="" width="48" height="48" loading="lazy" decoding="async">',
    ]);
    const refused = await w.shop.api('/payment/checkout', {
      body: {
        type: 'hosted_page',
        operation_type: 'authorize',
        amount: '1',
        currency: 'EUR',
        order_merchant_id: 'x',
        basket_content: [line('a.jpg')],
      },
    });
    expect([refused.status, refused.at('errors.0.field')]).toEqual([400, 'basket_content[0].product_image_url']);
  });

  test('tells the payment element what it needs, and only that', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, { payment_method_name: 'visa', locale: 'de_DE' });
    const { element } = dataIn(await open(url));
    expect(element).toMatchObject({
      locale: 'de',
      environment: 'sandbox',
      tokentype: 'oneshot',
      displayButtons: false,
      displaySave: false,
      checkoutId: checkout_id,
      paymentmethods: {
        payment_methods_saved: [],
        payment_methods_available: [{ name: 'visa', component_type: 'card' }],
      },
    });
    expect(element['publicapikey']).toMatch(/^FL_PUB_s[A-Za-z0-9]{49}$/);
  });

  test.each([
    ['fr_FR', undefined, 'fr', 'Payer 42,50', 'ltr'],
    ['de', 'fr', 'de', '42,50\u00a0€ bezahlen', 'ltr'],
    ['es', undefined, 'es', 'Pagar 42,50', 'ltr'],
    ['it', undefined, 'it', 'Paga 42,50', 'ltr'],
    ['nl', undefined, 'nl', '€\u00a042,50 betalen', 'ltr'],
    ['pt', undefined, 'pt', 'Pagar 42,50', 'ltr'],
    ['pl', undefined, 'pl', 'Zapłać 42,50', 'ltr'],
    ['ar', undefined, 'ar', '42.50', 'rtl'],
    ['sv_SV', undefined, 'sv', 'Betala 42,50\u00a0€', 'ltr'],
    ['da_DK', undefined, 'da', 'Betal 42,50\u00a0€', 'ltr'],
    ['fi_FI', undefined, 'fi', 'Maksa 42,50\u00a0€', 'ltr'],
    ['cs_CZ', undefined, 'cs', 'Zaplatit 42,50\u00a0€', 'ltr'],
    ['el_GR', undefined, 'el', 'Πληρωμή 42,50\u00a0€', 'ltr'],
    ['ro_RO', undefined, 'ro', 'Plătiți 42,50\u00a0EUR', 'ltr'],
    ['hu_HU', undefined, 'hu', '42,50\u00a0EUR fizetése', 'ltr'],
    ['zz', 'ja-JP, pl;q=0.8', 'pl', 'Zapłać', 'ltr'],
    // fil is Filipino, not Finnish
    [undefined, 'fil-PH, fil;q=0.9, ro;q=0.8', 'ro', 'Plătiți', 'ltr'],
    [undefined, 'ja', 'en', 'Pay €42.50', 'ltr'],
  ])('with locale %s and accept-language %s speaks %s', async (locale, accept, language, text, direction) => {
    const { url } = await hostedCheckout(w.shop, locale === undefined ? {} : { locale });
    const page = await open(url, accept === undefined ? {} : { 'accept-language': accept });
    expect(page.html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(missing(page.html, text)).toEqual([]);
  });

  test('speaks only the languages that the account offers, the first of them to those who want another', async () => {
    await settings({ page_languages: ['nl', 'fr'] });
    for (const [locale, accept, language] of [
      ['fr_FR', 'nl', 'fr'],
      ['de', 'fr-CA', 'fr'],
      ['de', 'en', 'nl'],
    ] as const) {
      const { url } = await hostedCheckout(w.shop, { locale });
      const { html } = await open(url, { 'accept-language': accept });
      expect(html).toContain(`<html lang="${language}"`);
      expect(html).toContain(`"locale":"${language}"`);
    }
    await settings({ page_languages: [] });
  });

  test('shows amounts with the decimals of their currency', async () => {
    for (const [amount, currency, text] of [
      ['1500', 'JPY', '¥1,500'],
      ['1.234', 'KWD', 'KWD\u00a01.234'],
      ['1234567.5', 'USD', '$1,234,567.50'],
    ] as const) {
      const { url } = await hostedCheckout(w.shop, { amount, currency });
      expect(missing((await open(url)).html, text)).toEqual([]);
    }
  });

  test('has the name, colour, logo and words of the account', async () => {
    const page_logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
    await settings({ page_name: 'Café & Co', page_colour: '#FFEE00', page_logo, page_note: 'Ask us\nat noon' });
    const { url } = await hostedCheckout(w.shop);
    const page = await open(url);
    for (const text of ['Café &amp; Co', page_logo, 'Ask us\nat noon']) expect(missing(page.html, text)).toEqual([]);
    // too bright on white: made darker there, kept on dark, with black letters on it
    expect(page.html).toMatch(/:root \{ --accent: #(?!ffee00)[0-9a-f]{6}; --on-accent: #ffffff; \}/);
    expect(page.html).toContain(':root { --accent: #ffee00; --on-accent: #000000; }');
    await settings({ page_name: null, page_colour: '', page_logo: null, page_note: null });
    expect((await open(url)).html).toContain('Demo shop');
  });

  test('links what the account wants to have read, names the way back, and offers no address that runs a script', async () => {
    const links = {
      page_terms_url: 'https://shop.example/terms?a=1&b=2',
      page_privacy_url: 'https://shop.example/privacy',
      page_help_url: 'mailto:help@shop.example',
      page_shop_url: 'https://shop.example/',
    };
    await settings(links);
    const { url } = await hostedCheckout(w.shop);
    const { html } = await open(url);
    const there = ['href="https://shop.example/terms?a=1&amp;b=2"', 'href="mailto:help@shop.example"', '>Privacy</a>'];
    expect(missing(html, ...there, 'By paying you accept the terms of')).toEqual([]);
    const done = await pay(w.shop, url);
    expect(missing(done.html, '<a class="go" href="https://shop.example/">Back to', 'Visa ending in')).toEqual([]);
    for (const bad of ['javascript:alert(1)', 'http://shop.example', 'https://u:p@shop.example', 'data:text/html,x'])
      await expect(settings({ page_terms_url: bad, page_help_url: bad })).rejects.toMatchObject({
        refusal: 'parameter_invalid',
      });
    await settings({ page_terms_url: null, page_privacy_url: null, page_help_url: null, page_shop_url: null });
    expect((await open(url)).html).not.toContain('shop.example');
  });

  test('has its own side in the account’s colours; a pair that cannot be read is refused, and nothing is changed', async () => {
    await settings({ page_panel_colour: '#123C3A', page_panel_text: '#f4efe4' });
    const { url } = await hostedCheckout(w.shop);
    expect((await open(url)).html).toContain(':root { --panel: #123c3a; --panel-ink: #f4efe4;');
    const problems = await settings({ page_panel_colour: '#ddddcc' }).then(
      () => [],
      (error: { extras?: { problems?: readonly { field: string; message: string }[] } }) =>
        error.extras?.problems ?? [],
    );
    expect(problems).toMatchObject([{ field: 'page_panel_text', message: expect.stringContaining('needed 4.5') }]);
    expect((await open(url)).html).toContain('--panel: #123c3a');
    await settings({ page_panel_colour: '', page_panel_text: null });
  });

  test('is read in another language when the payer chooses one, and keeps it through the payment', async () => {
    await settings({ page_languages: ['en', 'pl'] });
    const { url, checkout_id } = await hostedCheckout(w.shop, { locale: 'en' });
    const page = await open(`${url}?lang=pl`);
    expect(
      missing(page.html, '<html lang="pl"', '"locale":"pl"', `action="/pay/${url.split('/').at(-1)}?lang=pl"`),
    ).toEqual([]);
    expect(page.html.match(/<option value="\w+"/g)).toHaveLength(2);
    // what is not offered is not spoken
    expect((await open(`${url}?lang=de`)).html).toContain('<html lang="en"');
    const token = await typed(w.shop, page, DECLINED);
    const sent = await sendForm(`${url}?lang=pl`, { token, nonce: nonceIn(page) });
    expect(sent.location).toBe(`/pay/${url.split('/').at(-1)}?sent&lang=pl`);
    // the order has it, and so have pages that are opened without the choice
    expect(missing((await open(url)).html, '<html lang="pl"', 'Za mało środków na tej karcie')).toEqual([]);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    await settings({ page_languages: [] });
  });

  test('whose outcome nobody knows says that, and goes on by itself when it does', async () => {
    const { url } = await hostedCheckout(w.shop);
    // the bank has taken it, and its answer broke off
    const paying = pay(w.shop, url, { card_number: '4000009901000045' });
    const DOUBT = 'We do not know yet whether the payment went through';
    const told = await until(async () => {
      const page = await open(url);
      return page.heading === DOUBT ? page : undefined;
    });
    expect(missing(told.html, 'do not pay again', '/status?seen=in_doubt')).toEqual([]);
    expect(told.html).not.toContain('id="pay"');
    // a page that was made for waiting is another one by now
    expect(await (await fetch(`${url}/status?seen=waiting`)).json()).toMatchObject({ next: 'reload' });
    await paying;
    await until(async () => ((await open(url)).heading === 'Paid' ? true : undefined));
    expect(await (await fetch(`${url}/status?seen=in_doubt`)).json()).toMatchObject({ next: 'reload' });
  });

  test.each([
    ['4000000000009995', 'Not enough funds on this card'],
    ['4000000000000069', 'This card has expired'],
    ['4000000000000127', 'The security code or the date is not right'],
    // stolen, and what a bank suspects, stay with the merchant
    ['4000000000009979', 'The payment was declined'],
    ['4000000000000002', 'The payment was declined'],
  ])('after a decline of %s says what a payer may know: %s', async (card_number, reason) => {
    const { url } = await hostedCheckout(w.shop);
    const told = await pay(w.shop, url, { card_number });
    expect(missing(told.html, `<b>${reason}</b>`, 'Nothing was charged.', 'Attempts left: 2')).toEqual([]);
    expect(told.html).not.toMatch(/stolen|fraud|issuer/i);
  });

  test('offers to save and shows saved cards only when the account says so and a customer is named', async () => {
    const customer_id = 'payer-1';
    const token = await w.shop.token({ token_type: 'recurring' });
    await w.shop.pay({}, { token, customer_id, token_type: 'recurring' });
    const { url } = await hostedCheckout(w.shop, { customer_id });
    const nameless = await hostedCheckout(w.shop);
    const saved = async (address: string) => {
      const { element } = dataIn(await open(address));
      return [element['displaySave'], JSON.stringify(element['paymentmethods']).includes(token)];
    };
    expect(await saved(url)).toEqual([false, false]);
    await settings({ display_save: true });
    expect(await saved(url)).toEqual([true, true]);
    expect(await saved(nameless.url)).toEqual([false, false]);
    await settings({ display_save: false });
  });
});

test('under another brand every name of the payment element follows', async () => {
  await using other = await world({ FLORIN_BRAND: 'acme' });
  const { html } = await open((await hostedCheckout(other.shop)).url);
  const names = [
    '/javascript/2.3/acme-client.min.js',
    '/stylesheet/2.3/acme-client.min.css',
    'id="acme-payment-container"',
  ];
  expect(missing(html, ...names, '"global":"Acme"', '--acme-color-text')).toEqual([]);
  expect(html.toLowerCase()).not.toContain('florin');
});

describe('a payment', () => {
  test('leads to accept_url byte for byte, and so does the page ever after', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const after = await pay(w.shop, url);
    expect([after.status, after.location]).toEqual([303, URLS.accept_url]);
    expect((await open(url)).location).toBe(URLS.accept_url);
    expect(await ordersOf(checkout_id)).toMatchObject([{ status: 'capture_successful' }]);
    expect(await statusOf(checkout_id)).toBe('completed');
  });

  test('keeps browser data and address of the payer, and asks for authentication unless the checkout says otherwise', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop);
    const page = await open(url);
    const browser = {
      color_depth: '24',
      screen_width: '1280',
      language: 'en-GB',
      time_zone: 'Europe/Paris',
      java_enabled: 'false',
      screen_height: 'x',
    };
    await sendForm(
      url,
      { token: await typed(w.shop, page), nonce: nonceIn(page), ...browser },
      { 'user-agent': 'Payer/1' },
    );
    const read = await w.shop.api(`/payment/checkout/${checkout_id}`);
    const order = await w.shop.read(textAt(read, 'checkout.orders.0.order_id'));
    expect(order.at('transactions.0')).toMatchObject({
      customer_browser_info_color_depth: '24',
      customer_browser_info_screen_width: 1280,
      customer_browser_info_language: 'en-GB',
      customer_browser_info_time_zone: 'Europe/Paris',
      customer_browser_info_js_enabled: true,
      customer_browser_info_java_enabled: false,
      customer_browser_info_user_agent: 'Payer/1',
      customer_ip: '127.0.0.1',
      authentication_indicator: 'ask_3ds',
    });
    expect(order.text).not.toContain('customer_browser_info_screen_height');
  });

  test('declined may be tried again while attempts are left, and then leads to decline_url', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, { ...URLS, max_attempts: 2 });
    const again = await pay(w.shop, url, DECLINED);
    expect(again.status).toBe(200);
    expect(missing(again.html, 'Not enough funds on this card', 'Nothing was charged. Try again')).toEqual([]);
    expect(again.html).toContain('Attempts left: 1');
    const last = await pay(w.shop, url, DECLINED);
    expect([last.status, last.location]).toEqual([303, URLS.decline_url]);
    expect(await statusOf(checkout_id)).toBe('declined');
    expect(await ordersOf(checkout_id)).toHaveLength(2);
  });

  test('declined and then paid leads to accept_url', async () => {
    const { url } = await hostedCheckout(w.shop, URLS);
    await pay(w.shop, url, DECLINED);
    expect((await pay(w.shop, url)).location).toBe(URLS.accept_url);
  });

  test('that is not decided yet is waited for, never guessed, and may lead to pending_url', async () => {
    const silent = await hostedCheckout(w.shop);
    const spoken = await hostedCheckout(w.shop, URLS);
    const next = async (url: string) => (await fetch(`${url}/status`)).json();
    await using outcomes = await undecided(w);
    const paying: Promise<Visit>[] = [];
    for (const { url, checkout_id } of [silent, spoken]) {
      const page = await open(url);
      const fields = { token: await typed(w.shop, page), nonce: nonceIn(page) };
      paying.push(sendForm(url, fields));
      await until(async () => ((await ordersOf(checkout_id)).length === 1 ? true : undefined));
      // loading the page again while the payment is under way, and sending it once more
      const waiting = await open(url);
      expect([waiting.status, waiting.heading]).toEqual([200, 'Waiting for your bank']);
      expect(await next(url)).toEqual({ next: 'stay', state: 'waiting', nonce: NONCE });
      paying.push(sendForm(url, fields));
    }
    await age(w, '10 seconds');
    expect((await open(silent.url)).heading).toBe('Waiting for your bank');
    expect((await open(spoken.url)).location).toBe(URLS.pending_url);
    expect(await next(spoken.url)).toEqual({ next: 'reload', state: 'waiting', nonce: NONCE });
    await outcomes.decide();
    for (const sent of await Promise.all(paying)) expect(sent.status).toBe(303);
    for (const { url } of [silent, spoken])
      await expect.poll(() => next(url)).toEqual({ next: 'reload', state: 'paid', nonce: NONCE });
    expect((await open(silent.url)).heading).toBe('Paid');
    expect((await open(spoken.url)).location).toBe(URLS.accept_url);
    for (const { checkout_id } of [silent, spoken]) expect(await ordersOf(checkout_id)).toHaveLength(1);
  });

  test('saves the card when the payer ticks the box that was offered, and not when it was not', async () => {
    const customer_id = 'payer-2';
    const saved = async () =>
      (await w.shop.api(`/payment/information/${customer_id}`)).at('payment_methods_saved.0.token');
    const payTicked = async () => {
      const { url } = await hostedCheckout(w.shop, { customer_id });
      const page = await open(url);
      const token = await typed(w.shop, page, { token_type: 'recurring' });
      await sendForm(url, { token, nonce: nonceIn(page), token_type: 'recurring' });
      return token;
    };
    await payTicked();
    expect(await saved()).toBeUndefined();
    await settings({ display_save: true });
    const token = await payTicked();
    expect(await saved()).toBe(token);
    await settings({ display_save: false });
    // it was typed for the first page's checkout, and pays on another page with its cvc, and without a checkout
    const { url, checkout_id } = await hostedCheckout(w.shop, { customer_id });
    const page = await open(url);
    await w.shop.vault('/token', { body: { token, cvc: '123', checkout_id } });
    await sendForm(url, { token, nonce: nonceIn(page) });
    expect((await open(url)).heading).toBe('Paid');
    expect(await statusOf(checkout_id)).toBe('completed');
    expect((await w.shop.pay({}, { token, customer_id })).code).toBe('955555');
  });

  test('with a saved card wants its cvc, whatever the account says', async () => {
    const token = await w.shop.token({ token_type: 'recurring' });
    await w.shop.pay({}, { token, customer_id: 'payer-3', token_type: 'recurring' });
    const { url, checkout_id } = await hostedCheckout(w.shop, { customer_id: 'payer-3' });
    const page = await open(url);
    const sent = await sendForm(url, { token, nonce: nonceIn(page) });
    expect(sent.location).toMatch(/\?sent&again$/);
    expect((await open(url + '?again')).html).toContain('Please enter your card details again. Nothing was charged.');
    expect(await ordersOf(checkout_id)).toEqual([]);
  });
});

describe('at most one order', () => {
  test('comes of one form sent many times at once, with one token or with many', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await open(url);
    const tokens = await Promise.all([0, 1, 2].map(() => typed(w.shop, page)));
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sendForm(url, { token: tokens[i % 3] ?? '', nonce: nonceIn(page) })),
    );
    for (const answer of sent) expect([answer.status, answer.location]).toEqual([303, `${new URL(url).pathname}?sent`]);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
  });

  test('comes of two windows, and the second one is told how things stand', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const [one, two] = [await open(url), await open(url)];
    await sendForm(url, { token: await typed(w.shop, one, DECLINED), nonce: nonceIn(one) });
    // the other window still shows the first attempt: its form is of the past
    const late = await sendForm(url, { token: await typed(w.shop, two), nonce: nonceIn(two) });
    expect(late.location).toBe(`${new URL(url).pathname}?sent`);
    expect(await ordersOf(checkout_id)).toHaveLength(1);
    expect((await open(url)).html).toContain('Attempts left: 2');
  });

  test('is made by a form of our own page only', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await open(url);
    const fields = { token: await typed(w.shop, page), nonce: nonceIn(page) };
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'content-type': 'text/plain' }])
      expect((await sendForm(url, fields, headers)).location).toBe(`${new URL(url).pathname}?sent`);
    for (const wrong of [{ nonce: 'ab'.repeat(32) }, { nonce: '' }, { token: 'x' }, { token: 'ab'.repeat(32) }])
      expect((await sendForm(url, { ...fields, ...wrong })).status).toBe(303);
    expect(await ordersOf(checkout_id)).toEqual([]);
    expect((await open(url)).status).toBe(200);
  });
});

describe('an order that another one holds', () => {
  const HELD = 'This order is being paid or has been paid already';

  test('is said to be so, before and after a card is typed, and can be paid when it is let go', async () => {
    const reference = { order_merchant_id: `held-${process.pid}` };
    const { url, checkout_id } = await hostedCheckout(w.shop, { ...URLS, ...reference });
    const page = await open(url);
    const token = await typed(w.shop, page);
    await using outcomes = await undecided(w);
    const paying = w.shop.pay(DECLINED, reference);
    await until(async () => (await open(url)).heading === HELD || undefined);
    const sent = await sendForm(url, { token, nonce: nonceIn(page) });
    const told = await open(new URL(sent.location ?? '', url).href);
    expect([told.status, told.heading, told.location]).toEqual([200, HELD, null]);
    expect(told.html).toContain(reference.order_merchant_id);
    expect(told.html).not.toContain('method="post"');
    expect(await (await fetch(`${url}/status`)).json()).toEqual({ next: 'reload', state: 'held', nonce: NONCE });
    expect(await ordersOf(checkout_id)).toEqual([]);
    await outcomes.decide();
    await paying;
    // declined: nothing holds it any more, and the token is as good as it was
    const again = await until(async () => {
      const now = await open(url);
      return now.heading === HELD ? undefined : now;
    });
    await sendForm(url, { token, nonce: nonceIn(again) });
    expect((await open(url)).location).toBe(URLS.accept_url);
  });

  test('is said to be so where an account takes each reference once, in every language', async () => {
    const reference = { order_merchant_id: `once-${process.pid}` };
    const { url, checkout_id } = await hostedCheckout(w.shop, reference);
    const page = await open(url);
    const token = await typed(w.shop, page);
    await w.shop.pay({}, reference);
    await settings({ unique_order_merchant_id: true });
    try {
      const sent = await sendForm(url, { token, nonce: nonceIn(page) });
      const headings = await Promise.all(
        PAGE_LANGUAGES.map(
          async (language) =>
            (await open(new URL(sent.location ?? '', url).href, { 'accept-language': language })).heading,
        ),
      );
      expect(headings[0]).toBe(HELD);
      expect(new Set(headings).size).toBe(PAGE_LANGUAGES.length);
      expect(await ordersOf(checkout_id)).toEqual([]);
    } finally {
      await settings({ unique_order_merchant_id: false });
    }
  });
});

test('a checkout that can never be paid here leads to exception_url, or says so', async () => {
  await settings({ strict_contract: true });
  try {
    for (const urls of [URLS, {}]) {
      const { url, checkout_id } = await hostedCheckout(w.shop, { ...urls, merchant_contract: 'nobody' });
      const after = await pay(w.shop, url);
      const told = [after.status, after.location, after.heading];
      expect(told).toEqual(urls === URLS ? [303, URLS.exception_url, ''] : [200, null, 'This payment cannot be made']);
      expect(await ordersOf(checkout_id)).toEqual([]);
    }
  } finally {
    await settings({ strict_contract: false });
  }
});

test("the key of an account's pages shows card fields in pages of the vault alone, also where none is registered", async () => {
  const policy = async () => {
    const { publicapikey } = dataIn(await open((await hostedCheckout(w.shop)).url)).element;
    const fields = await fetch(`${w.service.addresses.vault_url}/fields/en/${String(publicapikey)}`);
    return fields.headers.get('content-security-policy') ?? '';
  };
  expect(await policy()).toContain("; frame-ancestors 'self';");
});

describe('leaving', () => {
  const cancel = async (url: string) => {
    const page = await open(url);
    return follow(url, await sendForm(`${url}/cancel`, { nonce: nonceIn(page) }));
  };

  test('leads to cancel_url, and after a decline to decline_url; nothing can be paid any more', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await open(url);
    const token = await typed(w.shop, page);
    expect((await cancel(url)).location).toBe(URLS.cancel_url);
    expect(await statusOf(checkout_id)).toBe('cancelled');
    await sendForm(url, { token, nonce: nonceIn(page) });
    expect(await ordersOf(checkout_id)).toEqual([]);
    const tried = await hostedCheckout(w.shop, URLS);
    await pay(w.shop, tried.url, DECLINED);
    expect((await cancel(tried.url)).location).toBe(URLS.decline_url);
  });

  test('does not undo a payment that is under way or done', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, URLS);
    const page = await open(url);
    const nonce = nonceIn(page);
    const token = await typed(w.shop, page);
    await Promise.all([sendForm(url, { token, nonce }), sendForm(`${url}/cancel`, { nonce })]);
    const [orders, status] = [await ordersOf(checkout_id), await statusOf(checkout_id)];
    expect([orders.length, status]).toEqual(orders.length === 1 ? [1, 'completed'] : [0, 'cancelled']);
    const paid = await hostedCheckout(w.shop, URLS);
    const before = nonceIn(await open(paid.url));
    await pay(w.shop, paid.url);
    await sendForm(`${paid.url}/cancel`, { nonce: before });
    expect(await statusOf(paid.checkout_id)).toBe('completed');
  });
});

describe('an end without an address', () => {
  test('is said on our own page, without a link', async () => {
    const paid = await hostedCheckout(w.shop, { order_merchant_id: 'cart-7' });
    const done = await pay(w.shop, paid.url);
    expect([done.status, done.heading]).toEqual([200, 'Paid']);
    expect(done.html).toContain('cart-7');
    expect(done.html).not.toContain('<a ');
    const declined = await hostedCheckout(w.shop, { max_attempts: 1 });
    const refused = await pay(w.shop, declined.url, DECLINED);
    expect([refused.status, refused.heading]).toEqual([200, 'Payment declined']);
    expect(missing(refused.html, 'Not enough funds on this card')).toEqual([]);
    expect(refused.html).not.toContain('420100');
    const left = await hostedCheckout(w.shop);
    const page = await open(left.url);
    await sendForm(`${left.url}/cancel`, { nonce: nonceIn(page) });
    expect((await open(left.url)).heading).toBe('Payment cancelled');
  });

  test('is no receipt any more once the merchant has released what was held', async () => {
    const { url, checkout_id } = await hostedCheckout(w.shop, { operation_type: 'authorize' });
    expect((await pay(w.shop, url)).heading).toBe('Paid');
    const order_id = textAt(await w.shop.api(`/payment/checkout/${checkout_id}`), 'checkout.orders.0.order_id');
    const cancelled = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { method: 'POST' });
    expect(cancelled.code, cancelled.text).toBe('977777');
    const page = await open(url);
    expect([page.heading, missing(page.html, 'Nothing was paid')]).toEqual(['Payment cancelled', []]);
    expect(page.html).not.toContain('id="print"');
  });

  test('of time is said, or leads to exception_url', async () => {
    const silent = await hostedCheckout(w.shop);
    const spoken = await hostedCheckout(w.shop, URLS);
    const page = await open(silent.url);
    const token = await typed(w.shop, page);
    await w.sql(`UPDATE payment.checkouts SET expires_at = now() WHERE page_handle IS NOT NULL AND status = 'created'`);
    expect((await open(silent.url)).heading).toBe('This payment page has expired');
    expect((await open(spoken.url)).location).toBe(URLS.exception_url);
    await sendForm(silent.url, { token, nonce: nonceIn(page) });
    expect(await ordersOf(silent.checkout_id)).toEqual([]);
  });
});

describe('what is no page', () => {
  test.each(['ab'.repeat(32), 'AB'.repeat(32), 'x', '%2e%2e%2e', 'a'.repeat(1000)])(
    '/pay/%s is a 404 page',
    async (handle) => {
      const page = await open(`${w.service.addresses.vault_url}/pay/${handle}`, { 'accept-language': 'fr' });
      expect([page.status, page.heading]).toEqual([404, 'Cette page n’existe pas']);
      expect(guardsOf(page)).toEqual(GUARDS);
    },
  );

  test('is a page of another account: each shows its own', async () => {
    const other = await w.otherShop();
    await w.sql(
      `UPDATE payment.merchant_accounts SET name = 'Other shop' WHERE merchant_account_id <> decode($1, 'hex')`,
      [w.account],
    );
    const theirs = await hostedCheckout(other);
    const page = await open(theirs.url);
    expect(page.html).toContain('Other shop');
    expect(page.html).not.toContain('Demo shop');
    const ours = await hostedCheckout(w.shop);
    const token = await typed(w.shop, await open(ours.url));
    expect((await sendForm(theirs.url, { token, nonce: nonceIn(page) })).location).toMatch(/\?sent&again$/);
    expect((await other.api(`/payment/checkout/${theirs.checkout_id}`)).at('checkout.orders')).toEqual([]);
  });

  test('a failure of ours is a page, says nothing that is not known, and may be tried again', async () => {
    const { url } = await hostedCheckout(w.shop);
    await w.sql('REVOKE EXECUTE ON FUNCTION payment.account_of_page(bytea) FROM payment_app');
    try {
      const page = await open(url);
      expect([page.status, page.heading]).toEqual([500, 'Something went wrong']);
    } finally {
      await w.sql('GRANT EXECUTE ON FUNCTION payment.account_of_page(bytea) TO payment_app');
    }
    expect((await open(url)).status).toBe(200);
  });
});
