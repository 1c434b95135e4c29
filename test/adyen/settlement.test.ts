// The settlement details report: its rows as lines of a provider's books.
import { expect, test } from 'vitest';
import type { BookLine } from '../../src/payment/ledger/reconcile/line.ts';
import { readLine } from '../../src/payment/ledger/reconcile/line.ts';
import { settlement } from '../../src/provider/adyen/settlement.ts';
import type { SettledRow } from '../../src/provider/settlement.ts';

const HEAD =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Modification Merchant Reference';
const order_id = 'b'.repeat(24);
const reference = 'a'.repeat(24);
const account = { merchant_account_id: '6'.repeat(24), name: 'FlorinTest' };
const row = (cells: Partial<Record<string, string>>) => {
  const whole: Record<string, string | undefined> = {
    'Company Account': '"Florin, Ltd"',
    'Merchant Account': 'FlorinTest',
    'Psp Reference': '993617895204576J',
    Type: 'Settled',
    'Modification Reference': 'QFQTPCQ8HXSKGK82',
    'Gross Currency': 'EUR',
    'Gross Credit (GC)': '42.5',
    'Modification Merchant Reference': `${order_id}-${reference}`,
    ...cells,
  };
  return HEAD.split(',')
    .map((name) => whole[name] ?? '')
    .join(',');
};
const read = (text: string): SettledRow | undefined => settlement.reader(HEAD, account)?.(text);

test('a capture is a line as reconciliation reads one', () => {
  const found = read(row({}));
  if (found?.kind !== 'line') throw new Error('no line');
  const line: BookLine = found.line;
  expect(line).toMatchObject({
    kind: 'capture',
    reference,
    order_id,
    amount_minor: 4250n,
    state: 'done',
    provider_ref: 'QFQTPCQ8HXSKGK82',
  });
  expect(readLine({ ...line, amount_minor: Number(line.amount_minor) }, 'line 2')).toEqual(line);
});

test.each([
  [
    'Refunded',
    { 'Gross Debit (GC)': '10.00', 'Gross Credit (GC)': '' },
    { kind: 'refund', state: 'done', amount_minor: 1000n },
  ],
  ['RefundedReversed', {}, { kind: 'refund', state: 'undone', amount_minor: 4250n }],
  ['Settled', { 'Gross Currency': 'JPY', 'Gross Credit (GC)': '42' }, { currency: 'JPY', amount_minor: 42n }],
  ['Settled', { 'Gross Currency': 'JPY', 'Gross Credit (GC)': '42.00' }, { amount_minor: 42n }],
  ['Settled', { 'Gross Currency': 'KWD', 'Gross Credit (GC)': '1.2345670' }, undefined],
  ['Settled', { 'Gross Credit (GC)': '42.505' }, undefined],
  ['Settled', { 'Gross Credit (GC)': '' }, undefined],
  ['Settled', { 'Gross Debit (GC)': '1' }, undefined],
  ['Settled', { 'Gross Debit (GC)': '42.5', 'Gross Credit (GC)': '' }, undefined],
  ['Refunded', {}, undefined],
  ['RefundedReversed', { 'Gross Debit (GC)': '42.5', 'Gross Credit (GC)': '' }, undefined],
  ['Settled', { 'Gross Currency': 'EUX' }, undefined],
  ['Settled', { 'Merchant Account': 'Other' }, undefined],
] as const)('%s %j', (Type, cells, line) => {
  const found = read(row({ Type, ...cells }));
  if (line === undefined) expect(found?.kind).toBe('problem');
  else expect(found).toMatchObject({ kind: 'line', line });
});

test('what was made by hand under the same account is named and left to people, and the report is read', () => {
  expect(read(row({ 'Modification Merchant Reference': 'by hand' }))).toEqual({
    kind: 'other',
    type: 'Settled, which names no operation',
  });
});

test('fees, payouts and disputes are named and left to people', () => {
  expect(read(row({ Type: 'MerchantPayout' }))).toEqual({ kind: 'other', type: 'MerchantPayout' });
});

test('a row that is cut or quoted wrong is a problem, a head without a column is no report', () => {
  expect(read(row({}).replace(/,[^,]*$/, ''))?.kind).toBe('problem');
  expect(read(`${row({})},`)?.kind).toBe('problem');
  expect(read(row({ 'Company Account': '"open' }))?.kind).toBe('problem');
  expect(settlement.reader(HEAD.replace('Type,', ''), account)).toBeUndefined();
  expect(settlement.reader(`\uFEFF${HEAD}`, account)).toBeDefined();
});

test("Adyen's fee is the commission or the sum of its parts, in the currency of the payout", () => {
  const head = `${HEAD},Net Currency,Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC)`;
  const readFees = (...cells: readonly string[]) =>
    settlement.reader(head, account)?.([row({}), ...cells].join(',')) as { line?: { fees: unknown } } | undefined;
  const entry = 'Settled QFQTPCQ8HXSKGK82';
  expect(readFees('EUR', '1.20', '', '', '')?.line?.fees).toEqual([{ entry, fee_minor: 120n, currency: 'EUR' }]);
  // each part may be below a cent: 0.1049 + 0.0011 - 0.0011
  expect(readFees('GBP', '', '0.1049', '0.0011', '-0.0011')?.line?.fees).toEqual([
    { entry, fee_minor: 10n, currency: 'GBP' },
  ]);
  expect(readFees('EUR', '', '0.105', '', '')?.line?.fees).toMatchObject([{ fee_minor: 11n }]);
  expect(readFees('EUR', '', '-0.106', '', '')?.line?.fees).toMatchObject([{ fee_minor: -11n }]);
  expect(readFees('EUR', '', '', '', '')?.line?.fees).toEqual([]);
  expect(readFees('EUR', 'x', '', '', '')).toEqual({ kind: 'problem', says: 'has fees that cannot be read' });
  expect(readFees('', '1.20', '', '', '')).toEqual({ kind: 'problem', says: 'has fees that cannot be read' });
});
