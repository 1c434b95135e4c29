// Payment links as merchants make them and payers open them (contract 5.3): by the API, and at the page that the
// address leads to.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, type Reply, textAt, until } from '../client.ts';
import { type Visit, follow, nonceIn, open, sendForm, typed } from '../hosted-page/payer.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { undecided } from '../undecided.ts';
import { type World, world } from '../world.ts';

let w: World;
let server: Receiver;
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  server = await receiver();
  await w.shop.api('/notification/endpoint', { body: { url: server.url } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

let count = 0;

function make(fields: object = {}): Promise<Reply> {
  const body = { amount: '42.50', currency: 'EUR', order_merchant_id: `link-${count++}`, ...fields };
  return w.shop.api('/payment/link', { body });
}

const change = (link_id: string, status: string) => w.shop.api(`/payment/link/${link_id}`, { body: { status } });
const read = async (link_id: string) => (await w.shop.api(`/payment/link/${link_id}`)).at('link');

async function ordersOf(link_id: string): Promise<readonly Json[]> {
  const orders = (await w.shop.api(`/payment/link/${link_id}/order?limit=100`)).at('orders');
  return Array.isArray(orders) ? orders : [];
}

/** Presses the button of a link's page; answers where that leads. */
async function press(url: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const sent = await sendForm(url, { nonce: nonceIn(await open(url)), ...fields });
  expect(sent.status).toBe(303);
  return new URL(sent.location ?? '', url).href;
}

/** A payer who opens a link and has typed a card; not paid yet. */
async function seated(url: string, fields: Readonly<Record<string, string>> = {}) {
  const at = (await press(url, fields)).replace('?sent', '');
  const page = await open(at);
  return { at, form: { token: await typed(w.shop, page), nonce: nonceIn(page), token_type: 'oneshot' } };
}

async function paysAt({ at, form }: Awaited<ReturnType<typeof seated>>): Promise<Visit> {
  return follow(at, await sendForm(at, form));
}

test('a card number in what is written about a link is refused where it stands', async () => {
  const refused = await make({
    order_merchant_id: 'for 4242 4242 4242 4242',
    order_description: 'card 5555-5555-5555-4444, please',
    merchant_data: [
      { key: '4111111111111111', value: 'x' },
      { key: 'card', value: '378282246310005' },
    ],
  });
  const errors = refused.at('errors');
  expect([
    refused.status,
    Array.isArray(errors) ? errors.map((error) => (error as { field: string }).field) : errors,
  ]).toEqual([400, ['order_merchant_id', 'order_description', 'merchant_data[0].key', 'merchant_data[1].value']]);
  expect(refused.text).toContain('holds a card number');
  expect(refused.text).not.toMatch(/4242 4242|5555-5555|41111111|37828224/);
  expect((await make({ order_merchant_id: '2026000000004242' })).status).toBe(200);
});

test('a link is made, read and listed, and everything that is wrong with one is said at once', async () => {
  const made = await make({ order_description: 'Repair', merchant_data: [{ key: 'invoice', value: 7 }] });
  expect(made.at('link')).toMatchObject({
    status: 'active',
    usage: 'once',
    amount: 42.5,
    amount_least: null,
    operation_type: 'direct_capture',
    order_description: 'Repair',
    merchant_data: [{ key: 'invoice', type: 'string', value: '7', is_personal_data: false }],
    opened: 0,
    expiration_date: null,
  });
  expect(textAt(made, 'link.url')).toMatch(/\/pay\/[0-9a-f]{64}$/);
  expect(await read(textAt(made, 'link.link_id'))).toEqual(made.at('link'));
  await make();
  const first = await w.shop.api('/payment/link?limit=1');
  const second = await w.shop.api(`/payment/link?limit=1&cursor=${textAt(first, 'next_cursor')}`);
  expect(second.at('links.0')).toEqual(made.at('link'));
  const last = await w.shop.api('/payment/link?limit=100');
  expect([first.at('has_more'), last.at('has_more'), last.at('next_cursor')]).toEqual([true, false, null]);
  const bad = await make({
    amount: null,
    amount_least: '9.001',
    currency: 'EUR',
    usage: 'twice',
    accept_url: 'ftp://x',
  });
  expect(bad.status).toBe(400);
  const named = bad.at('errors');
  expect(Array.isArray(named) ? named.map((one) => JSON.stringify(one)).join() : '').toMatch(
    /(?=.*usage)(?=.*accept_url)(?=.*amount_least)(?=.*amount_most)/,
  );
  expect((await make({ amount_least: '1' })).text).toContain('is for links without a fixed amount');
  expect((await make({ amount: null, amount_least: '2', amount_most: '1' })).text).toContain('must not be above');
  expect((await make({ expiration_date: '2020-01-01T00:00:00Z' })).text).toContain('ahead');
  const keyed = { body: { amount: '1', currency: 'EUR', order_merchant_id: 'k' }, headers: { 'idempotency-key': 'k' } };
  const once = await w.shop.api('/payment/link', keyed);
  expect((await w.shop.api('/payment/link', keyed)).at('link')).toEqual(once.at('link'));
});

test('another account neither sees a link nor changes it', async () => {
  const link_id = textAt(await make(), 'link.link_id');
  const other = await w.otherShop();
  expect((await other.api(`/payment/link/${link_id}`)).status).toBe(404);
  expect((await other.api(`/payment/link/${link_id}/order`)).status).toBe(404);
  expect((await other.api(`/payment/link/${link_id}`, { body: { status: 'ended' } })).status).toBe(404);
  expect((await other.api('/payment/link')).at('links')).toEqual([]);
});

test('looking at a link makes nothing; the form of one look makes one checkout, and the form of another site none', async () => {
  const made = await make({ order_description: '<b>Lamp</b>' });
  const [url, link_id] = [textAt(made, 'link.url'), textAt(made, 'link.link_id')];
  const page = await open(url);
  expect(page.html).toContain('€42.50');
  expect(page.html).toContain('&lt;b&gt;Lamp');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const foreign = await sendForm(url, { nonce: nonceIn(page) }, { origin: 'https://elsewhere.example' });
  expect(foreign.location).toBe(new URL(url).pathname);
  expect(await read(link_id)).toMatchObject({ opened: 0 });
  const twice = await Promise.all([1, 2].map(() => sendForm(url, { nonce: nonceIn(page) })));
  expect(new Set(twice.map(({ location }) => location)).size).toBe(1);
  expect(await read(link_id)).toMatchObject({ opened: 1, status: 'active' });
});

test('a link for one payment is paid once, whatever payers do at the same moment', async () => {
  for (const order_merchant_id of ['once-1', 'once-2', 'once-3', 'once-4']) {
    const made = await make({ merchant_data: [{ key: 'invoice', value: '1881' }], order_merchant_id });
    const [url, link_id] = [textAt(made, 'link.url'), textAt(made, 'link.link_id')];
    const earlier = await seated(url);
    // the other payer opens it while the first one's card is on its way: whoever is quicker pays, and nobody beside
    // them
    const [, next] = await Promise.all([paysAt(earlier), press(url)]);
    if (next !== url) {
      expect((await open(earlier.at)).heading).toBe('Payment cancelled');
      expect(await ordersOf(link_id)).toEqual([]);
      const at = next.replace('?sent', '');
      const page = await open(at);
      await paysAt({ at, form: { token: await typed(w.shop, page), nonce: nonceIn(page), token_type: 'oneshot' } });
    }
    expect(await read(link_id)).toMatchObject({ status: 'paid' });
    const orders = await ordersOf(link_id);
    expect(orders.map((one) => JSON.stringify(one).includes('capture_successful'))).toEqual([true]);
    expect((await open(url)).heading).toBe('This order is being paid or has been paid already');
    expect((await paysAt(earlier)).heading).toBe(
      next === url ? 'Paid' : 'This order is being paid or has been paid already',
    );
    expect(await ordersOf(link_id)).toHaveLength(1);
  }
  const told = await server.until((got) => got.some(({ body }) => body['merchant_order_id'] === 'once-1'));
  const about = told.find(({ body }) => body['merchant_order_id'] === 'once-1')?.body;
  expect(about).toMatchObject({ merchant_data: [{ key: 'invoice', value: '1881' }] });
  expect(about?.['link_id']).toMatch(/^[0-9a-f]{24}$/);
});

test('who has a one-time link open twice is not told in the earlier page that nothing was paid, once the later one is paid or may be', async () => {
  const url = textAt(await make({ cancel_url: 'https://shop.example/cancel' }), 'link.url');
  const [earlier, later] = [await seated(url), await seated(url)];
  expect(await open(earlier.at)).toMatchObject({ status: 303, location: 'https://shop.example/cancel' });
  await using outcomes = await undecided(w);
  const paying = paysAt(later);
  await until(async () => ((await open(url)).heading === HELD.heading ? true : undefined));
  expect(await open(earlier.at)).toMatchObject(HELD);
  await outcomes.decide();
  await paying;
  await until(async () => ((await open(later.at)).heading === 'Paid' ? true : undefined));
  expect(await open(earlier.at)).toMatchObject(HELD);
});

const HELD = { status: 200, heading: 'This order is being paid or has been paid already' };

test('many pay by one link what they say, each by an order of their own', async () => {
  const fields = { usage: 'many', amount: null, amount_least: '5', amount_most: '20', order_merchant_id: 'stand' };
  const made = await make(fields);
  const [url, link_id] = [textAt(made, 'link.url'), textAt(made, 'link.link_id')];
  for (const amount of ['4.99', '20.01', '1,000', 'ten', ''])
    expect(await press(url, { amount })).toBe(`${url}?amount=${encodeURIComponent(amount)}`);
  expect((await open(`${url}?amount`)).html).toMatch(/aria-invalid="true" autofocus.*From €5\.00 to €20\.00/s);
  const ends = await Promise.all(['5,50', '20'].map(async (amount) => paysAt(await seated(url, { amount }))));
  expect(ends.map(({ heading }) => heading)).toEqual(['Paid', 'Paid']);
  expect(await read(link_id)).toMatchObject({ status: 'active', opened: 2 });
  const orders = await ordersOf(link_id);
  const shown = orders.map((one) => JSON.stringify(one)).join();
  for (const text of ['stand-1', 'stand-2', '"amount":5.5', '"amount":20']) expect(shown).toContain(text);
  const first = await w.shop.api(`/payment/link/${link_id}/order?limit=1`);
  const next = await w.shop.api(`/payment/link/${link_id}/order?limit=1&cursor=${textAt(first, 'next_cursor')}`);
  expect([textAt(first, 'orders.0.order_merchant_id'), textAt(next, 'orders.0.order_merchant_id')].toSorted()).toEqual([
    'stand-1',
    'stand-2',
  ]);
  expect([first.at('has_more'), next.at('has_more'), next.at('next_cursor')]).toEqual([true, false, null]);
  // the language that was chosen goes along, and a page without an amount shows none
  expect(await press(`${url}?lang=de`, { amount: '6' })).toMatch(/\?sent&lang=de$/);
  await change(link_id, 'paused');
  const shut = await open(`${url}?lang=de`);
  expect([shut.heading, shut.html.includes('0,00')]).toEqual(['Dieser Zahlungslink ist nicht offen', false]);
});

test.each([
  ['٧٫٥٠', 7.5],
  ['۷,۵', 7.5],
  ['７．５', 7.5],
])('an amount may be typed with the digits of the payer’s keyboard: %s', async (amount, paid) => {
  const made = await make({ usage: 'many', amount: null, amount_least: '5', amount_most: '20' });
  await paysAt(await seated(textAt(made, 'link.url'), { amount }));
  expect(await ordersOf(textAt(made, 'link.link_id'))).toMatchObject([{ amount: paid }]);
});

test('a link that is paused, ended or expired opens no payment; paused goes on, ended does not', async () => {
  const made = await make({ expiration_date: new Date(Date.now() + 120_000).toISOString() });
  const [url, link_id] = [textAt(made, 'link.url'), textAt(made, 'link.link_id')];
  const nonce = nonceIn(await open(url));
  expect((await change(link_id, 'paused')).at('link.status')).toBe('paused');
  expect((await open(url)).heading).toBe('This payment link is not open');
  await sendForm(url, { nonce });
  expect(await read(link_id)).toMatchObject({ opened: 0 });
  expect((await change(link_id, 'active')).at('link.status')).toBe('active');
  expect((await open(url)).html).toContain('Continue to payment');
  await w.sql(`UPDATE payment.payment_links SET expires_at = now() WHERE encode(id, 'hex') = $1`, [link_id]);
  expect(await read(link_id)).toMatchObject({ status: 'expired' });
  await sendForm(url, { nonce });
  expect(await read(link_id)).toMatchObject({ opened: 0 });
  expect((await change(link_id, 'ended')).at('link.status')).toBe('ended');
  expect((await change(link_id, 'active')).status).toBe(409);
});

test('a link with which many cards fail is shut for a while, and so is a network that opens too many', async () => {
  const made = await make({ usage: 'many' });
  const [url, link_id] = [textAt(made, 'link.url'), textAt(made, 'link.link_id')];
  await press(url);
  await w.sql(`UPDATE payment.checkouts SET attempts = 30, max_attempts = 10 WHERE encode(link_id, 'hex') = $1`, [
    link_id,
  ]);
  expect(await press(url)).toBe(`${url}?busy`);
  expect((await open(`${url}?busy`)).heading).toBe('Please wait a moment');
  // who opened it before is held, too: stolen cards are not tried in pages that were opened ahead
  const early = await make({ usage: 'many' });
  const payer = await seated(textAt(early, 'link.url'));
  await press(textAt(early, 'link.url'));
  await w.sql(
    `UPDATE payment.checkouts SET attempts = 30, max_attempts = 10
     WHERE encode(link_id, 'hex') = $1 AND encode(page_handle, 'hex') <> $2`,
    [textAt(early, 'link.link_id'), new URL(payer.at).pathname.split('/').at(-1)],
  );
  const held = await paysAt(payer);
  expect(held.heading).toBe('Please wait a moment');
  expect(await ordersOf(textAt(early, 'link.link_id'))).toEqual([]);
  const other = textAt(await make({ usage: 'many' }), 'link.url');
  // at once: more than may be opened in the minute that is counted, however slow the machine is
  const led = await Promise.all(Array.from({ length: 40 }, () => press(other)));
  expect(led).toContain(`${other}?busy`);
});

test('who asks again for a link under its key is told of it, also when its time is nearly over', async () => {
  const expiration_date = new Date(Date.now() + 90_000).toISOString();
  const body = { amount: '1', currency: 'EUR', order_merchant_id: 'nearly-over', expiration_date };
  const asked = { body, headers: { 'idempotency-key': 'nearly-over' } };
  const made = await w.shop.api('/payment/link', asked);
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } });
  const again = await w.shop.api('/payment/link', asked);
  expect([again.status, again.at('link'), again.headers.get('idempotent-replayed')]).toEqual([
    200,
    made.at('link'),
    'true',
  ]);
  expect((await w.shop.api('/payment/link', { body })).at('errors.0.field')).toBe('expiration_date');
});
