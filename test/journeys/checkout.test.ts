import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOGO_FIELDS, SCHEME_NAMES } from '../../src/core/card.ts';
import { CHECKOUT, type Json, send, textAt } from '../client.ts';
import { logoPaths } from '../../src/vault/logos/pages.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const create = (fields: object = {}) => w.shop.api('/payment/checkout', { body: { ...CHECKOUT, ...fields } });
const names = (list: Json | undefined) =>
  Array.isArray(list)
    ? list.map((item: Json) => (typeof item === 'object' && item !== null && 'name' in item ? item['name'] : undefined))
    : [];

test('the answer of a checkout has every member of the contract', async () => {
  const reply = await create({ customer_id: 5512, currency: 'eur' });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    result: { code: '011111', description: 'checkout created successfully' },
    checkout: {
      status: 'created',
      type: 'api',
      operation_type: 'authorize',
      payment_channel: 'e-commerce',
      token_type: 'oneshot',
      order_merchant_id: 'cart-1881',
      amount: 42.5,
      currency: 'EUR',
      customer_id: '5512',
      merchant_data: [],
      hosted_page_configuration: { hosted_fields: {} },
    },
    payment_methods: { payment_methods_saved: [], payment_methods_used: [] },
  });
  expect(reply.at('checkout.checkout_id')).toMatch(/^[0-9a-f]{24}$/);
  expect(reply.at('checkout.expiration_date')).toMatch(
    /^\w{3} \w{3} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT\+0000 \(Coordinated Universal Time\)$/,
  );
  expect(reply.at('redirect_url')).toBeUndefined();
  expect(names(reply.at('payment_methods.payment_methods_available'))).toEqual([...SCHEME_NAMES]);
});

test('every logo that is answered is really served, without a key, to any origin', async () => {
  const reply = await create();
  const files = new Set<string>();
  for (let i = 0; i < SCHEME_NAMES.length; i++)
    for (const field of LOGO_FIELDS)
      files.add(textAt(reply, `payment_methods.payment_methods_available.${i}.${field}`));
  expect(files.size).toBe(SCHEME_NAMES.length * LOGO_FIELDS.length);
  for (const file of files)
    for (const folder of ['logo', 'partners']) {
      const logo = await send(`${w.service.addresses.vault_url}/image/${folder}/${file}`, {});
      expect([file, logo.status, logo.headers.get('content-type')]).toEqual([
        file,
        200,
        file.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
      ]);
      expect(logo.headers.get('access-control-allow-origin')).toBe('*');
    }
  const other = await send(`${w.service.addresses.vault_url}/image/logo/..%2f..%2fpackage.json`, {});
  expect([other.status, other.code]).toEqual([404, '404000']);
});

test('an operator’s own logo is served instead of ours, unless it could do harm', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'florin-logos-'));
  const folder = join(data_dir, 'logos');
  mkdirSync(folder);
  const own = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
  writeFileSync(join(folder, 'visa.svg'), own);
  writeFileSync(join(folder, 'amex.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  writeFileSync(join(folder, 'Visa_white@2x.png'), 'not a picture');
  const answer = logoPaths(folder, w.service.tools.log)[0]?.answer;
  const body = async (file: string) => answer?.({ file })?.body.toString() ?? '';
  expect(await body('visa.svg')).toBe(own);
  expect(await body('amex.svg')).not.toContain('script');
  expect(await body('amex.svg')).toContain('<svg');
  expect(await body('Visa_white@2x.png')).not.toBe('not a picture');
  rmSync(data_dir, { recursive: true });
});

test('hosted types answer a page address instead of payment methods', async () => {
  for (const type of ['hosted_page', 'qrcode', 'mail_to_pay']) {
    const reply = await create({ type });
    expect(reply.at('redirect_url')).toMatch(new RegExp(`^${w.service.addresses.vault_url}/pay/[0-9a-f]{64}$`));
    expect(reply.at('payment_methods')).toBeUndefined();
    const read = await w.shop.api(`/payment/checkout/${textAt(reply, 'checkout.checkout_id')}`);
    expect(read.at('redirect_url')).toBe(reply.at('redirect_url'));
  }
});

