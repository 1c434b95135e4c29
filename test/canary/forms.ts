// Card numbers that are found again wherever they are: marked canaries of one range, and every form they may stand in
// (targets.md 12). All canaries begin with the same eight digits, so that ten thousand of them cost one search a form.
import { luhn } from '../../src/core/card.ts';

/** Of no issuer and of none of the sandbox's lists; nothing else in the project begins so. */
const CANARY_PREFIX = '44993771';
const LENGTH = 16;
const REST = LENGTH - CANARY_PREFIX.length;

/** The n-th canary: a Luhn-valid number of 16 digits. */
export function canary(n: number): string {
  const head = `${CANARY_PREFIX}${String(n).padStart(REST - 1, '0')}`;
  for (let digit = 0; digit < 10; digit++) if (luhn(Buffer.from(`${head}${digit}`))) return `${head}${digit}`;
  throw new Error('one of ten digits fits');
}

export type Form = {
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

const ascii = (name: string, separator: string): Form => {
  const grouped = (number: string) => (number.match(/.{4}/g) ?? []).join(separator);
  const length = LENGTH + 3 * separator.length;
  return {
    name,
    mark: Buffer.from(grouped(CANARY_PREFIX)),
    read: (bytes, at) => {
      const text = bytes.toString('latin1', at, at + length);
      const number = separator === '' ? text : text.split(separator).join('');
      return number.length === LENGTH ? orNothing(number) : undefined;
    },
    write: (number) => Buffer.from(grouped(number)),
  };
};

const UTF16: Form = {
  name: 'UTF-16LE',
  mark: Buffer.from(CANARY_PREFIX, 'utf16le'),
  read: (bytes, at) => orNothing(bytes.toString('utf16le', at, at + 2 * LENGTH)),
  write: (number) => Buffer.from(number, 'utf16le'),
};

const HEX: Form = {
  name: 'hex',
  // a digit is 30 to 39: the same in both cases of hex
  mark: Buffer.from(Buffer.from(CANARY_PREFIX).toString('hex')),
  read: (bytes, at) => orNothing(Buffer.from(bytes.toString('latin1', at, at + 2 * LENGTH), 'hex').toString('latin1')),
  write: (number) => Buffer.from(Buffer.from(number).toString('hex')),
};

const REVERSED: Form = {
  name: 'reversed',
  mark: Buffer.from([...CANARY_PREFIX].toReversed().join('')),
  read: (bytes, at) =>
    at < REST ? undefined : orNothing([...bytes.toString('latin1', at - REST, at + 8)].toReversed().join('')),
  write: (number) => Buffer.from([...number].toReversed().join('')),
};

const BCD: Form = {
  name: 'BCD',
  mark: Buffer.from(CANARY_PREFIX, 'hex'),
  read: (bytes, at) => orNothing(bytes.toString('hex', at, at + LENGTH / 2)),
  write: (number) => Buffer.from(number, 'hex'),
};

/** Text that stands behind `skipped` other bytes. Base64url has the same letters: digits need none that differ. */
function base64(skipped: 0 | 1 | 2): Form {
  const before = ' '.repeat(skipped);
  const encoded = (text: string) => Buffer.from(before + text).toString('base64');
  // the first letters and the last depend on the neighbours
  const from = [0, 2, 3][skipped] ?? 0;
  const whole = Math.floor(((skipped + CANARY_PREFIX.length) * 8) / 6);
  return {
    name: `base64, ${skipped} bytes in`,
    mark: Buffer.from(encoded(CANARY_PREFIX).slice(from, whole)),
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

export const FORMS: readonly Form[] = [
  ascii('ASCII', ''),
  ascii('spaced', ' '),
  ascii('dashed', '-'),
  UTF16,
  base64(0),
  base64(1),
  base64(2),
  HEX,
  REVERSED,
  BCD,
];

/** How much may stand around a mark: so far two pieces of what is searched must overlap. */
export const MARGIN = 80;
