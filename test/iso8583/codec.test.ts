// The codec against the published field tables and messages, and against what a line may bring.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Message, Refused, latin, pack, unpack } from '../../src/provider/send/iso8583/codec.ts';
import { DIALECT, type Dialect, PLAIN } from '../../src/provider/send/iso8583/dialect.ts';
import { FIELDS_1987, type FieldRule } from '../../src/provider/send/iso8583/fields.ts';
import { spoil, spoiling } from '../providers/spoil.ts';
import { sizeOf } from '../sizes.ts';
import { FIELDS, SAMPLES, SPEC, bytesOf, published, secondReader } from './published.ts';

const textsOf = ({ fields }: Message) => Object.fromEntries([...fields].map(([field, bytes]) => [field, latin(bytes)]));
const messageOf = (type: string, fields: Readonly<Record<string, string>>): Message => ({
  type,
  fields: new Map(Object.entries(fields).map(([field, text]) => [Number(field), Buffer.from(text)])),
});

function reasonOf(bytes: Uint8Array, dialect: Dialect = PLAIN): string {
  try {
    unpack(bytes, dialect);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refused) return `${error.reason} ${error.field}`;
    throw error;
  }
}

describe.skipIf(!published)('what is published (skipped without ../shared/data/providers/iso8583)', () => {
  test('our table of fields is the standard’s, row by row', () => {
    const ours = Object.entries(FIELDS_1987).map(([field, rule]) => [field, rule.class, rule.length, rule.prefix]);
    const theirs = Object.entries(FIELDS).map(([field, row]) => [field, row.type, row.length, row.var]);
    expect(ours).toHaveLength(128);
    expect(ours).toEqual(theirs);
  });

  test('our table agrees with the second published one, but where its field 44 is longer', () => {
    const theirs = Object.entries(SPEC).map(([name, { length, prefix }]) => [Number(name.slice(5)), length, prefix]);
    const mine = theirs.map(([field]) => {
      const rule = FIELDS_1987[Number(field)];
      if (field === 0) return [0, 4, 'ASCII.fixed'];
      if (field === 1) return [1, 16, 'Hex.fixed'];
      const length = rule?.class === 'b' ? rule.length / 8 : (rule?.length ?? 0) + (rule?.class === 'x+n' ? 1 : 0);
      const fixed = rule?.class === 'b' ? 'Hex.fixed' : 'ASCII.fixed';
      return [field, field === 44 ? 99 : length, rule?.prefix ? `ASCII.${'L'.repeat(rule.prefix)}` : fixed];
    });
    expect(theirs.length).toBeGreaterThan(60);
    expect(mine).toEqual(theirs);
  });

  const whole = SAMPLES.filter(({ error }) => error === undefined);

  test.each(whole.map((sample) => [sample.file, sample] as const))('%s is read to its last byte', (_, sample) => {
    const bytes = bytesOf(sample) ?? Buffer.from(sample.raw);
    expect(bytes.toString()).toBe(sample.raw);
    const message = unpack(bytes, PLAIN);
    expect([message.type, textsOf(message)]).toEqual([sample.mti ?? sample.raw.slice(0, 4), sample.fields]);
    expect(pack(message, PLAIN).equals(bytes)).toBe(true);
  });

  test('12 messages of files and one of a text are whole; the one that is cut short is refused', () => {
    expect(whole).toHaveLength(13);
    const cut = SAMPLES.filter(({ error }) => error !== undefined);
    expect(cut.map((sample) => reasonOf(bytesOf(sample) ?? Buffer.alloc(0)))).toEqual(['cut_short 0']);
  });

  test(
    'a spoilt message is accepted only as what a second reader finds in it, and then is written the same way',
    { timeout: 600_000 },
    () => {
      const samples = SAMPLES.map(({ raw }) => Buffer.from(raw));
      let accepted = 0;
      const numRuns = sizeOf('FLORIN_TEST_SPOILT_MESSAGES', { usual: 20_000, full: 100_000 });
      fc.assert(
        fc.property(
          fc.constantFrom(...samples),
          fc.array(spoiling(), { minLength: 1, maxLength: 3 }),
          (bytes, ways) => {
            const spoilt = ways.reduce(spoil, bytes);
            const theirs = secondReader(spoilt.toString('latin1'));
            expect(reasonOf(spoilt) === 'accepted').toBe(theirs !== undefined);
            if (!theirs) return;
            accepted++;
            const message = unpack(spoilt, PLAIN);
            expect({ type: message.type, fields: textsOf(message) }).toEqual(theirs);
            expect(pack(message, PLAIN).equals(spoilt)).toBe(true);
          },
        ),
        { numRuns },
      );
      expect(accepted).toBeGreaterThan(numRuns / 100);
    },
  );
});

const LETTERS: Readonly<Record<FieldRule['class'], string>> = {
  n: '0123456789',
  an: 'abcXYZ 0189',
  ns: '0189 =-/[~',
  ans: ' !"\\aZ09~{}',
  'x+n': '0123456789',
  z: '0123456789=D',
  b: '0123456789ABCDEF',
};

