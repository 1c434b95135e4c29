// The days of the viewer's time zone, in hours of Unix time. Sums are kept by hour, so where a zone differs by half an
// hour, a day begins at the full hour before.
import { DAY_MS, HOUR_MS } from '../../core/durations.ts';
import { beginOfDay, localDay, localOf, momentIn } from '../../core/zone.ts';

/** A day as a number: days of the calendar since 1970, whatever the zone. */
export function dayOf(at_ms: number, zone: string): number {
  const { year, month, day } = localDay(new Date(at_ms), zone);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** The hour at which a day begins in the zone. */
export function beginOf(day: number, zone: string): number {
  return Math.floor(beginOfDay({ year: 1970, month: 1, day: day + 1 }, zone).getTime() / HOUR_MS);
}

export type Period = {
  /** The hours at which its days begin, and the one at which the last ends. */
  readonly begins: readonly number[];
  /** The hour at which counting ends: later hours are not compared. */
  readonly to_hour: number;
};

/** `count` days from `first` on, and how much of them is over at `now_hour`. */
export function periodOf(
  { first, count, zone }: { readonly first: number; readonly count: number; readonly zone: string },
  now_hour: number,
): Period {
  const begins = Array.from({ length: count + 1 }, (_, n) => beginOf(first + n, zone));
  const [from = 0, end = 0] = [begins[0], begins.at(-1)];
  return { begins, to_hour: Math.min(end, Math.max(from, now_hour + 1)) };
}

/** The hour at which the clocks of the zone show the same so many days before, also where they were changed since. */
export function hourBefore(hour: number, days: number, zone: string): number {
  const { year, month, day, hour: hours, minute } = localOf(new Date(hour * HOUR_MS), zone);
  return Math.floor(momentIn({ year, month, day: day - days }, hours * 60 + minute, zone).getTime() / HOUR_MS);
}
