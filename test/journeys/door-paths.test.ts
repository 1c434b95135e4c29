// Contract 2, 2.5, 6.5: routes, methods, ids, and what other origins may do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import {
  type Answer,
  ROUTES,
  TOKEN,
  UNKNOWN_ID,
  expectProblem,
  goodRequests,
  member,
  named,
  overSocket,
  visit,
} from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const expectNoRoute = (answer: Answer) => {
  expectProblem(answer, 404, '404000');
  expect(member(answer.body, 'type')).toMatch(/\/unknown-route$/);
};

describe('an unknown route', () => {
  test.each(
    [
      '/nothing /payment /payment/checkouts /payment/Checkout /PAYMENT/ORDER /payment/orders/1',
      '//payment/checkout /payment//checkout /payment/checkout/a/b /./payment/checkout/x/y /token/x',
      '/problems/no-such-page /problems/__proto__ /problems/toString /problems/constructor /%2e%2e/etc',
      '/payment%2Fcheckout /payment/checkout;a=1 /.env /image/logo/../../package.json /image/logo/.',
      '/image/logo/%2e%2e%2f%2e%2e%2fpackage.json /image/logo/none.svg',
    ].flatMap((line) => line.split(' ')),
  )('is 404 on both hosts, with key and without: %s', async (path) => {
    for (const host of ['api', 'vault'] as const)
      for (const headers of [{}, { 'x-api-key': undefined }, { 'x-api-key': 'wrong' }])
        for (const method of ['GET', 'POST'])
          expectNoRoute(await visit(w, { host, method, path, headers, body: method === 'POST' ? '{' : undefined }));
  });

  test('is also a path that ends in a slash, whatever the method', async () => {
    for (const route of [
      ...ROUTES,
      { host: 'api', path: '/payment/checkout' },
      { host: 'vault', path: '/token' },
    ] as const)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
        for (const path of [route.path, route.path.replace(UNKNOWN_ID, '').replace(/\/$/, '')]) {
          const answer = await visit(w, { host: route.host, method, path: `${path}/` });
          expect([method, `${path}/`, answer.status]).toEqual([method, `${path}/`, 404]);
          expectNoRoute(answer);
        }
  });

  test('of one host is not served by the other', async () => {
    for (const route of ROUTES)
      expectNoRoute(await visit(w, { ...route, host: route.host === 'api' ? 'vault' : 'api' }));
  });

  const ODD_IDS = ['%', '%zz', '%e0%a4%a', '%00', '%c0%ae', 'a%2fb', '\\', '{id}', ':checkout_id', '.', '..', '?', '#'];
  test.each([...ODD_IDS.map((id) => [id, id]), ['1,200 letters', 'x'.repeat(1200)]])(
    'or object, never another answer: an id of %s',
    async (_, id) => {
      for (const folder of ['checkout', 'order']) {
        const answer = await visit(w, { host: 'api', method: 'GET', path: `/payment/${folder}/${id}` });
        expectProblem(answer, 404, answer.code === '404000' ? '404000' : '111012');
      }
    },
  );

  test.each(['api', 'vault'] as const)('of the %s host may be any bytes', async (host) => {
    for (const path of ['/%', '/payment/%ff%fe', '/%zz%', '/token%']) {
      const reply = await overSocket(w, host, `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
      expect([path, reply.slice(0, 12)]).toEqual([path, 'HTTP/1.1 404']);
      expect(JSON.parse(reply.split('\r\n\r\n')[1] ?? '')).toMatchObject({ result: { code: '404000' } });
    }
  });
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];
const RARE = ['TRACE', 'PROPFIND', 'MKCOL', 'QUERY', 'PURGE'];

describe('a method that a route does not take', () => {
  test.each(named(ROUTES))('is 405 with the methods it takes: %s', async (_, route) => {
    const retried = route.path.startsWith('/payment/order/') ? ['PUT'] : [];
    const listed = route.path === '/payment/order' ? ['GET', 'HEAD'] : [];
    const taken = route.method === 'GET' ? [...retried, 'GET', 'HEAD'] : ['POST', ...listed];
    const others = METHODS.filter((name) => !taken.includes(name) && (name !== 'OPTIONS' || route.host === 'api'));
    for (const method of others) {
      for (const headers of [{}, { 'x-api-key': undefined, version: '9', 'content-type': 'text/xml' }]) {
        const answer = await visit(w, { ...route, method, headers, body: undefined });
        expect([method, answer.status]).toEqual([method, 405]);
        if (method !== 'HEAD') expectProblem(answer, 405, '404000');
        expect(answer.headers.allow?.split(', ').filter((name) => name !== 'OPTIONS')).toEqual(taken);
      }
    }
  });

  test.each(named(ROUTES))('is 405 also where hardly anybody uses it: %s', async (_, route) => {
    for (const method of RARE) {
      const answer = await visit(w, { ...route, method, body: undefined });
      expect([method, answer.status, answer.code]).toEqual([method, 405, '404000']);
    }
  });

  test('HEAD is GET without a body', async () => {
    for (const route of (await goodRequests(w)).filter(({ method }) => method === 'GET')) {
      const answer = await visit(w, { ...route, method: 'HEAD' });
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
  });
});

describe('an id', () => {
  test('that is unknown, malformed or of another account gives the same answer', async () => {
    const other = await w.otherShop();
    const [checkout_id, order_id] = [await other.checkout(), textAt(await other.pay(), 'order_id')];
    for (const [folder, foreign] of [
      ['checkout', checkout_id],
      ['order', order_id],
    ] as const) {
      const bodies = new Set<string>();
      const ids = [foreign, UNKNOWN_ID, foreign.toUpperCase(), '1', 'x'.repeat(24), foreign.slice(1), `${foreign}0`];
      for (const id of [...ids, `${foreign}%00`, '%20', 'null', '__proto__', "'; DROP TABLE x; --", '0'.repeat(1000)]) {
        const path = `/payment/${folder}/${encodeURI(decodeURIComponent(id))}`;
        const answer = await visit(w, { host: 'api', method: 'GET', path });
        expectProblem(answer, 404, '111012');
        expect(member(answer.body, 'type')).toMatch(/\/unknown-object$/);
        bodies.add(answer.text.replace(String(answer.headers['x-request-id']), ''));
      }
      expect([...bodies]).toHaveLength(1);
      expect((await other.api(`/payment/${folder}/${foreign}`)).status).toBe(200);
    }
  });
});

describe('other origins', () => {
  const cross = (answer: Answer) =>
    Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control-'));
  const list = (value: string | string[] | undefined) => String(value).toLowerCase().split(/, ?/).toSorted();

  test('may ask the vault what they may send', async () => {
    const origin = 'https://shop.example';
    const headers = { origin, 'access-control-request-method': 'POST', 'x-api-key': undefined };
    const answer = await visit(w, { ...TOKEN, method: 'OPTIONS', body: undefined, headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(list(answer.headers['access-control-allow-methods'])).toContain('post');
    expect(list(answer.headers['access-control-allow-headers'])).toEqual(
      ['content-type', 'x-api-key', 'version', 'accept', 'idempotency-key'].toSorted(),
    );
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('may read every answer of the vault to POST, errors included', async () => {
    const origin = 'https://shop.example';
    const kinds = [
      { status: 200 },
      { status: 403, headers: { origin } },
      { status: 401, headers: { 'x-api-key': undefined } },
      { status: 403, headers: { 'x-api-key': 'unknown' } },
      { status: 400, headers: { version: '9' } },
      { status: 415, headers: { 'content-type': 'text/xml' } },
      { status: 413, body: 'x'.repeat(9000) },
      { status: 400, body: '{' },
      { status: 400, body: {} },
    ];
    for (const { status, ...kind } of kinds) {
      const answer = await visit(w, { ...TOKEN, ...kind });
      expect(answer.status).toBe(status);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(list(answer.headers['access-control-expose-headers'])).toEqual(['version', 'x-request-id']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('get no cross-origin header from the API', async () => {
    const pages = ['/openapi.json', '/problems', '/problems/internal', '/'].map((path) => ({ path, method: 'GET' }));
    const requests = [...(await goodRequests(w)).filter(({ host }) => host === 'api'), ...pages];
    for (const { path, method, ...rest } of requests)
      for (const verb of [method, 'OPTIONS']) {
        const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
        const answer = await visit(w, { ...rest, host: 'api', path, method: verb, headers });
        expect([verb, path, cross(answer)]).toEqual([verb, path, []]);
      }
  });

  test('may type card data into a page of theirs only where the account allows it (off by default)', async () => {
    const shop = await w.otherShop();
    const headers = { origin: 'https://shop.example' };
    const tokenize = () => shop.vault('/token', { body: TOKEN.body, headers });
    const refused = await tokenize();
    expect([refused.status, refused.code]).toEqual([403, '111023']);
  });
});
