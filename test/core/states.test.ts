import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  OPERATION_KINDS,
  OPERATION_STATES,
  ORDER_MOVES,
  ORDER_STATUSES,
  isOrderStatus,
  mayMove,
} from '../../src/core/states.ts';

const SQL = readFileSync(new URL('../../src/payment/schema/today.sql', import.meta.url), 'utf8');

/** The values that a constraint names. */
function valuesIn(constraint: string): string[] {
  const found = SQL.split('\n').filter((line) => line.includes(` CONSTRAINT ${constraint} `));
  expect(found).toHaveLength(1);
  return [...(found[0] ?? '').matchAll(/'([a-z_-]+)'/g)].map(([, value]) => value ?? '');
}

const statuses = Object.entries(ORDER_STATUSES);

test('the database takes exactly the statuses of the table', () => {
  expect(valuesIn('orders_status_is_known').toSorted()).toEqual(Object.keys(ORDER_STATUSES).toSorted());
});

test('the database calls exactly those statuses dead that the table does', () => {
  const dead = statuses.filter(([, { live }]) => !live).map(([status]) => status);
  expect(valuesIn('orders_live_follows_status').toSorted()).toEqual(dead.toSorted());
});

test('the database takes exactly the states and kinds of operations of the tables', () => {
  expect(valuesIn('operations_state_is_known').toSorted()).toEqual(Object.keys(OPERATION_STATES).toSorted());
  expect(valuesIn('operations_kind_is_known').toSorted()).toEqual([...OPERATION_KINDS].toSorted());
});

/** Contract 14.2, row by row: to, from. */
const CONTRACT: Readonly<Record<string, readonly string[]>> = {
  created: ['none', 'risk_assessment_declined', 'authentication_declined', 'authorization_declined'],
  risk_assessment_requested: ['created'],
  risk_assessment_approved: ['created', 'risk_assessment_requested'],
  risk_assessment_declined: ['created', 'risk_assessment_requested'],
  authentication_requested: ['created', 'risk_assessment_approved', 'authorization_requested'],
  authentication_successful: ['authentication_requested', 'risk_assessment_approved'],
  authentication_declined: ['authentication_requested', 'risk_assessment_approved'],
  authorization_requested: ['created', 'risk_assessment_approved', 'authentication_successful'],
  authorization_successful: ['authorization_requested'],
  authorization_declined: [
    'authorization_requested',
    'created',
    'risk_assessment_approved',
    'authorization_cancel_requested',
  ],
  authorization_expired: ['authorization_successful'],
  authorization_cancel_requested: [
    'authorization_successful',
    'authorization_requested',
    'authorization_cancel_declined',
  ],
  authorization_cancelled: ['authorization_cancel_requested', 'authentication_requested'],
  authorization_cancel_declined: ['authorization_cancel_requested'],
  capture_requested: [
    'authorization_successful',
    'capture_successful',
    'capture_declined',
    'authorization_cancel_declined',
  ],
  capture_successful: ['capture_requested', 'authorization_successful'],
  capture_declined: ['capture_requested', 'capture_successful'],
  refund_requested: [
    'capture_successful',
    'refund_successful',
    'refund_declined',
    'capture_requested',
    'capture_declined',
  ],
  refund_successful: ['refund_requested'],
  refund_declined: ['refund_requested', 'refund_successful'],
};

/**
 * A card needs no risk tool: what may follow risk_assessment_approved may follow created too. And where the
 * bank could not say, an order under ask_3ds goes on without its word (decision 0037).
 */
const BESIDES = [
  'created -> authentication_successful',
  'created -> authentication_declined',
  'authentication_requested -> authorization_requested',
];

test('the moves are those of contract 14.2', () => {
  const pairs = (rows: readonly (readonly [string, readonly string[]])[]) =>
    rows.flatMap(([to, from]) => from.map((status) => `${status} -> ${to}`)).toSorted();
  const ours = pairs(ORDER_MOVES.map((move) => [move.to, move.from]));
  expect(ours).toEqual([...pairs(Object.entries(CONTRACT)), ...BESIDES].toSorted());
});

test('a move is allowed where the table has it and nowhere else', () => {
  const froms = ['none', ...Object.keys(ORDER_STATUSES)];
  for (const from of froms)
    for (const to of Object.keys(ORDER_STATUSES)) {
      if ((from !== 'none' && !isOrderStatus(from)) || !isOrderStatus(to)) throw new Error(`${from} is no status`);
      const allowed = CONTRACT[to]?.includes(from) === true || BESIDES.includes(`${from} -> ${to}`);
      expect([from, to, mayMove(from, to)]).toEqual([from, to, allowed]);
    }
});

test('every status can be reached, and none that has ended comes back to life but by a new try', () => {
  expect(ORDER_MOVES.map((move) => move.to).toSorted()).toEqual(Object.keys(ORDER_STATUSES).toSorted());
  const revived = ORDER_MOVES.flatMap(({ to, from }) =>
    from.filter((status) => status !== 'none' && !ORDER_STATUSES[status].live).map((status) => `${status} -> ${to}`),
  );
  expect(revived.toSorted()).toEqual([
    'authentication_declined -> created',
    'authorization_declined -> created',
    'risk_assessment_declined -> created',
  ]);
});

test('a name that an object has by birth is no status', () => {
  for (const name of ['toString', '__proto__', 'constructor', '', 'Created']) expect(isOrderStatus(name)).toBe(false);
});