test('the methods listed are narrowed by name, contract, currency, channel and country', async () => {
  const listed = async (fields: object) =>
    names((await create(fields)).at('payment_methods.payment_methods_available'));
  expect(await listed({ payment_method_name: 'visa' })).toEqual(['visa']);
  expect(await listed({ payment_method_name: 'no-such-method' })).toEqual([]);
  const narrow = { methods: '{visa,cb}', currencies: '{EUR,USD}', channels: '{e-commerce}', countries: '{FR,DE}' };
  for (const [column, list] of Object.entries(narrow))
    await w.sql(`UPDATE payment.contracts SET ${column} = $1`, [list]);
  try {
    await untilListed(() => listed({}), ['visa', 'cb']);
    expect(await listed({ currency: 'GBP' })).toEqual([]);
    expect(await listed({ payment_channel: 'moto' })).toEqual([]);
    expect(await listed({ customer_country: 'US' })).toEqual([]);
    expect(await listed({ customer_country: 'fr' })).toEqual(['visa', 'cb']);
    const order = await w.shop.pay({ card_number: '5555555555554444' });
    expect([order.status, order.code, order.at('status')]).toEqual([200, '151040', 'authorization_declined']);
    const currency = await w.shop.pay({}, { currency: 'GBP' });
    expect(currency.code).toBe('151041');
    const channel = await w.shop.pay({}, { payment_channel: 'moto' });
    expect(channel.code).toBe('151042');
  } finally {
    for (const column of Object.keys(narrow)) await w.sql(`UPDATE payment.contracts SET ${column} = '{}'`);
    await untilListed(() => listed({}), [...SCHEME_NAMES]);
  }
});

/** A changed contract is seen within a second. */
async function untilListed(list: () => Promise<readonly unknown[]>, wanted: readonly string[]): Promise<void> {
  const { until } = await import('../client.ts');
  await until(async () => (JSON.stringify(await list()) === JSON.stringify(wanted) ? true : undefined));
}

test('a checkout is read as it stands: created, processing, completed, expired', async () => {
  const checkout_id = await w.shop.checkout({ operation_type: 'direct_capture' });
  const read = () => w.shop.api(`/payment/checkout/${checkout_id}`);
  const before = await read();
  expect([
    before.code,
    before.at('checkout.status'),
    before.at('checkout.attempts_remaining'),
    before.at('checkout.orders'),
  ]).toEqual(['011111', 'created', 3, []]);
  const order = await w.shop.order({ token: await w.shop.token(), checkout_id });
  const after = await read();
  expect([after.code, after.at('checkout.status'), after.at('checkout.attempts_remaining')]).toEqual([
    '955555',
    'completed',
    2,
  ]);
  expect(after.at('checkout.orders')).toEqual([{ order_id: order.at('order_id'), status: 'capture_successful' }]);
  expect(after.at('payment_methods')).toBeUndefined();
  const again = await w.shop.order({ token: await w.shop.token(), checkout_id });
  expect([again.status, again.code, again.at('order_id')]).toEqual([409, '111035', order.at('order_id')]);
});

test('an expired checkout takes no order and no token', async () => {
  const checkout_id = await w.shop.checkout();
  const token = await w.shop.token();
  await w.sql(`UPDATE payment.checkouts SET expires_at = payment.now() - interval '1 s' WHERE id = decode($1, 'hex')`, [
    checkout_id,
  ]);
  const read = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect([read.code, read.at('checkout.status')]).toEqual(['161000', 'expired']);
  const order = await w.shop.order({ token, checkout_id });
  expect([order.status, order.code, order.at('errors.0.field')]).toEqual([400, '111012', 'checkout_id']);
});

test('expiration_date is taken in both forms and answered in the long one', async () => {
  const at = new Date(Date.now() + 3_600_000);
  at.setUTCMilliseconds(0);
  const long = await create({ expiration_date: at.toISOString() });
  const text = textAt(long, 'checkout.expiration_date');
  expect(new Date(text).getTime()).toBe(at.getTime());
  const again = await create({ expiration_date: text });
  expect(again.at('checkout.expiration_date')).toBe(text);
  for (const seconds of [30, 31 * 24 * 3600]) {
    const reply = await create({ expiration_date: new Date(Date.now() + seconds * 1000).toISOString() });
    expect([reply.status, reply.at('errors.0.field')]).toEqual([400, 'expiration_date']);
  }
});

test('a recurring checkout answers a subscription id', async () => {
  const reply = await create({ payment_channel: 'recurring', token_type: 'recurring' });
  expect(reply.at('checkout.subscription_id')).toMatch(/^[0-9a-f]{24}$/);
});

test('a checkout of another account does not exist here', async () => {
  const other = await w.otherShop();
  const checkout_id = await w.shop.checkout();
  const foreign = await other.api(`/payment/checkout/${checkout_id}`);
  const unknown = await other.api('/payment/checkout/6b0000000000000000000000');
  expect([foreign.status, foreign.code]).toEqual([404, '111012']);
  expect(foreign.at('detail')).toBe(unknown.at('detail'));
  const order = await other.order({ token: await other.token(), checkout_id });
  expect([order.status, order.code, order.at('errors.0.field')]).toEqual([400, '111012', 'checkout_id']);
});
