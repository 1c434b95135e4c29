// Unknown outcomes over HTTP (contract 14.1, 15.3): what the bank did not answer is in doubt, then proved or undone;
// our books and the bank's agree in the end. The bank is waited for one second here, and its clock is moved.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_CARD, type Reply, textAt, until } from '../client.ts';
import { keepClosed } from '../provider-hold.ts';
import { bankLater } from '../bank-clock.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '1' });
  // both are made to fail here again and again
  for (const provider of ['simulator', 'simulator_b']) await keepClosed(w, provider);
});
afterAll(() => w[Symbol.asyncDispose]());

type Members = Readonly<Record<string, unknown>>;
const bodyOf = ({ body }: Reply) => body as Members;
const transactionsOf = (read: Reply) => bodyOf(read)['transactions'] as readonly Members[];

let count = 0;

async function pay(
  card_number: string,
  operation_type: 'authorize' | 'direct_capture',
  wait = 'wait=1',
): Promise<Reply> {
  const token = textAt(await w.shop.vault('/token', { body: { ...GOOD_CARD, card_number } }), 'token');
  const order_merchant_id = `doubt-${++count}`;
  const body = { operation_type, amount: '42.50', currency: 'EUR', token, order_merchant_id };
  return w.shop.api('/payment/order', { body, headers: { prefer: wait } });
}

/** Where its end is wanted: a slow machine may lose the answer of a bank that does answer, which is found out later. */
const paid = (card_number: string, operation_type: 'authorize' | 'direct_capture') =>
  pay(card_number, operation_type, 'wait=20');

const maintain = (kind: string, order: Reply, body: object = {}, wait = 'wait=1') =>
  w.shop.api(`/payment/maintenance/${kind}/${textAt(order, 'order_id')}`, { body, headers: { prefer: wait } });

/** Codes of the order's history behind its beginning, oldest first. */
async function history(order: Reply): Promise<readonly unknown[]> {
  const read = await w.shop.read(textAt(order, 'order_id'));
  const last = transactionsOf(read).at(-1);
  const entries = (last?.['status_history'] ?? []) as readonly { code: string; status: string }[];
  const behind = entries.filter(({ status }) => status !== 'created');
  return behind.map(({ code }) => code);
}

async function ends(order: Reply, codes: readonly string[]): Promise<void> {
  await until(async () => (await history(order)).at(-1) === codes.at(-1) || undefined);
  expect(await history(order)).toEqual(codes);
  await until(async () => bodyOf(await w.shop.read(textAt(order, 'order_id')))['is_in_doubt'] === false || undefined);
}

type Entry = { kind: string; state: string; effects: number; amount: number; provider: string };

