// The first page: orders of some days against days before; and what needs a person.
import { DAY_MS, HOUR_MS } from '../core/durations.ts';
import { currency, date, oneOf, text } from '../core/fields.ts';
import { HIGHEST_ID, momentOf } from '../core/ids.ts';
import { toCount, toSum } from '../core/money.ts';
import { refuseField } from '../core/refusals.ts';
import { isZone } from '../core/zone.ts';
import { findResult } from '../core/results.ts';
import type { Read } from '../core/shape.ts';
import { searchOrders } from '../payment/order/search/rows.ts';
import { dayOf } from '../payment/overview/days.ts';
import {
  MOST_DAYS,
  type OverviewRequest,
  type Side,
  addUp,
  approvedOf,
  overviewOf,
  shareOf,
} from '../payment/overview/overview.ts';
import { type Counts, type Facet, findUncounted, listCurrencies } from '../payment/overview/store.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from './context.ts';
import { needsOf } from './alarm/needs.ts';
import type { Compared, Figures, Overview, Rated, Tries } from './wire/overview.ts';

const DAY_H = 24;

const QUERY = {
  days: oneOf('1', '7', '30', '90'),
  from: date,
  to: date,
  zone: text(64),
  currency,
  compare: oneOf('before', 'week', 'year', 'none'),
};
type Query = Read<typeof QUERY>;

export function overviewRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /overview',
      right: 'read',
      query: QUERY,
      handle: (asked) => readOverview(context, asked, asked.query),
    }),
    backofficeRoute(context, { route: 'GET /needs', right: 'read', handle: ({ db }) => needsOf(context.tools, db) }),
  ];
}

const dayText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Which days are asked for. */
function requestOf({ days, from, to, zone = 'UTC', compare = 'before', ...query }: Query, now: Date): OverviewRequest {
  if (!isZone(zone)) throw refuseField('zone', 'parameter_invalid', 'is no time zone such as Europe/Paris');
  const today = dayOf(now.getTime(), zone);
  const last = to === undefined ? today : Date.parse(to) / DAY_MS;
  const count = from === undefined ? Number(days ?? '1') : last - Date.parse(from) / DAY_MS + 1;
  if (count < 1) throw refuseField('to', 'parameter_invalid', 'is before from');
  if (count > MOST_DAYS) throw refuseField('from', 'parameter_invalid', `is more than ${MOST_DAYS} days before to`);
  const before = { before: count, week: 7, year: 364, none: null }[compare];
  return { first: last - count + 1, count, zone, before, currency: query.currency ?? null, now };
}

async function readOverview({ tools }: BackofficeContext, { db }: BackofficeRequest, query: Query): Promise<Overview> {
  const asked = requestOf(query, tools.clock.now());
  const { first, count, before: back } = asked;
  const [{ now, before }, used, uncounted, some] = await Promise.all([
    overviewOf(db, asked),
    listCurrencies(db),
    findUncounted(db),
    searchOrders(db, { filters: {}, limit: 1 }),
  ]);
  const step = count === 1 ? 'hour' : 'day';
  const bars = barsOf(now, step);
  const pairs = (facet: Facet) => comparedBy(facet, { now, before });
  const has_money = asked.currency !== null;
  return {
    from: dayText(first),
    to: dayText(first + count - 1),
    before: back === null ? null : { from: dayText(first - back), to: dayText(first - back + count - 1) },
    step,
    currency: asked.currency,
    now: figuresOf([now.total], has_money),
    earlier: before && figuresOf([before.total], has_money),
    refunded: { now: refundedOf(now), earlier: before && refundedOf(before) },
    disputed: { now: disputedOf(now), earlier: before && disputedOf(before) },
    series: bars.map(({ from, to, rows }) => ({
      begins: new Date(from * HOUR_MS).toISOString(),
      ends: new Date(to * HOUR_MS).toISOString(),
      ...figuresOf(rows, has_money),
    })),
    series_before: before && besideBars(bars, barsOf(before, step)).map((rows) => figuresOf(rows, has_money)),
    currencies: pairs('all').toSorted((a, b) => used.indexOf(a.name) - used.indexOf(b.name)),
    providers: pairs('provider'),
    schemes: pairs('scheme'),
    countries: pairs('country'),
    reasons: pairs('reason').map(({ name, now: counted, before: earlier }) => ({
      code: name,
      text: findResult(name)?.description ?? '',
      now: counted.outcomes.declined,
      before: earlier && earlier.outcomes.declined,
    })),
    day_hours: dayHoursOf(now).map((rows) => figuresOf(rows, has_money)),
    tries: triesOf(now),
    counted_from: uncounted === null ? null : countedFrom(uncounted, tools.clock.now()),
    empty: some.rows.length === 0,
  };
}

