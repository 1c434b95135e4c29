// Contract 8.1, row by row, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type Till, NO_WAIT, UNDECIDED, cardFor, members, openTill, problem, told } from './till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const capture = (order_id: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  till.maintain('capture', order_id, body, headers);
const MONEY = ['captured_amount', 'capturable_amount', 'capture_amount_requested', 'total_capture_amount_requested'];

describe('done', () => {
  test('everything, where no amount is given: the body may be absent, empty or name nothing', async () => {
    for (const body of [undefined, '', {}, { amount: null }, { amount: '' }, { final: false }]) {
      const order_id = await till.authorize();
      const reply = await capture(order_id, body);
      expect([body, ...told(reply), ...members(reply, ...MONEY)]).toEqual([
        body,
        200,
        '955555',
        'capture_successful',
        42.5,
        0,
        42.5,
        42.5,
      ]);
      expect(members(reply, 'capture_request_status', 'is_authorized')).toEqual(['success', true]);
      expect(textAt(reply, 'capture_id')).toMatch(/^[0-9a-f]{24}$/);
      expect(textAt(reply, 'capture_date')).toMatch(/^\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000/);
    }
  });

  test('several parts until nothing is left', async () => {
    const order_id = await till.authorize();
    const seen = [];
    for (const amount of ['10', 20, '12.50']) seen.push(members(await capture(order_id, { amount }), ...MONEY));
    expect(seen).toEqual([
      [10, 32.5, 10, 10],
      [30, 12.5, 20, 30],
      [42.5, 0, 12.5, 42.5],
    ]);
    expect(problem(await capture(order_id, { amount: '0.01' }))).toEqual([
      409,
      'state-conflict',
      '511030',
      'capture_successful',
    ]);
    const captures = (await till.books(order_id)).filter(({ kind }) => kind === 'capture');
    expect(captures.map(({ amount, effects }) => [amount, effects])).toEqual([
      [1000, 1],
      [2000, 1],
      [1250, 1],
    ]);
  });

  test('final releases what is left, and nothing can be captured any more', async () => {
    for (const final of [true, 'true']) {
      const order_id = await till.authorize();
      const reply = await capture(order_id, { amount: '10', final });
      expect([...told(reply), ...members(reply, ...MONEY)]).toEqual([
        200,
        '955555',
        'capture_successful',
        10,
        0,
        10,
        10,
      ]);
      const read = await till.shop.read(order_id);
      expect(members(read, 'transactions.0.is_capturable', 'transactions.0.capturable_amount')).toEqual([false, 0]);
      const more = await capture(order_id, { amount: 1 });
      expect([more.status, more.code]).toEqual([409, '511030']);
      expect((await capture(order_id)).code).toBe('511030');
      const held = await till.w.sql(
        `SELECT sum(CASE WHEN debit = 'authorized_hold' THEN amount_minor WHEN credit = 'authorized_hold' THEN -amount_minor ELSE 0 END)::int AS held
         FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`,
        [order_id],
      );
      expect(held).toEqual([{ held: 0 }]);
    }
  });
});

describe('undecided', () => {
  test('is answered as requested, and says what is asked for', async () => {
    const order_id = await till.authorize({}, UNDECIDED.capture);
    const reply = await capture(order_id, { amount: 10 }, NO_WAIT);
    expect([...told(reply), ...members(reply, ...MONEY)]).toEqual([
      200,
      '521080',
      'capture_requested',
      0,
      32.5,
      10,
      10,
    ]);
    expect(members(reply, 'capture_date', 'capture_request_status')).toEqual([null, 'pending']);
    expect(reply.headers.get('preference-applied')).toBe('wait=0');
  });

  test('the same amount and reference again is a duplicate; another amount or reference is another capture', async () => {
    const order_id = await till.authorize({}, UNDECIDED.capture);
    await capture(order_id, { amount: 10 }, NO_WAIT);
    await till.asked('capture', order_id);
    const again = await capture(order_id, { amount: '10.00' });
    expect(problem(again)).toEqual([409, 'state-conflict', '511032', 'capture_requested']);
    const named = await capture(order_id, { amount: 10, operation_merchant_id: 'second' });
    expect([named.status, named.code]).toEqual([200, '955555']);
    const other = await capture(order_id, { amount: 5 });
    expect([other.status, other.code]).toEqual([200, '955555']);
    expect(members(other, ...MONEY)).toEqual([15, 17.5, 5, 25]);
  });

  test('all of it, twice: the second is a duplicate', async () => {
    const order_id = await till.authorize({}, UNDECIDED.capture);
    await capture(order_id, undefined, NO_WAIT);
    for (const body of [undefined, {}, { amount: '42.50' }])
      expect(problem(await capture(order_id, body))).toEqual([409, 'state-conflict', '511032', 'capture_requested']);
  });

  test('a reference is taken once for an order, decided or not', async () => {
    const order_id = await till.authorize();
    const first = await capture(order_id, { amount: 1, operation_merchant_id: 'part-1' });
    expect(first.at('operation_merchant_id')).toBe('part-1');
    expect(problem(await capture(order_id, { amount: 2, operation_merchant_id: 'part-1' }))).toEqual([
      409,
      'state-conflict',
      '511032',
      'capture_successful',
    ]);
    // another order, or another kind of operation, may use it
    expect((await capture(await till.authorize(), { operation_merchant_id: 'part-1' })).status).toBe(200);
    expect((await till.maintain('refund', order_id, { operation_merchant_id: 'part-1' })).status).toBe(200);
  });
});

