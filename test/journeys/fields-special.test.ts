// Contract 2.2, 2.3, 4.2, 5.1: amounts with their currency, dates that must be ahead, own data, and names nobody may
// have.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../src/core/money.ts';
import { CHECKOUT, type Json, type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { Raw, jsonOf, shown } from './field-types.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

type Fields = Readonly<Record<string, unknown>>;
const create = (fields: Fields) => w.shop.api('/payment/checkout', { body: jsonOf({ ...CHECKOUT, ...fields }) });
const fieldsOf = (reply: Reply): (Json | undefined)[] => {
  const errors = reply.at('errors');
  return Array.isArray(errors) ? errors.map((_, i) => reply.at(`errors.${i}.field`)) : [];
};

describe('an amount', () => {
  test.each<[unknown, string, number]>([
    [42.5, 'EUR', 42.5],
    ['42.50', 'eur', 42.5],
    [new Raw('11.30'), 'EUR', 11.3],
    ['11.3', 'EUR', 11.3],
    [10, 'EUR', 10],
    ['10', 'EUR', 10],
    [0.01, 'EUR', 0.01],
    ['20.00', 'JPY', 20],
    [new Raw('20.00'), 'JPY', 20],
    [new Raw('20.000000'), 'KWD', 20],
    ['1.234', 'KWD', 1.234],
    ['0.0001', 'CLF', 0.0001],
    ['10000000000', 'EUR', 10_000_000_000],
    ['1000000000000', 'JPY', 1_000_000_000_000],
    ['9999999999.99', 'USD', 9_999_999_999.99],
    [new Raw('0.29'), 'EUR', 0.29],
    [new Raw('1.005000'), 'BHD', 1.005],
  ])('of %o %s is answered as %d', async (amount, currency, answered) => {
    const order_merchant_id = `${shown(amount)} ${currency}`;
    const reply = await create({ amount, currency, order_merchant_id });
    expect([reply.status, reply.at('checkout.amount')]).toEqual([200, answered]);
    expect(reply.at('checkout.currency')).toBe(currency.toUpperCase());
    expect(reply.text).toContain(`"amount":${answered},`);
    const token = await w.shop.token();
    const order = await w.shop.order({ token, checkout_id: textAt(reply, 'checkout.checkout_id') });
    expect([order.at('order_amount'), order.at('authorization_amount')]).toEqual([answered, answered]);
  });

  test.each<[unknown, string]>([
    ...[0, '0', '0.00', -1, '-1', new Raw('-0'), '-0', new Raw('1e2'), '1e2', new Raw('1E2'), new Raw('1e400')].map(
      (amount): [unknown, string] => [amount, 'EUR'],
    ),
    ...['NaN', 'Infinity', '-Infinity', '+1', '01', '00.5', '.5', '5.', '1,5', '1 000', ' 1', '1 ', '$1', 'ten'].map(
      (amount): [unknown, string] => [amount, 'EUR'],
    ),
    ...[true, [], {}, [1], { amount: 1 }, '１', '1.2.3', '0x10', '1_000'].map((amount): [unknown, string] => [
      amount,
      'EUR',
    ]),
    [new Raw('0.1000000000000000055'), 'EUR'],
    ['0.1000000000000000055', 'EUR'],
    [new Raw('11.301'), 'EUR'],
    [new Raw('42.5000000000000001'), 'EUR'],
    ['20.01', 'JPY'],
    [20.5, 'JPY'],
    ['1.2345', 'KWD'],
    ['1.00001', 'CLF'],
    ['10000000000.01', 'EUR'],
    [10_000_000_001, 'EUR'],
    ['1000000000001', 'JPY'],
    ['1000000000.001', 'KWD'],
    [new Raw('9'.repeat(400)), 'EUR'],
  ])('of %o %s is refused by name', async (amount, currency) => {
    const reply = await create({ amount, currency });
    expect([shown(amount), reply.status, fieldsOf(reply)]).toEqual([shown(amount), 400, ['amount']]);
  });

  test.each(['XXX', 'XAU', 'XDR', 'XTS', 'EU', 'EURO', 'E1R', '978', 'ZZZ', ' EUR', '€', 'toString', '__proto__'])(
    'is refused in %s, a currency without minor units or none at all',
    async (currency) => {
      const reply = await create({ currency });
      expect([reply.status, fieldsOf(reply)]).toEqual([400, ['currency']]);
    },
  );

  test('is taken in every currency of ISO 4217 that has minor units', async () => {
    const refused: string[] = [];
    for (const currency of [...CURRENCIES.keys(), 'XCD']) {
      const reply = await create({ amount: '1', currency });
      if (reply.status !== 200) refused.push(currency);
    }
    expect(refused).toEqual([]);
  });

  test('of a gift card counts in the currency of the gift card', async () => {
    const order = (fields: Fields) =>
      w.shop.api('/payment/order', { body: jsonOf({ ...CHECKOUT, token: '0'.repeat(64), ...fields }) });
    const yen = await order({ amount: 100, currency: 'JPY', giftcard_amount: '10.50', giftcard_currency: 'EUR' });
    expect([yen.code, fieldsOf(yen)]).toEqual(['241021', ['token']]);
    const euro = await order({ giftcard_amount: '10.50', giftcard_currency: 'JPY' });
    expect(fieldsOf(euro)).toEqual(['giftcard_amount']);
  });

  test('of a line counts in the currency of the checkout, also on an order that does not say it', async () => {
    const fields = { order_tax_amount: '1.5', basket_content: [{ total_amount: '2.5' }, { product_price: '3.00' }] };
    const both = ['order_tax_amount', 'basket_content[0].total_amount'];
    expect(fieldsOf(await create({ amount: 5, currency: 'JPY', ...fields }))).toEqual(both);
    const checkout_id = await w.shop.checkout({ amount: 5, currency: 'JPY' });
    expect(fieldsOf(await w.shop.order({ token: await w.shop.token(), checkout_id, ...fields }))).toEqual(both);
  });
});

describe('expiration_date', () => {
  const ahead = (seconds: number) => new Date(Date.now() + seconds * 1000);
  const DAY = 86_400;

  test.each([70, 3600, 29 * DAY, 30 * DAY - 20])('may be %d seconds ahead, in both styles', async (seconds) => {
    const at = ahead(seconds);
    const long = `${at.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $4 $5 GMT+0000')} (UTC)`;
    for (const sent of [at.toISOString(), at.toISOString().replace('Z', '+00:00'), long]) {
      const answered = textAt(await create({ expiration_date: sent }), 'checkout.expiration_date');
      expect(answered).toMatch(/^\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000 \(Coordinated Universal Time\)$/);
      expect(new Date(answered).getTime()).toBe(Math.floor(at.getTime() / 1000) * 1000);
    }
  });

  test.each([-3600, 0, 50, 30 * DAY + 20, 400 * DAY])('may not be %d seconds ahead', async (seconds) => {
    expect(fieldsOf(await create({ expiration_date: ahead(seconds).toISOString() }))).toEqual(['expiration_date']);
  });

  test.each(['tomorrow', '2024-02-30T00:00:00Z', 5, true, {}, []])('may not be %j', async (expiration_date) => {
    expect(fieldsOf(await create({ expiration_date }))).toEqual(['expiration_date']);
  });

  test('is in a quarter of an hour when it is not given', async () => {
    const at = new Date(textAt(await create({}), 'checkout.expiration_date')).getTime();
    expect(Math.abs(at - Date.now() - 900_000)).toBeLessThan(60_000);
  });
});

test('an address has a host where the standard wants it, not where browsers would guess it', async () => {
  for (const accept_url of ['https:///shop.example', 'https:////shop.example', 'https://\\shop.example'])
    expect([accept_url, fieldsOf(await create({ accept_url }))]).toEqual([accept_url, ['accept_url']]);
});

test('an ip is answered in canonical form, or refused', async () => {
  for (const ip of ['010.001.000.007', '01.2.3.4', '1.2.3.04', '::FFFF:203.0.113.7', '0:0:0:0:0:0:0:1']) {
    const reply = await create({ customer_ip: ip });
    const answered = reply.at('checkout.customer_ip');
    if (reply.status === 400) expect([ip, fieldsOf(reply)]).toEqual([ip, ['customer_ip']]);
    else expect([ip, answered]).toEqual([ip, expect.not.stringMatching(/(?:^|\.)0\d|[A-Z]|(?:0:){2}/)]);
  }
});

describe('merchant_data', () => {
  const data = (...merchant_data: unknown[]) => create({ merchant_data });

  test('is answered in one shape, its values as texts', async () => {
    const type = ['string', 'number', 'date', 'boolean', 'integer'];
    const sent = [
      { key: 'a' },
      { key: 5, value: 12 },
      { key: 'c', value: new Raw('1.50'), type: 'number' },
      { key: 'd', value: true, type: 'boolean', is_personal_data: 'true' },
      { key: 'e', value: 'x'.repeat(255), is_personal_data: null },
      { key: 'f', value: '', type: '' },
    ];
    const reply = await data(...sent, ...type.map((name) => ({ key: 'k'.repeat(50), type: name, value: '1' })));
    const whole = { type: 'string', value: '', is_personal_data: false };
    expect(reply.at('checkout.merchant_data')).toEqual([
      { ...whole, key: 'a' },
      { ...whole, key: '5', value: '12' },
      { ...whole, key: 'c', value: '1.50', type: 'number' },
      { ...whole, key: 'd', value: 'true', type: 'boolean', is_personal_data: true },
      { ...whole, key: 'e', value: 'x'.repeat(255) },
      { ...whole, key: 'f' },
      ...type.map((name) => ({ ...whole, key: 'k'.repeat(50), type: name, value: '1' })),
    ]);
  });

  test.each<[string, object, string]>([
    ['a key of 51', { key: 'k'.repeat(51) }, 'key'],
    ['a value of 256', { key: 'a', value: 'x'.repeat(256) }, 'value'],
    ['a list as value', { key: 'a', value: [] }, 'value'],
    ['an object as value', { key: 'a', value: {} }, 'value'],
    ['a control character', { key: 'a', value: 'x\u0001' }, 'value'],
    ['another type', { key: 'a', type: 'text' }, 'type'],
    ['another word for yes', { key: 'a', is_personal_data: 'yes' }, 'is_personal_data'],
  ])('is refused by its place: %s', async (_, item, field) => {
    expect(fieldsOf(await data({ key: 'good' }, item))).toEqual([`merchant_data[1].${field}`]);
  });

  test('needs a key for each value', async () => {
    for (const item of [{ value: 'x' }, { key: null }, { key: '' }, {}]) {
      const reply = await data(item);
      expect([reply.code, fieldsOf(reply)]).toEqual(['111011', ['merchant_data[0].key']]);
    }
  });

  test('holds at most 50', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}` }));
    expect((await data(...list(50))).status).toBe(200);
    expect(fieldsOf(await data(...list(51)))).toEqual(['merchant_data']);
  });
});

describe('names that objects have by birth', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
  const poison = Object.fromEntries(NAMES.map((name) => [name, { polluted: 'yes', prototype: { polluted: 'yes' } }]));
  const body = (more: object) => {
    const json = JSON.stringify({ ...CHECKOUT, ...more });
    return json.replace(/\}$/, `,${NAMES.map((name) => `"${name}":${JSON.stringify(poison['toString'])}`).join()}}`);
  };

  test.each(['/payment/checkout', '/payment/order', '/order/create'])(
    'are unknown fields like others on %s, and pollute nothing',
    async (path) => {
      const token = await w.shop.token();
      const reply = await w.shop.api(path, {
        body: body(path === '/payment/checkout' ? {} : { token, order_merchant_id: path }),
      });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ignored-fields')).toBe(NAMES.join(', '));
      expect(reply.text).not.toContain('polluted');
      expect('polluted' in {}).toBe(false);
    },
  );

  test('are unknown inside products, own data and card data too', async () => {
    const inside = NAMES.map((name) => `"${name}":{"polluted":"yes"}`).join();
    const text = JSON.stringify(CHECKOUT).replace(
      /\}$/,
      `,"basket_content":[{${inside}}],"merchant_data":[{"key":"a",${inside}}]}`,
    );
    const reply = await w.shop.api('/payment/checkout', { body: text });
    expect(reply.at('checkout.basket_content')).toEqual([{}]);
    expect(reply.at('checkout.merchant_data')).toEqual([
      { key: 'a', type: 'string', value: '', is_personal_data: false },
    ]);
    expect((await w.shop.vault('/token', { body: `{"card_number":"4242424242424242",${inside}}` })).code).toBe(
      '111011',
    );
    expect('polluted' in {}).toBe(false);
  });

  test('are not stored in outside data in a way that reaches a prototype', async () => {
    const token = await w.shop.token();
    const text = `{"token":"${token}","airline_data":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}},"amount":5,"currency":"EUR","operation_type":"direct_capture","order_merchant_id":"proto"}`;
    const reply = await w.shop.api('/payment/order', { body: text });
    expect(reply.code).toBe('955555');
    expect((await w.shop.read(textAt(reply, 'order_id'))).status).toBe(200);
    expect('polluted' in {}).toBe(false);
  });
});
