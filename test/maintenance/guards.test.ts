// What keeps one wish from having two effects, with an Idempotency-Key and without any. FLORIN_KEY_ROUNDS says how
// often fifty requests meet; the gate takes 50, the night 1000.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Reply, textAt, until } from '../client.ts';
import { type Kind, type Till, NO_WAIT, UNDECIDED, openTill } from './till.ts';

const ROUNDS = Number(process.env['FLORIN_KEY_ROUNDS'] ?? 4);

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const KINDS = ['capture', 'refund', 'cancel'] as const;
const DONE = { capture: '955555', refund: '966666', cancel: '977777' } as const;
const SALE = { operation_type: 'direct_capture', amount: 10, currency: 'EUR' };

const orderFor = (kind: Kind, card?: string) => (kind === 'refund' ? till.sell({}, card) : till.authorize({}, card));
const times = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));

/** Effects of this kind at the bank. */
async function effects(order_id: string, kind: string): Promise<number> {
  const entries = await till.books(order_id);
  return entries.filter((entry) => entry.kind === kind).reduce((sum, entry) => sum + entry.effects, 0);
}

/** The answers as one, but for what belongs to each request. */
const distinct = (replies: readonly Reply[]) =>
  new Set(
    replies.map(({ status, body }) => JSON.stringify([status, { ...Object(body), request_id: '', instance: '' }])),
  );

/** Taken, and not decided yet. */
const PENDING: ReadonlySet<Json | undefined> = new Set(['421080', '521080', '621080', '721080']);

/** Asks until the answer is decided: on a slow machine that may take longer than a request waits. All its answers. */
async function askedOut(ask: () => Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  await until(async () => {
    const reply = await ask();
    replies.push(reply);
    return PENDING.has(reply.code) ? undefined : reply;
  });
  return replies;
}

let keys = 0;
const newKey = () => ({ 'idempotency-key': `guard-${keys++}` });

describe('I1: fifty requests with one key at once', () => {
  test.each(KINDS)('are one %s, and fifty equal answers', { timeout: 600_000 }, async (kind) => {
    for (let round = 0; round < ROUNDS; round++) {
      const order_id = await orderFor(kind);
      const headers = newKey();
      const body = kind === 'cancel' ? {} : { amount: '11.30' };
      const asked = await times(50, () => askedOut(() => till.maintain(kind, order_id, body, headers)));
      const replies = asked.flatMap((all) => all.at(-1) ?? []);
      expect([replies[0]?.code, distinct(replies).size]).toEqual([DONE[kind], 1]);
      expect(asked.flat().filter((reply) => reply.headers.get('idempotent-replayed') === null)).toHaveLength(1);
      expect(await effects(order_id, kind)).toBe(1);
    }
  });

  test('are one order, and fifty equal answers', { timeout: 600_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const body = { token: await till.shop.token(), ...SALE, order_merchant_id: `i1-${round}` };
      const headers = newKey();
      const asked = await times(50, () => askedOut(() => till.shop.order(body, headers)));
      const replies = asked.flatMap((all) => all.at(-1) ?? []);
      expect([replies[0]?.code, distinct(replies).size]).toEqual(['955555', 1]);
      const [first] = replies;
      if (first) expect(await effects(textAt(first, 'order_id'), 'authorize')).toBe(1);
    }
  });
});

