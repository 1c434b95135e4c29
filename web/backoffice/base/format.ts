// Money, times and names for people. Amounts are whole numbers of minor units everywhere.
import type { Sum } from '../../../src/backoffice/wire.ts';
import { SCHEMES, type Scheme } from '../../../src/core/card.ts';
import { DAY_S, HOUR_S } from '../../../src/core/durations.ts';
import { CURRENCIES } from '../../../src/core/money.ts';
import { type Clock, nowBy } from './clock.ts';
import { LOCALE, said, t } from './texts.ts';

const groups = new Intl.NumberFormat(LOCALE, { useGrouping: true, maximumFractionDigits: 0 });
/** Between whole and decimals, in the viewer's way of writing numbers. */
export const POINT =
  new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1 }).formatToParts(0.5).find((part) => part.type === 'decimal')
    ?.value ?? '.';

/** 123456 EUR is 1,234.56, in the viewer's way of writing numbers. */
export function moneyText(minor: Sum | bigint, currency: string): string {
  const value = BigInt(minor);
  const exponent = CURRENCIES.get(currency) ?? 0;
  const digits = (value < 0n ? -value : value).toString().padStart(exponent + 1, '0');
  const whole = groups.format(BigInt(digits.slice(0, digits.length - exponent)));
  const sign = value < 0n ? '−' : '';
  return exponent === 0 ? sign + whole : `${sign}${whole}${POINT}${digits.slice(digits.length - exponent)}`;
}

/** 123456 EUR is 1234.56, the form that a field takes. */
export function moneyField(minor: Sum | bigint, currency: string): string {
  const exponent = CURRENCIES.get(currency) ?? 0;
  const digits = BigInt(minor)
    .toString()
    .padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const clockSeconds = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** `21 Nov, 11:06` in the viewer's zone; the year is added if it is not this year. */
export function timeText(iso: string, seconds = false): string {
  const date = new Date(iso);
  const days = date.getFullYear() === new Date(nowBy('payments')).getFullYear() ? day : dayAndYear;
  return `${days.format(date)}, ${(seconds ? clockSeconds : clock).format(date)}`;
}

const onPaper = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** `21 November 2026 at 11:06 CET` in the viewer's zone, for a reader who may be in another zone. */
export const paperTimeText = (iso: string) => onPaper.format(new Date(iso));

/** The hour of a moment in the viewer's zone. */
export const hourText = (at: Date) => clock.format(at);

/** The name of the viewer's zone: Europe/Paris. */
export const zoneName = () => new Intl.DateTimeFormat(LOCALE).resolvedOptions().timeZone;

export const dayText = (iso: string) => dayAndYear.format(new Date(iso));

/** `21 Nov`, for a chart. */
export const shortDayText = (iso: string) => day.format(new Date(iso));

const calendar = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A calendar day from the server, such as 2026-10-25, or a range of two days. */
export const daysText = (from: string, to: string) =>
  calendar.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));

/** The same moment in UTC, to the second, as in logs. */
export const utcText = (iso: string) => `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'long' });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', 60],
];

/** 3 hours ago, in 2 days, by one of the server's clocks. */
export function agoText(iso: string, by: Clock = 'payments'): string {
  const seconds = (new Date(iso).getTime() - nowBy(by)) / 1000;
  for (const [unit, length] of STEPS)
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  return relative.format(0, 'minute');
}

/**
 * authorization_successful becomes Authorization successful, api_key API key, in_flight_s In flight (seconds);
 * translated if there is a translation.
 */
export function sentence(name: string): string {
  const words = name
    .replace(/_s$/, ' (seconds)')
    .replaceAll(/[_.]/g, ' ')
    .replace(/\bthree ds\b/, '3-D Secure')
    .replaceAll(/\b(?:api|id|url)\b/g, (word) => word.toUpperCase())
    .trim();
  const known = said(words);
  return known === words ? said(capital(words)) : capital(known);
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const percent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const smallPercent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const count = new Intl.NumberFormat(LOCALE);
const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 4 });

export const percentText = (part: number) => percent.format(part);
/** With one more decimal, for shares in which a tenth of a percent matters. */
export const smallPercentText = (part: number) => smallPercent.format(part);
/** A decimal in its stored form, such as 1.35. */
export const decimalText = (text: string) => decimal.format(Number(text));
export const countText = (value: number) => count.format(value);

const KIB = 1024;
const tenth = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

/** The size of a file: 12 KiB, 3 MiB, 1.5 GiB. */
export function sizeText(bytes: number): string {
  if (bytes >= KIB ** 3) return t('{size} GiB', { size: tenth.format(bytes / KIB ** 3) });
  return bytes >= KIB ** 2
    ? t('{size} MiB', { size: countText(Math.round(bytes / KIB ** 2)) })
    : t('{size} KiB', { size: countText(Math.ceil(bytes / KIB)) });
}

/** The end of a long id: that is where ids of 24 hex digits differ. */
export const shortId = (id: string) => (id.length > 12 ? `…${id.slice(-8)}` : id);

/** A text or number as a text; empty for anything else. */
export const plainText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export function methodText(name: string): string {
  // the short name: columns are narrow
  if (name === 'cb') return 'CB';
  return Object.hasOwn(SCHEMES, name) ? SCHEMES[name as Scheme].display_name : sentence(name);
}

/** The name of a role for people; the API and the audit log call a viewer `reader`. */
export const roleText = ({ role, role_name }: { readonly role: string; readonly role_name?: string }) =>
  role_name ?? (role === 'reader' ? t('Viewer') : sentence(role));

const regions = new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'code' });

/** The name of a country in the viewer's language; a text that is not a code of two letters stays as it is. */
export const countryText = (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code);
