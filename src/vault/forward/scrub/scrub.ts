// No card number leaves the vault in an answer. Overwritten are: this request's number wherever and however
// it stands; every other run of 14 to 19 digits that passes Luhn, unless it is the provider's own reference; and what
// stands in the fields of a cvc. Works on the bytes of the whole answer, in place: no number becomes a string.
import { LONGEST, SHORTEST, luhn } from '../../../core/card.ts';
import { privateBytes } from '../../../kit/crypto.ts';
import { type Piece, type Run, digitRuns, piecesOf } from './answer-pieces.ts';
import { hideCvcs, isCvcName } from './cvc-fields.ts';
import { hideOwnNumber } from './own-number.ts';

export type Scrubbing = {
  readonly number: Buffer;
  /** Names of answer members that hold references, and of those that hold a cvc. */
  readonly references: readonly string[];
  readonly cvc_names: readonly string[];
};

const HASH = 0x23;
const ZERO = 0x30;
const ONE = 0x31;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
/** Two signs of three bytes. */
const WIDEST_GAP = 6;

/** Overwrites, and answers how many numbers were found that are not this request's: each is worth an alert. */
export function scrub(answer: Buffer, { number, references, cvc_names }: Scrubbing): number {
  // a partner's token may be shorter than any card's number: every few digits would be it, and its encoded forms may be
  // empty
  const is_long = number.length >= SHORTEST;
  if (is_long) hideOwnNumber(answer, number);
  hideCvcs(answer, cvc_names);
  if (!mayHoldNumber(answer)) return 0;
  let others = 0;
  for (const piece of piecesOf(answer)) {
    if (isCvcName(piece.name, cvc_names)) hideShort(answer, piece);
    const exempt = references.includes(piece.name);
    for (const run of digitRuns(answer, piece)) {
      if (run.digits.length < SHORTEST) continue;
      const values = valuesOf(run);
      if (!exempt && !run.in_word) others += hideLuhn(answer, { piece, run, values });
      values.fill(0);
    }
  }
  return others;
}

/**
 * A quick look, which most answers need no more than: 14 digits with no letter and little else between them, or
 * escapes.
 */
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

/** Not by way of an array of numbers of V8's own: that one could not be overwritten. */
function valuesOf({ digits }: Run): Buffer {
  const values = privateBytes(digits.length);
  digits.forEach(({ value }, at) => {
    values[at] = value;
  });
  return values;
}

type Looked = { readonly piece: Piece; readonly run: Run; readonly values: Buffer };

/** Hides whole groups of digits, and neighbouring groups together: a date after a number must not save the number. */
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

/** A cvc with blanks or escapes between its digits. */
function hideShort(answer: Buffer, piece: Piece): void {
  for (const { digits } of digitRuns(answer, piece)) if (digits.length <= 4) hide(answer, piece, digits);
}
