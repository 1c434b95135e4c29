// Amounts as the client reads and writes them, against those of the service.
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { type Amount, type Money, type OrderAnswer, fromMinorUnits, toMinorUnits } from '../../client/src/florin.ts';
import { CURRENCIES, MAX_MINOR, readDecimal, toMajor, toMinor } from '../../src/core/money.ts';

const anyMoney = fc.record({
  minor: fc.bigInt({ min: 0n, max: MAX_MINOR }),
  currency: fc.constantFrom(...CURRENCIES.keys()),
});
/** As it comes out of JSON. */
const answered = (value: unknown) => JSON.parse(JSON.stringify(value)) as Money;

test('an amount out of an answer is read to the last minor unit, in every currency and up to the largest', () => {
  fc.assert(
    fc.property(anyMoney, ({ minor, currency }) => {
      expect(toMinorUnits(answered(toMajor(minor, currency)), currency)).toBe(minor);
    }),
  );
});

test('the service reads the same amount that the client writes', () => {
  fc.assert(
    fc.property(anyMoney, ({ minor, currency }) => {
      const text = fromMinorUnits(minor, currency);
      const read = readDecimal(text, 'allowed');
      expect('decimal' in read && toMinor(read.decimal, currency)).toEqual({ minor });
      expect(toMinorUnits(text, currency)).toBe(minor);
    }),
  );
});

test('amounts read as people write them', () => {
  expect(fromMinorUnits(4250n, 'EUR')).toBe('42.50');
  expect(fromMinorUnits(5n, 'EUR')).toBe('0.05');
  expect(fromMinorUnits(425n, 'JPY')).toBe('425');
  expect(toMinorUnits('20.00', 'jpy')).toBe(20n);
  expect(toMinorUnits('', 'EUR')).toBe(0n);
});

test.each([
  ['0.30000000000000004', 'EUR'],
  ['1e3', 'EUR'],
  ['-1', 'EUR'],
  ['1,5', 'EUR'],
  ['01', 'EUR'],
  ['1.5', 'JPY'],
  ['1', 'XAU'],
  ['NaN', 'EUR'],
])('%s %s is no amount', (amount, currency) => {
  expect(() => toMinorUnits(amount, currency)).toThrow(RangeError);
});

// What tsc says of these lines is the test: `npm run check`.
test('nobody calculates with an answered amount by accident, and none is sent as a float', () => {
  expectTypeOf<Money>().not.toExtend<number>();
  expectTypeOf<number>().not.toExtend<Amount>();
  expectTypeOf<OrderAnswer['order_amount']>().toEqualTypeOf<Money>();
  const sent: Amount = answered(0.1);
  expect(JSON.stringify({ amount: sent })).toBe('{"amount":0.1}');
});
