// Card numbers that are found again wherever they are: marked canaries of one range, and every form they may stand in.
// All canaries begin with the same eight digits, so that ten thousand of them cost one search a form.
import { luhn } from '../../src/core/card.ts';

/** Of none of the sandbox's lists; nothing else in the project begins so. These pay. */
const PREFIX = '44993771';
/** The sandbox's own range: its code numbers (contract 15.3) are canaries that are declined, one for each code. */
const CODE_PREFIX = '40000099';
const LENGTH = 16;
const REST = LENGTH - PREFIX.length;

/** The n-th canary: a Luhn-valid number of 16 digits. */
export function canary(n: number): string {
  return withLuhn(`${PREFIX}${String(n).padStart(REST - 1, '0')}`);
}

/** The number whose payment ends with this code. */
export function codeCanary(code: string): string {
  return withLuhn(`${CODE_PREFIX}9${code}`);
}

function withLuhn(head: string): string {
  for (let digit = 0; digit < 10; digit++) if (luhn(Buffer.from(`${head}${digit}`))) return `${head}${digit}`;
  throw new Error('one of ten digits fits');
}

export type Form = {
  /** What the numbers of this form begin with. */
  readonly prefix: string;
  readonly name: string;
  /** How the eight digits of every canary look in this form. */
  readonly mark: Buffer;
  /** The number at a place where the mark was found, or undefined where it is none of this form. */
  read(bytes: Buffer, at: number): string | undefined;
  /** A number written in this form. */
  write(number: string): Buffer;
};

const isNumber = (text: string) => /^\d{16}$/.test(text);
const orNothing = (text: string) => (isNumber(text) ? text : undefined);

const ascii = (prefix: string, name: string, separator: string): Form => {
  const grouped = (number: string) => (number.match(/.{4}/g) ?? []).join(separator);
  const length = LENGTH + 3 * separator.length;
  return {
    prefix,
    name,
    mark: Buffer.from(grouped(prefix)),
    read: (bytes, at) => {
      const text = bytes.toString('latin1', at, at + length);
      const number = separator === '' ? text : text.split(separator).join('');
      return number.length === LENGTH ? orNothing(number) : undefined;
    },
    write: (number) => Buffer.from(grouped(number)),
  };
};

const utf16 = (prefix: string): Form => ({
  prefix,
  name: 'UTF-16LE',
  mark: Buffer.from(prefix, 'utf16le'),
  read: (bytes, at) => orNothing(bytes.toString('utf16le', at, at + 2 * LENGTH)),
  write: (number) => Buffer.from(number, 'utf16le'),
});

/** Each digit by a sign of its own, all of one width. */
function spelled(prefix: string, name: string, spell: (digit: number) => string): Form {
  const signs = Array.from({ length: 10 }, (_, digit) => Buffer.from(spell(digit)));
  const width = signs[0]?.length ?? 0;
  const write = (number: string) => Buffer.concat([...number].map((digit) => signs[Number(digit)] ?? Buffer.alloc(0)));
  return {
    prefix,
    name,
    mark: write(prefix),
    read: (bytes, at) => {
      const digits = Array.from({ length: LENGTH }, (_, place) => {
        const sign = bytes.subarray(at + place * width, at + (place + 1) * width);
        return signs.findIndex((one) => one.equals(sign));
      });
      return orNothing(digits.join(''));
    },
    write,
  };
}

const hex = (prefix: string): Form => ({
  prefix,
  name: 'hex',
  // a digit is 30 to 39: the same in both cases of hex
  mark: Buffer.from(Buffer.from(prefix).toString('hex')),
  read: (bytes, at) => orNothing(Buffer.from(bytes.toString('latin1', at, at + 2 * LENGTH), 'hex').toString('latin1')),
  write: (number) => Buffer.from(Buffer.from(number).toString('hex')),
});

const reversed = (prefix: string): Form => ({
  prefix,
  name: 'reversed',
  mark: Buffer.from([...prefix].toReversed().join('')),
  read: (bytes, at) =>
    at < REST ? undefined : orNothing([...bytes.toString('latin1', at - REST, at + 8)].toReversed().join('')),
  write: (number) => Buffer.from([...number].toReversed().join('')),
});

const bcd = (prefix: string): Form => ({
  prefix,
  name: 'BCD',
  mark: Buffer.from(prefix, 'hex'),
  read: (bytes, at) => orNothing(bytes.toString('hex', at, at + LENGTH / 2)),
  write: (number) => Buffer.from(number, 'hex'),
});

/** Text that stands behind `skipped` other bytes. Base64url has the same letters: digits need none that differ. */
function base64(prefix: string, skipped: 0 | 1 | 2): Form {
  const before = ' '.repeat(skipped);
  const encoded = (text: string) => Buffer.from(before + text).toString('base64');
  // the first letters and the last depend on the neighbours
  const from = [0, 2, 3][skipped] ?? 0;
  const whole = Math.floor(((skipped + prefix.length) * 8) / 6);
  return {
    prefix,
    name: `base64, ${skipped} bytes in`,
    mark: Buffer.from(encoded(prefix).slice(from, whole)),
    read: (bytes, at) => {
      if (at < from) return undefined;
      const text = bytes
        .toString('latin1', at - from, at - from + 32)
        .replaceAll('-', '+')
        .replaceAll('_', '/');
      return orNothing(Buffer.from(text, 'base64').toString('latin1', skipped, skipped + LENGTH));
    },
    write: (number) => Buffer.from(encoded(number)),
  };
}

const formsOf = (prefix: string): readonly Form[] => [
  ascii(prefix, 'ASCII', ''),
  ascii(prefix, 'spaced', ' '),
  ascii(prefix, 'dashed', '-'),
  utf16(prefix),
  base64(prefix, 0),
  base64(prefix, 1),
  base64(prefix, 2),
  hex(prefix),
  reversed(prefix),
  bcd(prefix),
  ascii(prefix, 'dotted', '.'),
  spelled(prefix, 'full width', (digit) => String.fromCodePoint(0xff10 + digit)),
  spelled(prefix, 'Arabic', (digit) => String.fromCodePoint(0x660 + digit)),
  spelled(prefix, 'percent-encoded', (digit) => `%3${digit}`),
  spelled(prefix, 'JSON escapes', (digit) => String.raw`\u003${digit}`),
];

/** The forms of the canaries that pay. */
export const FORMS = formsOf(PREFIX);
/** The forms of all canaries. */
export const ALL_FORMS = [...FORMS, ...formsOf(CODE_PREFIX)];

/** How much may stand around a mark: so far two pieces of what is searched must overlap. */
export const MARGIN = 128;
