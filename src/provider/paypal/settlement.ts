// The settlement report (developer.paypal.com/docs/reports/sftp-reports/settlement-report/), with commas: heads and
// feet of file and sections around one row a movement. Amounts are in PayPal's smallest unit of the currency, without
// sign or point. A capture is known by its invoice id, a sale by the custom field; a refund by a custom field of its
// own.
import { isId } from '../../core/ids.ts';
import { toOurs } from '../amounts.ts';
import { CURRENCIES } from '../../core/money.ts';
import { cellsOf, columnsOf } from '../report-rows.ts';
import type { Reported, RowReader, SettledLine, SettledRow, SettlementReport } from '../settlement.ts';
import { DECIMALS } from './money.ts';
import { oursIn } from './names.ts';

const WANTED = [
  'Transaction ID',
  'Invoice ID',
  'Transaction Event Code',
  'Transaction Debit or Credit',
  'Gross Transaction Amount',
  'Gross Transaction Currency',
  'Custom Field',
] as const;
const OF_FEE = ['Fee Debit or Credit', 'Fee Amount', 'Fee Currency'] as const;
type Cell = (name: (typeof WANTED | typeof OF_FEE)[number]) => string;

/** Heads and feet: of report, file and section; and counts. */
const FRAMES = new Set(['FH', 'SH', 'SF', 'SC', 'RF', 'RC', 'FF']);
/** The foot of the file: what is cut off, even between two rows, has none. */
const END = 'FF';
/** A payment, of whatever kind; and what the seller gave back. All other codes are fees, holds, disputes, transfers. */
const PAYMENT = /^T00\d\d$/;
const REFUND = 'T1107';

export const settlement: SettlementReport = { kinds: new Set(['capture', 'refund']), reader };

/** The first row is the head of the report, the columns are named in each section. */
function reader(head: string, reported: Reported): RowReader | undefined {
  if (cellsOf(head.replace(/^\uFEFF/, ''))?.[0] !== 'RH') return undefined;
  let [names, account, last]: [readonly string[] | undefined, string, string] = [undefined, '', ''];
  const read = (row: string): SettledRow => {
    const cells = cellsOf(row);
    const type = cells?.[0] ?? '';
    last = type;
    if (cells === undefined) return { kind: 'problem', says: 'leaves a quote open' };
    if (type === 'CH') {
      names = columnsOf(row, WANTED);
      return names ? { kind: 'frame' } : { kind: 'problem', says: `lacks one of ${WANTED.join(', ')}` };
    }
    if (type === 'SH') account = cells[3] ?? '';
    if (FRAMES.has(type)) return { kind: 'frame' };
    if (type !== 'SB') return { kind: 'problem', says: `is of no known type: ${type}` };
    if (names === undefined) return { kind: 'problem', says: 'stands before its columns are named' };
    if (cells.length !== names.length) return { kind: 'problem', says: 'has other columns than its section' };
    if (account !== reported.name) return { kind: 'problem', says: `is of the account ${account}` };
    const columns = names;
    return rowOf((name) => cells[columns.indexOf(name)] ?? '', reported.merchant_account_id);
  };
  return Object.assign(read, { cut: () => (last === END ? undefined : `its foot (${END})`) });
}

function rowOf(cell: Cell, merchant_account_id: string): SettledRow {
  const [code, side] = [cell('Transaction Event Code'), cell('Transaction Debit or Credit')];
  if (PAYMENT.test(code) && side === 'CR') return lineOf(cell, 'capture', merchant_account_id);
  if (code === REFUND && side === 'DR') return lineOf(cell, 'refund', merchant_account_id);
  return { kind: 'other', type: code };
}

function lineOf(cell: Cell, kind: 'capture' | 'refund', merchant_account_id: string): SettledRow {
  const named = oursIn(cell('Custom Field'));
  const [invoice, code, currency] = [
    cell('Invoice ID'),
    cell('Transaction Event Code'),
    cell('Gross Transaction Currency'),
  ];
  // made by hand, or by another program, under the same account
  if (named === null) return { kind: 'other', type: `${code}, which names no operation` };
  const amount_minor = minorOf(cell('Gross Transaction Amount'), currency);
  if (amount_minor === undefined)
    return { kind: 'problem', says: `has no amount: ${cell('Gross Transaction Amount')} ${currency}` };
  const reference = kind === 'capture' && isId(invoice) ? invoice : named.operation_id;
  const of = { provider: 'paypal', kind, state: 'done', reference, merchant_account_id } as const;
  const provider_ref = cell('Transaction ID');
  // two rows without one would be one movement, with the fee of the first
  if (provider_ref === '') return { kind: 'problem', says: 'has no Transaction ID' };
  const fees = feesOf(cell);
  if (fees === undefined) return { kind: 'problem', says: `has no fee that can be read: ${cell('Fee Amount')}` };
  const line: SettledLine = { ...of, order_id: named.order_id, amount_minor, currency, effects: 1, provider_ref, fees };
  return { kind: 'line', line };
}

/** The fees of a row. Undefined: they cannot be read. */
function feesOf(cell: Cell): SettledLine['fees'] | undefined {
  const [side, digits, currency] = [cell('Fee Debit or Credit'), cell('Fee Amount'), cell('Fee Currency')];
  if (digits === '') return [];
  const minor = minorOf(digits, currency);
  if (minor === undefined || (side !== 'DR' && side !== 'CR')) return undefined;
  return [{ entry: cell('Transaction ID'), fee_minor: side === 'DR' ? minor : -minor, currency }];
}

function minorOf(digits: string, currency: string): bigint | undefined {
  const [iso, theirs] = [CURRENCIES.get(currency), DECIMALS.get(currency)];
  if (!/^\d{1,15}$/.test(digits) || iso === undefined || theirs === undefined) return undefined;
  return toOurs(BigInt(digits), iso, theirs);
}
