// Contract 2.10: how much a caller may ask. Every world here has limits of its own.
import { describe, expect, test } from 'vitest';
import { addKey, makeKeyText } from '../../src/payment/merchant/keys.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import {
  type Answer,
  ROUTES,
  TOKEN,
  UNKNOWN_ID,
  type Visit,
  expectProblem,
  goodRequests,
  member,
  visit,
} from './door.ts';

const READ: Visit = { host: 'api', method: 'GET', path: `/payment/order/${UNKNOWN_ID}` };

function expectTooMany(answer: Answer, policy: RegExp): void {
  expectProblem(answer, 429, '111013');
  expect(member(answer.body, 'type')).toMatch(/\/rate-limited$/);
  const after = Number(answer.headers['retry-after']);
  expect(Number.isInteger(after) && after >= 1 && after <= 60).toBe(true);
  expect(answer.headers['ratelimit']).toMatch(/^"[a-z-]+";r=0;t=\d+$/);
  expect(answer.headers['ratelimit-policy']).toMatch(policy);
  expect(answer.headers['cache-control']).toBe('no-store');
}

const AT_ONCE = 20;

/**
 * Sends until the host says 429; how many came in. Many at once: a slow machine could be slower than the limit with
 * one after the other.
 */
async function countUntilRefused(w: World, request: Visit): Promise<[number, Answer]> {
  for (let count = 0; count < 500;) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => visit(w, request)));
    const refused = answers.filter(({ status }) => status === 429);
    count += answers.length - refused.length;
    if (refused[0]) return [count, refused[0]];
  }
  throw new Error('all requests were let in');
}

