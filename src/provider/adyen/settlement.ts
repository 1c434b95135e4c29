// The settlement details report (docs.adyen.com/reporting/settlement-reconciliation): comma separated, one row a movement, amounts as
// decimals. Its captures and refunds become lines of a provider's books; what else moved is named and left to people.
import { CURRENCIES } from '../../core/money.ts';
import { operationOf } from './reference.ts';

/** Whose report it is: our id, and the name it has at Adyen. */
export type Account = { readonly merchant_account_id: string; readonly merchant_account: string };

export type SettledLine = {
  readonly provider: 'adyen';
  readonly kind: 'capture' | 'refund';
  readonly reference: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly effects: 1;
  readonly state: 'done' | 'undone';
  readonly provider_ref: string;
};

export type SettledRow =
  | { readonly kind: 'line'; readonly line: SettledLine }
  /** Fees, payouts, disputes, corrections: no operation of ours. */
  | { readonly kind: 'other'; readonly type: string }
  | { readonly kind: 'problem'; readonly says: string };

const TYPES: ReadonlyMap<string, { readonly kind: 'capture' | 'refund'; readonly state: 'done' | 'undone' }> = new Map([
  ['Settled', { kind: 'capture', state: 'done' }],
  ['Refunded', { kind: 'refund', state: 'done' }],
  ['RefundedReversed', { kind: 'refund', state: 'undone' }],
]);

const WANTED = [
  'Merchant Account',
  'Type',
  'Modification Reference',
  'Modification Merchant Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
] as const;

/** Made of the first line; then asked row by row. Undefined: a column is missing. */
export function settlementReader(head: string, account: Account): ((row: string) => SettledRow) | undefined {
  const names = cellsOf(head.replace(/^\uFEFF/, ''));
  if (names === undefined || !WANTED.every((name) => names.includes(name))) return undefined;
  return (row) => {
    const cells = cellsOf(row);
    if (cells?.length !== names.length) return { kind: 'problem', says: 'has other columns than the head' };
    return rowOf((name) => cells[names.indexOf(name)] ?? '', account);
  };
}

function rowOf(cell: (name: (typeof WANTED)[number]) => string, account: Account): SettledRow {
  const type = TYPES.get(cell('Type'));
  if (cell('Merchant Account') !== account.merchant_account)
    return { kind: 'problem', says: `is of the account ${cell('Merchant Account')}` };
  if (type === undefined) return { kind: 'other', type: cell('Type') };
  const ours = operationOf(cell('Modification Merchant Reference'));
  const currency = cell('Gross Currency');
  const given = [cell('Gross Credit (GC)'), cell('Gross Debit (GC)')].filter((amount) => amount !== '');
  const amount_minor = given.length === 1 ? minorOf(given[0] ?? '', currency) : undefined;
  if (ours === null) return { kind: 'problem', says: `names no operation: ${cell('Modification Merchant Reference')}` };
  if (amount_minor === undefined) return { kind: 'problem', says: `has no amount: ${given.join(' ')} ${currency}` };
  const { merchant_account_id } = account;
  const said = { order_id: ours.order_id, amount_minor, currency, provider_ref: cell('Modification Reference') };
  return {
    kind: 'line',
    line: { provider: 'adyen', ...type, reference: ours.operation_id, merchant_account_id, ...said, effects: 1 },
  };
}

/** A row as RFC 4180 has it; undefined: a quote is left open. */
function cellsOf(row: string): readonly string[] | undefined {
  const cells: string[] = [];
  const one = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;
  while (one.lastIndex <= row.length) {
    const found = one.exec(row);
    if (found === null) return undefined;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (!found[0].endsWith(',')) return one.lastIndex === row.length ? cells : undefined;
    if (one.lastIndex === row.length) return [...cells, ''];
  }
  return undefined;
}

/** Exactly, in minor units of ISO 4217: the report writes whole units with decimals. */
function minorOf(decimal: string, currency: string): bigint | undefined {
  const exponent = CURRENCIES.get(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(decimal) ?? [];
  if (exponent === undefined || whole === '') return undefined;
  const padded = fraction.padEnd(exponent, '0');
  return /^0*$/.test(padded.slice(exponent)) ? BigInt(whole + padded.slice(0, exponent)) : undefined;
}
