// Contract 2.1, 2.2, 2.10: content types, sizes, JSON that is none, and the names of fields that are not known.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT, GOOD_CARD, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { POSTS, type Visit, expectProblem, goodRequests, member, named, overSocket, visit } from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const posts = async () => (await goodRequests(w)).filter((route) => route.method === 'POST');

describe('a content type', () => {
  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/json;charset=UTF-8'],
    ['Application/JSON; Charset="utf-8"'],
    ['application/json ; charset=utf-8'],
    ['application/json; profile="https://shop.example/a;b"; charset=utf-8'],
    ['application/json; version=1'],
    ['application/json;'],
    [undefined],
    [''],
  ])('%s is taken on every route', async (type) => {
    for (const route of await posts()) {
      const answer = await visit(w, { ...route, headers: { 'content-type': type } });
      expect([route.path, answer.status]).toEqual([route.path, 200]);
    }
  });

  test.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json;charset=utf8',
    'application/jsonp',
    'application/json, text/plain',
    'application',
    '*/*',
    'json',
    'application/ld+json',
    'text/html; a=application/json',
    'application/json; charset=latin1',
    'application/json-patch+json',
  ])('%s is refused on every route', async (type) => {
    for (const route of POSTS)
      expectProblem(await visit(w, { ...route, headers: { 'content-type': type } }), 415, '111012');
  });
});

