// What is left of an order in an experiment by value: after the fees of every try, and a loss of a tenth at most.
import { expect, test } from 'vitest';
import { NO_ORIGIN } from '../../src/core/origin/origins.ts';
import { groupCountsOf } from '../../src/payment/routing/learn/group-counts.ts';
import type { Outcomes } from '../../src/payment/routing/learn/outcomes-store.ts';

const [A, B] = ['aa'.repeat(12), 'bb'.repeat(12)] as const;
const table = { version: 1, valid_from: '2026-01-01', acquirer_country: null };
const fees = [
  { ...table, contract_id: A, fees: [{ currency: 'EUR', percent: '2', attempt: '0.10' }] },
  { ...table, contract_id: B, fees: [{ currency: 'EUR', percent: '1', fixed: '0.20', attempt: '0.30' }] },
];
const known = { fees, origins: { cardOf: () => NO_ORIGIN } };
const OUTCOMES: Outcomes = {
  hour: 7,
  v: 1,
  r: 0,
  controlled: false,
  named: false,
  experiment: 1,
  arm: 'a',
  currency: 'EUR',
  scheme: 'visa',
  first6: null,
  last4: null,
  channel: 'e-commerce',
  by_checkout: false,
  contract_id: A,
  paid_by: null,
  state: 'declined',
  code: null,
  orders: 1,
  won: 0,
  lost: 1,
  amount_minor: 1000,
  sent: [`${A} visa`],
};
const PAID = { won: 1, lost: 0 };
const keptOf = (...outcomes: readonly Partial<Outcomes>[]) =>
  groupCountsOf(
    outcomes.map((one) => ({ ...OUTCOMES, ...one })),
    known,
  )[0]?.kept;

test('every try costs what its contract takes for it, and the one that was paid the rest', () => {
  expect(keptOf({ ...PAID, sent: [`${A} visa`] })).toBeCloseTo(0.98 - 0.01, 9);
  expect(keptOf({})).toBeCloseTo(-0.01, 9);
  // declined at A, paid at B, of ten each
  expect(keptOf({ won: 3, lost: 0, orders: 3, amount_minor: 3000, sent: [`${A} visa`, `${B} visa`] })).toBeCloseTo(
    3 * (0.99 - 0.02 - 0.01 - 0.03),
    9,
  );
  expect(keptOf({ ...PAID, sent: [`${A} visa`] }, { sent: null })).toBeCloseTo(0.97, 9);
});

test('an order counts as a loss of a tenth at most, and where the fee of one try is not known nothing is', () => {
  expect(keptOf({ amount_minor: 50 })).toBeCloseTo(-0.1, 9);
  expect(keptOf({ lost: 4, orders: 4, amount_minor: 200 })).toBeCloseTo(-0.4, 9);
  expect(keptOf({ ...PAID, amount_minor: 10, sent: [`${B} visa`] })).toBeCloseTo(-0.1, 9);
  expect(keptOf({ ...PAID, sent: [`${'cc'.repeat(12)} visa`, `${A} visa`] })).toBe(null);
});
