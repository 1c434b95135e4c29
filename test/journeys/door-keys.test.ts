// Contract 2.6: keys, on every route of both hosts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addKey, keyChecksum, makeKeyText, revokeKey } from '../../src/payment/merchant/keys.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import {
  type Host,
  ROUTES,
  TOKEN,
  type Visit,
  expectProblem,
  goodRequests,
  member,
  named,
  slugOf,
  visit,
} from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_FAILED_KEYS_PER_MINUTE: '100000' });
});
afterAll(() => w[Symbol.asyncDispose]());

const newKey = (kind: 'private' | 'public') =>
  makeKeyText(w.service.tools.chance, { letters: 'FL', kind, environment: 'sandbox' });
const withKey = (route: Visit, key: string | undefined) => visit(w, { ...route, headers: { 'x-api-key': key } });
const probe = (host: Host, key: string) =>
  withKey(host === 'api' ? { host, method: 'GET', path: `/payment/order/${'0'.repeat(24)}` } : TOKEN, key);

test.each([undefined, '', ' '])('without a key (%j) every route answers 401 and how to send one', async (key) => {
  for (const route of ROUTES) {
    const answer = await withKey(route, key);
    expectProblem(answer, 401, '111022');
    expect(answer.headers['www-authenticate']).toBe('ApiKey');
    expect(slugOf(answer)).toBe('missing-key');
    expect(member(answer.body, 'errors')).toBeUndefined();
  }
});

test('a key elsewhere than in x-api-key is no key', async () => {
  for (const route of ROUTES) {
    const key = w.keys.private_key;
    const headers = { 'x-api-key': undefined, authorization: `Bearer ${key}`, cookie: `x-api-key=${key}` };
    expectProblem(await visit(w, { ...route, headers, path: `${route.path}?x-api-key=${key}` }), 401, '111022');
  }
});

describe('a key that is refused with 403 on every route, in the same words:', () => {
  test.each<[string, () => string]>([
    ['an unknown one', () => newKey('private')],
    [
      'one of production',
      () => makeKeyText(w.service.tools.chance, { letters: 'FL', kind: 'private', environment: 'production' }),
    ],
    ['a malformed one', () => 'x'],
    ['one with a character more', () => `${w.keys.private_key}x`],
    ['one with a character less', () => w.keys.private_key.slice(0, -1)],
    ['one in other letters', () => w.keys.private_key.toLowerCase()],
    ['two at once', () => `${w.keys.private_key}, ${w.keys.private_key}`],
    ['a very long one', () => 'k'.repeat(8000)],
    ['one with bytes above ASCII', () => 'FL_PR_sé'],
    ['SQL', () => "' OR 1=1 --"],
  ])('%s', async (_, make) => {
    const key = make();
    const bodies = new Set<string>();
    for (const route of ROUTES) {
      const answer = await withKey(route, key);
      expectProblem(answer, 403, '111022');
      expect(slugOf(answer)).toBe('invalid-key');
      if (key.length > 3) expect(answer.text).not.toContain(key);
      bodies.add(answer.text.replace(String(answer.headers['x-request-id']), ''));
    }
    expect([...bodies]).toHaveLength(1);
  });
});

test('a public key may tokenize and nothing else', async () => {
  for (const [what, route] of named(await goodRequests(w))) {
    const answer = await withKey(route, w.keys.public_key);
    if (route.host === 'vault') {
      expect([what, answer.status]).toEqual([what, 200]);
    } else {
      expectProblem(answer, 403, '111023');
      expect(slugOf(answer)).toBe('forbidden-key');
    }
  }
});

test('a private key may do everything, the vault included', async () => {
  for (const [what, route] of named(await goodRequests(w)))
    expect([what, (await withKey(route, w.keys.private_key)).status]).toEqual([what, 200]);
});

test('a key has the prefix, the letter of its environment, 43 characters and a checksum over them', () => {
  for (const kind of ['private', 'public'] as const)
    for (let i = 0; i < 200; i++) {
      const key = newKey(kind);
      expect(key).toMatch(kind === 'private' ? /^FL_PR_s[0-9A-Za-z]{49}$/ : /^FL_PUB_s[0-9A-Za-z]{49}$/);
      expect(keyChecksum(key.slice(0, -6))).toBe(key.slice(-6));
    }
});

