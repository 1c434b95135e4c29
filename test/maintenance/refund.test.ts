// Contract 8.2, row by row, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type Till, NO_WAIT, UNDECIDED, cardFor, members, openTill, problem, told } from './till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const refund = (order_id: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  till.maintain('refund', order_id, body, headers);
const MONEY = ['refunded_amount', 'refundable_amount', 'refund_amount_requested', 'total_refund_amount_requested'];

/** An order captured in these parts; answers its id and those of its captures. */
async function capturedIn(...amounts: readonly number[]) {
  const order_id = await till.authorize();
  const captures: string[] = [];
  for (const amount of amounts)
    captures.push(textAt(await till.maintain('capture', order_id, { amount }), 'capture_id'));
  return { order_id, captures };
}

describe('done', () => {
  test('everything, where no amount is given: the body may be absent, empty or name nothing', async () => {
    for (const body of [undefined, '', {}, { amount: null }, { amount: '' }]) {
      const order_id = await till.sell();
      const reply = await refund(order_id, body);
      expect([body, ...told(reply), ...members(reply, ...MONEY)]).toEqual([
        body,
        200,
        '966666',
        'refund_successful',
        42.5,
        0,
        42.5,
        42.5,
      ]);
      expect(members(reply, 'refund_request_status', 'is_authorized')).toEqual(['success', true]);
      expect(textAt(reply, 'refund_id')).toMatch(/^[0-9a-f]{24}$/);
      expect(textAt(reply, 'refund_date')).toMatch(/^\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000/);
    }
  });

  test('several parts of a direct capture until nothing is left', async () => {
    const order_id = await till.sell();
    const seen = [];
    for (const amount of ['11.30', 1.2, 30]) seen.push(members(await refund(order_id, { amount }), ...MONEY));
    expect(seen).toEqual([
      [11.3, 31.2, 11.3, 11.3],
      [12.5, 30, 1.2, 12.5],
      [42.5, 0, 30, 42.5],
    ]);
    expect(problem(await refund(order_id, { amount: 1 }))).toEqual([
      409,
      'state-conflict',
      '611031',
      'refund_successful',
    ]);
    const refunds = (await till.books(order_id)).filter(({ kind }) => kind === 'refund');
    expect(refunds.map(({ amount, effects }) => [amount, effects])).toEqual([
      [1130, 1],
      [120, 1],
      [3000, 1],
    ]);
  });

  test('of the capture that is named', async () => {
    const { order_id, captures } = await capturedIn(10, 20);
    for (const capture_id of captures.toReversed()) {
      const reply = await refund(order_id, { capture_id });
      expect([reply.code, reply.at('capture_id')]).toEqual(['966666', capture_id]);
    }
    const read = await till.shop.read(order_id);
    expect(
      members(read, 'transactions.0.captures.0.refunded_amount', 'transactions.0.captures.1.refunded_amount'),
    ).toEqual([10, 20]);
    expect(read.at('transactions.0.refunds.0.capture_id')).toBe(captures[1]);
  });

  test('of the only capture, or of the oldest that covers the amount', async () => {
    const one = await capturedIn(10);
    expect((await refund(one.order_id)).at('capture_id')).toBe(one.captures[0]);
    const { order_id, captures } = await capturedIn(10, 20, 12);
    const used: string[] = [];
    for (const amount of [11, 3, 8, 12, 1]) used.push(textAt(await refund(order_id, { amount }), 'capture_id'));
    expect(used.map((id) => captures.indexOf(id))).toEqual([1, 0, 1, 2, 0]);
  });

  test('a reason is kept with the refund', async () => {
    const order_id = await till.sell();
    for (const refund_reason of ['requested_by_customer', 'fraudulent', 'duplicate', 'other'])
      expect((await refund(order_id, { amount: 1, refund_reason })).status).toBe(200);
    const read = await till.shop.read(order_id);
    const kept = [0, 1, 2, 3].map((n) => read.at(`transactions.0.refunds.${n}.refund_reason`));
    expect(kept).toEqual(['requested_by_customer', 'fraudulent', 'duplicate', 'other']);
    expect(read.at('transactions.0.refund_reason')).toBe('other');
    const bad = await refund(order_id, { amount: 1, refund_reason: 'because' });
    expect([bad.status, bad.code, bad.at('errors.0.field')]).toEqual([400, '111012', 'refund_reason']);
  });
});

