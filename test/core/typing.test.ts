// What a number and an expiry date look like while they are typed, as pure functions: for every text, not only for good
// ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { schemesOf, schemesStarting } from '../../src/core/card.ts';
import { expiryProblem, readExpiry, showExpiry } from '../../web/elements/inside/expiry.ts';
import { bytesOf, caretBehind, digitsOf, grouped, isWhole } from '../../web/elements/inside/number.ts';

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${max}}$`));

describe('a number', () => {
  test('keeps its digits and their order when it is grouped, and grouping it again changes nothing', () => {
    fc.assert(
      fc.property(digits(19), (number) => {
        expect(digitsOf(grouped(number))).toBe(number);
        expect(grouped(digitsOf(grouped(number)))).toBe(grouped(number));
        expect(grouped(number)).not.toMatch(/^ | $| {2}/);
      }),
    );
  });

  test('has the caret behind as many digits as it was before', () => {
    fc.assert(
      fc.property(digits(19), fc.nat(19), (number, at) => {
        const count = Math.min(at, number.length);
        expect(digitsOf(grouped(number).slice(0, caretBehind(grouped(number), count)))).toHaveLength(count);
      }),
    );
  });

  test.each([
    ['4', 'visa'],
    ['37', 'amex'],
    ['55', 'mastercard'],
    ['2221', 'mastercard'],
    ['6011', 'discover'],
    ['3528', 'jcb'],
    ['6703444', 'bancontact'],
    ['675', 'maestro'],
    ['', undefined],
    ['5', undefined],
    ['6', undefined],
    ['67', undefined],
    ['9', undefined],
  ])('that begins with %j is of %s as far as can be told', (start, scheme) => {
    expect(schemesStarting(bytesOf(start))[0]).toBe(scheme);
  });

  test('is never said to be of another scheme than it turns out to be', () => {
    const starts = [
      '4',
      '51',
      '2221',
      '34',
      '300',
      '36',
      '6011',
      '644',
      '3528',
      '62',
      '810',
      '50',
      '670344',
      '675',
      '63',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.stringMatching(/^[0-9]{16}$/), fc.nat(15), (start, rest, length) => {
        const number = (start + rest).slice(0, 16);
        const [whole] = schemesOf(bytesOf(number));
        const [early] = schemesStarting(bytesOf(number.slice(0, length)));
        if (whole !== undefined && early !== undefined) expect(early).toBe(whole);
      }),
    );
  });

  test('is whole only with a length of its scheme and a check digit that fits', () => {
    expect(['4242424242424242', '378282246310005', '30123456789019'].map(isWhole)).toEqual([true, true, true]);
    expect(['4242424242424241', '42424242424242', '4242', '', '9242424242424248'].map(isWhole)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('an expiry date', () => {
  const month = fc.integer({ min: 1, max: 12 });
  const year = fc.integer({ min: 26, max: 45 });
  const two = (value: number) => String(value).padStart(2, '0');

  test('is understood in every way it is written, and shown in one', () => {
    fc.assert(
      fc.property(month, year, (m, y) => {
        const ways = [
          `${m}/${y}`,
          `${two(m)}${y}`,
          `${two(m)} / 20${y}`,
          `${two(m)}-${y}`,
          `20${y}-${two(m)}`,
          `${m} ${y}`,
        ];
        for (const way of ways) expect([way, showExpiry(readExpiry(way))]).toEqual([way, `${two(m)} / ${y}`]);
      }),
    );
  });

  test('typed key by key ends as when it is pasted', () => {
    fc.assert(
      fc.property(month, year, fc.constantFrom('', '/', ' / '), (m, y, between) => {
        let shown = '';
        for (const key of `${two(m)}${between}${y}`) shown = showExpiry(readExpiry(shown + key));
        expect(shown).toBe(`${two(m)} / ${y}`);
      }),
    );
  });

  test('can always be deleted to the last character', () => {
    fc.assert(
      fc.property(digits(6), (typed) => {
        let shown = showExpiry(readExpiry(typed));
        for (let times = 0; times < 12 && shown !== ''; times++) {
          const rest = shown.trimEnd().slice(0, -1);
          shown = digitsOf(rest) === '' ? '' : showExpiry(readExpiry(rest), true);
        }
        expect(shown).toBe('');
      }),
    );
  });

  test.each([
    ['11/26', undefined],
    ['10/26', 'expiry_past'],
    ['12/25', 'expiry_past'],
    ['12/46', undefined],
    ['01/47', 'expiry_far'],
    ['00/30', 'expiry_month'],
    ['13/30', 'expiry_month'],
    ['1', 'expiry_incomplete'],
    ['12/3', 'expiry_incomplete'],
  ])('%s in November 2026: %s', (typed, problem) => {
    expect(expiryProblem(readExpiry(typed), new Date(2026, 10, 21))).toBe(problem);
  });
});