function valueOf(rule: FieldRule): fc.Arbitrary<string> {
  const sign = rule.class === 'x+n' ? fc.constantFrom('C', 'D') : fc.constant('');
  const size = rule.class === 'b' ? rule.length / 4 : rule.length;
  const unit = fc.constantFrom(...LETTERS[rule.class]);
  const text = fc.string({ unit, minLength: rule.prefix === 0 ? size : 0, maxLength: size, size: 'max' });
  return fc.tuple(sign, text).map((both) => both.join(''));
}

const anyMessage = fc
  .record({
    type: fc.stringMatching(/^0[1-8][0-9][0-5]$/),
    numbers: fc.uniqueArray(fc.integer({ min: 2, max: 128 }), { maxLength: 24 }),
  })
  .chain(({ type, numbers }) => {
    const known = numbers.filter((field) => field !== 65);
    const texts = fc.tuple(...known.map((field) => valueOf(FIELDS_1987[field] as FieldRule)));
    return texts.map((values) =>
      messageOf(type, Object.fromEntries(known.map((field, at) => [field, values[at] ?? '']))),
    );
  });

const BYTES: Dialect = { ...PLAIN, bitmap: 'bytes', bits: 'bytes' };

test.each([
  ['hex', PLAIN],
  ['bytes', BYTES],
])('what is packed is unpacked the same (bitmaps as %s)', { timeout: 600_000 }, (_, dialect) => {
  const numRuns = sizeOf('FLORIN_TEST_PACKED_MESSAGES', { usual: 1500, full: 100_000 });
  fc.assert(
    fc.property(anyMessage, (message) => {
      const bytes = pack(message, dialect);
      const again = unpack(bytes, dialect);
      expect({ type: again.type, fields: textsOf(again) }).toEqual({ type: message.type, fields: textsOf(message) });
      expect(pack(again, dialect).equals(bytes)).toBe(true);
    }),
    { numRuns },
  );
});

test.each([
  ['hex', PLAIN],
  ['bytes', BYTES],
  ['tags', DIALECT],
])('random bytes are refused by the codec in its own words (%s)', { timeout: 600_000 }, (_, dialect) => {
  const numRuns = sizeOf('FLORIN_TEST_RANDOM_MESSAGES', { usual: 5000, full: 100_000 });
  // some of them look like the beginning of a message
  const tail = fc.uint8Array({ maxLength: 200 });
  const head = fc.constantFrom('', '0100', '02007000000000000000', '0420F2000000000000000000004000000000');
  fc.assert(
    fc.property(head, tail, (text, bytes) => {
      reasonOf(Buffer.concat([Buffer.from(text), bytes]), dialect);
    }),
    { numRuns },
  );
});

test('each way of being no message has its reason, and says where', () => {
  const reasons = [
    '', // nothing
    '01', // cut within the type
    '1100' + '0'.repeat(16), // of 1993
    '0160' + '0'.repeat(16),
    '0166' + '0'.repeat(16),
    '0100' + '4'.repeat(15), // cut within the bitmap
    '0100200000000000000000000', // cut within a field
    '0100200000000000000000000A',
    '010020000000000000000000001', // one byte more
    '0100400000000000000020' + '1'.repeat(20), // longer than its field may be
    '01004000000000000000x0',
    '0100a000000000000000', // small letters of hex: a second way to write it
    '01008000000000000000' + '0'.repeat(16), // a second bitmap with nothing in it
    '010080000000000000008' + '0'.repeat(15), // a third bitmap
    '01000000001000000000E00000000',
  ].map((text) => reasonOf(Buffer.from(text)));
  expect(reasons).toEqual([
    'cut_short 0',
    'cut_short 0',
    'type 0',
    'accepted',
    'type 0',
    'cut_short 0',
    'cut_short 0',
    'class 3',
    'bytes_left 0',
    'length 2',
    'length 2',
    'bitmap 0',
    'bitmap 1',
    'field 65',
    'class 28',
  ]);
  expect(reasonOf(Buffer.alloc(PLAIN.max_bytes + 1, 0x30))).toBe('too_long 0');
});

test('a value that does not fit is not packed', () => {
  const refusals = [
    messageOf('0100', { 3: '1234' }),
    messageOf('0100', { 3: '12345x' }),
    messageOf('0100', { 2: '1'.repeat(20) }),
    messageOf('0100', { 1: '0'.repeat(16) }),
    messageOf('0100', { 65: '1' }),
    messageOf('0100', { 129: '1' }),
    messageOf('9100', {}),
    messageOf('0100', { 28: '100000000' }),
    messageOf('0100', { 52: 'abcdef0123456789' }),
  ].map((message) => {
    try {
      return pack(message, PLAIN).toString();
    } catch (error) {
      return error instanceof Refused ? `${error.reason} ${error.field}` : error;
    }
  });
  expect(refusals).toEqual([
    'length 3',
    'class 3',
    'length 2',
    'field 1',
    'field 65',
    'field 129',
    'type 0',
    'class 28',
    'class 52',
  ]);
});
