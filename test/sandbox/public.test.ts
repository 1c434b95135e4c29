// The sandbox routes of the payment API (contract 15.4) as a merchant uses them: arm a fault, pay into it, read the
// bank's books.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeNotificationFault } from '../../src/payment/sandbox/faults/sending.ts';
import { FAULTS, SCENARIO } from '../../src/payment/sandbox/scenario.ts';
import { paymentRoutes } from '../../src/payment/routes.ts';
import { FAULTS as ALL } from '../../src/sandbox/faults/fault.ts';
import { CARDS, STRAY_NUMBERS } from '../../src/sandbox/faults/cards.ts';
import { type Json, textAt } from '../client.ts';
import { rows as rowsOf } from '../contract/document.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const arm = (body: object, headers: Record<string, string> = {}) => w.shop.api('/sandbox/scenario', { body, headers });
const books = async (query: string) => {
  const reply = await w.shop.api(`/sandbox/provider/books?${query}`);
  const entries = reply.at('entries');
  return (Array.isArray(entries) ? entries : []) as readonly Record<string, Json>[];
};

test('a fault is armed, listed, met once by the order it is tied to, and the books say what the bank believes', async () => {
  const order_merchant_id = 'armed-1';
  const armed = await arm({
    operation: 'direct_capture',
    fault: 'decline',
    code: '420100',
    match: { order_merchant_id },
  });
  expect([armed.status, armed.code]).toEqual([200, '911111']);
  expect(armed.at('scenario')).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    operation: 'direct_capture',
    fault: 'decline',
    times: 1,
    remaining: 1,
    code: '420100',
    match: { order_merchant_id },
  });
  expect((await w.shop.api('/sandbox/scenario')).at('scenarios')).toEqual([armed.at('scenario')]);
  expect((await w.shop.pay()).code).toBe('955555');
  const declined = await w.shop.pay({}, { order_merchant_id });
  expect(declined.code).toBe('420100');
  expect((await w.shop.api('/sandbox/scenario')).at('scenarios')).toEqual([]);
  const paid = await w.shop.pay({}, { order_merchant_id: 'armed-2', amount: '12.34' });
  expect(paid.code).toBe('955555');
  const order_id = textAt(declined, 'order_id');
  expect(await books(`order_id=${order_id}`)).toMatchObject([
    { order_id, kind: 'authorize', state: 'declined', effects: 0, calls: 1, provider: 'simulator', amount: 25 },
  ]);
  const both = await books('order_merchant_id=armed-2');
  expect(both).toMatchObject([
    { kind: 'capture', state: 'captured', amount: 12.34 },
    { kind: 'authorize', state: 'captured', amount: 12.34 },
  ]);
});

test('a scenario and the books are the account’s own', async () => {
  const other = await w.otherShop();
  await arm({ operation: 'direct_capture', fault: 'decline', times: 100 });
  expect((await other.api('/sandbox/scenario')).at('scenarios')).toEqual([]);
  const paid = await other.pay();
  expect(paid.code).toBe('955555');
  expect(await books(`order_id=${textAt(paid, 'order_id')}`)).toEqual([]);
  expect((await other.api('/sandbox/scenario', { method: 'DELETE' })).at('scenarios')).toEqual([]);
  expect((await w.shop.api('/sandbox/scenario')).at('scenarios.0.remaining')).toBe(100);
  expect((await w.shop.api('/sandbox/scenario', { method: 'DELETE' })).at('scenarios')).toEqual([]);
  expect((await w.shop.pay()).code).toBe('955555');
});

test('a provider that is down is proved never asked: the next one takes the order', async () => {
  const order_merchant_id = 'down-1';
  await arm({ operation: 'direct_capture', fault: 'refuse_connection', match: { order_merchant_id } });
  const ended = await w.shop.pay({}, { order_merchant_id });
  expect([ended.code, ended.at('payin_partner')]).toEqual(['955555', 'simulator_b']);
  const providers = new Set((await books(`order_merchant_id=${order_merchant_id}`)).map((entry) => entry['provider']));
  expect([...providers]).toEqual(['simulator_b']);
});