test.each(['private', 'public'] as const)('two %s keys are active at once; a third is refused', async (kind) => {
  const second = newKey(kind);
  const id = await addKey(w.service.tools, w.account, { text: second, kind, label: 'rotation' });
  const first = kind === 'private' ? w.keys.private_key : w.keys.public_key;
  for (const key of [first, second]) expect((await probe('vault', key)).status).toBe(200);
  for (const key of [first, second]) expect((await probe('api', key)).status).toBe(kind === 'private' ? 404 : 403);
  const third = { text: newKey(kind), kind, label: 'too many' };
  await expect(addKey(w.service.tools, w.account, third)).rejects.toThrow('2 active');
  expect((await probe('vault', third.text)).status).toBe(403);
  await revokeKey(w.service.tools, w.account, { id: id });
  await addKey(w.service.tools, w.account, third);
  expect((await probe('vault', third.text)).status).toBe(200);
});

test('a revoked key is refused within a second on both hosts, while it is in use', async () => {
  const shop = await w.otherShop();
  const { private_key } = shop.keys;
  const [row] = await w.sql<{ id: string; owner: string }>(
    `SELECT encode(id, 'hex') AS id, encode(merchant_account_id, 'hex') AS owner FROM payment.api_keys WHERE digest = sha256($1)`,
    [private_key],
  );
  for (const host of ['api', 'vault'] as const) expect((await probe(host, private_key)).status).not.toBe(403);
  expect(await revokeKey(w.service.tools, row?.owner ?? '', { id: row?.id ?? '' })).toBe(true);
  const revoked_at = performance.now();
  // a machine that is slow answers late: what counts is when the last request came that was still let in
  const refused = (host: Host) => async () => {
    const asked_ms = performance.now() - revoked_at;
    if ((await probe(host, private_key)).status === 403) return true;
    expect(asked_ms, host).toBeLessThan(1000);
    return undefined;
  };
  await Promise.all([until(refused('api')), until(refused('vault'))]);
  for (const host of ['api', 'vault'] as const) {
    const answer = await probe(host, private_key);
    expectProblem(answer, 403, '111022');
    expect(slugOf(answer)).toBe('invalid-key');
  }
});

test('a key of another account cannot be revoked', async () => {
  const shop = await w.otherShop();
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.api_keys WHERE digest = sha256($1)`,
    [shop.keys.private_key],
  );
  expect(await revokeKey(w.service.tools, w.account, { id: row?.id ?? '' })).toBe(false);
  // both hosts have forgotten what they knew of the key when this long has passed
  const asked_until = performance.now() + 900;
  await until(() => (performance.now() > asked_until ? true : undefined));
  for (const host of ['api', 'vault'] as const)
    expect([host, (await probe(host, shop.keys.private_key)).status]).toEqual([host, host === 'api' ? 404 : 200]);
});

test.each(['a'.repeat(24), 'Z-_9'.repeat(32), 'sk_test_51HxYzAbCdEfGhIjKlMn', 'FL_PUB_imported_as_a_private_one'])(
  'an existing key text may be imported with its kind: %s',
  async (text) => {
    for (const kind of ['private', 'public'] as const) {
      const shop = await w.otherShop();
      const [row] = await w.sql<{ owner: string }>(
        `SELECT encode(merchant_account_id, 'hex') AS owner FROM payment.api_keys WHERE digest = sha256($1)`,
        [shop.keys.private_key],
      );
      const imported = kind === 'private' ? text : `${text.slice(0, -6)}public`;
      await addKey(w.service.tools, row?.owner ?? '', { text: imported, kind, label: 'imported' });
      expect((await probe('vault', imported)).status).toBe(200);
      expect((await probe('api', imported)).code).toBe(kind === 'private' ? '111012' : '111023');
    }
  },
);

test.each([
  '',
  'short',
  'a'.repeat(23),
  'a'.repeat(129),
  `${'a'.repeat(30)} `,
  `${'a'.repeat(30)}é`,
  `${'a'.repeat(30)}\n`,
])('a text that is no key cannot be imported: %j', async (text) => {
  const key = { text, kind: 'private', label: 'imported' } as const;
  await expect(addKey(w.service.tools, w.account, key)).rejects.toThrow('24 to 128');
});

test('no key text is kept, only its hash', async () => {
  const tables = await w.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('payment', 'vault')`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables) {
    const rows = await w.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    const text = rows.map(({ row }) => row).join('\n');
    for (const key of [w.keys.private_key, w.keys.public_key]) {
      expect(text.includes(key)).toBe(false);
      expect(text.includes(Buffer.from(key).toString('hex'))).toBe(false);
    }
  }
});
