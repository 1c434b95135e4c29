// Stripe's itemized reports of its balance (docs.stripe.com/reports/report-types): payout reconciliation, or balance
// change from activity, with the columns of our metadata chosen in addition. One row a movement, in the currency of the
// balance. A charge names the authorization that it was made by: Stripe captures once. A capture of less than was held
// is two rows, the whole and what it is less.
import { isId } from '../../core/ids.ts';
import { cellsOf, columnsOf, feeMinorOf, minorOf } from '../report-rows.ts';
import type { Reported, SettledLine, SettledRow, SettlementReport } from '../settlement.ts';

const WANTED = [
  'reporting_category',
  'currency',
  'gross',
  'source_id',
  'customer_facing_amount',
  'customer_facing_currency',
  'payment_metadata[order_id]',
  'payment_metadata[operation_id]',
  'refund_metadata[order_id]',
  'refund_metadata[operation_id]',
  'refund_metadata[operation]',
] as const;
/** Optional columns; without them it is not known what Stripe took. */
const MAY_HAVE = ['balance_transaction_id', 'fee'] as const;
type Cell = (name: (typeof WANTED | typeof MAY_HAVE)[number]) => string;

export const settlement: SettlementReport = { kinds: new Set(['capture', 'refund']), reader };

function reader(head: string, { merchant_account_id }: Reported): ((row: string) => SettledRow) | undefined {
  const names = columnsOf(head, WANTED);
  if (names === undefined) return undefined;
  return (row) => {
    const cells = cellsOf(row);
    if (cells?.length !== names.length) return { kind: 'problem', says: 'has other columns than the head' };
    return rowOf((name) => cells[names.indexOf(name)] ?? '', merchant_account_id);
  };
}

function rowOf(cell: Cell, merchant_account_id: string): SettledRow {
  const type = cell('reporting_category');
  switch (type) {
    case 'charge':
      return lineOf(cell, 'payment', { kind: 'capture', state: 'done', merchant_account_id });
    case 'refund':
    case 'refund_failure': {
      const undoes = cell('refund_metadata[operation]') === 'reversal';
      const state = type === 'refund' ? 'done' : 'undone';
      // books have a reversal under what it reverses
      return undoes
        ? lineOf(cell, 'payment', { kind: 'reversal', state, merchant_account_id })
        : lineOf(cell, 'refund', { kind: 'refund', state, merchant_account_id });
    }
    case 'partial_capture_reversal': {
      const found = lineOf(cell, 'payment', { kind: 'capture', state: 'done', merchant_account_id });
      if (found.kind !== 'line') return found;
      // how much it is in the payer's currency, the report does not say
      if (theirs(cell) !== cell('currency').toUpperCase())
        return {
          kind: 'problem',
          says: `takes from a capture in ${theirs(cell)}, and says how much in ${cell('currency')}`,
        };
      const { reference, amount_minor, fees } = found.line;
      return { kind: 'less', type, reference, amount_minor, fees };
    }
    default:
      return { kind: 'other', type };
  }
}

/** The currency of the payment; if a movement has none, that of the balance. */
const theirs = (cell: Cell): string => (cell('customer_facing_currency') || cell('currency')).toUpperCase();

/** These take from the balance, the other rows of ours add to it. */
const TAKING: ReadonlySet<string> = new Set(['refund', 'partial_capture_reversal']);

/** The amount of a line has no sign: a row that went the other way would be read as its opposite. */
function goesWrong(cell: Cell): boolean {
  const gross = cell('gross');
  return /[1-9]/.test(gross) && gross.startsWith('-') !== TAKING.has(cell('reporting_category'));
}

type Said = Pick<SettledLine, 'kind' | 'state' | 'merchant_account_id'>;

function lineOf(cell: Cell, of: 'payment' | 'refund', said: Said): Exclude<SettledRow, { kind: 'less' }> {
  const [order_id, reference] = [cell(`${of}_metadata[order_id]`), cell(`${of}_metadata[operation_id]`)] as const;
  const currency = theirs(cell);
  const is_converted = currency !== cell('currency').toUpperCase();
  const amount = is_converted ? cell('customer_facing_amount') : cell('gross');
  const amount_minor = minorOf(amount.replace(/^-/, ''), currency);
  const provider_ref = cell('source_id');
  // made by hand, or by another program, under the same account
  if (!isId(order_id) || !isId(reference))
    return { kind: 'other', type: `${cell('reporting_category')}, which names no operation` };
  if (goesWrong(cell))
    return { kind: 'problem', says: `is a ${cell('reporting_category')} with the wrong sign: ${cell('gross')}` };
  if (amount_minor === undefined) return { kind: 'problem', says: `has no amount: ${amount} ${currency}` };
  const fees = feesOf(cell);
  if (fees === undefined) return { kind: 'problem', says: `has no fee that can be read: ${cell('fee')}` };
  const of_order = { order_id, amount_minor, currency, effects: 1, provider_ref, fees };
  return { kind: 'line', line: { provider: 'stripe', ...said, reference, ...of_order } };
}

/** The fees of a row, in the currency of the balance. Undefined: they cannot be read. */
function feesOf(cell: Cell): SettledLine['fees'] | undefined {
  const [entry, fee, currency] = [cell('balance_transaction_id'), cell('fee'), cell('currency').toUpperCase()];
  if (entry === '' || fee === '') return [];
  const fee_minor = feeMinorOf([fee], currency);
  return fee_minor === undefined ? undefined : [{ entry, fee_minor, currency }];
}
