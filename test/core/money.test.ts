import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCIES, MAX_MINOR, readDecimal, toDecimal, toMajor, toMinor } from '../../src/core/money.ts';
import { sizeOf } from '../sizes.ts';

const ONE_OF_EACH = [
  ['JPY', 0],
  ['EUR', 2],
  ['KWD', 3],
  ['CLF', 4],
] as const;

const minorOf = (text: string, currency: string) => {
  const read = readDecimal(text, 'allowed');
  return 'problem' in read ? read : toMinor(read.decimal, currency);
};

/** xorshift32: the same amounts in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const AMOUNTS = sizeOf('FLORIN_AMOUNTS', { usual: 100_000, full: 1_000_000 }) / ONE_OF_EACH.length;

test.each(ONE_OF_EACH)(
  `${AMOUNTS} amounts in %s come back as they went in, and as the same number`,
  (currency, exponent) => {
    const next = numbers(exponent + 1);
    const limit = Number(MAX_MINOR);
    const wrong: string[] = [];
    for (let i = 0; i < AMOUNTS; i++) {
      const minor = ((next() % 1_000_001) * 2 ** 20 + next()) % (limit + 1);
      const digits = String(minor).padStart(exponent + 1, '0');
      const cut = digits.length - exponent;
      const written = exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
      const read = minorOf(written, currency);
      if (!('minor' in read) || read.minor !== BigInt(minor)) wrong.push(`${written} was read wrongly`);
      else if (String(toMajor(read.minor, currency)) !== toDecimal(read.minor, currency))
        wrong.push(`${written} is not answered as the shortest number`);
      else if (minorOf(toDecimal(read.minor, currency), currency) === undefined) wrong.push(`${written} is lost`);
    }
    expect(wrong).toEqual([]);
  },
);

test('zeros at the end say nothing, however many there are; before another digit they do', () => {
  const zeros = '0'.repeat(60_000);
  expect(readDecimal(`1.5${zeros}`, 'refused')).toEqual({ decimal: '1.5' });
  expect(readDecimal(`2.${zeros}`, 'refused')).toEqual({ decimal: '2' });
  expect(readDecimal(`0.${zeros}1`, 'refused')).toEqual({ problem: 'has more decimals than any currency' });
});

test('for every currency, what is answered is read as the same amount again', () => {
  const amounts = fc.tuple(fc.constantFrom(...CURRENCIES.keys()), fc.bigInt({ min: 0n, max: MAX_MINOR }));
  fc.assert(
    fc.property(amounts, ([currency, minor]) => {
      expect(minorOf(toDecimal(minor, currency), currency)).toEqual({ minor });
      expect(minorOf(String(toMajor(minor, currency)), currency)).toEqual({ minor });
    }),
  );
});

test.each([
  ['11.3', 'EUR', 1130n],
  ['11.30', 'EUR', 1130n],
  ['11.3000000000', 'EUR', 1130n],
  ['10', 'EUR', 1000n],
  ['0.01', 'EUR', 1n],
  ['20.00', 'JPY', 20n],
  ['1.234', 'KWD', 1234n],
  ['1.2340', 'KWD', 1234n],
  ['0.0001', 'CLF', 1n],
  ['10000000000', 'EUR', MAX_MINOR],
  ['10000000000.00', 'EUR', MAX_MINOR],
  ['1000000000000', 'JPY', MAX_MINOR],
  ['100000000', 'CLF', MAX_MINOR],
])('%s %s is taken', (text, currency, minor) => {
  expect(minorOf(text, currency)).toEqual({ minor });
});

test('zeros at the end of the fraction are not counted, however many', () => {
  expect(minorOf(`20.${'0'.repeat(100)}`, 'JPY')).toEqual({ minor: 20n });
});

test.each([
  ['too many decimals for EUR', '11.301', 'EUR'],
  ['the text that a double would round to 0.1', '0.1000000000000000055511151231257827', 'EUR'],
  ['a decimal in JPY', '20.5', 'JPY'],
  ['four decimals in KWD', '1.2345', 'KWD'],
  ['five decimals in CLF', '1.00001', 'CLF'],
  ['one minor unit above the largest amount', '10000000000.01', 'EUR'],
  ['one yen above the largest amount', '1000000000001', 'JPY'],
  ['forty digits', '9'.repeat(40), 'EUR'],
  ['four hundred digits', '9'.repeat(400), 'EUR'],
])('%s is refused', (_, text, currency) => {
  expect(minorOf(text, currency)).toHaveProperty('problem');
});

test.each([
  '',
  ' ',
  '.',
  '.5',
  '5.',
  '-1',
  '-0',
  '+1',
  '01',
  '00',
  '00.1',
  '1e2',
  '1E2',
  '1e400',
  '1,5',
  '1.000,00',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '1 ',
  ' 1',
  '1\n',
  '1_000',
  '١٢',
  '１２',
  '1.2.3',
  '1.-2',
  '$1',
  'null',
])('%j is no amount', (text) => {
  expect(readDecimal(text, 'allowed')).toHaveProperty('problem');
  expect(readDecimal(text, 'refused')).toHaveProperty('problem');
});

test.each(['0', '0.0', '0.00', '0.000000'])('%s is zero: refused as money, taken as money0', (text) => {
  expect(readDecimal(text, 'refused')).toEqual({ problem: 'must be more than zero' });
  expect(readDecimal(text, 'allowed')).toEqual({ decimal: '0' });
});

test('no text that is taken has another meaning than its digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.-+eE ,') }), (text) => {
      const good = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text);
      expect('decimal' in readDecimal(text, 'allowed')).toBe(good);
    }),
    { numRuns: 5000 },
  );
});

/** The active codes of ISO 4217 that have minor units, as the list of 2026-01-01 has them and our table must. */
const ACTIVE = [
  'XCD',
  'XCG',
  'XAD',
  'VED',
  'ZWG',
  'SLE',
  'STN',
  'MRU',
  'UYW',
  'CLF',
  'CHE',
  'CHW',
  'BOV',
  'COU',
  'MXV',
];
/** No minor units in ISO 4217: metals, funds, testing. */
const WITHOUT_MINOR_UNITS = ['XAU', 'XAG', 'XPT', 'XPD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA', 'XTS', 'XXX'];