describe('a content encoding', () => {
  test.each(['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'none'])(
    '%s is refused on every route, with what to do, and nothing is done',
    async (coding) => {
      const good = await posts();
      const before = await w.sql('SELECT count(*) FROM payment.orders');
      for (const { host, method, path, body } of good) {
        const packed = coding === 'gzip' ? gzipSync(JSON.stringify(body)) : body;
        const headers = { 'content-encoding': coding };
        const answer = await visit(w, { host, method, path, body: packed, headers });
        expectProblem(answer, 415, '111012');
        expect(member(answer.body, 'detail')).toContain('without the header content-encoding');
      }
      expect(await w.sql('SELECT count(*) FROM payment.orders')).toEqual(before);
    },
  );

  test.each(['identity', '', 'UTF-8', 'utf8'])('%s is taken: the body is not compressed', async (coding) => {
    for (const route of await posts()) {
      const answer = await visit(w, { ...route, headers: { 'content-encoding': coding } });
      expect([route.path, answer.status]).toEqual([route.path, 200]);
    }
  });

  test('is not asked for where there is no body', async () => {
    const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
    const path = `/payment/maintenance/cancel/${order_id}`;
    const headers = { 'content-encoding': 'gzip', 'content-length': '0' };
    expect((await visit(w, { host: 'api', method: 'POST', path, headers })).status).toBe(200);
  });
});

const LIMITS = [
  ['api', 65_536],
  ['vault', 8192],
] as const;

/** A JSON object of exactly this many bytes. */
const sized = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;

describe.each(LIMITS)('the size of a body for the %s host', (host, limit) => {
  const routes = POSTS.filter((route) => route.host === host);

  test('may be the limit, and not a byte more', async () => {
    for (const route of routes) {
      expect((await visit(w, { ...route, body: sized(limit) })).status).toBe(400);
      expectProblem(await visit(w, { ...route, body: sized(limit + 1) }), 413, '111012');
    }
  });

  test('is counted in bytes, not in characters', async () => {
    for (const route of routes)
      expectProblem(await visit(w, { ...route, body: `{"a":"${'é'.repeat(limit / 2)}"}` }), 413, '111012');
  });

  test('is limited too when nobody says how long the body will be', async () => {
    for (const route of routes) {
      const headers = { 'content-length': undefined, 'transfer-encoding': 'chunked' };
      expectProblem(await visit(w, { ...route, body: sized(limit + 1), headers }), 413, '111012');
      expect((await visit(w, { ...route, body: sized(limit), headers })).status).toBe(400);
    }
  });

  test('is refused before it is sent when the headers say it', async () => {
    for (const route of routes) {
      const key = host === 'api' ? w.keys.private_key : w.keys.public_key;
      const head = `POST ${route.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-length: 1000000000\r\n\r\n`;
      expect(await overSocket(w, host, head)).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n/i);
    }
  });

  test('that is too large leaves its connection to the next request', async () => {
    for (const { path } of routes) {
      const key = host === 'api' ? w.keys.private_key : w.keys.public_key;
      const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-length: 300000\r\n\r\n`;
      const next = 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n';
      const said = await overSocket(w, host, head + ' '.repeat(300_000) + next);
      expect([path, said.match(/HTTP\/1\.1 \d+/g)]).toEqual([path, ['HTTP/1.1 413', 'HTTP/1.1 200']]);
    }
  });
});

const list = (count: number) => `[${Array.from({ length: count }, () => 0).join()}]`;
const members = (count: number) => Array.from({ length: count }, (_, i) => `"m${i}":0`).join();
const BAD_JSON: readonly (readonly [string, string | Buffer])[] = [
  ['half an object', '{"type":"api"'],
  ['garbage behind the object', '{"type":"api"} x'],
  ['a second object', '{}{}'],
  ['a member name twice', '{"type":"api","type":"api"}'],
  ['a member name twice by escape', '{"type":"api","t\\u0079pe":"api"}'],
  ['a member name twice deep inside', '{"x":{"y":[{"zebra":1,"zebra":2}]}}'],
  ['nine levels', `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`],
  ['nine levels of lists', `{"a":${'['.repeat(8)}${']'.repeat(8)}}`],
  ['2,001 members', `{${members(2001)}}`],
  ['2,001 members in several objects', `{"a":{${members(1000)}},"b":{${members(999)}}}`],
  ['a list of 201', `{"a":${list(201)}}`],
  ['a list', '[1]'],
  ['a list of objects', '[{"type":"api"}]'],
  ['a text', '"type"'],
  ['a number', '12'],
  ['null', 'null'],
  ['true', 'true'],
  ['only space', ' \n '],
  ['bytes that are no UTF-8', Buffer.from('{"a":"\xff\xfe"}', 'latin1')],
  ['a UTF-8 text cut short', Buffer.from('{"a":"é"}').subarray(0, 7)],
  ['an overlong UTF-8 sequence', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.from('{"type":"api"}', 'utf16le')],
  ['a byte order mark', '\ufeff{"type":"api"}'],
  ['a control character in a text', '{"a":"zebra\u0001"}'],
  ['a form', 'type=api&amount=1'],
  ['a comma too many', '{"type":"api",}'],
  ['a comment', '{"type":"api"/* zebra */}'],
  ['NaN', '{"amount":NaN}'],
  ['a number with a leading zero', '{"amount":010}'],
];

describe('a body that is no JSON object within the limits', () => {
  test.each(BAD_JSON)('is refused on every route: %s', async (_, body) => {
    // a body of 2,001 members is too large for the vault in any case
    for (const route of POSTS.filter(({ host }) => host === 'api' || body.length <= 8192)) {
      const answer = await visit(w, { ...route, body });
      expectProblem(answer, 400, '111012');
      expect(member(answer.body, 'errors')).toBeUndefined();
      expect(member(answer.body, 'type')).toMatch(/\/invalid-parameter$/);
      expect(answer.text).not.toContain('zebra');
    }
  });

  test('that is absent is one in which everything is missing', async () => {
    for (const route of POSTS)
      for (const body of [undefined, '', '{}']) expectProblem(await visit(w, { ...route, body }), 400, '111011');
  });

  test('that is absent may come with any content type', async () => {
    for (const route of POSTS)
      for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
        const none = { 'content-type': type, 'content-length': '0' };
        expectProblem(await visit(w, { ...route, body: undefined, headers: none }), 400, '111011');
        const some = { ...none, 'content-length': '1' };
        expectProblem(await visit(w, { ...route, body: ' ', headers: some }), 415, '111012');
      }
  });

  test('that is an empty list is one without fields, as PHP writes it; at the vault it is none', async () => {
    for (const route of POSTS) {
      const code = route.host === 'api' ? '111011' : '111012';
      expectProblem(await visit(w, { ...route, body: '[]' }), 400, code);
    }
    const order_id = textAt(await w.shop.pay(), 'order_id');
    const path = `/payment/maintenance/refund/${order_id}`;
    const refunded = await visit(w, { host: 'api', method: 'POST', path, body: '[]' });
    expect([refunded.status, refunded.code]).toEqual([200, '966666']);
  });

  test.each([
    ['eight levels', `"a":${'['.repeat(7)}${']'.repeat(7)}`],
    ['a list of 200', `"a":${list(200)}`],
    ['2,000 members', `"a":{${members(1990)}}`],
  ])('is taken up to the limits: %s', async (_, more) => {
    const body = JSON.stringify(CHECKOUT).replace(/\}$/, `,${more}}`);
    const answer = await visit(w, { host: 'api', method: 'POST', path: '/payment/checkout', body });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-fields']).toBe('a');
  });
});

describe('x-ignored-fields', () => {
  const checkout = async (fields: object | string, more: Partial<Visit> = {}) => {
    const body = typeof fields === 'string' ? fields : { ...CHECKOUT, ...fields };
    const answer = await visit(w, { host: 'api', method: 'POST', path: '/payment/checkout', body, ...more });
    return answer.headers['x-ignored-fields'];
  };

  test.each(named(POSTS))('is absent when every name is known: %s', async (_, { path }) => {
    for (const route of (await posts()).filter((post) => post.path === path))
      expect((await visit(w, route)).headers['x-ignored-fields']).toBeUndefined();
  });

  test.each(named(POSTS))('names what is not known, in body order, good or not: %s', async (_, route) => {
    const good = (await posts()).find((post) => post.path === route.path);
    for (const body of [good?.body, { token_type: 'none' }]) {
      const answer = await visit(w, { ...route, body: { zebra: 1, ...(body as object), apple: null, Type: '' } });
      expect(answer.headers['x-ignored-fields']).toBe('zebra, apple, Type');
    }
  });

  test('on the API, card data are names that are not known', async () => {
    expect(await checkout({ card_number: '4242424242424242', cvc: '123', card_validity_month: '12' })).toBe(
      'card_number, cvc, card_validity_month',
    );
  });

  test('shows nested names as a path', async () => {
    const basket_content = [{ product_id: 'a' }, { colour: 'red', product_name: 'x', size: { eu: 41 } }];
    expect(await checkout({ basket_content, merchant_data: [{ key: 'a', b: 1 }] })).toBe(
      'basket_content[1].colour, basket_content[1].size, merchant_data[0].b',
    );
  });

  test('holds at most 20 names, of at most 64 characters', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}`, 1]));
    expect((await checkout(many))?.toString().split(', ')).toEqual(Object.keys(many).slice(0, 20));
    expect(await checkout({ ['x'.repeat(65)]: 1, ['y'.repeat(64)]: 1 })).toBe(`${'x'.repeat(64)}, ${'y'.repeat(64)}`);
  });

  test('masks what may be a card number', async () => {
    expect(
      await checkout({ '4242424242424242': 1, card_4242424242424242_a: 1, a12345678901: 1, x123456789012: 1 }),
    ).toBe('#, card_#_a, a12345678901, x#');
    expect(await checkout({ [`${'x'.repeat(60)}4242424242424242`]: 1 })).toBe(`${'x'.repeat(60)}#`);
  });

  test.each([
    ['in groups', '4242 4242 4242 4242'],
    ['with hyphens', '4242-4242-4242-4242'],
    ['with points', '4242.4242.4242.4242'],
    ['as a form has it', '4242+4242+4242+4242'],
    ['percent-encoded', '4242424242424242'.replace(/\d/g, '%3$&')],
    ['with what is not seen between its digits', [...'4242424242424242'].join('\u200b')],
    ['as an American Express card has it', '3782 822463 10005'],
  ])('masks it however it is written, at both hosts: %s', async (_, number) => {
    const name = `card=${number}&cvc`;
    expect(await checkout({ [name]: 1 })).toBe('card=#&cvc');
    const vault = { host: 'vault', path: '/token', body: { [name]: 1 } } as const;
    expect((await visit(w, { method: 'POST', ...vault })).headers['x-ignored-fields']).toBe('card=#&cvc');
  });

  test('cannot carry a line end or another character that no header may hold', async () => {
    const ignored = await checkout({ 'a\r\nset-cookie: b': 1, é漢: 1, 'n\u0000': 1 });
    expect(ignored).toMatch(/^a\S{2}set-cookie: b, \S{2}, n\S$/);
    expect(ignored).toMatch(/^[\x20-\x7e]+$/);
  });

  test('names query parameters that are not known', async () => {
    const good = (await goodRequests(w)).filter((route) => route.method === 'GET');
    for (const route of good) {
      const answer = await visit(w, { ...route, path: `${route.path}?zebra=1&x=2` });
      expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([200, 'zebra, x']);
    }
  });

  test('does not name a query parameter that stands twice: it is refused, with its name', async () => {
    for (const query of ['limit=1&limit=2', 'limit=2&limit=2', 'limit=&limit=2', 'currency=EUR&limit=1&x=1&limit=1']) {
      const answer = await visit(w, { host: 'api', method: 'GET', path: `/payment/order?${query}` });
      expectProblem(answer, 400, '111012');
      expect(member(answer.body, 'errors')).toEqual([
        { field: 'limit', code: '111012', message: 'stands in the query more than once: send it once' },
      ]);
    }
    const unknown = await visit(w, { host: 'api', method: 'GET', path: '/payment/order?x=1&x=2' });
    expect([unknown.status, unknown.headers['x-ignored-fields']]).toEqual([200, 'x']);
  });

  test('names at the vault the API’s fields', async () => {
    const answer = await visit(w, {
      host: 'vault',
      method: 'POST',
      path: '/token',
      body: { amount: 1, ...GOOD_CARD, customer_id: 'c' },
    });
    expect(answer.headers['x-ignored-fields']).toBe('amount, customer_id');
  });
});
