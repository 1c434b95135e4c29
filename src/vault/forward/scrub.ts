// No card number leaves the vault in an answer (vault.md 7, V12). Overwritten are: this request's number wherever and however
// it stands; every other run of 14 to 19 digits that passes Luhn, unless it is the provider's own reference; and what stands
// in the fields of a cvc. Works on the bytes of the whole answer, in place: no number becomes a string.
import { luhn } from '../../core/card.ts';
import { privateBytes } from '../../kit/crypto.ts';
import { type Piece, type Run, digitRuns, piecesOf } from './answer-pieces.ts';

export type Scrubbing = {
  readonly number: Buffer;
  /** Names of answer members that hold references, and of those that hold a cvc. */
  readonly references: readonly string[];
  readonly cvc_names: readonly string[];
};

/** What providers call it when they repeat it. */
const CVC_NAMES = ['cvc', 'cvc2', 'cvv', 'cvv2', 'cid', 'csc', 'security_code', 'securityCode', 'cardVerificationCode'];
const SHORTEST = 14;
const LONGEST = 19;
const HASH = 0x23;
const ZERO = 0x30;
const ONE = 0x31;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
/** Two signs of three bytes. */
const WIDEST_GAP = 6;

/** Overwrites, and answers how many numbers were found that are not this request's: each is worth an alert. */
export function scrub(answer: Buffer, { number, references, cvc_names }: Scrubbing): number {
  // a partner's token may be shorter than any card's number: every few digits would be it, and its encoded forms may be empty
  const is_long = number.length >= SHORTEST;
  if (is_long) hideEncoded(answer, number);
  const names = [...CVC_NAMES, ...cvc_names];
  if (!mayHoldNumber(answer) && !names.some((name) => answer.includes(name))) return 0;
  let others = 0;
  for (const piece of piecesOf(answer)) {
    if (names.includes(piece.name)) hideShort(answer, piece);
    const exempt = references.includes(piece.name);
    for (const run of digitRuns(answer, piece)) {
      if (run.digits.length < SHORTEST) continue;
      const values = valuesOf(run);
      const own = is_long && hideOwn(answer, { piece, run, values, number });
      if (!own && !exempt && !run.in_word) others += hideLuhn(answer, { piece, run, values });
      values.fill(0);
    }
  }
  return others;
}

/** A quick look, which most answers need no more than: 14 digits with no letter and little else between them, or escapes. */
function mayHoldNumber(answer: Buffer): boolean {
  if (answer.includes(BACKSLASH) || answer.includes(PERCENT)) return true;
  let digits = 0;
  let gap = 0;
  for (const byte of answer) {
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === SHORTEST) return true;
      gap = 0;
    } else if (++gap > WIDEST_GAP || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)) digits = 0;
  }
  return false;
}

/** Not by way of an array of numbers of V8's own: that one nobody could overwrite. */
function valuesOf({ digits }: Run): Buffer {
  const values = privateBytes(digits.length);
  digits.forEach(({ value }, at) => {
    values[at] = value;
  });
  return values;
}

type Looked = { readonly piece: Piece; readonly run: Run; readonly values: Buffer };

/** The number itself, also within more digits, and with anything between its digits that a person would put there. */
function hideOwn(answer: Buffer, { piece, run, values, number }: Looked & { readonly number: Buffer }): boolean {
  let found = false;
  for (let from = values.indexOf(number); from >= 0; from = values.indexOf(number, from + 1)) {
    hide(answer, piece, run.digits.slice(from, from + number.length));
    found = true;
  }
  return found;
}

/** Whole groups of digits, and neighbours together: a date behind a number must not save it. */
function hideLuhn(answer: Buffer, { piece, run: { digits }, values }: Looked): number {
  const starts = digits.flatMap(({ group }, at) => (digits[at - 1]?.group === group ? [] : [at]));
  let found = 0;
  starts.forEach((from, at) => {
    // no more than the groups that can belong to one number: an answer full of digits must not take long
    for (let next = at + 1; next <= starts.length; next++) {
      const to = starts[next] ?? digits.length;
      if (to - from > LONGEST) break;
      if (to - from < SHORTEST || !luhn(values.subarray(from, to))) continue;
      hide(answer, piece, digits.slice(from, to));
      found++;
    }
  });
  return found;
}

/** In a text, `#`; a JSON number stays one that parses, but is 1000…, which never passes Luhn. */
function hide(answer: Buffer, piece: Piece, digits: Run['digits']): void {
  digits.forEach(({ from, to }, at) => {
    const byte = !piece.number ? HASH : at === 0 ? ONE : ZERO;
    answer.fill(byte, from, to);
  });
}

function hideShort(answer: Buffer, piece: Piece): void {
  for (const { digits } of digitRuns(answer, piece)) if (digits.length <= 4) hide(answer, piece, digits);
}

/** The number in forms that are no digits: hex of its text, base64 at any alignment, two bytes a character. */
function hideEncoded(answer: Buffer, number: Buffer): void {
  for (const form of encodedForms(number)) {
    for (let at = answer.indexOf(form); at >= 0; at = answer.indexOf(form, at + 1))
      answer.fill(HASH, at, at + form.length);
    form.fill(0);
  }
}

function encodedForms(number: Buffer): readonly Buffer[] {
  const hex = paired(number, (byte) => [0x33, byte]);
  const wide = paired(number, (byte) => [byte, 0]);
  const wide_other = paired(number, (byte) => [0, byte]);
  return [hex, wide, wide_other, ...[0, 1, 2].map((shift) => base64At(number, shift))];
}

function paired(number: Buffer, pair: (byte: number) => readonly [number, number]): Buffer {
  const form = privateBytes(2 * number.length);
  for (let at = 0; at < number.length; at++) form.set(pair(number[at] ?? 0), 2 * at);
  return form;
}

/** The characters of a base64 text that depend on the number alone, when so many other bytes stand before it. */
function base64At(number: Buffer, shift: number): Buffer {
  const padded = privateBytes(shift + number.length).fill(0);
  padded.set(number, shift);
  const whole = privateBytes(Math.ceil(padded.length / 3) * 4);
  const bits = (at: number) => {
    const [byte, rest] = [Math.floor((at * 6) / 8), (at * 6) % 8];
    return ((((padded[byte] ?? 0) << 8) | (padded[byte + 1] ?? 0)) >> (10 - rest)) & 63;
  };
  for (let at = 0; at < whole.length; at++) whole[at] = BASE64.charCodeAt(bits(at));
  const from = Math.ceil((shift * 8) / 6);
  const to = Math.floor((padded.length * 8) / 6);
  padded.fill(0);
  return whole.subarray(from, to);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
