// Days as the viewer has them, in hours of Unix time: sums are kept by hour, so a day of a zone that is half an hour away from
// full hours begins at the hour before.
const HOUR_MS = 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** True for a time zone by its name, such as Europe/Paris. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** What a clock of the zone shows, as if it were UTC: milliseconds. */
function shownAt(at_ms: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(at_ms);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value));
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const DAY_MS = 24 * HOUR_MS;

/** A day as a number: days of the calendar since 1970, whatever the zone. */
export function dayOf(at_ms: number, zone: string): number {
  return Math.floor(shownAt(at_ms, zone) / DAY_MS);
}

/** The hour at which a day begins in the zone. */
export function beginOf(day: number, zone: string): number {
  const wanted = day * DAY_MS;
  // twice: the first guess may lie on the other side of a change of the clocks
  let at = wanted;
  for (let n = 0; n < 2; n++) at = wanted - (shownAt(at, zone) - at);
  return Math.floor(at / HOUR_MS);
}

export type Period = {
  /** The hours at which its days begin, and the one at which the last ends. */
  readonly begins: readonly number[];
  /** Where counting ends: what lies ahead is not compared. */
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
