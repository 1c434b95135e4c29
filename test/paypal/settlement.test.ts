// The settlement report: sections of rows between heads and feet, as lines of a provider's books.
import { expect, test } from 'vitest';
import { settlement } from '../../src/provider/paypal/settlement.ts';
import type { SettledRow } from '../../src/provider/settlement.ts';

const order_id = 'b'.repeat(24);
const hold = 'a'.repeat(24);
const capture = 'd'.repeat(24);
const account = { merchant_account_id: '6'.repeat(24), name: 'PAYEE1' };
// as PayPal writes them, with two spaces in one name
const HEAD =
  '"CH","Transaction ID","Invoice ID","Transaction Event Code","Transaction  Debit or Credit","Gross Transaction Amount","Gross Transaction Currency","Custom Field"';
const FRAME = ['"RH",2026/11/24 02:44:19 -0700,"A","PAYEE1",009', '"FH",01', '"SH",x,y,"PAYEE1",""', HEAD];
type Cells = {
  id?: string;
  code?: string;
  side?: string;
  amount?: string;
  currency?: string;
  invoice?: string;
  custom?: string;
};

function read(cells: Cells, frame: readonly string[] = FRAME): SettledRow | undefined {
  const { code = 'T0005', side = 'CR', amount = '4250', currency = 'EUR', invoice = capture } = cells;
  const row = ['SB', cells.id ?? 'TX1', invoice, code, side, amount, currency, cells.custom ?? `${order_id}-${hold}`];
  const [head = '', ...more] = frame;
  const reader = settlement.reader(head, account);
  for (const one of more) expect(reader?.(one).kind, one).toBe('frame');
  return reader?.(row.map((cell) => `"${cell}"`).join(','));
}

test.each<[string, Cells, object]>([
  ['a capture is known by its invoice id', {}, { kind: 'capture', reference: capture, amount_minor: 4250n }],
  ['a sale by its custom field', { invoice: '' }, { kind: 'capture', reference: hold, provider_ref: 'TX1' }],
  ['a refund by a custom field of its own', { code: 'T1107', side: 'DR' }, { kind: 'refund', reference: hold }],
  ['yen have no decimals', { currency: 'JPY', amount: '42' }, { amount_minor: 42n, currency: 'JPY' }],
  ['forints have none there, and two with us', { currency: 'HUF', amount: '42' }, { amount_minor: 4200n }],
])('%s', (_, cells, line) => {
  expect(read(cells)).toMatchObject({ kind: 'line', line: { provider: 'paypal', order_id, state: 'done', ...line } });
});

test.each<Cells>([
  { code: 'T1106', side: 'DR' },
  { code: 'T1201', side: 'DR' },
  { code: 'T0005', side: 'DR' },
  { code: 'T1107', side: 'CR' },
  { custom: 'by hand' },
])('%j is left to people', (cells) => {
  expect(read(cells)?.kind).toBe('other');
});

test.each<Cells>([{ amount: '42.50' }, { amount: '' }, { amount: '-1' }, { currency: 'KWD' }, { id: '' }])(
  '%j is a problem',
  (cells) => {
    expect(read(cells)?.kind).toBe('problem');
  },
);

test('rows of another account, of other columns, before their columns or of no known type are problems', () => {
  expect(
    read(
      {},
      FRAME.map((row) => row.replace('"SH",x,y,"PAYEE1"', '"SH",x,y,"OTHER"')),
    ),
  ).toMatchObject({
    says: 'is of the account OTHER',
  });
  expect(read({}, FRAME.slice(0, 3))).toMatchObject({ says: 'stands before its columns are named' });
  const reader = settlement.reader(FRAME[0] ?? '', account);
  expect(reader?.(HEAD.replace('"Custom Field"', '"Other"'))?.kind).toBe('problem');
  expect(reader?.('"XX",1')?.kind).toBe('problem');
  expect(reader?.('"SB,1')?.kind).toBe('problem');
  expect(settlement.reader(HEAD, account)).toBeUndefined();
});

test('a report that ends before its foot is cut off, wherever that is', () => {
  const [head = '', ...more] = FRAME;
  const reader = settlement.reader(head, account);
  const row = ['SB', 'TX1', capture, 'T0005', 'CR', '4250', 'EUR', `${order_id}-${hold}`].join(',');
  for (const one of [...more, row, '"SF","EUR"', '"SC",1', '"RF","EUR"', '"RC",1']) {
    reader?.(one);
    expect(reader?.cut?.(), one).toBe('its foot (FF)');
  }
  reader?.('"FF",1');
  expect(reader?.cut?.()).toBeUndefined();
});

test("PayPal's fee is a debit, a fee that it gave back a credit, in its own smallest units", () => {
  const head = HEAD.replace(',"Custom Field"', ',"Fee Debit or Credit","Fee Amount","Fee Currency","Custom Field"');
  const readFee = (side: string, amount: string, currency: string) => {
    const reader = settlement.reader(FRAME[0] ?? '', account);
    for (const one of [...FRAME.slice(1, -1), head]) reader?.(one);
    const cells = ['SB', 'TX1', capture, 'T0005', 'CR', '4250', 'EUR', side, amount, currency, `${order_id}-${hold}`];
    return reader?.(cells.map((cell) => `"${cell}"`).join(','));
  };
  expect(readFee('DR', '149', 'EUR')).toMatchObject({
    line: { fees: [{ entry: 'TX1', fee_minor: 149n, currency: 'EUR' }] },
  });
  expect(readFee('CR', '10', 'HUF')).toMatchObject({ line: { fees: [{ fee_minor: -1000n, currency: 'HUF' }] } });
  expect(readFee('', '', '')).toMatchObject({ line: { fees: [] } });
  expect(readFee('', '149', 'EUR')?.kind).toBe('problem');
  expect(readFee('DR', '1.49', 'EUR')?.kind).toBe('problem');
});