test.each([
  [{}, ['operation', 'fault']],
  [{ operation: 'settle', fault: 'rain' }, ['operation', 'fault']],
  [{ operation: 'inquiry', fault: 'decline' }, ['fault']],
  [{ operation: 'capture', fault: 'decline', code: '420100' }, ['code']],
  [{ operation: 'notification', fault: 'garbage', provider: 'simulator' }, ['fault', 'provider']],
  [{ operation: 'capture', fault: 'garbage', code: '521288' }, ['code']],
  [{ operation: 'capture', fault: 'garbage', seconds: 5, times: 0, delay_ms: 60001 }, ['times', 'delay_ms', 'seconds']],
  [
    { operation: 'capture', fault: 'garbage', match: { amount: '1e3', order_id: 5.5 } },
    ['match.amount', 'match.order_id'],
  ],
])('%j is refused, every problem at once', async (body, fields) => {
  const reply = await arm(body);
  expect(reply.status).toBe(400);
  const errors = reply.at('errors');
  expect(Array.isArray(errors) && errors.map((_, i) => reply.at(`errors.${i}.field`))).toEqual(fields);
});

test('the same Idempotency-Key arms once, and answers what is left', async () => {
  const body = { operation: 'refund', fault: 'garbage', times: 2 };
  const headers = { 'idempotency-key': 'arm-once' };
  const first = await arm(body, headers);
  const second = await arm(body, headers);
  expect(second.at('scenario')).toEqual(first.at('scenario'));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await arm({ ...body, times: 3 }, headers)).status).toBe(422);
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
  expect((await arm(body, headers)).at('scenario.remaining')).toBe(0);
});

test('the same Idempotency-Key removes once: what is armed since stays, also where another body comes with it', async () => {
  const remove = (body?: object) =>
    w.shop.api('/sandbox/scenario', { method: 'DELETE', body, headers: { 'idempotency-key': 'remove-once' } });
  const left = async () => (await w.shop.api('/sandbox/scenario')).at('scenarios');
  await arm({ operation: 'refund', fault: 'garbage' });
  const first = await remove();
  expect([first.status, first.headers.get('idempotent-replayed'), await left()]).toEqual([200, null, []]);
  await arm({ operation: 'refund', fault: 'garbage' });
  const again = await remove();
  expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first.body]);
  const other = await remove({ reason: 'over' });
  expect([other.status, other.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
  expect(await left()).toHaveLength(1);
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
});

test('a fault of our own sending is armed, listed, met by what it is tied to, and used up', async () => {
  const { tools } = w.service;
  const take = (order_merchant_id: string, amount = '25') =>
    takeNotificationFault(tools, w.account, {
      order_id: null,
      order_merchant_id,
      amount,
      card_4_digits: null,
    });
  const match = { order_merchant_id: 'told', amount: '25.00' };
  const body = { operation: 'notification', fault: 'http_500_after', times: 2, match };
  const headers = { 'idempotency-key': 'arm-sending' };
  const first = await arm(body, headers);
  expect([first.status, first.at('scenario.remaining')], first.text).toEqual([200, 2]);
  await arm({ operation: 'notification', fault: 'refuse_connection' });
  expect(await take('told')).toBe('http_500_after');
  expect((await arm(body, headers)).at('scenario.remaining')).toBe(1);
  expect((await arm({ ...body, times: 3 }, headers)).status).toBe(422);
  expect((await w.shop.api('/sandbox/scenario')).at('scenarios.0.match')).toEqual({ ...match, amount: '25' });
  expect(await take('told', '24.99')).toBe('refuse_connection');
  expect([await take('told'), await take('told')]).toEqual(['http_500_after', undefined]);
  expect((await w.shop.api('/sandbox/scenario')).at('scenarios')).toEqual([]);
  await arm({ operation: 'notification', fault: 'timeout_taken' });
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
  expect(await take('told')).toBeUndefined();
});

test('an Idempotency-Key is one for faults of calls and of our own sending', async () => {
  const call = { operation: 'refund', fault: 'timeout_taken' };
  const sending = { operation: 'notification', fault: 'timeout_taken' };
  for (const [key, first, other] of [
    ['call-first', call, sending],
    ['sending-first', sending, call],
  ] as const) {
    const headers = { 'idempotency-key': key };
    expect((await arm(first, headers)).status).toBe(200);
    const refused = await arm(other, headers);
    expect([refused.status, refused.at('errors.0.field')], key).toEqual([422, 'Idempotency-Key']);
    expect((await arm(first, headers)).headers.get('idempotent-replayed')).toBe('true');
  }
  expect((await w.shop.api('/sandbox/scenario')).at('scenarios')).toHaveLength(2);
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
});

