// Money on the wire and back, through the reader of requests and the writer of answers. FLORIN_AMOUNTS says how many;
// `npm run test:full` takes 1,000,000.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { money, money0 } from '../../src/core/fields.ts';
import { type JsonObject, JsonNumber, JsonProblem, parseJson } from '../../src/core/json.ts';
import { CURRENCIES, MAX_MINOR, toDecimal, toMajor, toMinor } from '../../src/core/money.ts';
import { Reading } from '../../src/core/shape.ts';
import { sizeOf } from '../sizes.ts';

const AMOUNTS = sizeOf('FLORIN_AMOUNTS', { usual: 50_000, full: 1_000_000 });

/** Minor units of a JSON text as the field `amount` of a request reads it, or what is wrong. */
function readWire(json: string, currency: string, field = money): { minor: bigint } | { problem: string } {
  const body = parseJson(`{"amount":${json}}`);
  const value = body instanceof Map ? (body as JsonObject).get('amount') : undefined;
  if (value === undefined || value === null) return { problem: 'is absent' };
  const reading = new Reading(false);
  const decimal = field.read(value, 'amount', reading);
  const [problem] = reading.problems;
  if (problem !== undefined || decimal === undefined) return { problem: problem?.message ?? 'is not read' };
  return toMinor(decimal, currency);
}

/** The ways in which one amount may be written: as number or text, with zeros behind or none. */
function writings(minor: bigint, currency: string, zeros: number): readonly string[] {
  const shortest = toDecimal(minor, currency);
  const padded = shortest.includes('.')
    ? shortest + '0'.repeat(zeros)
    : zeros > 0
      ? `${shortest}.${'0'.repeat(zeros)}`
      : shortest;
  return [shortest, `"${shortest}"`, padded, `"${padded}"`];
}

const amounts = fc.record({
  currency: fc.constantFrom(...CURRENCIES.keys()),
  minor: fc.oneof(fc.bigInt(1n, MAX_MINOR), fc.bigInt(1n, 1_000_000n), fc.bigInt(MAX_MINOR - 1000n, MAX_MINOR)),
  zeros: fc.nat(4),
});

test(`${AMOUNTS} amounts in every currency come back from the wire as they went in`, { timeout: 600_000 }, () => {
  const exponents = new Set<number>();
  fc.assert(
    fc.property(amounts, ({ currency, minor, zeros }) => {
      exponents.add(CURRENCIES.get(currency) ?? -1);
      for (const written of writings(minor, currency, zeros)) {
        const read = readWire(written, currency);
        if (!('minor' in read) || read.minor !== minor) throw new Error(`${written} ${currency} is read wrongly`);
      }
      // what is answered is JSON like any other, and its shortest text is the exact amount
      const answered = JSON.stringify(toMajor(minor, currency));
      if (answered !== toDecimal(minor, currency)) throw new Error(`${minor} ${currency} is answered as ${answered}`);
    }),
    { numRuns: AMOUNTS },
  );
  expect(exponents).toEqual(new Set([0, 2, 3, 4]));
});

test('an amount with more decimals than its currency has is refused, however it is written', () => {
  const finer = fc.record({
    currency: fc.constantFrom(...CURRENCIES.keys()),
    whole: fc.bigInt(0n, 10_000n),
    more: fc.nat(20),
    last: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(finer, ({ currency, whole, more, last }) => {
      const fraction = '0'.repeat((CURRENCIES.get(currency) ?? 0) + more) + last;
      for (const written of [`${whole}.${fraction}`, `"${whole}.${fraction}"`])
        if (!('problem' in readWire(written, currency))) throw new Error(`${written} ${currency} is taken`);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  '-0',
  '-0.0',
  '-1',
  '0',
  '0.00',
  '1e400',
  '1E400',
  '1e2',
  '1e-2',
  '-1e400',
  '9007199254740993',
  '1e21',
  '"NaN"',
  '"Infinity"',
  '"-Infinity"',
  '"1e2"',
  '"-0"',
  '"+1"',
  '"0x1"',
  '" 1"',
  '""',
  '"1,0"',
  '"１"',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '[1]',
  '{"amount":1}',
  '100000000000000000000000000000000000000000000',
])('%s is refused as an amount in every currency', (written) => {
  for (const currency of CURRENCIES.keys()) expect(readWire(written, currency)).toHaveProperty('problem');
});

test.each(['NaN', 'Infinity', '-Infinity', '+1', '01', '.5', '1.', '0x1', '1_000', '--1', '1,0', '١'])(
  '%s is not even JSON',
  (written) => {
    expect(() => readWire(written, 'EUR')).toThrow(JsonProblem);
  },
);

test.each([
  ['0.1', 10n],
  ['0.10', 10n],
  ['1.005', undefined],
  ['0.3', 30n],
  ['4.35', 435n],
  ['1.15', 115n],
  ['8.41', 841n],
  ['90071992547.40993', undefined],
  ['9007199254.74', 900719925474n],
  ['0.1000000000000000055511151231257827', undefined],
  ['0.29999999999999998', undefined],
])('the text %s is read, never the double next to it', (written, minor) => {
  const read = readWire(written, 'EUR');
  expect('minor' in read ? read.minor : undefined).toBe(minor);
});

test('zero is an amount only where a field says so', () => {
  for (const written of ['0', '0.00', '"0"', '"0.0"']) {
    expect(readWire(written, 'EUR')).toHaveProperty('problem');
    expect(readWire(written, 'EUR', money0)).toEqual({ minor: 0n });
  }
  expect(readWire('-0', 'EUR', money0)).toHaveProperty('problem');
});

test('a number keeps its text', () => {
  const body = parseJson('[10.10, 1e400]');
  const texts = Array.isArray(body) ? body.map((value) => (value instanceof JsonNumber ? value.text : '')) : [];
  expect(texts).toEqual(['10.10', '1e400']);
});
