// What may be captured, refunded and cancelled, as pure functions: the rows of contract 8 that no journey can bring
// about yet, because they want a payer who leaves, a provider that is poorer than the simulator, or money that a
// provider took back.
import { expect, test } from 'vitest';
import { REFUSALS, Refusal } from '../../src/core/refusals.ts';
import { result } from '../../src/core/results.ts';
import { planCancel, planCapture, planRefund } from '../../src/payment/order/maintenance/plan.ts';
import type { OrderFacts } from '../../src/payment/order/facts/order-facts.ts';
import { simulator } from '../../src/provider/simulator/simulator.ts';
import { AUTHORIZE, freshOrder, operationFacts } from './decide/facts.ts';

const START = freshOrder({ amount_minor: 4250n, currency: 'EUR', with_capture: false });
const HELD: OrderFacts = {
  ...START,
  status: 'authorization_successful',
  winner_id: AUTHORIZE,
  authorized_minor: 4250n,
  operations: [operationFacts({ id: AUTHORIZE, kind: 'authorize', amount_minor: 4250n, state: 'successful' })],
};
const CAN = simulator('simulator', 'Simulator', 10).can;

/** Status and code of the refusal. */
function refused(plan: () => unknown): readonly [number, string] {
  try {
    plan();
  } catch (error) {
    if (error instanceof Refusal) {
      const row = REFUSALS[error.refusal];
      return [row.status, result(error.extras.result ?? row.result).code];
    }
    throw error;
  }
  return [200, ''];
}

test('an amount that is none is said before how the order stands, and before what it names', () => {
  const declined: OrderFacts = { ...HELD, status: 'authorization_declined', live: false, authorized_minor: 0n };
  const amount = '1.001';
  expect(refused(() => planCapture(declined, { amount }, CAN))).toEqual([400, '111012']);
  expect(refused(() => planRefund(declined, { amount }))).toEqual([400, '111012']);
  expect(refused(() => planRefund(HELD, { amount, capture_id: AUTHORIZE }))).toEqual([400, '111012']);
  expect(refused(() => planCapture(declined, { amount: '1' }, CAN))).toEqual([409, '520220']);
});

test('an authorization that has lapsed is neither captured nor cancelled', () => {
  const lapsed: OrderFacts = { ...HELD, status: 'authorization_expired', live: false, released_minor: 4250n };
  expect(refused(() => planCapture(lapsed, {}, CAN))).toEqual([409, '520120']);
  expect(refused(() => planCapture(lapsed, { amount: '1' }, CAN))).toEqual([409, '520120']);
  expect(refused(() => planCancel(lapsed, {}))).toEqual([409, '711030']);
  expect(refused(() => planRefund(lapsed, {}))).toEqual([409, '620210']);
});

test('an order that the payer ended is not captured; one whose authentication failed has nothing to capture', () => {
  const ended = (code: string): OrderFacts => ({
    ...START,
    status: 'authentication_declined',
    live: false,
    operations: [],
    events: [...START.events, { type: 'authentication_declined', code, at: START.created_at, request_id: null }],
  });
  expect(refused(() => planCapture(ended('361000'), {}, CAN))).toEqual([409, '521100']);
  expect(refused(() => planCapture(ended('320001'), {}, CAN))).toEqual([409, '520220']);
  expect(refused(() => planCancel(ended('361000'), {}))).toEqual([409, '720010']);
});

test('a provider that takes one capture is asked for one that stands, not for one after a refused one', () => {
  const one = { ...CAN, captures: 'one' } as const;
  const withCapture = (state: 'successful' | 'declined'): OrderFacts => ({
    ...HELD,
    captured_minor: state === 'successful' ? 1000n : 0n,
    operations: [...HELD.operations, operationFacts({ id: 'first', kind: 'capture', amount_minor: 1000n, state })],
  });
  expect(planCapture(HELD, { amount: '10' }, one)).toMatchObject({ amount_minor: 1000n });
  expect(refused(() => planCapture(withCapture('successful'), { amount: '10' }, one))).toEqual([422, '521273']);
  expect(planCapture(withCapture('declined'), { amount: '10' }, one)).toMatchObject({ amount_minor: 1000n });
});

test('money that a provider took back of a refunded capture is not refunded from another one', () => {
  const capture = (id: string, state: 'successful' | 'declined') =>
    operationFacts({ id, kind: 'capture', amount_minor: 1000n, state });
  const back = operationFacts({
    id: 'back',
    kind: 'refund',
    amount_minor: 600n,
    state: 'successful',
    target_id: 'one',
  });
  const order: OrderFacts = {
    ...HELD,
    captured_minor: 1000n,
    refunded_minor: 600n,
    operations: [...HELD.operations, capture('one', 'declined'), capture('two', 'successful'), back],
  };
  expect(planRefund(order, {})).toMatchObject({ amount_minor: 400n, target_id: 'two' });
  expect(planRefund(order, { amount: '4' })).toMatchObject({ amount_minor: 400n });
  expect(refused(() => planRefund(order, { amount: '4.01' }))).toEqual([422, '611030']);
});
