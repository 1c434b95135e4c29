// Field types of POST /token, read from bytes (contract 2.2, 6.1). What may hold card data stays bytes; a text is made
// only of what cannot: a word of a known list, an id, a few digits.
import { LONGEST, SHORTEST } from '../../core/card.ts';
import type { Field, Reading } from '../../core/shape.ts';
import { hmacParts, privateBytes } from '../../kit/crypto.ts';
import { type JsonNode, type Member, isDigit } from './json-bytes.ts';

/** The members of a body by name. `get`: undefined also for null and the empty text, which count as absent. */
export class Members {
  private readonly members: readonly Member[];

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  get(name: string): JsonNode | undefined {
    const value = this.members.find((member) => isWord(member.name, name))?.value;
    return value?.kind === 'null' || (value?.kind === 'text' && value.bytes.length === 0) ? undefined : value;
  }

  /** Names outside this list, in body order; digits that may be those of a card are shown as `#` (contract 2.1). */
  unknown(known: ReadonlySet<string>): readonly string[] {
    const words = [...known];
    return this.members
      .filter(({ name }) => !words.some((word) => isWord(name, word)))
      .map(({ name }) => maskedText(name));
  }
}

function isWord(bytes: Buffer, word: string): boolean {
  if (bytes.length !== word.length) return false;
  for (let i = 0; i < word.length; i++) if (bytes[i] !== word.charCodeAt(i)) return false;
  return true;
}

const isGap = (byte: number | undefined) => byte === 0x20 || byte === 0x2d;

/** A text of the bytes in which every run of 12 digits or more, with or without spaces and hyphens, is a `#`. */
function maskedText(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of digitRuns(bytes)) {
    parts.push(bytes.toString('utf8', from, start), '#');
    from = end;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

const LONG_RUN = 12;

/** The places of runs of 12 digits or more; spaces and hyphens between two digits belong to the run. */
function digitRuns(bytes: Buffer): readonly (readonly [start: number, end: number])[] {
  const runs: (readonly [number, number])[] = [];
  let [start, end, count] = [0, 0, 0];
  for (let at = 0; at <= bytes.length; at++) {
    if (isDigit(bytes[at])) {
      if (count === 0) start = at;
      count++;
      end = at + 1;
    } else if (count > 0 && !(isGap(bytes[at]) && at < bytes.length)) {
      if (count >= LONG_RUN) runs.push([start, end]);
      count = 0;
    }
  }
  return runs;
}

/** True for 12 digits in a row, spaces and hyphens left out. */
export function holdsLongRun(bytes: Buffer): boolean {
  return digitRuns(bytes).length > 0;
}

export function isAllDigits(bytes: Buffer): boolean {
  return bytes.every(isDigit);
}

/**
 * The digits of a card number without the spaces and hyphens between them, in a buffer of their own; undefined: it is
 * none.
 */
export function digitsOf(bytes: Buffer): Buffer | undefined {
  const digits = privateBytes(LONGEST);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const fits = isDigit(byte) ? length < LONGEST : isGap(byte) && at > 0 && at < bytes.length - 1;
    if (!fits) length = LONGEST + 1;
    if (length > LONGEST) break;
    if (isDigit(byte)) digits[length++] = byte;
  }
  if (length >= SHORTEST && length <= LONGEST) return digits.subarray(0, length);
  digits.fill(0);
  return undefined;
}

/** The value of one to four digits; undefined for anything else. */
export function smallNumberOf(node: JsonNode): { readonly value: number; readonly digits: number } | undefined {
  if (node.kind !== 'text' && node.kind !== 'number') return undefined;
  const { bytes } = node;
  if (bytes.length > 4 || bytes.length === 0) return undefined;
  let value = 0;
  for (const byte of bytes) {
    if (!isDigit(byte)) return undefined;
    value = value * 10 + byte - 0x30;
  }
  return { value, digits: bytes.length };
}

const SAFEST = Buffer.from(String(Number.MAX_SAFE_INTEGER));

/** An integer within ±(2^53−1), as it was written. */
function isSafeInteger(bytes: Buffer): boolean {
  const digits = bytes[0] === 0x2d ? bytes.subarray(1) : bytes;
  if (digits.length > SAFEST.length || !digits.every(isDigit)) return false;
  return digits.length < SAFEST.length || digits.compare(SAFEST) <= 0;
}

export type Place = { readonly name: string; readonly reading: Reading };

/** text(n) of the contract as bytes: 1 to n code points, no control characters; an integer is taken as its digits. */
export function textBytes(node: JsonNode, max: number, { name, reading }: Place): Buffer | undefined {
  if (node.kind === 'number' && isSafeInteger(node.bytes)) return node.bytes;
  if (node.kind !== 'text') return reading.refuse(name, 'must be a text');
  if (!node.well_formed) return reading.refuse(name, 'is not valid Unicode');
  const { bytes } = node;
  let characters = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const next = bytes[at + 1] ?? 0;
    if (byte < 0x20 || byte === 0x7f || (byte === 0xc2 && next >= 0x80 && next < 0xa0))
      return reading.refuse(name, 'holds a control character');
    if ((byte & 0xc0) !== 0x80) characters++;
  }
  return characters > max ? reading.refuse(name, `is longer than ${max} characters`) : bytes;
}

/**
 * Reads a plain field. It gets the text only where that cannot be a card number: short of digits, or of the form of an
 * id or a token. Anything else is refused by the field like any other wrong text.
 */
export function plain<T>(node: JsonNode | undefined, field: Field<T>, { name, reading }: Place): T | undefined {
  return node && field.read(harmlessText(node) ?? WRONG, name, reading);
}

const WRONG = '#';

function harmlessText(node: JsonNode): string | undefined {
  if (node.kind !== 'text' || !node.well_formed) return undefined;
  const { bytes } = node;
  if (isHex(bytes) && (bytes.length === 24 || bytes.length === 64)) return bytes.toString('latin1');
  return bytes.length <= 255 && !holdsLongRun(bytes) ? bytes.toString('utf8') : undefined;
}

function isHex(bytes: Buffer): boolean {
  return bytes.every((byte) => isDigit(byte) || (byte >= 0x61 && byte <= 0x66));
}

/**
 * Keyed hash of a body in its canonical form (contract 2.9): members sorted by name, white space between them left out;
 * the member `without` does not count. Nothing is put into words on the way: each part goes into the hash with its
 * length.
 */
export function keyedHash(key: Uint8Array, members: readonly Member[], without: string): Buffer {
  const counted = members.filter(({ name }) => !isWord(name, without));
  return hmacParts(key, ['request|', ...partsOf({ kind: 'object', members: counted })]);
}

function* partsOf(node: JsonNode): Generator<string | Uint8Array> {
  switch (node.kind) {
    case 'object':
      yield `object ${node.members.length}|`;
      for (const { name, value } of node.members.toSorted((a, b) => a.name.compare(b.name))) {
        yield `${name.length}|`;
        yield name;
        yield* partsOf(value);
      }
      break;
    case 'list':
      yield `list ${node.items.length}|`;
      for (const item of node.items) yield* partsOf(item);
      break;
    case 'text':
    case 'number':
    case 'true':
    case 'false':
    case 'null':
      yield `${node.kind} ${node.bytes.length}|`;
      yield node.bytes;
  }
}
