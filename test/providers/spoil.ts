// Spoils the bytes of an answer: what lines, proxies and half-dead servers do to them, and worse.
import fc from 'fast-check';

export type Spoiling = {
  readonly how: 'flip' | 'set' | 'cut' | 'insert' | 'truncate' | 'swap';
  readonly at: number;
  readonly value: number;
};

/** One way of spoiling, to be drawn by fast-check. */
export const spoiling = (): fc.Arbitrary<Spoiling> =>
  fc.record({
    how: fc.constantFrom('flip', 'set', 'cut', 'insert', 'truncate', 'swap'),
    at: fc.nat(400),
    value: fc.nat(255),
  });

export function spoil(bytes: Buffer, { how, at, value }: Spoiling): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  const spoilt = Buffer.from(bytes);
  switch (how) {
    case 'flip':
      spoilt[place] = (spoilt[place] ?? 0) ^ (1 << (value % 8));
      return spoilt;
    case 'set':
      // Half of all values are signs that JSON is made of: those break less and mean more.
      spoilt[place] = value < 128 ? value : (SIGNS[value % SIGNS.length] ?? 0);
      return spoilt;
    case 'cut':
      return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1 + (value % 24))]);
    case 'insert':
      return Buffer.concat([bytes.subarray(0, place), bytes.subarray(value, value + 16), bytes.subarray(place)]);
    case 'truncate':
      return bytes.subarray(0, place);
    case 'swap':
      return Buffer.concat([bytes.subarray(place), bytes.subarray(0, place)]);
  }
}

const SIGNS = Buffer.from('0123456789"{}[]:,.eE-+ tfn\\');
