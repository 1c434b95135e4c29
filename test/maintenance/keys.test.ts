// Contract 2.8 and 2.9 for capture, refund and cancel: how long a caller waits, and what a repeated Idempotency-Key
// does.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type Kind, type Till, NO_WAIT, UNDECIDED, cardFor, members, openTill, told } from './till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const KINDS = ['capture', 'refund', 'cancel'] as const;
const CODES = { capture: '955555', refund: '966666', cancel: '977777' } as const;
const PENDING = { capture: '521080', refund: '621080', cancel: '721080' } as const;

const orderFor = (kind: Kind, card?: string) => (kind === 'refund' ? till.sell({}, card) : till.authorize({}, card));

let keys = 0;
const newKey = () => ({ 'idempotency-key': `maintenance-${keys++}` });

/** How many operations of this kind the order has, and how many times the bank was asked for one. */
async function countsOf(order_id: string, kind: Kind): Promise<readonly number[]> {
  const rows = await till.w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = $2 AND target_id IS DISTINCT FROM transaction_id`,
    [order_id, kind],
  );
  const entries = (await till.books(order_id)).filter((entry) => entry.kind === kind);
  return [rows[0]?.n ?? 0, entries.reduce((sum, entry) => sum + entry.calls, 0)];
}

describe.each(KINDS)('a %s with a key', (kind) => {
  test('is done once; the same request again is told how it stands', async () => {
    const order_id = await orderFor(kind);
    const headers = newKey();
    const first = await till.maintain(kind, order_id, { operation_merchant_id: 'a' }, headers);
    const again = await till.maintain(kind, order_id, ' { "operation_merchant_id" : "a" } ', headers);
    expect([first.code, first.headers.get('idempotent-replayed')]).toEqual([CODES[kind], null]);
    expect([again.code, again.headers.get('idempotent-replayed')]).toEqual([CODES[kind], 'true']);
    const mine = (reply: typeof first) => ({ ...Object(reply.body), request_id: '' });
    expect(mine(again)).toEqual(mine(first));
    expect(await countsOf(order_id, kind)).toEqual([1, 1]);
  });

  test('without a body and with an empty one is not the same request as one with a reference', async () => {
    const order_id = await orderFor(kind);
    const headers = newKey();
    expect((await till.maintain(kind, order_id, undefined, headers)).status).toBe(200);
    expect((await till.maintain(kind, order_id, {}, headers)).headers.get('idempotent-replayed')).toBe('true');
    const other = await till.maintain(kind, order_id, { operation_merchant_id: 'b' }, headers);
    expect([other.status, other.code, other.at('errors.0.field')]).toEqual([422, '111012', 'Idempotency-Key']);
    expect(textAt(other, 'type')).toMatch(/\/problems\/idempotency-mismatch$/);
    expect(await countsOf(order_id, kind)).toEqual([1, 1]);
  });

  test('is the same in another order of its members, and another one where its amount is written otherwise', async () => {
    const order_id = await orderFor(kind);
    const headers = newKey();
    const first = await till.maintain(kind, order_id, '{"amount":1.5,"operation_merchant_id":"a"}', headers);
    const turned = await till.maintain(kind, order_id, '{"operation_merchant_id":"a","amount":1.5}', headers);
    expect([first.status, turned.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    for (const amount of ['1.50', '"1.5"']) {
      const body = `{"amount":${amount},"operation_merchant_id":"a"}`;
      const other = await till.maintain(kind, order_id, body, headers);
      expect([other.status, other.code, other.at('errors.0.field')]).toEqual([422, '111012', 'Idempotency-Key']);
    }
    expect(await countsOf(order_id, kind)).toEqual([1, 1]);
  });

  test('may use the same key for another order, for another kind, and be another merchant’s', async () => {
    const headers = newKey();
    const first = await till.maintain(kind, await orderFor(kind), {}, headers);
    const second = await till.maintain(kind, await orderFor(kind), {}, headers);
    for (const reply of [first, second])
      expect([reply.code, reply.headers.get('idempotent-replayed')]).toEqual([CODES[kind], null]);
    const other = await till.w.otherShop();
    const theirs = await other.pay({}, { operation_type: kind === 'refund' ? 'direct_capture' : 'authorize' });
    const reply = await other.api(`/payment/maintenance/${kind}/${textAt(theirs, 'order_id')}`, {
      method: 'POST',
      body: {},
      headers,
    });
    expect([reply.code, reply.headers.get('idempotent-replayed')]).toEqual([CODES[kind], null]);
  });

  test('joins the first while it runs: one effect, the same answer', async () => {
    const order_id = await orderFor(kind);
    const headers = newKey();
    const hold = till.hold();
    const asked = Array.from({ length: 8 }, () => till.maintain(kind, order_id, {}, headers));
    await until(async () => (hold.waiting > 0 ? true : undefined));
    hold.letGo();
    const replies = await Promise.all(asked);
    expect(new Set(replies.map((reply) => reply.code))).toEqual(new Set([CODES[kind]]));
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true')).toHaveLength(7);
    expect(await countsOf(order_id, kind)).toEqual([1, 1]);
  });

  test('that was answered undecided is answered decided later', async () => {
    const order_id = await orderFor(kind);
    const headers = newKey();
    const hold = till.hold();
    const first = await till.maintain(kind, order_id, {}, { ...headers, ...NO_WAIT });
    expect([first.code, first.headers.get('preference-applied')]).toEqual([PENDING[kind], 'wait=0']);
    hold.letGo();
    const again = await till.maintain(kind, order_id, {}, headers);
    expect([again.code, again.headers.get('idempotent-replayed')]).toEqual([CODES[kind], 'true']);
    expect(again.at(`${kind}_id`)).toBe(first.at(`${kind}_id`));
  });

  test('that the provider refused is refused again, and not sent again', async () => {
    const code = { capture: '521288', refund: '621288', cancel: '721288' }[kind];
    const order_id = await orderFor(kind, cardFor(code));
    const headers = newKey();
    for (const replayed of [null, 'true']) {
      const reply = await till.maintain(kind, order_id, {}, headers);
      expect([reply.status, reply.code, reply.headers.get('idempotent-replayed')]).toEqual([422, code, replayed]);
    }
    expect(await countsOf(order_id, kind)).toEqual([1, 1]);
    expect((await till.maintain(kind, order_id, {}, newKey())).code).toBe(CODES[kind]);
  });

  test('that was refused before anything was done leaves the key unused', async () => {
    const order_id = kind === 'cancel' ? await till.sell() : await orderFor(kind);
    const headers = newKey();
    const bad = kind === 'cancel' ? {} : { amount: 1000 };
    expect((await till.maintain(kind, order_id, bad, headers)).status).toBe(kind === 'cancel' ? 409 : 422);
    const kept = await till.w.sql(`SELECT 1 FROM payment.idempotency_keys WHERE key = $1`, [
      headers['idempotency-key'],
    ]);
    expect(kept).toEqual([]);
    if (kind !== 'cancel') expect((await till.maintain(kind, order_id, { amount: 1 }, headers)).code).toBe(CODES[kind]);
  });

  test.each([['é'], ['x'.repeat(256)], ['a b'], ['\u007f']])('that is no key (%j) is refused', async (key) => {
    const order_id = await orderFor(kind);
    const headers = { 'idempotency-key': key };
    const reply = await till.maintain(kind, order_id, {}, headers).catch(() => undefined);
    // what is not Latin-1 does not even leave the client
    if (!reply) return;
    expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', 'Idempotency-Key']);
    expect(await countsOf(order_id, kind)).toEqual([0, 0]);
  });
});

describe('waiting', () => {
  test.each([
    ['wait=0', 'wait=0'],
    ['respond-async', 'respond-async'],
  ])('Prefer: %s does not wait', async (prefer, applied) => {
    for (const kind of KINDS) {
      const order_id = await orderFor(kind);
      const hold = till.hold();
      const reply = await till.maintain(kind, order_id, {}, { prefer });
      hold.letGo();
      expect([reply.status, reply.code, reply.headers.get('preference-applied')]).toEqual([
        200,
        PENDING[kind],
        applied,
      ]);
      await until(async () => ((await till.shop.read(order_id)).code === CODES[kind] ? true : undefined));
    }
  });

  test('Prefer: wait=N hears of the outcome as soon as it is there', async () => {
    for (const [kind, prefer] of [
      ['capture', 'wait=25'],
      ['refund', 'wait=99'],
      ['cancel', 'respond-async, wait=20'],
    ] as const) {
      const order_id = await orderFor(kind);
      const hold = till.hold();
      const asked = till.maintain(kind, order_id, {}, { prefer });
      await until(async () => (hold.waiting > 0 ? true : undefined));
      hold.letGo();
      const reply = await asked;
      expect([reply.status, reply.code]).toEqual([200, CODES[kind]]);
      expect(reply.headers.get('preference-applied')).toBe(
        { capture: 'wait=25', refund: 'wait=25', cancel: 'wait=20' }[kind],
      );
    }
  });

  test('a caller that hangs up stops nothing', async () => {
    const order_id = await till.authorize();
    const hold = till.hold();
    const call = new AbortController();
    const asked = fetch(`${till.w.service.addresses.base_url}/payment/maintenance/capture/${order_id}`, {
      method: 'POST',
      headers: { 'x-api-key': till.w.keys.private_key },
      signal: call.signal,
    });
    await until(async () => (hold.waiting > 0 ? true : undefined));
    call.abort();
    await expect(asked).rejects.toThrow('abort');
    hold.letGo();
    await until(async () => ((await till.shop.read(order_id)).code === '955555' ? true : undefined));
    expect(await countsOf(order_id, 'capture')).toEqual([1, 1]);
  });

  test('while it is undecided the order says so: reserved, pending, not in doubt', async () => {
    const order_id = await till.authorize({}, UNDECIDED.capture);
    const reply = await till.maintain('capture', order_id, { amount: 10 }, NO_WAIT);
    const read = await till.shop.read(order_id);
    expect([...told(read), read.at('is_in_doubt')]).toEqual([200, '521080', 'capture_requested', false]);
    const of = [
      'capture_request_status',
      'captured_amount',
      'capturable_amount',
      'capture_amount_request',
      'is_captured',
    ];
    expect(members(read, ...of.map((name) => `transactions.0.${name}`))).toEqual(['pending', 0, 32.5, 10, false]);
    expect(read.at('transactions.0.captures.0')).toEqual({
      capture_id: reply.at('capture_id'),
      amount: 10,
      refunded_amount: 0,
      state: 'requested',
      date: null,
    });
  });
});
