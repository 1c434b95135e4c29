// An answer as the scrubber sees it: pieces of bytes with the name they stand under, and the runs of digits in each.
// Reads JSON and forms leniently: whatever the bytes are, all of them are in some piece.

import { codeAt } from './codes.ts';

export type Piece = {
  readonly from: number;
  readonly to: number;
  /** The member or key it is the value of; empty: none. */
  readonly name: string;
  /** Outside of quotes in JSON: digits here are a number, and must stay one. */
  readonly number: boolean;
};

export type Digit = { readonly from: number; readonly to: number; readonly value: number; readonly group: number };
/** `in_word`: letters touch it, so it is part of an identifier. */
export type Run = { readonly digits: readonly Digit[]; readonly in_word: boolean };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LONGEST_NAME = 64;

export function piecesOf(answer: Buffer): readonly Piece[] {
  const first = answer.find((byte) => byte > 0x20);
  if (first === 0x7b || first === 0x5b) return jsonPieces(answer);
  return first === 0x3c ? [{ from: 0, to: answer.length, name: '', number: false }] : formPieces(answer);
}

/** Texts, and what stands between them. A text with a colon behind it is the name of what comes next. */
function jsonPieces(answer: Buffer): readonly Piece[] {
  const pieces: Piece[] = [];
  let name = '';
  let from = 0;
  for (let at = 0; at <= answer.length; at++) {
    if (at < answer.length && answer[at] !== QUOTE) continue;
    const between = answer.subarray(from, at);
    const named = startsWith(between, 0x3a) ? name : '';
    pieces.push({ from, to: at, name: named, number: true });
    const end = endOfText(answer, at + 1);
    if (at < answer.length)
      pieces.push({ from: at + 1, to: end, name: isOnly(between, 0x3a) ? name : '', number: false });
    name = short(answer.subarray(at + 1, end));
    at = end;
    from = end + 1;
  }
  return pieces;
}

function endOfText(answer: Buffer, from: number): number {
  let at = from;
  while (at < answer.length && answer[at] !== QUOTE) at += answer[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, answer.length);
}

function startsWith(between: Buffer, sign: number): boolean {
  return between.find((byte) => byte > 0x20) === sign;
}

function isOnly(between: Buffer, sign: number): boolean {
  return between.filter((byte) => byte > 0x20).length === 1 && startsWith(between, sign);
}

function formPieces(answer: Buffer): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let from = 0; from <= answer.length;) {
    const and = answer.indexOf(0x26, from);
    const to = and < 0 ? answer.length : and;
    const sign = answer.subarray(from, to).indexOf(0x3d);
    const middle = sign < 0 ? from : from + sign + 1;
    pieces.push({ from, to: middle, name: '', number: false });
    pieces.push({ from: middle, to, name: sign < 0 ? '' : short(answer.subarray(from, middle - 1)), number: false });
    from = to + 1;
  }
  return pieces;
}

/** Names are short and hold no long run of digits: nothing that may be a card becomes a string. */
function short(bytes: Buffer): string {
  const digits = bytes.filter((byte) => byte >= 0x30 && byte <= 0x39).length;
  return bytes.length <= LONGEST_NAME && digits < 8 ? bytes.toString('latin1') : '';
}

type Sign = {
  readonly length: number;
  readonly digit?: number;
  readonly kind: 'digit' | 'between' | 'letter' | 'other';
};

/**
 * Every run of digits with at most two signs between one and the next; a digit may be escaped as JSON or forms do it.
 */
export function digitRuns(answer: Buffer, { from, to }: Piece): readonly Run[] {
  const runs: Run[] = [];
  let digits: Digit[] = [];
  let group = 0;
  let between = 0;
  let before: Sign['kind'] = 'other';
  let in_word = false;
  const end = (last: Sign['kind']) => {
    if (digits.length > 0) runs.push({ digits, in_word: in_word || (last === 'letter' && between === 0) });
    digits = [];
  };
  for (let at = from; at < to;) {
    const sign = signAt(answer, at, to);
    if (sign.digit !== undefined) {
      if (digits.length === 0) in_word = before === 'letter';
      if (between > 0) group++;
      digits.push({ from: at, to: at + sign.length, value: sign.digit, group });
      between = 0;
    } else if (sign.kind === 'between' && digits.length > 0 && between < 2) between++;
    else {
      end(sign.kind);
      between = 0;
    }
    before = sign.kind;
    at += sign.length;
  }
  end('other');
  return runs;
}

/** Blank, tab, - . / + _ between groups. */
const BETWEEN = new Set([0x20, 0x09, 0x2d, 0x2e, 0x2f, 0x2b, 0x5f]);

function signAt(answer: Buffer, at: number, to: number): Sign {
  const byte = answer[at] ?? 0;
  if (byte === BACKSLASH) {
    const is_code = (answer[at + 1] ?? 0) === 0x75 && at + 6 <= to;
    return is_code ? signOf(codeAt(answer, at + 2, 4), 6) : { length: Math.min(2, to - at), kind: 'other' };
  }
  if (byte === 0x25 && at + 3 <= to) {
    const sign = signOf(codeAt(answer, at + 1, 2), 3);
    // a track of a card begins with %B: that is no escape, and the digit behind it is the card's first
    return sign.kind === 'digit' || sign.kind === 'between' ? sign : { length: 1, kind: 'other' };
  }
  // a no-break or thin blank, or a dash, in UTF-8
  if (byte === 0xc2 && answer[at + 1] === 0xa0) return { length: 2, kind: 'between' };
  if (byte === 0xe2 && answer[at + 1] === 0x80) return { length: 3, kind: 'between' };
  return signOf(byte, 1);
}

function signOf(code: number, length: number): Sign {
  if (code >= 0x30 && code <= 0x39) return { length, digit: code, kind: 'digit' };
  if (BETWEEN.has(code) || code === 0xa0 || (code >= 0x2000 && code <= 0x2015)) return { length, kind: 'between' };
  const letter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return { length, kind: letter ? 'letter' : 'other' };
}
