// What a sandbox knows without any database (contract 9.4): issuer, country and kind of its test cards, by number; the
// country of the networks that are reserved for documentation (RFC 5737).
import { NO_ORIGIN, type CardOrigin, type Origins } from './origins.ts';
import { RESULTS } from '../results.ts';
import { SCENARIO_CARDS, WELL_KNOWN_CARDS, codeNumber } from '../sandbox/cards.ts';

const ISSUER = 'Florin Test Bank';

const NETWORKS = [
  ['192.0.2.', 'FR'],
  ['198.51.100.', 'DE'],
  ['203.0.113.', 'US'],
] as const;

/** The first that a number begins with; the numbers of three digits are those of ISO 3166. */
const COUNTRIES = [
  ['400000276', 'DE'],
  ['400000826', 'GB'],
  ['400000840', 'US'],
  ['6011', 'US'],
  ['6703', 'BE'],
  ['6759', 'GB'],
  ['34', 'US'],
  ['37', 'US'],
  ['35', 'JP'],
  ['30', 'US'],
  ['36', 'US'],
  ['62', 'CN'],
  ['2', 'DE'],
  ['5', 'DE'],
  ['4', 'FR'],
] as const;

/** Maestro; what begins otherwise is a credit card. */
const DEBIT = ['6703', '6759'] as const;

/** Of a whole test number, as GET /sandbox/cards lists it. */
export function testCardOrigin(number: string): CardOrigin {
  const country = COUNTRIES.find(([prefix]) => number.startsWith(prefix))?.[1];
  const funding = DEBIT.some((prefix) => number.startsWith(prefix)) ? 'debit' : 'credit';
  return country === undefined ? NO_ORIGIN : { issuer: ISSUER, country, funding };
}

const NUMBERS = [
  ...[...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].flatMap(({ numbers }) => numbers),
  ...RESULTS.flatMap((row) => codeNumber(row) ?? []),
];

/** By the digits that are known outside the vault; two test cards that share them and differ in country: not known. */
const BY_DIGITS = new Map<string, CardOrigin>();
for (const number of NUMBERS) {
  const digits = `${number.slice(0, 6)} ${number.slice(-4)}`;
  const own = testCardOrigin(number);
  const known = BY_DIGITS.get(digits) ?? own;
  BY_DIGITS.set(digits, known.country === own.country ? own : { ...own, country: null });
}

export const SANDBOX_ORIGINS: Origins = {
  countryOf: (ip) => NETWORKS.find(([network]) => ip.startsWith(network))?.[1] ?? null,
  cardOf: ({ first6, last4 }) => BY_DIGITS.get(`${first6} ${last4}`) ?? NO_ORIGIN,
};
