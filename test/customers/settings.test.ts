// Settings of a merchant account (contract 1.3): checked, stored, and in force on both hosts within a second.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../src/core/refusals.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { changeSettings, readSettings } from '../../src/payment/merchant/change-settings.ts';
import { addKey, makeKeyText } from '../../src/payment/merchant/keys.ts';
import { DEFAULT_SETTINGS } from '../../src/payment/merchant/settings.ts';
import { CHECKOUT, GOOD_CARD, textAt, until } from '../client.ts';
import { authenticates, redirectOf } from '../authentication/payer.ts';
import { URLS, hostedCheckout, nonceIn, open, sendForm } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const change = (changes: Readonly<Record<string, JsonValue>>) => changeSettings(w.service.tools, w.account, changes);

async function problemsOf(changes: Readonly<Record<string, JsonValue>>): Promise<readonly string[]> {
  const error: unknown = await change(changes).catch((caught: unknown) => caught);
  return error instanceof Refusal ? (error.extras.problems ?? []).map((problem) => problem.field) : [];
}

test('a setting that is absent is the default, and a change leaves the rest', async () => {
  expect(await readSettings(w.service.tools, w.account)).toEqual(DEFAULT_SETTINGS);
  await change({ challenge_minutes: '15' });
  const changed = await change({
    page_colour: '#AABBCC',
    registered_origins: ['HTTPS://Shop.example:443/', 'https://b.example'],
  });
  expect(changed).toEqual({
    ...DEFAULT_SETTINGS,
    challenge_minutes: 15,
    page_colour: '#aabbcc',
    registered_origins: ['https://shop.example', 'https://b.example'],
  });
  expect(await readSettings(w.service.tools, w.account)).toEqual(changed);
  await change({ challenge_minutes: null, page_colour: '', registered_origins: [] });
  expect(await readSettings(w.service.tools, w.account)).toEqual(DEFAULT_SETTINGS);
});

test('every problem is told at once, and then nothing has changed', async () => {
  const wrong = {
    page_inputs: 'maybe',
    registered_origins: ['https://shop.example/path'],
    challenge_minutes: '31',
    page_colour: 'red',
    page_logo: 'https://shop.example/logo.png',
    page_note: 'x'.repeat(301),
    page_languages: ['fr', 'zz'],
    return_url_hosts: ['https://shop.example'],
    page_name: 'a\u0007b',
    wait_authorize: '26',
    default_authentication_indicator: 'never',
    colour: 'x',
  };
  expect(new Set(await problemsOf(wrong))).toEqual(new Set(Object.keys(wrong)));
  expect(await readSettings(w.service.tools, w.account)).toEqual(DEFAULT_SETTINGS);
  for (const logo of [
    'data:text/html;base64,PGI+',
    'data:image/svg+xml,<svg/>',
    `data:image/png;base64,${'A'.repeat(40_000)}`,
  ])
    expect(await problemsOf({ page_logo: logo })).toEqual(['page_logo']);
  for (const origin of ['shop.example', 'https://', 'https://u@shop.example', 'javascript:alert(1)', '*', 'null'])
    expect(await problemsOf({ registered_origins: [origin] })).toEqual(['registered_origins']);
});

test('a host is kept as addresses of it are read, and what is no host is refused', async () => {
  const hosts = await change({
    return_url_hosts: ['Shop.Example', 'bücher.example', 'shop.example', '127.0.0.1', '[::1]'],
  });
  expect(hosts.return_url_hosts).toEqual(['shop.example', 'xn--bcher-kva.example', '127.0.0.1', '[::1]']);
  for (const host of [
    '',
    '*',
    '*.shop.example',
    'shop.example:443',
    'shop.example/',
    'u@shop.example',
    'a b',
    'http://x',
  ])
    expect([host, await problemsOf({ return_url_hosts: [host] })]).toEqual([host, ['return_url_hosts']]);
  await change({ return_url_hosts: [] });
});

test('payers are led to hosts of the account alone: others are refused at checkout, order and retry, each by its name', async () => {
  await change({ return_url_hosts: ['shop.example', 'localhost'] });
  const at = (host: string) => ({ accept_url: `https://${host}/back?x=1`, cancel_url: 'https://shop.example/no' });
  const fieldsAt = (reply: Awaited<ReturnType<typeof w.shop.api>>) => reply.text.match(/"field":"\w+"/g);
  const checkout = (host: string) => w.shop.api('/payment/checkout', { body: { ...CHECKOUT, ...at(host) } });
  await until(async () => ((await checkout('evil.example')).status === 400 ? true : undefined));
  for (const host of [
    'evil.example',
    'shop.example.evil.example',
    'shop.example@evil.example',
    'a.shop.example',
    'evil.example#shop.example',
  ])
    expect([host, (await checkout(host)).status]).toEqual([host, 400]);
  expect(fieldsAt(await checkout('evil.example'))).toEqual(['"field":"accept_url"']);
  for (const host of ['shop.example', 'SHOP.example:8443', 'localhost:3000'])
    expect((await checkout(host)).status).toBe(200);
  const token = await w.shop.token();
  const order = { token, operation_type: 'authorize', amount: '5.00', currency: 'EUR', order_merchant_id: 'led' };
  const refused = await w.shop.api('/payment/order', { body: { ...order, pending_url: 'https://evil.example/' } });
  expect([refused.status, fieldsAt(refused)]).toEqual([400, ['"field":"pending_url"']]);
  const retry = await w.shop.api(`/payment/order/${'0'.repeat(24)}`, {
    method: 'PUT',
    body: { token, ...at('evil.example') },
  });
  expect([retry.status, fieldsAt(retry)]).toEqual([400, ['"field":"accept_url"']]);
  expect((await w.shop.api('/payment/order', { body: { ...order, ...at('shop.example') } })).status).toBe(200);
  await change({ return_url_hosts: [] });
});

