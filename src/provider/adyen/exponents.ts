// How Adyen counts money: `{currency, value}` in minor units of its own.
import type { JsonValue } from '../../core/json.ts';
import { CURRENCIES } from '../../core/money.ts';
import { toOurs, toTheirs } from '../amounts.ts';
import { minorAt, textAt } from '../answer.ts';

/** Decimals at Adyen where ISO 4217 has others (docs.adyen.com/development-resources/currency-codes). */
export const EXPONENTS: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

export type Money = { readonly amount_minor: bigint; readonly currency: string };

/** The amount as JSON. Undefined: Adyen cannot express it, and the call must not be made. */
export function moneyText({ amount_minor, currency }: Money): string | undefined {
  const iso = CURRENCIES.get(currency);
  const value = iso === undefined ? undefined : toTheirs(amount_minor, iso, EXPONENTS[currency] ?? iso);
  return value === undefined ? undefined : `{"currency":"${currency}","value":${value}}`;
}

export function moneyAt(amount: JsonValue | undefined): Money | undefined {
  const [value, currency] = [minorAt(amount, 'value'), textAt(amount, 'currency')];
  const iso = CURRENCIES.get(currency);
  if (value === undefined || iso === undefined) return undefined;
  const amount_minor = toOurs(value, iso, EXPONENTS[currency] ?? iso);
  return amount_minor === undefined ? undefined : { amount_minor, currency };
}