test('an authentication is a call that faults can be armed for', async () => {
  const armed = await arm({ operation: 'authentication', fault: 'decline' });
  expect([armed.status, armed.at('scenario.code')]).toEqual([200, '341000']);
  expect((await arm({ operation: 'authentication', fault: 'wrong_amount' })).status).toBe(400);
  expect((await arm({ operation: 'authentication', fault: 'decline', code: '420100' })).status).toBe(400);
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
});

test('the books are paged, newest first', async () => {
  for (let i = 0; i < 3; i++) await w.shop.pay({}, { operation_type: 'authorize', order_merchant_id: `page-${i}` });
  const seen: (Json | undefined)[] = [];
  for (let cursor = ''; ;) {
    const reply = await w.shop.api(`/sandbox/provider/books?limit=1${cursor}`);
    seen.push(reply.at('entries.0.order_id'));
    if (reply.at('has_more') !== true) break;
    cursor = `&cursor=${textAt(reply, 'next_cursor')}`;
  }
  const whole = await books('limit=100');
  expect(seen).toEqual(whole.map(({ order_id }) => order_id));
  const dates = whole.map(({ createdAt }) => JSON.stringify(createdAt));
  expect(dates).toEqual(dates.toSorted().toReversed());
  for (const query of ['cursor=x', 'limit=0', 'limit=101', 'order_id=7'])
    expect((await w.shop.api(`/sandbox/provider/books?${query}`)).status).toBe(400);
});

test('the cards are listed, each number with its codes', async () => {
  const reply = await w.shop.api('/sandbox/cards');
  const cards = reply.at('cards');
  const rows = (Array.isArray(cards) ? cards : []) as readonly Record<string, Json>[];
  expect(rows.length).toBe(CARDS.flatMap(({ numbers }) => numbers).length);
  expect(rows.find(({ number }) => number === '4000009901000029')).toEqual({
    issuer: 'Florin Test Bank',
    country: 'FR',
    funding: 'credit',
    number: '4000009901000029',
    outcome: 'times out, not taken; found dead by inquiry and reversal',
    codes: ['421080', '420410'],
  });
  expect(STRAY_NUMBERS).toEqual([]);
  expect(reply.at('challenge_codes')).toEqual([
    { code: '1234', outcome: 'authenticated', result: null },
    { code: '7777', outcome: 'attempted', result: null },
    { code: '1111', outcome: 'not authenticated', result: '341000' },
    { code: '2222', outcome: 'rejected by the bank', result: '341000' },
    { code: '3333', outcome: 'could not be done', result: '320310' },
  ]);
});

test('only a private key may, and production knows none of these paths', async () => {
  for (const key of [null, w.keys.public_key])
    expect([401, 403]).toContain((await w.shop.api('/sandbox/cards', { key })).status);
  const paths = paymentRoutes({ environment: 'production' }).map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('/sandbox'))).toEqual([]);
  expect(paths).toContain('/payment/order');
});

test('the faults are those of the contract, on both sides', () => {
  const file = new URL('../../docs/contract.md', import.meta.url);
  const line = /^Faults: ([a-z0-9_, ]+)\./m.exec(readFileSync(file, 'utf8'))?.[1];
  expect([...FAULTS]).toEqual(line?.split(', '));
  expect(Object.keys(ALL)).toEqual(expect.arrayContaining([...FAULTS]));
  // its fields are those of the row, without what stands in brackets behind them
  const row = rowsOf('15.4').find(([call = '']) => call.startsWith('POST /sandbox/scenario'))?.[1] ?? '';
  const names = row.replaceAll(/\([^()]*\)/g, '').replaceAll(/\{[^{}]*\}/g, '');
  const fields = names.split(/;| and /).map((one) => /^\s*([a-z_]+)/.exec(one)?.[1]);
  expect(new Set(Object.keys(SCENARIO))).toEqual(new Set(fields));
});
