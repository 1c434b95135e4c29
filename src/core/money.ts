// Money as the contract writes it (2.3): major units in the text of the request, minor units (bigint) inside, the
// shortest exact number in the answer. The text as written is read; no amount ever passes through a rounded double on
// its way in.

/**
 * Minor-unit exponents of ISO 4217; every other code of the list has 2. Not taken from Intl: it differs (HUF, IQD …).
 */
const EXPONENTS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU ' +
    'CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR ' +
    'NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP ' +
    'TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** ISO 4217 codes that have minor units, with their exponent (list of 2026-01-01: no BGN, XCG instead of ANG). */
export const CURRENCIES: ReadonlyMap<string, number> = new Map(
  Object.entries(EXPONENTS).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/** The largest amount of one request: 10^12 minor units (contract 2.3). */
export const MAX_MINOR = 10n ** 12n;

/** Of what is written otherwise. */
export const NO_AMOUNT = 'is not an amount: write digits with a point for decimals, such as 11.30';

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads the written form of an amount: canonical text without zeros at the end of the fraction, or what is wrong with
 * it.
 */
export function readDecimal(text: string, zero: 'refused' | 'allowed'): { decimal: string } | { problem: string } {
  const match = DECIMAL.exec(text);
  if (!match) return { problem: NO_AMOUNT };
  const fraction = withoutZeros(match[2] ?? '');
  if ((match[1] ?? '').length > 40) return { problem: 'is above the largest amount' };
  if (fraction.length > 40) return { problem: 'has more decimals than any currency' };
  const decimal = fraction === '' ? (match[1] ?? '') : `${match[1]}.${fraction}`;
  if (decimal === '0' && zero === 'refused') return { problem: 'must be more than zero' };
  return { decimal };
}

/**
 * Minor units of a canonical decimal in this currency, or what is wrong with it. The currency must be in CURRENCIES.
 */
export function toMinor(decimal: string, currency: string): { minor: bigint } | { problem: string } {
  const exponent = CURRENCIES.get(currency);
  if (exponent === undefined) return { problem: 'has a currency without minor units' };
  const [whole = '0', fraction = ''] = decimal.split('.');
  if (fraction.length > exponent) return { problem: 'has more decimals than the currency allows' };
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'));
  return minor > MAX_MINOR ? { problem: 'is above the largest amount' } : { minor };
}

/**
 * Without the zeros at its end. Not by a pattern: of 60,000 zeros and a one that would try each, for more than a
 * second.
 */
export function withoutZeros(fraction: string): string {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end--;
  return fraction.slice(0, end);
}

/** Major units as canonical decimal text: 1130n EUR is `11.3`. */
export function toDecimal(minor: bigint, currency: string): string {
  const exponent = CURRENCIES.get(currency) ?? 0;
  const digits = minor.toString().padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = withoutZeros(digits.slice(digits.length - exponent));
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Major units with all the decimals of the currency, as a person reads them: 1130n EUR is `11.30`. */
export function moneyText(minor: bigint, currency: string): string {
  const exponent = CURRENCIES.get(currency) ?? 0;
  const [whole = '', fraction = ''] = toDecimal(minor, currency).split('.');
  return exponent === 0 ? whole : `${whole}.${fraction.padEnd(exponent, '0')}`;
}

/**
 * Major units as the number of an answer. Exact: at most 13 significant digits, and a double keeps 15; of two whole
 * numbers a division gives the double that is nearest, which is the one that their decimal text is read as.
 */
export function toMajor(minor: bigint, currency: string): number {
  return Number(minor) / 10 ** (CURRENCIES.get(currency) ?? 0);
}

/** A sum of amounts in minor units, in a back office answer: a number, or its digits where a number is not exact. */
export function toSum(minor: bigint): number | string {
  const sum = Number(minor);
  return Number.isSafeInteger(sum) ? sum : String(minor);
}

/** Minor units as the number of a back office answer: exact, as no amount of one thing comes near 2^53. */
export function toCount(minor: bigint): number {
  const count = Number(minor);
  if (!Number.isSafeInteger(count)) throw new Error('an amount is too large to be shown');
  return count;
}