describe('undecided', () => {
  test('is answered as requested, and says what is asked for', async () => {
    const order_id = await till.sell({}, UNDECIDED.refund);
    const reply = await refund(order_id, { amount: 10 }, NO_WAIT);
    expect([...told(reply), ...members(reply, ...MONEY)]).toEqual([200, '621080', 'refund_requested', 0, 32.5, 10, 10]);
    expect(members(reply, 'refund_date', 'refund_request_status')).toEqual([null, 'pending']);
  });

  test('an identical one is a duplicate; another amount, capture or reference is another refund', async () => {
    const order_id = await till.sell({}, UNDECIDED.refund);
    await refund(order_id, { amount: 10 }, NO_WAIT);
    await till.asked('refund', order_id);
    const [capture] = [(await till.shop.read(order_id)).at('transactions.0.captures.0.capture_id')];
    for (const body of [
      { amount: '10.00' },
      { amount: 10, capture_id: capture },
      { amount: 10, refund_reason: 'other' },
    ])
      expect(problem(await refund(order_id, body))).toEqual([409, 'state-conflict', '611032', 'refund_requested']);
    const named = await refund(order_id, { amount: 10, operation_merchant_id: 'second' });
    expect([named.status, named.code]).toEqual([200, '966666']);
    const other = await refund(order_id, { amount: 5 });
    expect([other.status, other.code, ...members(other, ...MONEY)]).toEqual([200, '966666', 15, 17.5, 5, 25]);
  });

  test('all of it, twice: the second is a duplicate', async () => {
    const order_id = await till.sell({}, UNDECIDED.refund);
    await refund(order_id, undefined, NO_WAIT);
    for (const body of [undefined, {}, { amount: '42.50' }])
      expect(problem(await refund(order_id, body))).toEqual([409, 'state-conflict', '611032', 'refund_requested']);
  });

  test('all of one capture, twice: the second is a duplicate', async () => {
    const order_id = await till.authorize({}, UNDECIDED.refund);
    const first = await till.maintain('capture', order_id, { amount: 10 });
    await till.maintain('capture', order_id, { amount: 20 });
    const body = { capture_id: first.at('capture_id') };
    expect((await refund(order_id, body, NO_WAIT)).code).toBe('621080');
    expect(problem(await refund(order_id, body))).toEqual([409, 'state-conflict', '611032', 'refund_requested']);
  });

  test('a part is no duplicate of all that is left beside it', async () => {
    const order_id = await till.sell({}, UNDECIDED.refund);
    await refund(order_id, { amount: 10 }, NO_WAIT);
    await till.asked('refund', order_id);
    const rest = await refund(order_id, {});
    expect([rest.status, rest.code, ...members(rest, ...MONEY)]).toEqual([200, '966666', 32.5, 0, 32.5, 42.5]);
  });

  test('a reference is taken once for an order, decided or not', async () => {
    const order_id = await till.sell();
    const first = await refund(order_id, { amount: 1, operation_merchant_id: 'back-1' });
    expect(first.at('operation_merchant_id')).toBe('back-1');
    expect(problem(await refund(order_id, { amount: 2, operation_merchant_id: 'back-1' }))).toEqual([
      409,
      'state-conflict',
      '611032',
      'refund_successful',
    ]);
    expect((await refund(await till.sell(), { operation_merchant_id: 'back-1' })).status).toBe(200);
  });
});