async function books(order: Reply): Promise<readonly Entry[]> {
  const answer = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(order, 'order_id')}`);
  return bodyOf(answer)['entries'] as readonly Entry[];
}

/** What of this order stands at the bank: authorizations that are not known to be undone. */
async function standing(order: Reply): Promise<readonly string[]> {
  const authorizations = (await books(order)).filter(({ kind }) => kind === 'authorize');
  return authorizations
    .map(({ state }) => state)
    .filter((state) => !['released', 'refunded', 'declined'].includes(state));
}

const APPROVED = { authorize: ['421080', '944444'], direct_capture: ['421080', '944444', '955555'] } as const;

test.each([
  ['times out and was taken, approved late', '4000009901000011', 60],
  ['closes the connection in the middle of its answer', '4000009901000045', 0],
  ['answers 500 after taking it', '4000009901000060', 0],
  ['answers twice', '4000009901000037', 0],
  ['tells by message before it answers', '4000009901000094', 0],
  ['tells twice and out of order', '4000009901000102', 0],
  ['is pending, then approves', '4000009901000110', 61],
])('a bank that %s: the order is approved in the end, once', async (_, card, seconds) => {
  for (const type of ['authorize', 'direct_capture'] as const) {
    const order = await pay(card, type);
    expect(['421080', '944444', '955555']).toContain(order.code);
    if (seconds > 0) await bankLater(w, seconds);
    await ends(order, APPROVED[type]);
    const authorizations = (await books(order)).filter(({ kind }) => kind === 'authorize');
    expect(authorizations.map(({ effects }) => effects)).toEqual([1]);
  }
});

test.each([
  ['times out, not taken', '4000009901000029'],
  ['answers garbage, not taken', '4000009901000078'],
  ['answers with another amount', '4000009901000086'],
  ['commits only after our reversal', '4000009901000136'],
])('a bank that %s: the order is undone and declined', async (_, card) => {
  for (const type of ['authorize', 'direct_capture'] as const) {
    const order = await pay(card, type);
    await ends(order, ['421080', '420410']);
    await until(async () => (await standing(order)).length === 0 || undefined).catch(async () =>
      expect(await books(order)).toEqual([]),
    );
    const read = await w.shop.read(textAt(order, 'order_id'));
    expect(bodyOf(read)['status']).toBe('authorization_declined');
  }
});

test('a bank that is pending, then declines', async () => {
  const order = await pay('4000009901000128', 'authorize');
  expect(order.code).toBe('421080');
  await bankLater(w, 61);
  await ends(order, ['421080', '420188']);
});

test('a bank that refuses connections: the next one approves, in the same order', async () => {
  const order = await paid('4000009901000052', 'authorize');
  expect(order.code).toBe('944444');
  expect(bodyOf(order)['payin_partner']).toBe('simulator_b');
  expect(await history(order)).toEqual(['421080', '944444']);
});

test.each([
  ['capture', '4000009902000028', ['421080', '944444', '521080', '955555']],
  ['cancel', '4000009904000026', ['421080', '944444', '721080', '977777']],
] as const)('a %s whose answer is lost is done, once', async (kind, card, codes) => {
  const order = await paid(card, 'authorize');
  const answer = await maintain(kind, order);
  expect(answer.status).toBe(200);
  await ends(order, codes);
  expect((await books(order)).filter((entry) => entry.kind === kind).map(({ effects }) => effects)).toEqual([1]);
});

test('a refund whose answer is lost is done, once', async () => {
  const order = await paid('4000009903000035', 'direct_capture');
  await maintain('refund', order, { amount: '10' });
  await ends(order, ['421080', '944444', '955555', '621080', '966666']);
  expect((await books(order)).filter(({ kind }) => kind === 'refund').map(({ effects }) => effects)).toEqual([1]);
});

test.each([
  ['capture declined', 'authorize', 'capture', '4000009902000010', 422, '521288'],
  ['refund declined', 'direct_capture', 'refund', '4000009903000019', 422, '621288'],
  ['cancel declined', 'authorize', 'cancel', '4000009904000018', 422, '721288'],
] as const)('%s changes nothing that is authorized or captured', async (_, type, kind, card, status, code) => {
  const order = await paid(card, type);
  const before = await w.shop.read(textAt(order, 'order_id'));
  const answer = await maintain(kind, order, {}, 'wait=20');
  expect([answer.status, answer.code]).toEqual([status, code]);
  const after = await w.shop.read(textAt(order, 'order_id'));
  const money = ['captured_amount', 'capturable_amount', 'refunded_amount', 'refundable_amount'];
  const of = (read: Reply) => money.map((name) => transactionsOf(read)[0]?.[name]);
  expect(of(after)).toEqual(of(before));
});

test.each([
  ['a capture', 'authorize', 'capture', '4000009902000036', ['421080', '944444', '521080', '955555']],
  ['a refund', 'direct_capture', 'refund', '4000009903000043', ['421080', '944444', '955555', '621080', '966666']],
] as const)('%s that is pending is done a day later', async (_, type, kind, card, codes) => {
  const order = await paid(card, type);
  const answer = await maintain(kind, order);
  expect(answer.code).toBe(codes.at(-2));
  await bankLater(w, 24 * 3600 + 1);
  await ends(order, codes);
});

test('a capture that fails a day later can be captured again', async () => {
  const order = await paid('4000009902000044', 'direct_capture');
  expect(order.code).toBe('955555');
  await bankLater(w, 24 * 3600 + 1);
  await ends(order, ['421080', '944444', '955555', '521088']);
  const read = await w.shop.read(textAt(order, 'order_id'));
  expect(transactionsOf(read)[0]).toMatchObject({
    captured_amount: 0,
    capturable_amount: 42.5,
  });
});

test('a refund that fails two days later can be refunded again', async () => {
  const order = await paid('4000009903000027', 'direct_capture');
  expect((await maintain('refund', order, {}, 'wait=20')).code).toBe('966666');
  await bankLater(w, 2 * 24 * 3600 + 1);
  await ends(order, ['421080', '944444', '955555', '621080', '966666', '621088']);
  const again = await maintain('refund', order, { amount: '1' });
  expect([200, 422]).toContain(again.status);
});

test('an authorization that lapses at the bank: expired, capture 520120, cancel 711030', async () => {
  const order = await paid('4000009902000051', 'authorize');
  expect(order.code).toBe('944444');
  await bankLater(w, 3601);
  await ends(order, ['421080', '944444', '520120']);
  expect((await maintain('capture', order)).code).toBe('520120');
  expect((await maintain('cancel', order)).code).toBe('711030');
});

test('a cancel of an undecided authorization undoes it, and the order ends cancelled', async () => {
  const order = await pay('4000009901000110', 'authorize');
  expect(order.code).toBe('421080');
  const cancel = await maintain('cancel', order);
  expect(cancel.status).toBe(200);
  expect(['721080', '977777']).toContain(cancel.code);
  await ends(order, ['421080', '721080', '977777']);
  const twice = await maintain('cancel', order);
  expect([twice.status, twice.code]).toEqual([409, '711032']);
});
