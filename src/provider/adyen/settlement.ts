// The settlement details report (docs.adyen.com/reporting/settlement-reconciliation): comma separated, one row a
// movement, amounts as decimals. Its captures and refunds become lines of a provider's books; what else moved is named
// and left to people.
import { cellsOf, columnsOf, feeMinorOf, minorOf } from '../report-rows.ts';
import type { Reported, SettledFee, SettledRow, SettlementReport } from '../settlement.ts';
import { operationOf } from './reference.ts';

type Type = { readonly kind: 'capture' | 'refund'; readonly state: 'done' | 'undone' };

const TYPES: ReadonlyMap<string, Type> = new Map([
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

/**
 * The columns of fees. By the merchant's contract either the first or the others are filled, all in the currency of the
 * payout.
 */
const FEES = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'] as const;
const OF_FEES = ['Net Currency', ...FEES] as const;
type Cell = (name: (typeof WANTED | typeof OF_FEES)[number]) => string;

export const settlement: SettlementReport = {
  kinds: new Set([...TYPES.values()].map(({ kind }) => kind)),
  reader,
};

function reader(head: string, account: Reported): ((row: string) => SettledRow) | undefined {
  const names = columnsOf(head, WANTED);
  if (names === undefined) return undefined;
  return (row) => {
    const cells = cellsOf(row);
    if (cells?.length !== names.length) return { kind: 'problem', says: 'has other columns than the head' };
    return rowOf((name) => cells[names.indexOf(name)] ?? '', account);
  };
}

function rowOf(cell: Cell, account: Reported): SettledRow {
  const type = TYPES.get(cell('Type'));
  if (cell('Merchant Account') !== account.name)
    return { kind: 'problem', says: `is of the account ${cell('Merchant Account')}` };
  if (type === undefined) return { kind: 'other', type: cell('Type') };
  const ours = operationOf(cell('Modification Merchant Reference'));
  // made by hand, or by another program, under the same account (docs/decisions/0089)
  if (ours === null) return { kind: 'other', type: `${cell('Type')}, which names no operation` };
  const currency = cell('Gross Currency');
  const [credit, debit] = [cell('Gross Credit (GC)'), cell('Gross Debit (GC)')];
  // the amount of a line has no sign: one on the other side would be read as its opposite
  const [own, other] = type.kind === 'refund' && type.state === 'done' ? [debit, credit] : [credit, debit];
  const amount_minor = other === '' ? minorOf(own, currency) : undefined;
  if (amount_minor === undefined)
    return { kind: 'problem', says: `has no amount: credit ${credit}, debit ${debit} ${currency}` };
  const fees = feesOf(cell);
  if (fees === undefined) return { kind: 'problem', says: 'has fees that cannot be read' };
  const { merchant_account_id } = account;
  const said = { order_id: ours.order_id, amount_minor, currency, provider_ref: cell('Modification Reference'), fees };
  return {
    kind: 'line',
    line: { provider: 'adyen', ...type, reference: ours.operation_id, merchant_account_id, ...said, effects: 1 },
  };
}

/** Undefined: they cannot be read. */
function feesOf(cell: Cell): readonly SettledFee[] | undefined {
  const given = FEES.map(cell).filter((amount) => amount !== '');
  const [entry, currency] = [`${cell('Type')} ${cell('Modification Reference')}`, cell('Net Currency')];
  if (given.length === 0) return [];
  const fee_minor = feeMinorOf(given, currency);
  return fee_minor === undefined ? undefined : [{ entry, fee_minor, currency }];
}
