// Amounts as PayPal writes them: decimal text. https://developer.paypal.com/api/rest/reference/currency-codes/
// What it does not take is not sent, and nothing is rounded.
import type { JsonValue } from '../../core/json.ts';
import { CURRENCIES } from '../../core/money.ts';
import { toOurs, toTheirs } from '../amounts.ts';
import { textAt } from '../answer.ts';

const TWO = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN RUB SEK SGD THB USD';
/** An amount with a decimal point is an error there. Two of these have two decimals in ISO 4217. */
const NONE = 'HUF JPY TWD';

/** Every currency that PayPal takes, with the decimals that it has there. */
export const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...TWO.split(' ').map((code) => [code, 2] as const),
  ...NONE.split(' ').map((code) => [code, 0] as const),
]);

export type Money = { readonly amount_minor: bigint; readonly currency: string };

/** Undefined: PayPal has no such amount, and the call must not be made. */
export function moneyOf({ amount_minor, currency }: Money): { currency_code: string; value: string } | undefined {
  const [iso, theirs] = [CURRENCIES.get(currency), DECIMALS.get(currency)];
  const minor = iso === undefined || theirs === undefined ? undefined : toTheirs(amount_minor, iso, theirs);
  if (minor === undefined || theirs === undefined) return undefined;
  return { currency_code: currency, value: decimal(minor, theirs) };
}

function decimal(minor: bigint, decimals: number): string {
  if (decimals === 0) return String(minor);
  const digits = String(minor).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const VALUE = /^(\d{1,15})(?:\.(\d{1,8}))?$/;

/** Undefined: no amount, or one that is no number of our smallest unit. */
export function moneyAt(said: JsonValue | undefined): Money | undefined {
  const [value, currency] = [textAt(said, 'value'), textAt(said, 'currency_code')];
  const [iso, theirs] = [CURRENCIES.get(currency), DECIMALS.get(currency)];
  const found = VALUE.exec(value);
  if (!found || iso === undefined || theirs === undefined) return undefined;
  const [, whole = '', rest = ''] = found;
  // 100.00 JPY is 100; 100.50 is no amount
  const [decimals, beyond] = [rest.slice(0, theirs).padEnd(theirs, '0'), rest.slice(theirs)];
  const amount_minor = /^0*$/.test(beyond) ? toOurs(BigInt(whole + decimals), iso, theirs) : undefined;
  return amount_minor === undefined ? undefined : { amount_minor, currency };
}
