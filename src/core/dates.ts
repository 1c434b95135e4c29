// The two styles of dates of the contract (2.2, 2.11). Inside, a moment is its ISO 8601 UTC text with milliseconds.

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const LONG =
  /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT([+-]\d{4})(?: \([^()]{0,64}\))?$/;

/** Reads ISO 8601 (no offset: UTC) or the long textual form. Answers ISO 8601 UTC with milliseconds, or undefined. */
export function readDatetime(text: string): string | undefined {
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = iso;
    return moment([year, month, day, hour, minute, second], fraction, offset);
  }
  const long = LONG.exec(text);
  if (!long) return undefined;
  const [, name = '', day, year, hour, minute, second, offset = 'Z'] = long;
  return moment([year, String(MONTHS.indexOf(name) + 1), day, hour, minute, second], '', offset);
}

/** Reads YYYY-MM-DD, also as the beginning of an ISO date-time. Answers YYYY-MM-DD, or undefined. */
export function readDate(text: string): string | undefined {
  return ISO.test(text) ? readDatetime(text.slice(0, 10))?.slice(0, 10) : undefined;
}

/** A part of a date as two digits; of a year its last ones. */
export const twoDigits = (value: number): string => String(value % 100).padStart(2, '0');

/** `Fri Aug 16 2024 09:30:15 GMT+0000 (Coordinated Universal Time)`: expiration_date and every `*_date` of an order. */
export function longDate(at: Date): string {
  const day = `${DAYS[at.getUTCDay()]} ${MONTHS[at.getUTCMonth()]} ${twoDigits(at.getUTCDate())} ${at.getUTCFullYear()}`;
  return `${day} ${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}:${twoDigits(at.getUTCSeconds())} GMT+0000 (Coordinated Universal Time)`;
}

function moment(parts: readonly (string | undefined)[], fraction: string, offset: string): string | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || year < 1000) return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const shift = /^z$/i.test(offset) ? 0 : minutesOf(offset);
  if (shift === undefined) return undefined;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms) - shift * 60_000).toISOString();
  // an offset may carry it over the end of the years that are written with four digits
  return /^\d{4}-/.test(utc) ? utc : undefined;
}

function minutesOf(offset: string): number | undefined {
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 18 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
