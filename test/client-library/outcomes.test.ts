// What the client makes of an answer: every status of ours, and answers of APIs that are older or newer than the
// client.
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type OrderAnswer,
  type PaymentOutcome,
  forPage,
  handle,
  nameOfCode,
  outcomeOf,
} from '../../client/src/florin.ts';
import { RESULTS } from '../../src/core/results.ts';
import { ORDER_STATUSES } from '../../src/core/states.ts';

const ORDER = { order_id: '66bf18d25d1c9a0e47b2f317', result: { code: '421080' } };
const kindOf = (order: object) => outcomeOf({ ...ORDER, ...order }).kind;

describe('an outcome', () => {
  test('of every status says as much of the money as the table of statuses', () => {
    for (const [status, { live }] of Object.entries(ORDER_STATUSES)) {
      const kind = kindOf({ status });
      // a capture that failed leaves the amount held, and the payer not charged
      const ended = !live || status === 'capture_declined';
      expect([status, kind === 'declined']).toEqual([status, ended]);
      if (status.endsWith('_requested') && status !== 'refund_requested')
        expect([status, kind]).toEqual([status, 'pending']);
    }
    expect(kindOf({ status: 'authorization_successful' })).toBe('approved');
    expect(kindOf({ status: 'capture_successful', is_captured: true })).toBe('approved');
  });

  test('of a pending code is no failure', () => {
    const outcome = outcomeOf({ ...ORDER, status: 'authorization_requested' });
    expect(outcome).toMatchObject({ kind: 'pending', code: '421080', reason: 'authorization_pending' });
  });

  test('of an order that is in doubt is doubt, whatever its status says', () => {
    for (const status of Object.keys(ORDER_STATUSES)) expect(kindOf({ status, is_in_doubt: true })).toBe('in_doubt');
  });

  test.each([
    ['a status that came after this client', { status: 'authorization_half_done' }],
    ['a status named as something every object has', { status: 'constructor' }],
    ['no status', {}],
    ['a status that is no text', { status: 7 }],
    ['no order', { order_id: undefined, status: 'capture_successful' }],
  ])('of %s is doubt, not a guess', (_, order) => {
    expect(kindOf(order)).toBe('in_doubt');
  });

  test('of an order without what a newer API always says is read as far as it goes', () => {
    expect(outcomeOf({ order_id: 'a', status: 'authorization_successful' })).toMatchObject({
      kind: 'approved',
      captured: false,
      code: '',
    });
  });

  test('of a payer who must act has an address, and without one it is not decided', () => {
    const status = 'authentication_requested';
    expect(outcomeOf({ ...ORDER, status, redirect_url: 'https://v/pay/1' })).toMatchObject({
      kind: 'payer_must_act',
      redirect_url: 'https://v/pay/1',
    });
    for (const redirect_url of ['', null, undefined]) expect(kindOf({ status, redirect_url })).toBe('pending');
  });

  test('of a capture that failed: nothing is charged, the amount is held', () => {
    expect(outcomeOf({ ...ORDER, status: 'capture_declined' })).toMatchObject({ kind: 'declined', still_held: true });
    expect(kindOf({ status: 'capture_declined', type: 'authorize' })).toBe('approved');
    expect(kindOf({ status: 'capture_requested', type: 'direct_capture' })).toBe('pending');
  });

  test('of another capture that is open or failed is that of what was captured before', () => {
    for (const status of ['capture_requested', 'capture_declined'])
      expect(outcomeOf({ ...ORDER, status, type: 'direct_capture', is_captured: true })).toMatchObject({
        kind: 'approved',
        captured: true,
      });
  });

  test('says by the third digit whether the same card may be tried again', () => {
    const declined = (code: string) => outcomeOf({ ...ORDER, status: 'authorization_declined', result: { code } });
    expect(declined('420100')).toMatchObject({ reason: 'funds_insufficient', same_card_may_be_tried: true });
    expect(declined('421131')).toMatchObject({ reason: 'card_stolen', same_card_may_be_tried: false });
    expect(declined('429999')).toMatchObject({ reason: '429999' });
  });
});

test('every result code has its name', () => {
  for (const { code, name } of RESULTS) expect(nameOfCode(code)).toBe(name);
  expect(nameOfCode('toString')).toBe('toString');
});

test('a page is told the kind and the address, and nothing of the order', () => {
  const order = {
    ...ORDER,
    status: 'authentication_requested',
    redirect_url: 'https://v/pay/1',
    customer_email: 'a@b',
  };
  expect(forPage(outcomeOf(order))).toEqual({ kind: 'payer_must_act', redirect_url: 'https://v/pay/1' });
  expect(forPage(outcomeOf({ ...order, status: 'capture_successful' }))).toEqual({ kind: 'approved' });
});

// What tsc says of these lines is the test: `npm run check`.
describe('the types', () => {
  const outcome: PaymentOutcome = outcomeOf({ ...ORDER, status: 'authorization_successful' } as never);

  test('let nobody read an order without saying what happens in doubt', () => {
    expectTypeOf<PaymentOutcome['kind']>().toEqualTypeOf<
      'approved' | 'declined' | 'payer_must_act' | 'pending' | 'in_doubt'
    >();
    // all that can be read before the kind is known: an order and its id may be missing
    expectTypeOf<keyof PaymentOutcome>().toEqualTypeOf<'kind' | 'order' | 'order_id'>();
    expectTypeOf<PaymentOutcome['order']>().toEqualTypeOf<OrderAnswer | undefined>();
    expectTypeOf<PaymentOutcome['order_id']>().toEqualTypeOf<string | undefined>();
    if (outcome.kind === 'approved') expectTypeOf(outcome.order_id).toEqualTypeOf<string>();
    if (outcome.kind === 'in_doubt') expectTypeOf(outcome.order_id).toEqualTypeOf<string | undefined>();
  });

  test('want a function for every kind', () => {
    const all = {
      approved: () => 'a',
      declined: () => 'b',
      payer_must_act: () => 'c',
      pending: () => 'd',
      in_doubt: () => 'e',
    };
    expect(handle(outcome, all)).toBe('a');
    type Wanted = Parameters<typeof handle<OrderAnswer, string>>[1];
    expectTypeOf(all).toExtend<Wanted>();
    expectTypeOf<Omit<typeof all, 'pending'>>().not.toExtend<Wanted>();
    expectTypeOf<Omit<typeof all, 'in_doubt'>>().not.toExtend<Wanted>();
  });

  test('see a forgotten kind in a switch', () => {
    const never = (left: never) => left;
    const word = (one: PaymentOutcome) => {
      switch (one.kind) {
        case 'approved':
        case 'declined':
        case 'payer_must_act':
        case 'pending':
          return one.order.status;
        case 'in_doubt':
          return one.idempotency_key;
        default:
          return never(one);
      }
    };
    expect(word(outcome)).toBe('authorization_successful');
  });
});
