// The itemized report of a balance: its rows as lines of a provider's books.
import { expect, test } from 'vitest';
import { settlement } from '../../src/provider/stripe/settlement.ts';
import type { SettledRow } from '../../src/provider/settlement.ts';

const HEAD =
  'reporting_category,currency,gross,source_id,customer_facing_amount,customer_facing_currency,payment_metadata[order_id],payment_metadata[operation_id],refund_metadata[order_id],refund_metadata[operation_id],refund_metadata[operation]';
const order_id = 'b'.repeat(24);
const hold = 'a'.repeat(24);
const refund = 'c'.repeat(24);
const account = { merchant_account_id: '6'.repeat(24), name: 'acct_1' };
const WHOLE: Readonly<Record<string, string>> = {
  reporting_category: 'charge',
  currency: 'eur',
  gross: '42.50',
  source_id: 'ch_1',
  customer_facing_amount: '42.50',
  customer_facing_currency: 'eur',
  'payment_metadata[order_id]': order_id,
  'payment_metadata[operation_id]': hold,
};
const OF_REFUND = {
  reporting_category: 'refund',
  gross: '-10',
  'refund_metadata[order_id]': order_id,
  'refund_metadata[operation_id]': refund,
  'refund_metadata[operation]': 'refund',
};
const read = (cells: Readonly<Record<string, string>>): SettledRow | undefined => {
  const whole = { ...WHOLE, ...cells };
  const row = HEAD.split(',')
    .map((name) => whole[name] ?? '')
    .join(',');
  return settlement.reader(HEAD, account)?.(row);
};

test.each([
  ['a charge', {}, { kind: 'capture', reference: hold, amount_minor: 4250n, currency: 'EUR', state: 'done' }],
  ['in yen', { currency: 'jpy', customer_facing_currency: 'jpy', gross: '42' }, { amount_minor: 42n, currency: 'JPY' }],
  [
    'paid in another currency than the balance',
    { currency: 'usd', gross: '46.11' },
    { amount_minor: 4250n, currency: 'EUR' },
  ],
  ['a refund', OF_REFUND, { kind: 'refund', reference: refund, amount_minor: 1000n, state: 'done' }],
  [
    'one that failed later',
    { ...OF_REFUND, reporting_category: 'refund_failure', gross: '10' },
    { kind: 'refund', state: 'undone' },
  ],
  [
    'what undid a payment',
    { ...OF_REFUND, 'refund_metadata[operation]': 'reversal' },
    { kind: 'reversal', reference: hold },
  ],
])('%s', (_, cells, line) => {
  expect(read(cells)).toMatchObject({ kind: 'line', line: { order_id, provider: 'stripe', ...line } });
});

test('the part of a hold that was not captured reduces its capture, in one currency only', () => {
  const rest = { reporting_category: 'partial_capture_reversal', gross: '-32.50' };
  expect(read(rest)).toMatchObject({ kind: 'less', reference: hold, amount_minor: 3250n });
  expect(read({ ...rest, currency: 'usd' })?.kind).toBe('problem');
});

test.each([
  ['dispute', {}],
  ['payout', {}],
  ['charge', { 'payment_metadata[operation_id]': '' }],
  ['refund', { 'refund_metadata[operation_id]': 'by hand' }],
])('a %s %j is left to people', (reporting_category, cells) => {
  expect(read({ reporting_category, ...cells })?.kind).toBe('other');
});

test.each([
  { gross: '42.505' },
  { gross: '' },
  { currency: 'xxq', customer_facing_currency: 'xxq' },
  { customer_facing_currency: 'usd', customer_facing_amount: '' },
])('%j is a problem', (cells) => {
  expect(read(cells)?.kind).toBe('problem');
});

test.each([
  { gross: '-42.50' },
  { ...OF_REFUND, gross: '10' },
  { ...OF_REFUND, reporting_category: 'refund_failure' },
  { reporting_category: 'partial_capture_reversal', gross: '32.50' },
])('%j moved money the other way than rows of its kind do, and is a problem', (cells) => {
  expect(read(cells)).toMatchObject({ kind: 'problem', says: expect.stringContaining(cells.gross) as string });
});

test('a row of other columns is a problem, a head without one of them no report', () => {
  expect(settlement.reader(HEAD, account)?.('charge,eur')).toMatchObject({ kind: 'problem' });
  expect(settlement.reader(HEAD.replace(',gross', ''), account)).toBeUndefined();
});

test("Stripe's fee is in the currency of its balance, and unknown without its two columns", () => {
  const head = `${HEAD},fee,balance_transaction_id`;
  const row = (fee: string, cells = {}) => {
    const whole: Readonly<Record<string, string>> = {
      ...WHOLE,
      currency: 'usd',
      fee,
      balance_transaction_id: 'txn_1',
      ...cells,
    };
    const text = head.split(',').map((name) => whole[name] ?? '');
    return settlement.reader(head, account)?.(text.join(','));
  };
  expect(row('0.89')).toMatchObject({ line: { fees: [{ entry: 'txn_1', fee_minor: 89n, currency: 'USD' }] } });
  expect(row('-0.89')).toMatchObject({ line: { fees: [{ fee_minor: -89n }] } });
  expect(row('')).toMatchObject({ line: { fees: [] } });
  expect(row('free')).toEqual({ kind: 'problem', says: 'has no fee that can be read: free' });
  const rest = { reporting_category: 'partial_capture_reversal', gross: '-1.00', customer_facing_currency: 'usd' };
  expect(row('-0.01', rest)).toMatchObject({ kind: 'less', fees: [{ fee_minor: -1n }] });
  expect(read({})).toMatchObject({ line: { fees: [] } });
});
