// A card's own number in an answer or in another field, in every form that it may be repeated in
// (docs/decisions/0020). The number is known, so anything may stand between its digits: signs, words, the border of two
// fields, the commas of a list.
import { privateBytes, privateCopy } from '../../../kit/crypto.ts';
import { piecesOf } from './answer-pieces.ts';
import { codeAt, entityAt } from './codes.ts';

const HASH = 0x23;
const ZERO = 0x30;
const ONE = 0x31;
const NINE = 0x39;
/** Bytes between one digit and the next: a border of two fields, with the name of the second. */
const WIDEST_GAP = 64;

/** Overwrites it wherever it stands. No byte of the number becomes a string. */
export function hideOwnNumber(answer: Buffer, number: Buffer): void {
  const room = privateBytes(roomOfForms(number.length));
  for (const form of encodedForms(number, room))
    for (let at = answer.indexOf(form); at >= 0; at = answer.indexOf(form, at + 1))
      answer.fill(HASH, at, at + form.length);
  room.fill(0);
  const digits = {
    values: privateBytes(answer.length),
    from: new Uint32Array(answer.length),
    to: new Uint32Array(answer.length),
  };
  // "%34" is a digit in a form and two in a text; "part2" is a name, or digits that belong to the number
  for (const percent of answer.includes(0x25) ? [false, true] : [false])
    for (const names of [true, false]) {
      const count = readDigits(digits, answer, { percent, names });
      hideSpelled(answer, number, { ...digits, count });
    }
  digits.values.fill(0);
}

/** Whether a text that comes with a number holds it, in any of these forms. */
export function holdsOwnNumber(text: Buffer, number: Buffer): boolean {
  // most names: no form is shorter than the number
  if (text.length < number.length) return false;
  const copy = privateCopy(text);
  hideOwnNumber(copy, number);
  const holds = !copy.equals(text);
  copy.fill(0);
  return holds;
}

/** The place of each digit of an answer, from its first byte to its last, and its value as a digit of a text. */
type Digits = { readonly values: Buffer; readonly from: Uint32Array; readonly to: Uint32Array };

function hideSpelled(
  answer: Buffer,
  number: Buffer,
  { values, from, to, count }: Digits & { readonly count: number },
): void {
  const spelled = values.subarray(0, count);
  let numbers: Uint8Array | undefined;
  for (let at = spelled.indexOf(number); at >= 0; at = spelled.indexOf(number, at + 1)) {
    const last = at + number.length - 1;
    let near = true;
    for (let one = at; one < last; one++) near &&= (from[one + 1] ?? 0) - (to[one] ?? 0) <= WIDEST_GAP;
    if (!near) continue;
    numbers ??= numbersIn(answer);
    for (let one = at; one <= last; one++) {
      const [start = 0, end = 0] = [from[one], to[one]];
      answer.fill(numbers[start] === 1 ? digitAt(answer, start) : HASH, start, end);
    }
  }
}

/** 1 for each byte outside of the texts of JSON: its digits must stay numbers. */
function numbersIn(answer: Buffer): Uint8Array {
  const marks = new Uint8Array(answer.length);
  for (const { number, from, to } of piecesOf(answer)) if (number) marks.fill(1, from, to);
  return marks;
}

/** A JSON number stays one: no zero at its beginning. */
function digitAt(answer: Buffer, at: number): number {
  const before = answer[at - 1] ?? 0;
  return (before >= ZERO && before <= NINE) || before === 0x2e ? ZERO : ONE;
}

/** Answers how many there are. */
function readDigits(
  { values, from, to }: Digits,
  answer: Buffer,
  read: { readonly percent: boolean; readonly names: boolean },
): number {
  let count = 0;
  for (let at = 0; at < answer.length;) {
    const over = read.names ? at : behindName(answer, at);
    if (over > at) {
      at = over;
      continue;
    }
    const byte = answer[at] ?? 0;
    // most are: nothing is made for them
    if (byte < ZERO ? byte < 0x25 : byte > NINE && byte < 0x80 && byte !== 0x5c) {
      at++;
      continue;
    }
    const [code, length] = signAt(answer, at, read.percent);
    if (code >= ZERO && code <= NINE) {
      values[count] = code;
      from[count] = at;
      to[count] = at + length;
      count++;
    }
    at += length;
  }
  return count;
}

const QUOTE = 0x22;
const LESS = 0x3c;
const LONGEST_TAG = 512;

/**
 * The end of a name that begins here: a JSON text with a colon after it, a tag, the name of a form's field. `at`: none
 * begins.
 */
