// Contract 8.3, row by row, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type Till, NO_WAIT, UNDECIDED, cardFor, members, openTill, problem, told } from './till.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

const cancel = (order_id: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  till.maintain('cancel', order_id, body, headers);

/** An order whose authorization the bank has not decided. */
async function undecided(): Promise<string> {
  const token = await till.shop.token({ card_number: UNDECIDED.authorize });
  const own = { amount: '42.50', currency: 'EUR', order_merchant_id: token.slice(0, 12) };
  const reply = await till.shop.order({ token, operation_type: 'authorize', ...own }, NO_WAIT);
  const order_id = textAt(reply, 'order_id');
  await until(async () => {
    const seen = await till.w.sql(
      `SELECT 1 FROM payment.operations WHERE order_id = decode($1, 'hex') AND waits_for = 'provider'`,
      [order_id],
    );
    return seen[0];
  });
  return order_id;
}

describe('done', () => {
  test('the whole authorization, whatever the body', async () => {
    for (const body of [undefined, '', {}, { amount: '11.30' }, { amount: 11.3 }, { amount: 'x', final: true }]) {
      const order_id = await till.authorize();
      const reply = await cancel(order_id, body);
      expect([body, ...told(reply), ...members(reply, 'cancellation_result', 'is_authorized')]).toEqual([
        body,
        200,
        '977777',
        'authorization_cancelled',
        'success',
        false,
      ]);
      expect(textAt(reply, 'cancellation_date')).toMatch(/^\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000/);
      const names = typeof body === 'object' ? Object.keys(body).join(', ') : '';
      expect(reply.headers.get('x-ignored-fields') ?? '').toBe(names);
      const [hold] = await till.books(order_id);
      expect(hold).toMatchObject({ kind: 'authorize', state: 'released' });
    }
  });

  test('the order shows it: nothing is on hold, and nothing can be done with it', async () => {
    const order_id = await till.authorize();
    await cancel(order_id);
    const read = await till.shop.read(order_id);
    const flags = ['is_cancelled', 'is_capturable', 'is_cancellable', 'is_refundable', 'capturable_amount'];
    expect(members(read, 'is_cancelled', ...flags.map((flag) => `transactions.0.${flag}`))).toEqual([
      true,
      true,
      false,
      false,
      false,
      0,
    ]);
    const totals = await till.w.sql(
      `SELECT debit, credit, sum(amount_minor)::int AS amount FROM payment.ledger_entries WHERE order_id = decode($1, 'hex') GROUP BY 1, 2 ORDER BY 1`,
      [order_id],
    );
    expect(totals).toEqual([
      { debit: 'authorized_contra', credit: 'authorized_hold', amount: 4250 },
      { debit: 'authorized_hold', credit: 'authorized_contra', amount: 4250 },
    ]);
  });

  test('after a capture that was refused', async () => {
    const order_id = await till.authorize({}, cardFor('521288'));
    expect((await till.maintain('capture', order_id)).status).toBe(422);
    expect(told(await cancel(order_id))).toEqual([200, '977777', 'authorization_cancelled']);
  });

  test('an authorization that is undecided is undone, and ends cancelled', async () => {
    const order_id = await undecided();
    const reply = await cancel(order_id, { operation_merchant_id: 'stop' }, { prefer: 'wait=25' });
    expect([...told(reply), ...members(reply, 'cancellation_result', 'operation_merchant_id')]).toEqual([
      200,
      '977777',
      'authorization_cancelled',
      'success',
      'stop',
    ]);
    const books = await till.books(order_id);
    expect(books.map(({ kind }) => kind).toSorted()).toEqual(['authorize', 'reversal']);
    expect(books.filter(({ state }) => state === 'held')).toEqual([]);
    const ledger = await till.w.sql(`SELECT 1 FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`, [
      order_id,
    ]);
    expect(ledger).toEqual([]);
  });
});

describe('undecided', () => {
  test('is answered as requested; a second one is a duplicate', async () => {
    const order_id = await till.authorize();
    const hold = till.hold();
    const reply = await cancel(order_id, {}, NO_WAIT);
    expect([...told(reply), ...members(reply, 'cancellation_result', 'cancellation_date')]).toEqual([
      200,
      '721080',
      'authorization_cancel_requested',
      'pending',
      null,
    ]);
    for (const body of [undefined, {}, { amount: 1 }, { operation_merchant_id: 'other' }])
      expect(problem(await cancel(order_id, body))).toEqual([
        409,
        'state-conflict',
        '711033',
        'authorization_cancel_requested',
      ]);
    hold.letGo();
    await until(async () => ((await till.shop.read(order_id)).code === '977777' ? true : undefined));
  });

  test('of an undecided authorization: requested until the reversal is acknowledged', async () => {
    const order_id = await undecided();
    const hold = till.hold();
    const reply = await cancel(order_id, {}, NO_WAIT);
    expect(told(reply)).toEqual([200, '721080', 'authorization_cancel_requested']);
    expect(problem(await cancel(order_id))).toEqual([
      409,
      'state-conflict',
      '711033',
      'authorization_cancel_requested',
    ]);
    hold.letGo();
    await until(async () => ((await till.shop.read(order_id)).code === '977777' ? true : undefined));
  });
});

describe('refused', () => {
  test('captured, wholly or partly, or a capture undecided', async () => {
    const partly = await till.authorize();
    await till.maintain('capture', partly, { amount: 1 });
    const wholly = await till.authorize();
    await till.maintain('capture', wholly);
    const pending = await till.authorize({}, UNDECIDED.capture);
    await till.maintain('capture', pending, { amount: 1 }, NO_WAIT);
    const sold = await till.sell();
    const cases = [
      ...[partly, wholly, sold].map((id) => [id, 'capture_successful'] as const),
      [pending, 'capture_requested'] as const,
    ];
    for (const [order_id, status] of cases)
      expect(problem(await cancel(order_id))).toEqual([409, 'state-conflict', '711031', status]);
  });

  test('already cancelled', async () => {
    const order_id = await till.authorize();
    await cancel(order_id);
    for (const body of [undefined, {}, { amount: 1 }])
      expect(problem(await cancel(order_id, body))).toEqual([
        409,
        'state-conflict',
        '711032',
        'authorization_cancelled',
      ]);
  });

  test('nothing to cancel: a declined order', async () => {
    const order_id = await till.authorize({}, '4000000000009995');
    expect(problem(await cancel(order_id))).toEqual([409, 'state-conflict', '720010', 'authorization_declined']);
  });

  test('a reference is taken once for an order', async () => {
    const order_id = await till.authorize({}, cardFor('721288'));
    expect((await cancel(order_id, { operation_merchant_id: 'stop-1' })).status).toBe(422);
    expect(problem(await cancel(order_id, { operation_merchant_id: 'stop-1' }))).toEqual([
      409,
      'state-conflict',
      '711033',
      'authorization_cancel_declined',
    ]);
    expect((await cancel(order_id, { operation_merchant_id: 'stop-2' })).code).toBe('977777');
  });

  test.each([['721088'], ['721188'], ['721288'], ['721170'], ['721171'], ['721172'], ['720010']])(
    'the provider says %s: 422, and nothing changes',
    async (code) => {
      const order_id = await till.authorize({}, cardFor(code));
      const reply = await cancel(order_id, { amount: 1 });
      expect(problem(reply)).toEqual([422, 'provider-declined', code, 'authorization_cancel_declined']);
      const read = await till.shop.read(order_id);
      expect(members(read, 'result.code', 'is_cancelled', 'transactions.0.capturable_amount')).toEqual([
        code,
        false,
        42.5,
      ]);
      expect((await till.maintain('capture', order_id)).code).toBe('955555');
    },
  );
});