describe('requests of one key', () => {
  test('are limited per second with twice as many in a burst, on every route, and let in again after a while', async () => {
    await using w = await world({ FLORIN_REQUESTS_PER_SECOND: '5' });
    const good = (await goodRequests(w)).filter(({ host }) => host === 'api');
    const [count, refused] = await countUntilRefused(w, READ);
    expect(count).toBeGreaterThan(4);
    expectTooMany(refused, /^"key";q=5;w=1$/);
    for (const route of good) {
      const [, late] = await countUntilRefused(w, route);
      expectTooMany(late, /^"key";q=5;w=1$/);
    }
    const other = await w.otherShop();
    expect((await other.api(READ.path)).status).toBe(404);
    await until(async () => ((await visit(w, READ)).status === 404 ? true : undefined));
  });

  test('are limited at the vault too, each host for itself', async () => {
    await using w = await world({ FLORIN_REQUESTS_PER_SECOND: '5' });
    const [count, refused] = await countUntilRefused(w, TOKEN);
    expect(count).toBeGreaterThanOrEqual(10);
    expectTooMany(refused, /^"key";q=5;w=1$/);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
    expect((await visit(w, READ)).status).toBe(404);
  });

  test('are limited by how many run at once', async () => {
    await using w = await world({ FLORIN_REQUESTS_RUNNING: '3' });
    // five whose bodies have not come to their end: two of them are too many
    const refused: number[] = [];
    const held = new Map(
      Array.from({ length: 5 }, (_, n) => {
        const { readable: body, writable } = new TransformStream<Buffer, Buffer>();
        const writer = writable.getWriter();
        void writer.write(Buffer.from('{')).catch(() => undefined);
        const headers = { 'x-api-key': w.keys.private_key, 'content-type': 'application/json' };
        const half = { method: 'POST', headers, body, duplex: 'half' } as const;
        const status = fetch(`${w.service.addresses.base_url}/payment/checkout`, half).then((answer) => {
          if (answer.status === 429) {
            refused.push(answer.status);
            held.delete(n);
          }
          return answer.status;
        });
        return [n, { writer, status }] as const;
      }),
    );
    await until(async () => (refused.length === 2 ? true : undefined));
    const extra = await visit(w, READ);
    expectTooMany(extra, /^"running";q=3;qu="concurrent-requests"$/);
    expect(member(extra.body, 'detail')).toMatch(/3 of this key are running/);
    const ended = [...held.values()].map(async ({ writer, status }) => {
      await writer.write(Buffer.from('}'));
      await writer.close();
      return status;
    });
    expect(await Promise.all(ended)).toEqual([400, 400, 400]);
    for (let i = 0; i < 10; i++) expect((await visit(w, READ)).status).toBe(404);
  });

  test('that were refused, malformed or cut off do not stay counted as running', async () => {
    await using w = await world({ FLORIN_REQUESTS_RUNNING: '2' });
    const post: Visit = { host: 'api', method: 'POST', path: '/payment/checkout' };
    for (let i = 0; i < 6; i++) {
      expect((await visit(w, { ...post, body: '{' })).status).toBe(400);
      expect((await visit(w, { ...post, body: '{}', headers: { 'content-type': 'text/xml' } })).status).toBe(415);
      expect((await visit(w, { ...post, body: 'x'.repeat(70_000) })).status).toBe(413);
      expect((await visit(w, { ...post, body: '{}', headers: { 'x-api-key': w.keys.public_key } })).status).toBe(403);
      const cut = new AbortController();
      const headers = { 'x-api-key': w.keys.private_key };
      const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"a":')) });
      const half = { method: 'POST', headers, body, duplex: 'half', signal: cut.signal } as const;
      const asked = fetch(w.service.addresses.base_url + post.path, half);
      cut.abort();
      await expect(asked).rejects.toThrow(/abort/i);
    }
    await until(async () => ((await visit(w, READ)).status === 404 ? true : undefined));
    const both = await Promise.all([visit(w, READ), visit(w, READ)]);
    expect(both.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('refused for their number have no effect', async () => {
    await using w = await world({ FLORIN_REQUESTS_PER_SECOND: '2' });
    const checkout = ROUTES[0] ?? READ;
    const [count] = await countUntilRefused(w, checkout);
    const rows = await w.sql<{ count: string }>('SELECT count(*) FROM payment.checkouts');
    expect(Number(rows[0]?.count)).toBe(count);
  });
});

describe('failed keys of one address', () => {
  test('are limited per minute on each host; a good key still comes in', async () => {
    await using w = await world({ FLORIN_FAILED_KEYS_PER_MINUTE: '5' });
    const unknown = () =>
      makeKeyText(w.service.tools.chance, { letters: 'FL', kind: 'private', environment: 'sandbox' });
    for (const route of [READ, TOKEN]) {
      const fail = () => visit(w, { ...route, headers: { 'x-api-key': unknown() } });
      for (let i = 0; i < 5; i++) expectProblem(await fail(), 403, '111022');
      for (let i = 0; i < 5; i++) expectTooMany(await fail(), /^"[a-z-]+";q=5;w=60$/);
      expect((await visit(w, route)).status).toBe(route === READ ? 404 : 200);
    }
  });
});

describe('tokenizations', () => {
  test('of one public key and address are limited per minute; servers with a private key are not', async () => {
    await using w = await world({ FLORIN_TOKENS_PER_MINUTE: '4' });
    for (let i = 0; i < 4; i++) expect((await visit(w, TOKEN)).status).toBe(200);
    expectTooMany(await visit(w, TOKEN), /^"[a-z-]+";q=4;w=60$/);
    for (let i = 0; i < 10; i++)
      expect((await visit(w, { ...TOKEN, headers: { 'x-api-key': w.keys.private_key } })).status).toBe(200);
    const other = await w.otherShop();
    expect((await other.vault('/token', { body: TOKEN.body })).status).toBe(200);
  });

  test('of one public key do not use up those of another of the same account', async () => {
    await using w = await world({ FLORIN_TOKENS_PER_MINUTE: '2' });
    const { tools } = w.service;
    const text = makeKeyText(tools.chance, { letters: 'FL', kind: 'public', environment: 'sandbox' });
    await addKey(tools, w.account, { text, kind: 'public', label: 'second' });
    await countUntilRefused(w, TOKEN);
    expect((await visit(w, { ...TOKEN, headers: { 'x-api-key': text } })).status).toBe(200);
  });

  test('from registered servers are not limited', async () => {
    await using w = await world({ FLORIN_TOKENS_PER_MINUTE: '2', FLORIN_SERVER_IPS: '10.0.0.1, 127.0.0.1' });
    for (let i = 0; i < 8; i++) expect((await visit(w, TOKEN)).status).toBe(200);
  });

  test('are limited before anything of the request is looked at but its key', async () => {
    await using w = await world({ FLORIN_TOKENS_PER_MINUTE: '1' });
    await countUntilRefused(w, TOKEN);
    for (const wrong of [{ body: '{' }, { body: {} }, { headers: { version: '9' } }, { body: 'x'.repeat(9000) }])
      expectTooMany(await visit(w, { ...TOKEN, ...wrong }), /;q=1;w=60$/);
  });
});
