// Behind a proxy: whose address counts for limits and risk, and that nobody chooses his own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readProxies } from '../../src/kit/http/callers/proxies.ts';
import { readConfig } from '../../src/settings/config.ts';
import { GOOD_CARD } from '../client.ts';
import { type World, world } from '../world.ts';

const MOST = 3;
let w: World;
let plain: World;
beforeAll(async () => {
  const limit = { FLORIN_TOKENS_PER_MINUTE: String(MOST) };
  [w, plain] = await Promise.all([world({ ...limit, FLORIN_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }), world(limit)]);
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

const tokenize = async (of: World, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await of.shop.vault('/token', { body: GOOD_CARD, headers })).status;
};
const times = async (count: number, of: World, forwarded?: string) => {
  const statuses = [];
  for (let at = 0; at < count; at++) statuses.push(await tokenize(of, forwarded));
  return statuses;
};

test('each payer has a limit of their own, and what they write themselves before the proxy does so does not change it', async () => {
  expect(await times(MOST + 1, w, '192.0.2.1')).toEqual([200, 200, 200, 429]);
  expect(await tokenize(w, '198.51.100.7, 192.0.2.1')).toBe(429);
  expect(await tokenize(w, '127.0.0.1, 192.0.2.1, 10.1.2.3')).toBe(429);
  expect(await tokenize(w, '2001:db8::1')).toBe(200);
  // a proxy that says what is no address is taken for the caller
  expect(await times(MOST + 1, w, "'; DROP TABLE x; --")).toEqual([200, 200, 200, 429]);
  expect(await tokenize(w)).toBe(429);
});

test('no proxy is believed without the setting: every caller is the address of their connection', async () => {
  expect(await times(MOST, plain, '192.0.2.1')).toEqual([200, 200, 200]);
  expect(await tokenize(plain, '192.0.2.2')).toBe(429);
});

test.each(['10.0.0.0/33', '10.0.0', 'proxy.example', '10.0.0.0/8/8', '::1/129', '10.0.0.1/'])(
  '%s is no address and no network: a start is refused with the name of the setting',
  (name) => {
    expect(readProxies([name])).toBeUndefined();
    expect(() => readConfig({ FLORIN_TRUSTED_PROXIES: `10.0.0.1,${name}` })).toThrow('FLORIN_TRUSTED_PROXIES');
  },
);

test('networks hold their addresses, in both ways of writing an IPv4 address, and no others', () => {
  const is = readProxies(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);
  expect(['10.255.0.1', '::ffff:10.0.0.1', '2001:db8:1::1', '192.0.2.1'].map((one) => is?.(one))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '192.0.2.2', '', 'x'].map((one) => is?.(one))).toEqual(
    Array(6).fill(false),
  );
});