test('every active currency with minor units is known, and none without', () => {
  expect(ACTIVE.filter((code) => !CURRENCIES.has(code))).toEqual([]);
  expect(WITHOUT_MINOR_UNITS.filter((code) => CURRENCIES.has(code))).toEqual([]);
});

/** Intl counts what is used in shops, ISO what is defined: [ISO, Intl]. */
const OTHER_IN_INTL = {
  AFN: [2, 0],
  ALL: [2, 0],
  COP: [2, 0],
  HUF: [2, 0],
  IDR: [2, 0],
  IRR: [2, 0],
  KPW: [2, 0],
  LAK: [2, 0],
  LBP: [2, 0],
  MGA: [2, 0],
  MMK: [2, 0],
  PKR: [2, 0],
  SOS: [2, 0],
  SYP: [2, 0],
  YER: [2, 0],
  IQD: [3, 0],
};
/** Withdrawn from ISO 4217 (BGN with 2026), or without minor units there. */
const ONLY_IN_INTL = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'];

test('the exponents differ from those of Intl only where that is known', () => {
  const digits = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  const different = [...CURRENCIES].filter(([code, exponent]) => digits(code) !== exponent);
  expect(Object.fromEntries(different.map(([code, exponent]) => [code, [exponent, digits(code)]]))).toEqual(
    OTHER_IN_INTL,
  );
  expect(Intl.supportedValuesOf('currency').filter((code) => !CURRENCIES.has(code))).toEqual(ONLY_IN_INTL);
});
