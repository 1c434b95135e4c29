// Plain tables for a terminal: columns as wide as their cells, with numbers aligned to the right.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import { CURRENCIES } from '../../core/money.ts';

export type Column = { readonly title: string; readonly right?: true };

/**
 * Characters that move the cursor, clear a line or turn the direction of text: they could come from a bank, a file or a
 * person, so they are not shown.
 */
const UNSHOWN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export function tableOf(columns: readonly Column[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => cell.replaceAll(UNSHOWN, '?')));
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    columns
      .map(({ right }, i) =>
        right ? (cells[i] ?? '').padStart(widths[i] ?? 0) : (cells[i] ?? '').padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
  ].join('\n');
}

/** The amount with all decimals of its currency, and the code: 42.50 EUR. */
export function moneyText(minor: bigint, currency: string): string {
  return `${amountText(minor, currency)} ${currency}`;
}

export function amountText(minor: bigint, currency: string): string {
  const exponent = CURRENCIES.get(currency) ?? 0;
  const digits = String(minor < 0n ? -minor : minor).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const sign = minor < 0n ? '-' : '';
  return exponent === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-exponent)}`;
}

/** Writes 1234567 as 1,234,567. */
export function grouped(value: number | bigint): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A duration as people say it: 45 s, 12 min, 5 h, 3 d. */
export function ageText(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * HOUR_S ? `${Math.round(seconds / HOUR_S)} h` : `${Math.round(seconds / DAY_S)} d`;
}
