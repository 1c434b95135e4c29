// Days of a time zone: when they begin, the date and time of a moment there, and which span a scheduled report
// covers.
import { twoDigits } from './dates.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';

export const EVERY = ['once', 'daily', 'weekly', 'monthly'] as const;
export type Every = (typeof EVERY)[number];

/** The name of one that this Node knows: Europe/Paris. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export type Day = { readonly year: number; readonly month: number; readonly day: number };
type Local = Day & { readonly hour: number; readonly minute: number; readonly second: number };

const MOST_FORMATS = 1000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  // a zone has many spellings, each of which somebody may ask for
  if (formats.size >= MOST_FORMATS) formats.clear();
  const two = '2-digit';
  const parts = {
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  } as const;
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, ...parts });
  formats.set(zone, made);
  return made;
}

/** The date and time that the clocks of a zone show. */
export function localOf(moment: Date, zone: string): Local {
  const parts = formatOf(zone).formatToParts(moment);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  return { year, month, day, hour: part('hour'), minute: part('minute'), second: part('second') };
}

/** The day that a zone's calendars show at a moment. */
export const localDay = (moment: Date, zone: string): Day => localOf(moment, zone);

/** Minutes ahead of UTC at a moment. */
function aheadOf(moment: Date, zone: string): number {
  const { year, month, day, hour, minute, second } = localOf(moment, zone);
  const there = Date.UTC(year, month - 1, day, hour, minute, second);
  return Math.round((there - Math.trunc(moment.getTime() / 1000) * 1000) / 60_000);
}

/** 2027-03-28T01:30:00+01:00, as the zone's clocks show it. */
export function localText(moment: Date, zone: string): string {
  const { year, month, day, hour, minute, second } = localOf(moment, zone);
  const ahead = aheadOf(moment, zone);
  const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  return `${date}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${ahead < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

/**
 * The first moment of a day; days and months beyond their end are those of the next. Where clocks skip midnight, the
 * first there is.
 */
export const beginOfDay = (day: Day, zone: string): Date => momentIn(day, 0, zone);

/**
 * When the clocks of a zone show so many minutes after midnight of a day: where they show it twice, the first time;
 * where they skip it, when they would have shown it if they had not been moved.
 */
export function momentIn({ year, month, day }: Day, minutes: number, zone: string): Date {
  const wanted = Date.UTC(year, month - 1, day, 0, minutes);
  // one of these holds then: clocks are moved once in two days at most
  const moments = [-DAY_MS, DAY_MS].map((away) => wanted - aheadOf(new Date(wanted + away), zone) * 60_000);
  const first = Math.min(...moments);
  const shows_it = first + aheadOf(new Date(first), zone) * 60_000 === wanted;
  return new Date(shows_it ? first : Math.max(...moments));
}

export type Span = { readonly from: Date; readonly to: Date };

/** The last whole day, week from Monday, or month before a moment. */
export function lastSpan(every: Exclude<Every, 'once'>, zone: string, now: Date): Span {
  const { year, month, day } = localOf(now, zone);
  const at = (one: Day) => beginOfDay(one, zone);
  if (every === 'daily') return { from: at({ year, month, day: day - 1 }), to: at({ year, month, day }) };
  if (every === 'monthly') return { from: at({ year, month: month - 1, day: 1 }), to: at({ year, month, day: 1 }) };
  const since_monday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  const monday = day - since_monday;
  return { from: at({ year, month, day: monday - 7 }), to: at({ year, month, day: monday }) };
}

/** So long after a span ended its report is made: what happened in its last moment is written by then. */
const LATER_MS = HOUR_MS;

/** When the next one is made after a moment. */
export function nextMoment(every: Exclude<Every, 'once'>, zone: string, now: Date): Date {
  const { year, month, day } = localOf(new Date(now.getTime() - LATER_MS), zone);
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  const next =
    every === 'daily'
      ? { year, month, day: day + 1 }
      : every === 'weekly'
        ? { year, month, day: day + 7 - weekday }
        : { year, month: month + 1, day: 1 };
  return new Date(beginOfDay(next, zone).getTime() + LATER_MS);
}

/**
 * The zone in which most clocks of a country go, by ISO 3166 code: of several the one in the middle. Undefined: not
 * known.
 */
export function zoneOfCountry(country: string): string | undefined {
  if (!/^[A-Za-z]{2}$/.test(country)) return undefined;
  const locale: Intl.Locale & { getTimeZones?(): readonly string[] | undefined } = new Intl.Locale(`und-${country}`);
  const zones = locale.getTimeZones?.() ?? [];
  const by_offset = zones.toSorted((one, other) => aheadOf(SUMMER, one) - aheadOf(SUMMER, other));
  return by_offset[Math.trunc(by_offset.length / 2)];
}

const SUMMER = new Date(Date.UTC(2026, 6, 1));
