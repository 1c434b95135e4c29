// Contract 2.1, 2.7, 2.8, 2.9: the headers of requests and answers, on every route of both hosts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOOD_CARD } from '../client.ts';
import { type World, world } from '../world.ts';
import {
  type Answer,
  POSTS,
  ROUTES,
  TOKEN,
  type Visit,
  expectFieldProblem,
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

const NO_KEY = { 'x-api-key': undefined };
const BAD_KEY = { 'x-api-key': 'FL_PR_sUnknownUnknownUnknown' };

/** Requests that end in each kind of answer there is. */
async function everyKind(): Promise<[string, Visit][]> {
  const good = await goodRequests(w);
  const bad = ROUTES.flatMap((route): [string, Visit][] => [
    ['without a key', { ...route, headers: NO_KEY }],
    ['with an unknown key', { ...route, headers: BAD_KEY }],
    ['with a bad version', { ...route, headers: { version: '9' } }],
    ['of another method', { ...route, method: 'PATCH', body: undefined }],
    ['with a slash behind', { ...route, path: `${route.path}/` }],
  ]);
  const posts = POSTS.flatMap((route): [string, Visit][] => [
    ['with bad fields', { ...route, body: { amount: -1, card_number: '1' } }],
    ['with another type', { ...route, headers: { 'content-type': 'text/xml' } }],
    ['with a body too large', { ...route, body: `{"a":"${'x'.repeat(70_000)}"}` }],
    ['with bad JSON', { ...route, body: '{' }],
  ]);
  return [...named(good), ...bad, ...posts].map(([what, v]) => [`${v.method} ${v.path} ${what}`, v]);
}

async function answers(): Promise<[string, Answer][]> {
  const kinds = await everyKind();
  return Promise.all(kinds.map(async ([what, v]): Promise<[string, Answer]> => [what, await visit(w, v)]));
}

describe('every answer', () => {
  test('carries a request id of 24 hex, which is the instance of an error', async () => {
    const ids = new Set<string>();
    for (const [what, answer] of await answers()) {
      const id = String(answer.headers['x-request-id']);
      expect([what, id]).toEqual([what, expect.stringMatching(/^[0-9a-f]{24}$/)]);
      if (answer.status >= 400) expect([what, member(answer.body, 'instance')]).toEqual([what, id]);
      ids.add(id);
    }
    expect(ids.size).toBeGreaterThan(40);
  });

  test('is not stored by caches', async () => {
    const stored = (await answers()).filter(([, answer]) => answer.headers['cache-control'] !== 'no-store');
    expect(stored.map(([what, { status }]) => `${status} ${what}`)).toEqual([]);
  });

  test('is JSON, problem+json from 400 on, with a result', async () => {
    for (const [what, answer] of await answers()) {
      const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
      expect([what, answer.headers['content-type']]).toEqual([what, expect.stringContaining(type)]);
      expect([what, typeof answer.code]).toEqual([what, 'string']);
    }
  });

  test('takes later request ids for later requests', async () => {
    const ids: string[] = [];
    for (const route of [...ROUTES, ...ROUTES]) {
      const id = String((await visit(w, route)).headers['x-request-id']);
      // seconds and milliseconds; what follows is chance
      ids.push(id.slice(0, 8) + String(Number.parseInt(id.slice(8, 12), 16) >> 6).padStart(4, '0'));
    }
    expect(ids).toEqual(ids.toSorted());
  });

  test.each(['api', 'vault'] as const)('of the %s host to what is no HTTP has a request id too', async (host) => {
    const reply = await overSocket(w, host, 'BREW /coffee HTTP/9.9\r\n\r\n');
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const id = /^x-request-id: ([0-9a-f]{24})$/im.exec(head)?.[1];
    expect(JSON.parse(body)).toMatchObject({ status: 400, instance: id, result: { code: '111012' } });
  });

  test.each([
    ['api', '/payment/checkout'],
    ['vault', '/token'],
  ] as const)('of the %s host is the same under an expectation that it does not know', async (host, path) => {
    const sent = '{"card_number":"4242424242424241"}';
    for (const expectation of ['banana', '200-ok, 100-continue', '100-continue']) {
      const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: ${expectation}\r\ncontent-length: ${sent.length}`;
      const key = `x-api-key: ${w.keys.private_key}\r\nconnection: close`;
      const reply = await overSocket(w, host, `${head}\r\n${key}\r\n\r\n${sent}`);
      const [answered = '', body = ''] = reply.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '').split('\r\n\r\n');
      const id = /^x-request-id: ([0-9a-f]{24})$/im.exec(answered)?.[1];
      expect([expectation, answered.split('\r\n')[0]]).toEqual([expectation, 'HTTP/1.1 400 Bad Request']);
      expect(JSON.parse(body)).toMatchObject({ status: 400, instance: id, errors: expect.any(Array) });
    }
  });
});

const VERSIONS = [
  ['2.3.0', '2.3.0'],
  ['1.0.0', '1.0.0'],
  ['2.3', '2.3.0'],
  ['1.9', '1.9.0'],
  ['1', '1.0.0'],
  ['2', '2.0.0'],
  ['2.9999.9999', '2.9999.9999'],
  ['1.0', '1.0.0'],
  ['', '2.3.0'],
  [undefined, '2.3.0'],
] as const;
const BAD_VERSIONS = ['0', '3', '3.0.0', '10.0.0', '2.3.0.1', '2.', '.2', 'v2', '2.x', '-1', '2,3', '12345', '2.12345'];
const WORSE_VERSIONS = ['2.3.0-beta', 'latest', '1e0', '2 3', '２', 'null'];

describe('version', () => {
  test.each(VERSIONS)('%s is answered as %s on every route', async (sent, answered) => {
    for (const route of await goodRequests(w)) {
      const answer = await visit(w, { ...route, headers: { version: sent } });
      expect([route.path, answer.status, answer.headers.version]).toEqual([route.path, 200, answered]);
    }
  });

  test.each([...BAD_VERSIONS, ...WORSE_VERSIONS])('%s is refused on every route', async (version) => {
    for (const route of ROUTES) {
      const sent = Buffer.from(version).toString('latin1');
      const answer = await visit(w, { ...route, headers: { version: sent } });
      expectFieldProblem(answer, 'version');
      expect(answer.headers.version).toBe('2.3.0');
    }
  });

  test('is answered on errors too', async () => {
    for (const route of ROUTES) {
      for (const headers of [NO_KEY, BAD_KEY, {}]) {
        const answer = await visit(w, { ...route, headers: { ...headers, version: '1.9' }, body: route.body && {} });
        expect([route.path, answer.headers.version]).toEqual([route.path, '1.9.0']);
      }
    }
  });
});

describe('Idempotency-Key', () => {
  test.each(['x', '!~', `{"a":${process.pid}}`, 'k'.repeat(255)])(
    '%s is taken by every path, for itself',
    async (key) => {
      for (const route of (await goodRequests(w)).filter(({ method }) => method === 'POST')) {
        const answer = await visit(w, { ...route, headers: { 'idempotency-key': key } });
        expect([route.path, answer.status]).toEqual([route.path, 200]);
        expect(answer.headers['idempotent-replayed']).toBeUndefined();
      }
    },
  );

  test.each(named(POSTS))('of another form is refused by %s', async (_, route) => {
    for (const key of ['k'.repeat(256), 'a b', 'schlüssel', 'a\tb', '']) {
      const answer = await visit(w, { ...route, headers: { 'idempotency-key': key } });
      expectFieldProblem(answer, 'Idempotency-Key');
      if (key.length > 3) expect(answer.text).not.toContain(key);
    }
  });

  test('is refused together with a bad version', async () => {
    for (const route of POSTS) {
      const answer = await visit(w, { ...route, headers: { 'idempotency-key': 'a b', version: '7' } });
      expectFieldProblem(answer, 'Idempotency-Key');
      expectFieldProblem(answer, 'version');
    }
  });

  test('holds at the vault too: the same card again is the same token, another card is refused', async () => {
    const route = { ...TOKEN, headers: { 'idempotency-key': 'vault-1' } };
    const first = await visit(w, route);
    const again = await visit(w, { ...route, body: { ...GOOD_CARD, cvc: '999' } });
    const other = await visit(w, { ...route, body: { ...GOOD_CARD, card_number: '5555555555554444' } });
    expect(first.status).toBe(200);
    expectProblem(other, 422, '111012');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(member(again.body, 'token')).toBe(member(first.body, 'token'));
  });
});

describe('Prefer', () => {
  test.each([
    ['wait=1', 'wait=1'],
    ['wait=25', 'wait=25'],
    ['wait=26', 'wait=25'],
    ['wait=99999999999999999999', 'wait=25'],
    ['respond-async', 'respond-async'],
    ['respond-async, wait=2', 'wait=2'],
    ['wait=2, respond-async', 'wait=2'],
    ['return=minimal, wait=3', 'wait=3'],
    ['Wait=2', 'wait=2'],
    ['wait="2"', 'wait=2'],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait=soon', undefined],
    ['wait', undefined],
    ['return=minimal', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is honoured as %s', async (prefer, applied) => {
    const orders = (await goodRequests(w)).filter((route) => route.path === '/payment/order');
    for (const order of orders) {
      const answer = await visit(w, { ...order, headers: { prefer } });
      expect([answer.status, answer.headers['preference-applied']]).toEqual([200, applied]);
    }
  });

  test.each(['wait=0', 'respond-async'])('%s does not wait, wait=25 waits for the outcome', async (prefer) => {
    const orders = () => goodRequests(w).then((all) => all.filter((route) => route.method === 'POST').slice(1, 3));
    for (const order of await orders()) expect((await visit(w, { ...order, headers: { prefer } })).code).toBe('421080');
    for (const order of await orders())
      expect((await visit(w, { ...order, headers: { prefer: 'wait=25' } })).code).toBe('944444');
  });
});