test('who asks again for what was done before a host was taken out of the list is told of it, and not refused', async () => {
  const token = await w.shop.token();
  const of = { operation_type: 'authorize', amount: '5.00', currency: 'EUR', accept_url: URLS.accept_url };
  const order = { token, ...of, order_merchant_id: 'asked-again' };
  const headers = { prefer: 'wait=10', 'idempotency-key': 'asked-again' };
  const paid = await w.shop.order(order, headers);
  expect(paid.code).toBe('944444');
  const declined = await w.shop.pay({ card_number: '4000000000009995' });
  const path = `/payment/order/${textAt(declined, 'order_id')}`;
  const tried = { method: 'PUT', body: { token: await w.shop.token(), accept_url: URLS.accept_url }, headers };
  expect((await w.shop.api(path, tried)).code).toBe('955555');
  const link = { body: { currency: 'EUR', amount: '5', order_merchant_id: 'l', accept_url: URLS.accept_url }, headers };
  const made = await w.shop.api('/payment/link', link);
  const checkout = { body: { ...CHECKOUT, ...URLS } };
  const inForce = (status: number) =>
    until(async () => ((await w.shop.api('/payment/checkout', checkout)).status === status ? true : undefined));
  await change({ return_url_hosts: ['other.example'] });
  await inForce(400);
  for (const again of [await w.shop.order(order, headers), await w.shop.order(order, { prefer: 'wait=10' })])
    expect([again.status, again.code, again.at('order_id')]).toEqual([200, '944444', paid.at('order_id')]);
  const again = await w.shop.api(path, tried);
  expect([again.status, again.code, again.headers.get('idempotent-replayed')]).toEqual([200, '955555', 'true']);
  expect((await w.shop.api(path, { ...tried, headers: { prefer: 'wait=10' } })).code).toBe('955555');
  expect((await w.shop.api('/payment/link', link)).at('link')).toEqual(made.at('link'));
  const other = { ...order, token: await w.shop.token() };
  expect((await w.shop.order(other, headers)).at('errors.0.field')).toBe('accept_url');
  await change({ return_url_hosts: [] });
  await inForce(200);
});

test('when hosts are taken out of the list, payments that are open already lead to them no more: our page says the end', async () => {
  const [left, stuck] = [await hostedCheckout(w.shop, URLS), await hostedCheckout(w.shop, URLS)];
  await sendForm(`${left.url}/cancel`, { nonce: nonceIn(await open(left.url)) });
  expect((await open(left.url)).location).toBe(URLS.cancel_url);
  const card_number = '4000002760003184';
  const challenged = await w.shop.pay({ card_number }, { authentication_indicator: 'force_3ds', ...URLS });
  const bank = redirectOf(challenged);
  expect((await authenticates(challenged)).location).toBe(URLS.accept_url);
  await change({ return_url_hosts: ['other.example'] });
  for (const url of [left.url, bank, `${stuck.url}?unable`]) {
    const { status, location, heading } = await open(url);
    expect([location, heading !== '', status < 500]).toEqual([null, true, true]);
  }
  await change({ return_url_hosts: ['shop.example'] });
  expect([(await open(left.url)).location, (await open(bank)).location]).toEqual([URLS.cancel_url, URLS.accept_url]);
  await change({ return_url_hosts: [] });
});

test('page_inputs lets cards be typed in pages of other origins, with every key of the account, and with no other', async () => {
  const other = await w.otherShop();
  const from = async (shop: typeof other, key = shop.keys.public_key) =>
    (await shop.vault('/token', { body: GOOD_CARD, headers: { origin: 'https://shop.example' }, key })).status;
  expect(await from(w.shop)).toBe(403);
  await change({ page_inputs: true });
  await until(async () => ((await from(w.shop)) === 200 ? true : undefined));
  const later = makeKeyText(w.service.tools.chance, { letters: 'FL', kind: 'public', environment: 'sandbox' });
  await addKey(w.service.tools, w.account, { text: later, kind: 'public', label: 'later' });
  expect(await from(w.shop, later)).toBe(200);
  expect(await from(other)).toBe(403);
  await change({ page_inputs: false });
  await until(async () => ((await from(w.shop)) === 403 ? true : undefined));
});

test('require_cvc_for_saved_cards asks for the cvc again on e-commerce, and not for what is due without the payer', async () => {
  const token = await w.shop.token({ token_type: 'recurring' });
  await w.shop.pay({}, { token });
  await change({ require_cvc_for_saved_cards: true });
  const refused = await until(async () => {
    const reply = await w.shop.pay({}, { token });
    return reply.status === 400 ? reply : undefined;
  });
  expect([refused.code, refused.at('errors.0.field')]).toEqual(['111011', 'cvc']);
  expect((await w.shop.pay({}, { token, payment_channel: 'recurring' })).code).toBe('955555');
  // a card that was just typed has its cvc
  expect((await w.shop.pay({ token_type: 'recurring' })).code).toBe('955555');
  await change({ require_cvc_for_saved_cards: false });
});