/** The moment from which an account's orders are counted; older orders wait until the account's turn comes. */
function countedFrom(uncounted: string, now: Date): string {
  return (uncounted === HIGHEST_ID ? now : momentOf(uncounted)).toISOString();
}

function figuresOf(rows: readonly Counts[], has_money: boolean): Figures {
  const { approved_minor, ...outcomes } = addUp(rows);
  const approved = approvedOf({ approved_minor, ...outcomes });
  const counts = Object.entries(outcomes).map(([name, value]) => [name, Number(value)] as const);
  return {
    orders: counts.reduce((sum, [, value]) => sum + value, 0),
    outcomes: Object.fromEntries(counts) as Figures['outcomes'],
    approval: shareOf(approved, approved + Number(outcomes.declined)),
    volume_minor: has_money ? toSum(approved_minor) : null,
  };
}

/** One row for each name (for `all`: for each currency), the most orders first. */
function comparedBy(facet: Facet, { now, before }: { readonly now: Side; readonly before: Side | null }): Compared[] {
  const rowsOf = (side: Side) =>
    facet === 'all' ? side.currencies : side.parts.filter((part) => part.facet === facet);
  const nameOf = (row: { readonly name: string; readonly currency: string }) =>
    facet === 'all' ? row.currency : row.name;
  const [here, there] = [now, before].map((side) => (side ? rowsOf(side) : []));
  const names = new Set([...(here ?? []), ...(there ?? [])].map(nameOf));
  const figures = (rows: typeof here, name: string) =>
    figuresOf(
      (rows ?? []).filter((row) => nameOf(row) === name),
      facet === 'all',
    );
  return [...names]
    .map((name) => ({ name, now: figures(here, name), before: before && figures(there, name) }))
    .filter(({ now: one, before: other }) => one.orders > 0 || (other?.orders ?? 0) > 0)
    .toSorted((one, other) => other.now.orders - one.now.orders || one.name.localeCompare(other.name));
}

type Bar = { readonly from: number; readonly to: number; readonly rows: readonly Counts[] };

/** The days, or of a single one the hours. */
function barsOf({ period: { begins }, hours }: Side, step: 'hour' | 'day'): readonly Bar[] {
  const [from = 0, end = 0] = [begins[0], begins.at(-1)];
  const edges = step === 'day' ? begins : Array.from({ length: end - from + 1 }, (_, n) => from + n);
  return edges.slice(0, -1).map((begin, n) => {
    const to = edges[n + 1] ?? begin;
    return { from: begin, to, rows: hours.filter(({ hour }) => hour >= begin && hour < to) };
  });
}

/**
 * What was counted then beside each bar of now: of a day of 25 hours beside one of 24 the last hour is counted with the
 * one before it.
 */
function besideBars(bars: readonly Bar[], before: readonly Bar[]): readonly (readonly Counts[])[] {
  const last = bars.length - 1;
  return before
    .slice(0, bars.length)
    .map(({ rows }, n) => (n === last ? before.slice(n).flatMap((bar) => bar.rows) : rows));
}

/**
 * Figures by the hour of the day. On a day of 23 or 25 hours, hours after the change are counted in the neighbouring
 * hour.
 */
function dayHoursOf({ period: { begins }, hours }: Side): readonly (readonly Counts[])[] {
  const places = Array.from({ length: DAY_H }, (): Counts[] => []);
  let day = 0;
  for (const row of hours) {
    while (row.hour >= (begins[day + 1] ?? Infinity)) day += 1;
    places[Math.min(DAY_H - 1, row.hour - (begins[day] ?? 0))]?.push(row);
  }
  return places;
}

function refundedOf({ total }: Side): Rated {
  const orders = Number(total.refunded);
  return { orders, share: shareOf(orders, approvedOf(total)) };
}

function disputedOf({ total, disputes }: Side): Rated {
  const orders = disputes.reduce((sum, row) => sum + toCount(row.orders), 0);
  // disputes are exact at once, the orders a moment later
  return { orders, share: shareOf(Math.min(orders, approvedOf(total)), approvedOf(total)) };
}

function triesOf({ parts }: Side): Tries {
  const of = (name: string) => addUp(parts.filter((part) => part.facet === 'tries' && part.name === name));
  const [first, fallback, again] = [of('first'), of('fallback'), of('again')];
  const decided = [first, fallback, again].reduce((sum, row) => sum + approvedOf(row) + Number(row.declined), 0);
  const counted = (row: Counts) => {
    const { orders } = figuresOf([row], false);
    return { orders, approved: approvedOf(row) };
  };
  const [at_once, elsewhere] = [approvedOf(first), approvedOf(first) + approvedOf(fallback)];
  return {
    decided,
    first: { approved: at_once, share: shareOf(at_once, decided) },
    fallback: { ...counted(fallback), share: shareOf(elsewhere, decided) },
    again: { ...counted(again), share: shareOf(elsewhere + approvedOf(again), decided) },
  };
}
