// The itemized report of the simulated Stripe's balance, with the columns of metadata that Stripe's users choose: see
// docs.stripe.com/reports/report-types. Every payment is settled in its own currency.
import type { Charge, Refund } from './books.ts';
import type { World } from './world.ts';

const KEYS = ['order_id', 'operation_id', 'operation'] as const;
const HEAD = [
  'balance_transaction_id',
  'created_utc',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
  'source_id',
  'description',
  'customer_facing_amount',
  'customer_facing_currency',
  'payment_intent_id',
  ...KEYS.map((key) => `payment_metadata[${key}]`),
  ...KEYS.map((key) => `refund_metadata[${key}]`),
];

/** The number of decimals in this report; a currency that is not listed has two. */
const DECIMALS: Readonly<Record<string, number>> = { jpy: 0, krw: 0, mga: 0, bhd: 3, kwd: 3, tnd: 3 };

export function balanceReport({ books, now_s }: World): string {
  const at = new Date(now_s() * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const rows = [
    ...[...books.charges.values()].filter(({ captured }) => captured).flatMap(ofCharge),
    ...[...books.refunds.values()].filter(({ of_hold }) => !of_hold).flatMap(ofRefund),
    { category: 'payout', source: 'po_1', currency: 'eur', gross: -100, fee: 0, charge: undefined, refund: {} },
  ];
  const lines = rows.map(({ category, source, currency, gross, fee, charge, refund }) => {
    const amount = decimal(gross, currency);
    const seen = charge === undefined ? ['', ''] : [amount, currency];
    const intent = charge?.intent;
    const metadata = [intent?.metadata ?? {}, refund].flatMap((one) => KEYS.map((key) => one[key] ?? ''));
    return [
      // the same one whenever it is reported, as Stripe's
      `txn_${category}_${source}`,
      at,
      currency,
      amount,
      decimal(fee, currency),
      decimal(gross - fee, currency),
      category,
      source,
      '"Paid, by card"',
      ...seen,
      intent?.id ?? '',
      ...metadata,
    ];
  });
  return [HEAD, ...lines].map((cells) => cells.join(',')).join('\n');
}

type Row = {
  readonly category: string;
  readonly source: string;
  readonly currency: string;
  readonly gross: number;
  readonly fee: number;
  readonly charge: Charge | undefined;
  readonly refund: Readonly<Record<string, string>>;
};

/** A capture of less than the hold has two lines: the whole amount, and the rest taken off again. */
function ofCharge(charge: Charge): Row[] {
  const of = { source: charge.id, currency: charge.intent.currency, charge, refund: {} };
  const rest = charge.amount - charge.amount_captured;
  const whole = { ...of, category: 'charge', gross: charge.amount, fee: percentOf(charge.amount) + FIXED };
  const back = percentOf(charge.amount_captured) - percentOf(charge.amount);
  return rest === 0 ? [whole] : [whole, { ...of, category: 'partial_capture_reversal', gross: -rest, fee: back }];
}

const FIXED = 25;
const percentOf = (amount: number) => Math.floor((amount * 15) / 1000);

function ofRefund({ id, charge, amount, status, metadata }: Refund): Row[] {
  const of = { source: id, currency: charge.intent.currency, charge, refund: metadata };
  const back = { ...of, category: 'refund', gross: -amount, fee: 0 };
  return status === 'failed' || status === 'canceled'
    ? [back, { ...back, category: 'refund_failure', gross: amount }]
    : [back];
}

function decimal(minor: number, currency: string): string {
  const decimals = DECIMALS[currency] ?? 2;
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
