// From which amount on two people must agree, for each currency: as a setting says it, and the default.
import { CURRENCIES, readDecimal, toMinor } from '../money.ts';

/** Minor units of the currency; above it two people are needed. */
export type TwoPeopleAbove = (currency: string) => bigint;

/** Major units where nothing is set; by the decimals of the currency: 0 are the yen, the won, the franc CFA. */
const DEFAULT = 1000n;
const DEFAULT_WITHOUT_DECIMALS = 100_000n;

/**
 * The limits of a list such as EUR=1000, JPY=150000; currencies that are not named keep the default. Undefined: it is
 * no such list.
 */
export function readTwoPeopleAbove(text: string): TwoPeopleAbove | undefined {
  const limits = readLimits(text.split(',').filter((part) => part.trim() !== ''));
  if (limits?.size === 0) return usual;
  return limits && ((currency) => limits.get(currency) ?? usual(currency));
}

/**
 * Minor units by currency. Undefined: one of the texts is not CURRENCY=AMOUNT in major units, or a currency stands
 * there twice.
 */
export function readLimits(texts: readonly string[]): ReadonlyMap<string, bigint> | undefined {
  const limits = new Map<string, bigint>();
  for (const text of texts) {
    const [currency = '', amount = '', ...more] = text.trim().split('=');
    const read = readDecimal(amount.trim(), 'allowed');
    if (more.length > 0 || !CURRENCIES.has(currency) || limits.has(currency) || 'problem' in read) return undefined;
    const money = toMinor(read.decimal, currency);
    if ('problem' in money) return undefined;
    limits.set(currency, money.minor);
  }
  return limits;
}

function usual(currency: string): bigint {
  const decimals = CURRENCIES.get(currency) ?? 2;
  return decimals === 0 ? DEFAULT_WITHOUT_DECIMALS : DEFAULT * 10n ** BigInt(decimals);
}
