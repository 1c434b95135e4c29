// The first page: today against the same day a week ago, by currency; what is in doubt; whether providers and notifications are well.
import { datetime } from '../core/fields.ts';
import { toCount } from '../core/money.ts';
import { findResult } from '../core/results.ts';
import { listEndpoints } from '../payment/notification/endpoint/store.ts';
import { searchOrders } from '../payment/order/search/rows.ts';
import { OUTCOMES } from '../payment/overview/overview.ts';
import {
  type Counted,
  type Part,
  countByPart,
  countByTime,
  listCurrencies,
  sumInDoubt,
} from '../payment/overview/store.ts';
import { findOpenProviders } from '../payment/routing/store.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from './context.ts';
import type { Figures, Overview, OverviewOfCurrency } from './wire/orders.ts';

const HOUR_MS = 3_600_000;
const WEEK_H = 168;
const DAY_H = 24;

export function overviewRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, {
      route: 'GET /overview',
      right: 'read',
      // where the viewer's day begins; that of UTC unless given
      query: { from: datetime },
      handle: (asked) => readOverview(context, asked, asked.query.from),
    }),
  ];
}

async function readOverview(
  { tools }: BackofficeContext,
  { db }: BackofficeRequest,
  given: string | undefined,
): Promise<Overview> {
  const now_hour = Math.floor(tools.clock.now().getTime() / HOUR_MS);
  const midnight = now_hour - (now_hour % DAY_H);
  const from = given === undefined ? midnight : beginOf(Math.floor(Date.parse(given) / HOUR_MS), now_hour);
  const today = { from_hour: from, to_hour: now_hour + 1 };
  const byHour = (hour: number) =>
    countByTime(db, { from_hour: hour, to_hour: hour + DAY_H, ...OUTCOMES, hours: 1, shift: 0 });
  const byPart = (span: typeof today) => countByPart(db, { ...span, ...OUTCOMES });
  const before = { from_hour: today.from_hour - WEEK_H, to_hour: today.to_hour - WEEK_H };
  const [hours, hours_before, parts, parts_before] = await Promise.all([
    byHour(from),
    byHour(from - WEEK_H),
    byPart(today),
    byPart(before),
  ]);
  const [used, doubt, endpoints, down, some] = await Promise.all([
    listCurrencies(db),
    sumInDoubt(db),
    listEndpoints(db),
    findOpenProviders(tools.db),
    searchOrders(db, { filters: {}, limit: 1 }),
  ]);
  const counts = { hours, hours_before, parts, parts_before, from };
  const shown = new Set([...counts.hours, ...counts.hours_before, ...parts].map(({ currency }) => currency));
  const begins = new Date(from * HOUR_MS).toISOString();
  return {
    from: begins,
    currencies: used.filter((currency) => shown.has(currency)).map((currency) => ofCurrency(currency, counts)),
    in_doubt: doubt.map(({ currency, operations, amount_minor, oldest_at }) => ({
      currency,
      amount_minor: toCount(amount_minor),
      count: toCount(operations),
      oldest_at: oldest_at.toISOString(),
    })),
    notifications: {
      waiting: endpoints.reduce((sum, { waiting }) => sum + toCount(waiting), 0),
      failing_endpoints: endpoints.filter(({ failing_since }) => failing_since !== null).length,
      oldest_at: null,
    },
    providers: [...tools.providers.keys()].map((name) => ({ name, health: down.includes(name) ? 'down' : 'well' })),
    empty: some.rows.length === 0,
  };
}

/** The begin of the viewer's day that it is now: a sandbox's clock may be days ahead of theirs. In hours. */
function beginOf(wanted: number, now: number): number {
  const behind = now - wanted;
  // a day has 23 to 25 hours, and no more than 24 are shown
  return behind <= DAY_H ? Math.min(now, wanted) : wanted + Math.floor(behind / DAY_H) * DAY_H;
}

type Timed = Counted & { readonly bucket: number };
type Counts = {
  readonly hours: readonly Timed[];
  readonly hours_before: readonly Timed[];
  readonly parts: readonly Part[];
  readonly parts_before: readonly Part[];
  readonly from: number;
};

function ofCurrency(currency: string, counts: Counts): OverviewOfCurrency {
  const own = <T extends Counted>(rows: readonly T[]) => rows.filter((row) => row.currency === currency);
  const parts = own(counts.parts);
  const slices = (key: 'provider' | 'payment_method_name') =>
    [...Map.groupBy(parts, (part) => part[key])].map(([name, rows]) => ({ name, ...figuresOf(rows) }));
  const declined = Map.groupBy(
    parts.filter(({ outcome }) => outcome === 'declined'),
    ({ code }) => code,
  );
  const hoursFrom = (rows: readonly Timed[], from: number) =>
    Array.from({ length: DAY_H }, (_, i) => figuresOf(own(rows).filter(({ bucket }) => bucket === from + i)));
  return {
    currency,
    today: figuresOf(parts),
    week_before: figuresOf(own(counts.parts_before)),
    hours: hoursFrom(counts.hours, counts.from),
    week_before_hours: hoursFrom(counts.hours_before, counts.from - WEEK_H),
    declines: [...declined]
      .map(([code, rows]) => ({ code, text: findResult(code)?.description ?? '', count: ordersOf(rows) }))
      .toSorted((a, b) => b.count - a.count),
    by_provider: slices('provider'),
    by_method: slices('payment_method_name'),
  };
}

/** Tried: decided either way. */
function figuresOf(rows: readonly Counted[]): Figures {
  const approved = rows.filter(({ outcome }) => outcome === 'approved');
  return {
    tried: ordersOf(rows.filter(({ outcome }) => outcome !== 'open')),
    approved: ordersOf(approved),
    volume_minor: toCount(approved.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)),
  };
}

function ordersOf(rows: readonly Counted[]): number {
  return rows.reduce((sum, { orders }) => sum + Number(orders), 0);
}
