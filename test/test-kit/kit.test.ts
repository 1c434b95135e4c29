// florin/test from this folder, as another project's tests use it: what it gives, and that tests do not see each other.
// A clock of one's own, and how sandboxes end: ends.ts. Installed and under other runners: outside.ts.
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Kit from '../../test-kit/florin.d.cts';
import { until } from '../client.ts';
import { sandboxesIn, temporary } from './places.ts';

// the first start makes the files that later ones begin with

const KIT = fileURLToPath(new URL('../../test-kit/florin.mjs', import.meta.url));
const { startFlorin, cards }: typeof Kit = await import(KIT);
const cache = temporary('florin-kit-');

let florin: Kit.Florin;
beforeAll(async () => {
  vi.stubEnv('XDG_CACHE_HOME', cache.path);
  florin = await startFlorin();
});
afterAll(async () => {
  await florin.close();
  await until(() => (sandboxesIn(cache.path).length === 0 ? true : undefined));
  vi.unstubAllEnvs();
  cache.remove();
});

test('a payment is made with a card by its meaning, and its notification is caught', async () => {
  const paid = await florin.pay({ amount: '11.30', order_merchant_id: 'cart-7' });
  expect(paid).toMatchObject({ status: 'capture_successful', order_amount: 11.3, order_merchant_id: 'cart-7' });
  const told = await florin.notifications.next({ event: 'capture_successful', order: paid });
  expect(told).toMatchObject({ order_id: paid.order_id, amount: 11.3, result: { code: '955555' } });
  const { text, headers } = florin.notifications.raw(told);
  const key = Buffer.from(florin.notifications.secret.slice('whsec_'.length), 'base64');
  const signed = createHmac('sha256', key).update(
    [headers['webhook-id'], headers['webhook-timestamp'], text].join('.'),
  );
  expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
  const refused = await florin.pay({ card: cards.not_enough_funds });
  expect(refused.result.code).toBe('420100');
  expect((await florin.order(refused)).status).toBe('authorization_declined');
});

test('a payer goes to their bank, types the right code or gives up, and comes back', async () => {
  const card = cards.challenge_always_under_ask_3ds_and_force_3ds;
  const back = (name: string) => `http://127.0.0.1:9/${name}`;
  const urls = {
    accept_url: back('yes'),
    decline_url: back('no'),
    pending_url: back('wait'),
    exception_url: back('no'),
  };
  const sent = () => florin.pay({ card, authentication_indicator: 'force_3ds', ...urls });
  const paid = await sent();
  expect(await florin.authenticate(paid)).toMatch(/^http:\/\/127\.0\.0\.1:9\/yes/);
  expect((await florin.order(paid)).status).toBe('capture_successful');
  const left = await sent();
  expect(await florin.authenticate(left.order_id, { cancel: true })).toMatch(/^http:\/\/127\.0\.0\.1:9\/no/);
  expect((await florin.order(left)).status).toBe('authentication_declined');
  await expect(florin.authenticate(await florin.pay())).rejects.toThrow(/no redirect_url/);
});

test('a notification is given once, and who waits in vain is told what came', async () => {
  const { order_id } = await florin.pay();
  const { next } = florin.notifications;
  const two = await Promise.all([
    next({ order: order_id, where: ({ sequence }) => sequence > 0 }),
    next({ order: order_id }),
  ]);
  expect(new Set(two.map(({ event }) => event)).size).toBe(2);
  await next({ event: 'capture_successful', order: order_id });
  const late = next({ event: 'refund_successful', order: order_id }, { within: 50 });
  await expect(late).rejects.toThrow(new RegExp(`refund_successful of order ${order_id}.*within 50 ms[^]*\\(taken\\)`));
});

test('a notification that is not signed with its secret is refused', async () => {
  const before = florin.notifications.received.length;
  const { body } = await florin.ask('/notification/endpoint');
  const [{ url }] = body['endpoints'] as [{ url: string }];
  const forged = await fetch(url, { method: 'POST', body: '{"event":"capture_successful"}' });
  expect([forged.status, florin.notifications.received.length]).toEqual([401, before]);
});

test('a fault that is armed meets this account alone, and each account sees its own orders alone', async () => {
  const other = await startFlorin();
  expect(other.api_url).toBe(florin.api_url);
  expect(other.merchant_account_id).not.toBe(florin.merchant_account_id);
  await florin.faults.arm({ operation: 'direct_capture', fault: 'decline', code: '420188' });
  expect(await florin.faults.list()).toMatchObject([{ fault: 'decline', remaining: 1 }]);
  expect((await other.pay()).status).toBe('capture_successful');
  const declined = await florin.pay();
  expect(declined.result.code).toBe('420188');
  await expect(other.order(declined)).rejects.toThrow('404');
  await florin.faults.arm({ operation: 'refund', fault: 'garbage' });
  await florin.faults.clear();
  expect(await florin.faults.list()).toEqual([]);
  await other.close();
  expect((await florin.pay()).status).toBe('capture_successful');
});

test('a clock that others share is not moved', async () => {
  await expect(florin.clock.advance('1d')).rejects.toThrow('own_clock');
});

test('ten files that begin at once share one sandbox', async () => {
  const many = await Promise.all(Array.from({ length: 10 }, () => startFlorin()));
  expect(new Set(many.map(({ api_url }) => api_url)).size).toBe(1);
  expect(new Set(many.map(({ private_key }) => private_key)).size).toBe(10);
  for (const one of many) await one.close();
});
