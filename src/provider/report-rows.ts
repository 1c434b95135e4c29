// Functions that the readers of settlement reports share: rows of comma separated cells, and amounts as decimals.
import { CURRENCIES } from '../core/money.ts';

/** A row as RFC 4180 has it; undefined: a quote is left open. */
export function cellsOf(row: string): readonly string[] | undefined {
  const cells: string[] = [];
  const one = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;
  while (one.lastIndex <= row.length) {
    const found = one.exec(row);
    if (found === null) return undefined;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (!found[0].endsWith(',')) return one.lastIndex === row.length ? cells : undefined;
    if (one.lastIndex === row.length) return [...cells, ''];
  }
  return undefined;
}

/** The head of a report without the mark that says it is UTF-8; undefined: a column that is wanted is missing. */
export function columnsOf(head: string, wanted: readonly string[]): readonly string[] | undefined {
  const names = cellsOf(head.replace(/^\uFEFF/, ''))?.map((name) => name.replace(/\s+/g, ' ').trim());
  return names !== undefined && wanted.every((name) => names.includes(name)) ? names : undefined;
}

/**
 * Exactly, in minor units of ISO 4217, of an amount in whole units with decimals. Undefined: it is none, or there is a
 * rest.
 */
export function minorOf(decimal: string, currency: string): bigint | undefined {
  const exponent = CURRENCIES.get(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(decimal) ?? [];
  if (exponent === undefined || whole === '') return undefined;
  const padded = fraction.padEnd(exponent, '0');
  return /^0*$/.test(padded.slice(exponent)) ? BigInt(whole + padded.slice(0, exponent)) : undefined;
}

const FEE_DECIMALS = 6;

/**
 * The sum of amounts in whole units with decimals, some of them below 0, in minor units of ISO 4217: what is under the
 * smallest unit is added up first, and a half is rounded up. Undefined: one of them is none.
 */
export function feeMinorOf(decimals: readonly string[], currency: string): bigint | undefined {
  const exponent = CURRENCIES.get(currency);
  if (exponent === undefined) return undefined;
  let sum = 0n;
  for (const decimal of decimals) {
    const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(decimal) ?? [];
    if (whole === undefined) return undefined;
    sum += BigInt(`${sign}${whole}${fraction.padEnd(FEE_DECIMALS, '0')}`);
  }
  const unit = 10n ** BigInt(FEE_DECIMALS - exponent);
  const [twice, over] = [2n * sum + unit, 2n * unit];
  const down = twice % over < 0n ? 1n : 0n;
  return twice / over - down;
}