function behindName(answer: Buffer, at: number): number {
  const byte = answer[at];
  if (byte === LESS) {
    const end = answer.subarray(at, at + LONGEST_TAG).indexOf(0x3e);
    return end < 0 ? at : at + end + 1;
  }
  if (byte === QUOTE && answer[at - 1] !== 0x5c) {
    const end = answer.indexOf(QUOTE, at + 1);
    if (end < 0) return at;
    let next = end + 1;
    while ((answer[next] ?? 0) <= 0x20 && next < answer.length) next++;
    return answer[next] === 0x3a ? end + 1 : at;
  }
  if (at > 0 && answer[at - 1] !== 0x26) return at;
  // letters, digits and marks up to the sign
  let end = at;
  while (isOfName(answer[end] ?? 0)) end++;
  return answer[end] === 0x3d ? end : at;
}

function isOfName(byte: number): boolean {
  const low = byte | 0x20;
  return (
    (low >= 0x61 && low <= 0x7a) || (byte >= ZERO && byte <= NINE) || byte === 0x5f || byte === 0x2d || byte === 0x2e
  );
}

/** The character here, digits of other scripts as ours, and how many bytes write it. */
function signAt(answer: Buffer, at: number, percent: boolean): readonly [code: number, length: number] {
  const byte = answer[at] ?? 0;
  // a letter or sign of an escape must not be read as digits
  if (byte === 0x5c && answer[at + 1] === 0x75) return [ours(codeAt(answer, at + 2, 4)), 6];
  if (byte === 0x25 && percent) return [codeAt(answer, at + 1, 2), 3];
  if (byte === 0x26 && answer[at + 1] === 0x23) {
    const [code, length] = entityAt(answer, at);
    return [ours(code), length];
  }
  // full width, and the two sets of Arabic
  if (byte === 0xef && answer[at + 1] === 0xbc) return [ours(0xff00 + (answer[at + 2] ?? 0) - 0x80), 3];
  if (byte === 0xd9 || byte === 0xdb) return [ours(((byte & 0x1f) << 6) | ((answer[at + 1] ?? 0) & 0x3f)), 2];
  return [byte, 1];
}

function ours(code: number): number {
  for (const zero of [0xff10, 0x660, 0x6f0]) if (code >= zero && code <= zero + 9) return ZERO + code - zero;
  return code;
}

/** Bytes that hold all forms of a number; base64 makes four of three. */
function roomOfForms(length: number): number {
  const once = Math.ceil((length * 4) / 3);
  const twice = Math.ceil((once * 4) / 3);
  return 2 * length + 3 * once + 18 * twice;
}

/**
 * The number in forms that are no digits: hex of its text, base64 at any alignment, and base64 of that. One behind the
 * other in `room`, because a buffer for each takes longer than the search for it.
 */
function encodedForms(number: Buffer, room: Buffer): readonly Buffer[] {
  let end = 0;
  const take = (length: number) => room.subarray(end, (end += length));
  const hex = take(2 * number.length);
  for (let at = 0; at < number.length; at++) {
    hex[2 * at] = 0x33;
    hex[2 * at + 1] = number[at] ?? 0;
  }
  const once = ALIGNMENTS.map((shift) => base64At(number, shift, take));
  const twice = once.flatMap((form) => ALIGNMENTS.map((shift) => base64At(form, shift, take)));
  return [hex, ...once, ...twice, ...twice.map((form) => asOfUrl(form, take))];
}

type Take = (length: number) => Buffer;

const ALIGNMENTS = [0, 1, 2] as const;
const BASE64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

/** The characters of a base64 text that depend on these bytes alone, when so many other bytes stand before them. */
function base64At(bytes: Buffer, shift: number, take: Take): Buffer {
  const first = Math.ceil((shift * 8) / 6);
  const form = take(Math.floor(((shift + bytes.length) * 8) / 6) - first);
  for (let at = 0; at < form.length; at++) {
    const bit = (first + at) * 6 - shift * 8;
    const byte = bit >> 3;
    const pair = ((bytes[byte] ?? 0) << 8) | (bytes[byte + 1] ?? 0);
    form[at] = BASE64[(pair >> (10 - (bit & 7))) & 63] ?? 0;
  }
  return form;
}

/** The same form with the two letters of base64url. */
function asOfUrl(form: Buffer, take: Take): Buffer {
  const other = take(form.length);
  for (let at = 0; at < form.length; at++) {
    const byte = form[at] ?? 0;
    other[at] = byte === 0x2b ? 0x2d : byte === 0x2f ? 0x5f : byte;
  }
  return other;
}
