// The settlement details report of the simulated Adyen, as its documentation shows one.
import type { Books, Modification } from './books.ts';

const HEAD = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Payment Method Variant',
  'Modification Merchant Reference',
  'Batch Number',
];

/** The number of decimals in this report; a currency that is not listed has two. */
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, IDR: 0, CVE: 0, BHD: 3, KWD: 3, TND: 3 };

export function settlementReport(books: Books, merchant_account: string): string {
  const rows = [...books.modifications.values()].filter(({ account }) => account === merchant_account);
  const lines = rows.flatMap((one) => [
    ...lineOf(books, one, false),
    ...(one.state === 'failed' ? lineOf(books, one, true) : []),
  ]);
  const at = new Date(books.now()).toISOString().slice(0, 19).replace('T', ' ');
  const fee = [
    'TestCompany',
    merchant_account,
    '',
    '',
    '',
    at,
    'UTC',
    'Fee',
    'Transaction Fees',
    '',
    '',
    '',
    '',
    'EUR',
    '1.20',
  ];
  return [HEAD, ...lines, [...fee, ...HEAD.slice(fee.length, -1).map(() => ''), '1']]
    .map((cells) => cells.join(','))
    .join('\n');
}

/** A capture that failed was never settled, so it has no line. */
function lineOf(books: Books, one: Modification, is_back: boolean): readonly (readonly string[])[] {
  const { kind, state, amount, psp, reference } = one;
  const payment = books.payments.get(one.payment ?? '');
  const is_settled =
    kind === 'capture' ? state === 'done' : kind === 'refund' && (state === 'done' || state === 'failed');
  if (payment === undefined || amount === undefined || !is_settled) return [];
  const is_credit = kind === 'capture' || is_back;
  const type = kind === 'capture' ? 'Settled' : is_back ? 'RefundedReversed' : 'Refunded';
  const gross = decimal(amount.value, DECIMALS[amount.currency] ?? 2);
  const sides = is_credit ? ['', gross] : [gross, ''];
  const at = new Date(one.at_ms).toISOString().slice(0, 19).replace('T', ' ');
  const of = ['TestCompany', one.account, payment.psp, payment.reference, payment.brand, at, 'UTC', type, psp];
  const net = [...sides, '', '0.01', '0.02', '0.03'];
  return [[...of, amount.currency, ...sides, '1', amount.currency, ...net, payment.brand, reference, '1']];
}

function decimal(value: number, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}