describe('I2: the same key with one thing changed', () => {
  test('is refused and does nothing, whatever it is in an order', async () => {
    const body = {
      token: await till.shop.token(),
      ...SALE,
      order_merchant_id: 'i2',
      customer_id: '1',
      merchant_data: [{ key: 'a', value: '1' }],
      accept_url: 'https://shop.example/a',
    };
    const headers = newKey();
    const first = await till.shop.order(body, headers);
    const changes = [
      { token: 'ab'.repeat(32) },
      { operation_type: 'authorize' },
      { amount: 10.01 },
      { amount: '10' },
      { currency: 'USD' },
      { order_merchant_id: 'i3' },
      { customer_id: 1 },
      { accept_url: 'https://shop.example/b' },
      { merchant_data: [{ key: 'a', value: '2' }] },
      { merchant_data: [] },
      { unknown: 1 },
    ];
    for (const change of changes) {
      const reply = await till.shop.order({ ...body, ...change }, headers);
      expect([change, reply.status, reply.code, reply.at('errors.0.field')]).toEqual([
        change,
        422,
        '111012',
        'Idempotency-Key',
      ]);
    }
    const backwards = Object.fromEntries(Object.entries(body).toReversed());
    const same = await till.shop.api('/payment/order', { body: JSON.stringify(backwards, null, 3), headers });
    expect([same.status, same.at('order_id')]).toEqual([200, first.at('order_id')]);
    const rows = await till.w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM payment.orders WHERE order_merchant_id IN ('i2', 'i3')`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test.each(KINDS)('is refused and does nothing, whatever it is in a %s', async (kind) => {
    const order_id = await orderFor(kind);
    const headers = newKey();
    const body = { amount: '5', operation_merchant_id: 'a' };
    expect((await till.maintain(kind, order_id, body, headers)).code).toBe(DONE[kind]);
    for (const change of [
      { amount: 5 },
      { amount: '5.0' },
      { amount: '6' },
      { operation_merchant_id: 'b' },
      { other: 1 },
    ]) {
      const reply = await till.maintain(kind, order_id, { ...body, ...change }, headers);
      expect([change, reply.status, reply.code]).toEqual([change, 422, '111012']);
    }
    const same = await till.maintain(kind, order_id, '{"operation_merchant_id":"a",\n\t"amount":"5"}', headers);
    expect(same.headers.get('idempotent-replayed')).toBe('true');
    expect(await effects(order_id, kind)).toBe(1);
  });
});

test('I3: a key belongs to a merchant: another one with the same key has an effect of its own, and sees nothing', async () => {
  const other = await till.w.otherShop();
  const headers = newKey();
  const mine = await till.shop.order({ token: await till.shop.token(), ...SALE, order_merchant_id: 'mine' }, headers);
  const theirs = await other.order({ token: await other.token(), ...SALE, order_merchant_id: 'theirs' }, headers);
  expect([theirs.code, theirs.headers.get('idempotent-replayed')]).toEqual(['955555', null]);
  expect(theirs.at('order_id')).not.toBe(mine.at('order_id'));
  const order_id = textAt(mine, 'order_id');
  await till.maintain('refund', order_id, { amount: 1 }, headers);
  const peek = await other.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: 1 }, headers });
  expect([peek.status, peek.text.includes('mine')]).toEqual([404, false]);
  expect(await effects(order_id, 'refund')).toBe(1);
});

describe('I4: without any key', () => {
  test(
    'a one-shot token spent twenty times at once is one order, and the others are told of it',
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const body = { token: await till.shop.token(), ...SALE, order_merchant_id: `i4-${round}` };
        const replies = await times(20, () => till.shop.order(body));
        expect([replies[0]?.code, distinct(replies).size]).toEqual(['955555', 1]);
        const [first] = replies;
        if (first) expect(await effects(textAt(first, 'order_id'), 'authorize')).toBe(1);
      }
    },
  );

  test('an order_merchant_id that is at a provider is refused to every other order', async () => {
    const body = { ...SALE, operation_type: 'authorize', order_merchant_id: 'busy' };
    const card_number = UNDECIDED.authorize;
    const first = await till.shop.order({ token: await till.shop.token({ card_number }), ...body }, NO_WAIT);
    expect(first.code).toBe('421080');
    const tokens = await times(8, () => till.shop.token());
    for (const reply of await Promise.all(tokens.map((token) => till.shop.order({ token, ...body }))))
      expect([reply.status, reply.code, reply.at('order_id')]).toEqual([409, '111035', first.at('order_id')]);
  });

  test.each([
    ['capture', '511032'],
    ['refund', '611032'],
    ['cancel', '711033'],
  ] as const)('twenty equal ones of a kind at once are one %s, and nineteen duplicates', async (kind, code) => {
    for (const body of kind === 'cancel' ? [{}] : [{ amount: 5 }, {}, { operation_merchant_id: 'a' }]) {
      const order_id = await orderFor(kind);
      const hold = till.hold();
      const replies = await times(20, () => till.maintain(kind, order_id, body, NO_WAIT));
      hold.letGo();
      expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
      expect(replies.filter((reply) => reply.status === 409 && reply.code === code)).toHaveLength(19);
      await till.shop.api(`/payment/order/${order_id}`);
      const [row] = await till.w.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = $2 AND target_id IS DISTINCT FROM transaction_id`,
        [order_id, kind],
      );
      expect(row?.n).toBe(1);
    }
  });
});