describe('refused', () => {
  test('above what is refundable, and where no single capture covers it', async () => {
    const sale = await till.sell();
    const over = await refund(sale, { amount: '42.51' });
    expect(problem(over)).toEqual([422, 'amount-exceeded', '611030', 'capture_successful']);
    expect(over.at('errors.0')).toEqual({ field: 'amount', code: '611030', message: 'is above the refundable amount' });
    await refund(sale, { amount: 40 });
    expect(problem(await refund(sale, { amount: '2.51' }))).toEqual([
      422,
      'amount-exceeded',
      '611030',
      'refund_successful',
    ]);
    const { order_id, captures } = await capturedIn(10, 20);
    expect(problem(await refund(order_id, { amount: 21 }))).toEqual([
      422,
      'amount-exceeded',
      '611030',
      'capture_successful',
    ]);
    expect(problem(await refund(order_id, { amount: 11, capture_id: captures[0] }))).toEqual([
      422,
      'amount-exceeded',
      '611030',
      'capture_successful',
    ]);
    expect((await refund(order_id, { amount: 20 })).status).toBe(200);
  });

  test('several captures and neither amount nor capture', async () => {
    const { order_id } = await capturedIn(10, 20);
    for (const body of [undefined, {}, { refund_reason: 'other' }]) {
      const reply = await refund(order_id, body);
      expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111011', 'capture_id']);
    }
  });

  test('a capture that is none of this order', async () => {
    const { order_id } = await capturedIn(10);
    const other = await capturedIn(10);
    for (const capture_id of [other.captures[0], 'f'.repeat(24), 'x', 'F'.repeat(24)]) {
      const reply = await refund(order_id, { amount: 1, capture_id });
      expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', 'capture_id']);
    }
  });

  test('everything is refunded', async () => {
    const order_id = await till.sell();
    await refund(order_id);
    for (const body of [undefined, {}, { amount: 1 }, { amount: 1000 }])
      expect(problem(await refund(order_id, body))).toEqual([409, 'state-conflict', '611031', 'refund_successful']);
  });

  test('the 51st refund', async () => {
    const order_id = await till.sell({ amount: 60 });
    for (let n = 1; n <= 50; n++) expect((await refund(order_id, { amount: 1 })).status).toBe(200);
    expect(problem(await refund(order_id, { amount: 1 }))).toEqual([
      409,
      'state-conflict',
      '611033',
      'refund_successful',
    ]);
  });

  test('nothing is captured: authorized, declined, cancelled, its capture undecided or refused', async () => {
    const authorized = await till.authorize();
    const cancelled = await till.authorize();
    await till.maintain('cancel', cancelled);
    const undecided = await till.authorize({}, UNDECIDED.capture);
    await till.maintain('capture', undecided, {}, NO_WAIT);
    const refused = await till.authorize({}, cardFor('521288'));
    await till.maintain('capture', refused);
    const cases = [
      [authorized, 'authorization_successful'],
      [await till.sell({}, '4000000000009995'), 'authorization_declined'],
      [cancelled, 'authorization_cancelled'],
      [undecided, 'capture_requested'],
      [refused, 'capture_declined'],
    ] as const;
    for (const [order_id, status] of cases)
      expect(problem(await refund(order_id))).toEqual([409, 'state-conflict', '620210', status]);
  });

  test.each([
    ['621088'],
    ['621120'],
    ['621288'],
    ['621260'],
    ['621261'],
    ['621270'],
    ['621271'],
    ['621272'],
    ['620210'],
  ])('the provider says %s: 422, and nothing changes', async (code) => {
    const order_id = await till.sell({}, cardFor(code));
    const reply = await refund(order_id, { amount: 10 });
    expect(problem(reply)).toEqual([422, 'provider-declined', code, 'refund_declined']);
    const read = await till.shop.read(order_id);
    expect(
      members(read, 'result.code', 'status', 'is_captured', 'is_refunded', 'transactions.0.refundable_amount'),
    ).toEqual([code, 'refund_declined', true, false, 42.5]);
    expect(members(read, 'transactions.0.refunds.0.state', 'transactions.0.refunds.0.refund_id')).toEqual([
      'declined',
      reply.at('refund_id'),
    ]);
    expect((await refund(order_id)).code).toBe('966666');
  });
});
