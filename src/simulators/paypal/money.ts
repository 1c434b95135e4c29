// Amounts of the simulated PayPal: decimal texts outside, whole numbers inside.
import { refusal } from './errors.ts';

/** Currencies without decimals at PayPal, whatever ISO 4217 says. */
const WHOLE = new Set(['HUF', 'JPY', 'TWD']);
const decimalsOf = (currency: string): number => (WHOLE.has(currency) ? 0 : 2);

export type Amount = { readonly currency: string; readonly minor: number };

export function amountOf(said: unknown): Amount {
  const { currency_code, value } = (said ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof currency_code !== 'string' || !/^[A-Z]{3}$/.test(currency_code))
    throw refusal(422, 'INVALID_CURRENCY_CODE');
  const [, whole, rest = ''] = /^(\d{1,13})(?:\.(\d+))?$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (whole === undefined) throw refusal(400, 'INVALID_PARAMETER_SYNTAX');
  const decimals = decimalsOf(currency_code);
  if (rest.length > decimals) throw refusal(422, decimals === 0 ? 'DECIMALS_NOT_SUPPORTED' : 'DECIMAL_PRECISION');
  const minor = Number(whole + rest.padEnd(decimals, '0'));
  if (minor === 0) throw refusal(422, 'CANNOT_BE_ZERO_OR_NEGATIVE');
  return { currency: currency_code, minor };
}

export function textOf({ currency, minor }: Amount): string {
  const decimals = decimalsOf(currency);
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export const moneyView = (amount: Amount) => ({ currency_code: amount.currency, value: textOf(amount) });
