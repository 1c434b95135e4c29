// Packs and unpacks messages of ISO 8583, strictly: class and length of every field, a second bitmap exactly where it
// is needed, and not a byte left over, so there is one way to write each message. Works on bytes: no digit of a card
// becomes a string.
import type { Dialect } from './dialect.ts';
import type { FieldClass, FieldRule } from './fields.ts';

export type Message = {
  /** Message type, four digits. */
  readonly type: string;
  /**
   * Field → what stands in it, as text in bytes; bits as hex digits. Of an unpacked message mostly views of its bytes.
   */
  readonly fields: ReadonlyMap<number, Uint8Array>;
};

export type Reason =
  | 'cut_short'
  | 'bytes_left'
  | 'too_long'
  | 'type'
  | 'bitmap'
  | 'field'
  | 'length'
  | 'class'
  | 'tags';

/** Why a message is none. Says where, never what stands there. */
export class Refused extends Error {
  readonly reason: Reason;
  /** 0: of the message as a whole. */
  readonly field: number;
  constructor(reason: Reason, field = 0) {
    super(field === 0 ? `not a message: ${reason}` : `not a message: ${reason} of field ${field}`);
    this.reason = reason;
    this.field = field;
  }
}

/** Version 1987, a class, a function, an origin. */
const TYPE = /^0[1-8][0-9][0-5]$/;
const TYPE_BYTES = 4;
const BITMAP_BITS = 64;
const LAST_FIELD = 128;
const SECOND_BITMAP = 1;
const THIRD_BITMAP = 65;

export function pack({ type, fields }: Message, dialect: Dialect): Buffer {
  if (!TYPE.test(type)) throw new Refused('type');
  const numbers = [...fields.keys()].toSorted((a, b) => a - b);
  const pieces: Uint8Array[] = [Buffer.from(type), bitmapOf(numbers, dialect)];
  for (const number of numbers) {
    const rule = ruleOf(number, dialect);
    const value = fields.get(number) ?? NOTHING;
    check(number, rule, value);
    if (rule.prefix > 0) pieces.push(Buffer.from(String(value.length).padStart(rule.prefix, '0')));
    pieces.push(isBytes(rule, dialect) ? Buffer.from(latin(value), 'hex') : value);
  }
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (size > dialect.max_bytes) throw new Refused('too_long');
  const out = ownBytes(size);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

export function unpack(bytes: Uint8Array, dialect: Dialect): Message {
  if (bytes.length > dialect.max_bytes) throw new Refused('too_long');
  const reader = readerOf(bytes);
  const type = latin(reader(TYPE_BYTES));
  if (!TYPE.test(type)) throw new Refused('type');
  const first = readBitmap(reader, dialect);
  const numbers = first.map((bit) => bit + 1);
  if (numbers[0] === SECOND_BITMAP) {
    numbers.shift();
    const second = readBitmap(reader, dialect).map((bit) => bit + 1 + BITMAP_BITS);
    if (second.length === 0) throw new Refused('bitmap', SECOND_BITMAP);
    numbers.push(...second);
  }
  const fields = new Map(numbers.map((number) => [number, readField(reader, number, dialect)]));
  if (reader.left() > 0) throw new Refused('bytes_left');
  return { type, fields };
}

/** Not from a pool that is shared, and large enough that its bytes stay where they are: the caller overwrites it. */
export function ownBytes(length: number): Buffer {
  return Buffer.allocUnsafeSlow(Math.max(length, BITMAP_BITS + 1)).subarray(0, length);
}

const NOTHING = new Uint8Array(0);

type Reader = { (length: number): Uint8Array; left(): number };

/** Views of the bytes, one behind the other. */
function readerOf(bytes: Uint8Array): Reader {
  let at = 0;
  const take = (length: number) => {
    if (length > bytes.length - at) throw new Refused('cut_short');
    at += length;
    return bytes.subarray(at - length, at);
  };
  return Object.assign(take, { left: () => bytes.length - at });
}

function readField(reader: Reader, number: number, dialect: Dialect): Uint8Array {
  const rule = ruleOf(number, dialect);
  if (rule.prefix === 0) {
    const value = isBytes(rule, dialect) ? hexOf(reader(rule.length / 8)) : reader(lengthOf(rule));
    check(number, rule, value);
    return value;
  }
  const said = latin(reader(rule.prefix));
  if (!/^\d+$/.test(said) || Number(said) > rule.length) throw new Refused('length', number);
  const value = reader(Number(said));
  check(number, rule, value);
  return value;
}

function ruleOf(number: number, { fields }: Dialect): FieldRule {
  const rule = number === SECOND_BITMAP || number === THIRD_BITMAP ? undefined : fields[number];
  if (!rule) throw new Refused('field', number);
  return rule;
}

/** Characters of a field of fixed length. */
function lengthOf(rule: FieldRule): number {
  if (rule.class === 'b') return rule.length / 4;
  return rule.class === 'x+n' ? rule.length + 1 : rule.length;
}

const isBytes = (rule: FieldRule, { bits }: Dialect) => rule.class === 'b' && bits === 'bytes';

function check(number: number, rule: FieldRule, value: Uint8Array): void {
  const fits = rule.prefix === 0 ? value.length === lengthOf(rule) : value.length <= rule.length;
  if (!fits) throw new Refused('length', number);
  const allowed = CLASSES[rule.class];
  if (!value.every((byte, at) => allowed(byte, at))) throw new Refused('class', number);
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
const isPrinted = (byte: number) => byte >= 0x20 && byte <= 0x7e;
const isHex = (byte: number) => isDigit(byte) || (byte >= 0x41 && byte <= 0x46);

const CLASSES: Readonly<Record<FieldClass, (byte: number, at: number) => boolean>> = {
  n: isDigit,
  an: (byte) => isDigit(byte) || isLetter(byte) || byte === 0x20,
  ns: (byte) => isPrinted(byte) && !isLetter(byte),
  ans: isPrinted,
  'x+n': (byte, at) => (at === 0 ? byte === 0x43 || byte === 0x44 : isDigit(byte)),
  // digits, the sign between number and date as = or D
  z: (byte) => isDigit(byte) || byte === 0x3d || byte === 0x44,
  b: isHex,
};

function bitmapOf(numbers: readonly number[], dialect: Dialect): Buffer {
  const last = numbers.at(-1) ?? 0;
  if (last > LAST_FIELD) throw new Refused('field', last);
  const bits = last > BITMAP_BITS ? [SECOND_BITMAP, ...numbers] : numbers;
  const bytes = Buffer.alloc(last > BITMAP_BITS ? 16 : 8);
  for (const number of bits) {
    const at = Math.floor((number - 1) / 8);
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> ((number - 1) % 8));
  }
  return dialect.bitmap === 'bytes' ? bytes : hexOf(bytes);
}

/** The bits that are set, the first as 0. */
function readBitmap(reader: Reader, dialect: Dialect): number[] {
  let bytes = reader(dialect.bitmap === 'bytes' ? 8 : 16);
  if (dialect.bitmap === 'hex') {
    if (!bytes.every(isHex)) throw new Refused('bitmap');
    bytes = Buffer.from(latin(bytes), 'hex');
  }
  const set = Array.from({ length: BITMAP_BITS }, (_, bit) => bit);
  return set.filter((bit) => ((bytes[Math.floor(bit / 8)] ?? 0) & (0x80 >> (bit % 8))) !== 0);
}

const hexOf = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString('hex').toUpperCase());

/** A text from bytes that are no card's. */
export function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
