// The overview of a merchant account: orders and money by the hour or day in which the order was made, approval, declines by
// reason, by provider and scheme, against the same time a week before, and the money in doubt.
// Promised: an order counts by what it is now, in the hour of its id; the counts follow the orders within about a second while
// a worker runs and are then exact (test/search). Money in doubt is read from the queue itself and is exact at once.
import { ORDER_STATUSES, type OrderStatus } from '../../core/states.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { type Counted, type InDoubt, type Outcome, type Part, countByPart, countByTime, sumInDoubt } from './store.ts';

export type { InDoubt } from './store.ts';

export type OverviewRequest = {
  /** Rounded down to the hour. */
  readonly from: Date;
  /** Not included; rounded up to the hour. */
  readonly to: Date;
  readonly step: 'hour' | 'day';
  /** Hours that the viewer's clock is before UTC: where a day begins. */
  readonly zone_hours?: number;
};

export type Sum = { readonly orders: number; readonly amount_minor: bigint };
/** By currency, then by outcome. Open: neither approved nor declined yet. */
export type Money = Readonly<Record<string, Readonly<Partial<Record<Outcome, Sum>>>>>;

export type Slice = { readonly name: string; readonly money: Money; readonly approval_rate: number | null };

export type Totals = {
  readonly money: Money;
  /** Approved ÷ (approved + declined), orders of all currencies; null: none was decided. */
  readonly approval_rate: number | null;
  readonly by_provider: readonly Slice[];
  readonly by_scheme: readonly Slice[];
  /** Declined orders by result code, the most frequent first. */
  readonly declines: readonly { readonly code: string; readonly orders: number }[];
};

export type Overview = {
  readonly series: readonly { readonly at: Date; readonly money: Money }[];
  readonly now: Totals;
  readonly week_before: Totals;
  readonly in_doubt: readonly InDoubt[];
};

const HOUR_MS = 3_600_000;
const WEEK_H = 168;

/** Statuses by what became of the payment. One that was cancelled or has expired had been approved. */
export const OUTCOMES = {
  approved: statusesOf((name) => /^(authorization_(successful|cancelled|expired|cancel_)|capture_|refund_)/.test(name)),
  declined: statusesOf((name) => /^(risk_assessment|authentication|authorization)_declined$/.test(name)),
};

function statusesOf(fits: (name: OrderStatus) => boolean): readonly OrderStatus[] {
  return (Object.keys(ORDER_STATUSES) as OrderStatus[]).filter(fits);
}

export async function overviewOf(
  db: TenantRunner,
  { from, to, step, zone_hours = 0 }: OverviewRequest,
): Promise<Overview> {
  const span = {
    from_hour: Math.floor(from.getTime() / HOUR_MS),
    to_hour: Math.ceil(to.getTime() / HOUR_MS),
    ...OUTCOMES,
  };
  const before = { ...span, from_hour: span.from_hour - WEEK_H, to_hour: span.to_hour - WEEK_H };
  const hours = step === 'day' ? 24 : 1;
  const shift = step === 'day' ? zone_hours : 0;
  const [counted, parts, parts_before, in_doubt] = await Promise.all([
    countByTime(db, { ...span, hours, shift }),
    countByPart(db, span),
    countByPart(db, before),
    sumInDoubt(db),
  ]);
  const series = [...Map.groupBy(counted, ({ bucket }) => bucket)].map(([bucket, rows]) => ({
    at: new Date((bucket * hours - shift) * HOUR_MS),
    money: moneyOf(rows),
  }));
  return { series, now: totalsOf(parts), week_before: totalsOf(parts_before), in_doubt };
}

function totalsOf(parts: readonly Part[]): Totals {
  const slices = (key: 'provider' | 'payment_method_name'): readonly Slice[] =>
    [...Map.groupBy(parts, (part) => part[key])]
      .map(([name, rows]) => ({ name, money: moneyOf(rows), approval_rate: rateOf(rows) }))
      .toSorted((one, other) => one.name.localeCompare(other.name));
  const declined = Map.groupBy(
    parts.filter(({ outcome }) => outcome === 'declined'),
    ({ code }) => code,
  );
  return {
    money: moneyOf(parts),
    approval_rate: rateOf(parts),
    by_provider: slices('provider'),
    by_scheme: slices('payment_method_name'),
    declines: [...declined]
      .map(([code, rows]) => ({ code, orders: ordersOf(rows) }))
      .toSorted((one, other) => other.orders - one.orders || one.code.localeCompare(other.code)),
  };
}

function moneyOf(rows: readonly Counted[]): Money {
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, of_currency]) => [
      currency,
      Object.fromEntries(
        [...Map.groupBy(of_currency, ({ outcome }) => outcome)].map(([outcome, same]) => [outcome, sumOf(same)]),
      ),
    ]),
  );
}

function sumOf(rows: readonly Counted[]): Sum {
  return { orders: ordersOf(rows), amount_minor: rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0n) };
}

function ordersOf(rows: readonly Counted[]): number {
  return rows.reduce((sum, { orders }) => sum + Number(orders), 0);
}

function rateOf(rows: readonly Counted[]): number | null {
  const of = (wanted: Outcome) => ordersOf(rows.filter(({ outcome }) => outcome === wanted));
  const decided = of('approved') + of('declined');
  return decided === 0 ? null : of('approved') / decided;
}
