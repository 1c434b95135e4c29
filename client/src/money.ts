// Amounts. The API writes them as JSON numbers in major units (42.5). Such a number is exact as a text and wrong as
// soon as somebody adds to it, so it is not typed as a number.
import { DECIMALS } from './wire/codes.ts';

declare const MAJOR_UNITS: unique symbol;

/**
 * An amount in an answer, in major units: a number on the wire. TypeScript does not let you calculate with it:
 * `String(amount)` shows it, `toMinorUnits(amount, currency)` makes a bigint that can be added.
 */
export interface Money {
  readonly [MAJOR_UNITS]: never;
  toString(): string;
}

/**
 * An amount in a request, in major units: decimal text such as '42.50', or an amount out of an answer. Never a float.
 */
export type Amount = string | Money;

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;
let by_currency: ReadonlyMap<string, number> | undefined;

/** Minor units (cents) of an amount: `toMinorUnits('42.50', 'EUR')` is 4250n. Of '' (there is none) 0n. */
export function toMinorUnits(amount: Amount, currency: string): bigint {
  const decimals = decimalsOf(currency);
  const [, whole, fraction = ''] = DECIMAL.exec(amount === '' ? '0' : String(amount)) ?? [];
  if (whole === undefined) throw new RangeError('not an amount: digits, and a point before decimals, such as 11.30');
  const kept = fraction.replace(/0+$/, '');
  if (kept.length > decimals) throw new RangeError(`the amount has more decimals than ${currency} has`);
  return BigInt(whole + kept.padEnd(decimals, '0'));
}

/** Major units of minor ones, with the decimals of the currency: `fromMinorUnits(4250n, 'EUR')` is '42.50'. */
export function fromMinorUnits(minor: bigint, currency: string): string {
  const decimals = decimalsOf(currency);
  if (minor < 0n) throw new RangeError('amounts of the API are never negative');
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function decimalsOf(currency: string): number {
  by_currency ??= new Map(
    Object.entries(DECIMALS).flatMap(([count, names]) =>
      names.split(' ').map((name) => [name, Number(count)] as const),
    ),
  );
  const decimals = by_currency.get(currency.toUpperCase());
  if (decimals === undefined) throw new RangeError('not a currency that can be paid in');
  return decimals;
}
