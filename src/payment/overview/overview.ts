// The overview of a merchant account: orders of some days by what became of them, against days before. An order counts
// by what it is now, in the hour of its id. The sums follow the orders within about a second while a worker runs and
// are then exact (test/search); disputes and money in doubt are read from where they are kept and are exact at once.
import { HOUR_MS } from '../../core/durations.ts';
import { idAt } from '../../core/ids.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { type Period, hourBefore, periodOf } from './days.ts';
import {
  type Counts,
  type CountsOfHour,
  type Disputed,
  type Facet,
  type Part,
  countByHour,
  countByPart,
  sumDisputes,
} from './store.ts';

export type OverviewRequest = {
  /** Number of the first day (days.ts). */
  readonly first: number;
  /** How many days, at most MOST_DAYS. */
  readonly count: number;
  readonly zone: string;
  /** The days it is compared with begin so many days before; null: with none. */
  readonly before: number | null;
  /** Null: orders of all currencies together. */
  readonly currency: string | null;
  readonly now: Date;
};

export const MOST_DAYS = 366;

/** The counts of some days. */
export type Side = {
  readonly period: Period;
  /** The counts by hour; for the days of the comparison also hours after `to_hour`. */
  readonly hours: readonly CountsOfHour[];
  /** The counts until `to_hour`, of the currency that is asked for, or of all. */
  readonly total: Counts;
  readonly parts: readonly Part[];
  /** The counts until `to_hour`, of all currencies. */
  readonly currencies: readonly Part[];
  readonly disputes: readonly Disputed[];
};

export type Overview = { readonly now: Side; readonly before: Side | null };

export async function overviewOf(db: TenantRunner, asked: OverviewRequest): Promise<Overview> {
  const { first, count, zone, before } = asked;
  const now_hour = Math.floor(asked.now.getTime() / HOUR_MS);
  const period = periodOf({ first, count, zone }, now_hour);
  const now = sideOf(db, asked, period);
  if (before === null) return { now: await now, before: null };
  const earlier = periodOf({ first: first - before, count, zone }, now_hour);
  // no more of them than is over of these: the morning is compared with mornings, days that are over with whole days
  const to_hour = Math.min(earlier.to_hour, Math.max(earlier.begins[0] ?? 0, hourBefore(period.to_hour, before, zone)));
  const [side, side_before] = await Promise.all([now, sideOf(db, asked, { ...earlier, to_hour })]);
  return { now: side, before: side_before };
}

const FACETS = ['all', 'provider', 'scheme', 'country', 'reason', 'tries'] as const satisfies readonly Facet[];

async function sideOf(db: TenantRunner, { currency }: OverviewRequest, period: Period): Promise<Side> {
  const { begins, to_hour } = period;
  const [from_hour = 0, end_hour = 0] = [begins[0], begins.at(-1)];
  const [hours, parts, disputes] = await Promise.all([
    countByHour(db, { from_hour, to_hour: end_hour, currency }),
    countByPart(db, { from_hour, to_hour, facets: FACETS }),
    sumDisputes(db, { from_id: idAt(from_hour * HOUR_MS), to_id: idAt(to_hour * HOUR_MS) }),
  ]);
  const of = (row: { readonly currency: string }) => currency === null || row.currency === currency;
  return {
    period,
    hours,
    total: addUp(parts.filter((part) => part.facet === 'all' && of(part))),
    parts: parts.filter((part) => part.facet !== 'all' && of(part)),
    currencies: parts.filter(({ facet }) => facet === 'all'),
    disputes: disputes.filter(of),
  };
}

const NONE: Counts = {
  captured: 0n,
  refunded: 0n,
  authorized: 0n,
  released: 0n,
  declined: 0n,
  open: 0n,
  approved_minor: 0n,
};

/** Together. Amounts too: of one currency, or they say nothing. */
export function addUp(rows: readonly Counts[]): Counts {
  return rows.reduce(
    (sum, row) => ({
      captured: sum.captured + row.captured,
      refunded: sum.refunded + row.refunded,
      authorized: sum.authorized + row.authorized,
      released: sum.released + row.released,
      declined: sum.declined + row.declined,
      open: sum.open + row.open,
      approved_minor: sum.approved_minor + row.approved_minor,
    }),
    NONE,
  );
}

/** A payment that was cancelled or has expired had been approved. */
export const approvedOf = ({ captured, refunded, authorized, released }: Counts): number =>
  Number(captured + refunded + authorized + released);

export type Share = {
  /** Between 0 and 1. */
  readonly share: number;
  /** The interval in which the true share lies with 95 % certainty (Wilson), which also holds for few orders. */
  readonly low: number;
  readonly high: number;
};

/** 95 % of a normal distribution lie within this many deviations. */
const Z = 1.959964;

/** `part` of `whole`; null: of none. */
export function shareOf(part: number, whole: number): Share | null {
  if (whole === 0) return null;
  const share = part / whole;
  const spread = Z * Math.sqrt((share * (1 - share) + Z ** 2 / (4 * whole)) / whole);
  const [middle, scale] = [share + Z ** 2 / (2 * whole), 1 + Z ** 2 / whole];
  return { share, low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) };
}