describe('refused', () => {
  test.each([
    ['captured in parts', () => till.authorize(), [{ amount: '42.5' }]],
    ['a direct capture', () => till.sell(), []],
  ] as const)('everything is captured already: %s', async (_, make, before) => {
    const order_id = await make();
    for (const body of before) expect((await capture(order_id, body)).status).toBe(200);
    for (const body of [undefined, {}, { amount: 1 }, { amount: 1000 }])
      expect(problem(await capture(order_id, body))).toEqual([409, 'state-conflict', '511030', 'capture_successful']);
  });

  test('above what is capturable', async () => {
    const order_id = await till.authorize();
    const over = await capture(order_id, { amount: '42.51' });
    expect(problem(over)).toEqual([422, 'amount-exceeded', '511031', 'authorization_successful']);
    expect(over.at('errors.0')).toEqual({
      field: 'amount',
      code: '511031',
      message: 'is above the capturable amount',
    });
    await capture(order_id, { amount: 40 });
    expect(problem(await capture(order_id, { amount: '2.51' }))).toEqual([
      422,
      'amount-exceeded',
      '511031',
      'capture_successful',
    ]);
    expect((await capture(order_id, { amount: '2.50' })).status).toBe(200);
  });

  test('the 51st capture', async () => {
    const order_id = await till.authorize({ amount: 60 });
    for (let n = 1; n <= 50; n++) expect((await capture(order_id, { amount: 1 })).status).toBe(200);
    expect(problem(await capture(order_id, { amount: 1 }))).toEqual([
      409,
      'state-conflict',
      '511033',
      'capture_successful',
    ]);
    const read = await till.shop.read(order_id);
    expect([read.at('capture_total_amount'), read.at('transactions.0.capturable_amount')]).toEqual([50, 10]);
  });

  test('nothing is authorized: declined, undecided, cancelled', async () => {
    const declined = await till.authorize({}, '4000000000009995');
    expect(problem(await capture(declined))).toEqual([409, 'state-conflict', '520220', 'authorization_declined']);
    const undecided = await till.shop.order(
      {
        token: await till.shop.token({ card_number: UNDECIDED.authorize }),
        operation_type: 'authorize',
        amount: 5,
        currency: 'EUR',
        order_merchant_id: 'undecided',
      },
      NO_WAIT,
    );
    expect(problem(await capture(textAt(undecided, 'order_id')))).toEqual([
      409,
      'state-conflict',
      '520220',
      'authorization_requested',
    ]);
    const cancelled = await till.authorize();
    await till.maintain('cancel', cancelled);
    expect(problem(await capture(cancelled))).toEqual([409, 'state-conflict', '520220', 'authorization_cancelled']);
  });

  test('while the authorization is being cancelled', async () => {
    const order_id = await till.authorize();
    const hold = till.hold();
    await till.maintain('cancel', order_id, {}, NO_WAIT);
    expect(problem(await capture(order_id))).toEqual([
      409,
      'state-conflict',
      '520220',
      'authorization_cancel_requested',
    ]);
    hold.letGo();
  });

  test.each(['521088', '521188', '521288', '521260', '521270', '521271', '521272', '521273', '520120', '520220'])(
    'the provider says %s: 422, and nothing changes',
    async (code) => {
      const order_id = await till.authorize({}, cardFor(code));
      const reply = await capture(order_id, { amount: 10 });
      expect(problem(reply)).toEqual([422, 'provider-declined', code, 'capture_declined']);
      expect(members(reply, 'order_id', 'transaction_id')).toEqual([order_id, expect.stringMatching(/^[0-9a-f]{24}$/)]);
      const read = await till.shop.read(order_id);
      expect(members(read, 'result.code', 'status', 'is_captured', 'transactions.0.capturable_amount')).toEqual([
        code,
        'capture_declined',
        false,
        42.5,
      ]);
      expect(read.at('transactions.0.captures.0')).toEqual({
        capture_id: reply.at('capture_id'),
        amount: 10,
        refunded_amount: 0,
        state: 'declined',
        date: expect.any(String),
      });
      // only the first is refused: what stands can be captured
      expect((await capture(order_id)).code).toBe('955555');
    },
  );
});
