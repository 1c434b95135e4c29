// A cvc that an answer repeats: found by the name it stands under, in JSON, forms, the elements and attributes of XML,
// lists of names and values, and in any of them within a text of another. Three or four digits alone say nothing; the
// name does.
import { isDigit } from '../../card/json-bytes.ts';

/** Small, without marks between their words; longer names may end with them: card_cvv. */
const NAMES = [
  'cvc',
  'cvv',
  'cvn',
  'cvc2',
  'cvv2',
  'cvn2',
  'csc',
  'cid',
  'securitycode',
  'verificationcode',
  'verificationvalue',
];
/** Too short to be looked for at the end of other words: acid. */
const WHOLE = new Set(['csc', 'cid']);
/** The words that may be between a name and its value, besides signs. */
const WORDS = ['value', 'val', 'content', 'text', 'cdata'];
/** Signs on either side of such a word: quotes, escapes, colons, brackets, blanks. */
const MOST_SIGNS = 16;
const HASH = 0x23;
const ONE = 0x31;
const ZERO = 0x30;

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** A member's whole name is one of a cvc; `more`: how the provider that was called names it. */
export function isCvcName(name: string, more: readonly string[]): boolean {
  const word = plain(name);
  return [...NAMES, ...more.map(plain)].some(
    (one) => word === one || (!WHOLE.has(one) && one !== '' && word.endsWith(one)),
  );
}

/** Overwrites what stands under names of a cvc, in whatever this is. */
export function hideCvcs(answer: Buffer, more: readonly string[]): void {
  const names = [...new Set([...NAMES, ...more.map(plain)])].filter((name) => name !== '');
  // most letters begin none of them
  const beginning = Map.groupBy(names, (name) => name.charCodeAt(0));
  const first = answer.find((byte) => byte > 0x20);
  const is_json = first === 0x7b || first === 0x5b;
  for (let at = 0; at < answer.length; at++) {
    const byte = answer[at] ?? 0;
    if (!isLetter(byte)) continue;
    for (const name of beginning.get(byte | 0x20) ?? []) {
      if (WHOLE.has(name) && isLetter(answer[at - 1])) continue;
      const end = behindWord(answer, at, name);
      if (end !== undefined && !isWordly(answer[end])) hideBehind(answer, end, is_json);
    }
  }
}

/**
 * The end of a word that begins here, in any case and with marks between its letters; undefined: it does not begin
 * here.
 */
function behindWord(answer: Buffer, from: number, word: string): number | undefined {
  let at = from;
  for (let letter = 0; letter < word.length; letter++) {
    if (letter > 0 && isMark(answer[at])) at++;
    const byte = answer[at] ?? 0;
    if ((isLetter(byte) ? byte | 0x20 : byte) !== word.charCodeAt(letter)) return undefined;
    at++;
  }
  return at;
}

function hideBehind(answer: Buffer, end: number, is_json: boolean): void {
  const near = behindSigns(answer, end);
  const at = behindWords(answer, near) ?? behindWords(answer, behindTag(answer, near)) ?? behindTag(answer, near);
  let to = at;
  let digits = 0;
  // single digits may have a blank between them
  while (isDigit(answer[to]) || (digits > 0 && digits < 4 && isMark(answer[to]) && isDigit(answer[to + 1])))
    if (isDigit(answer[to++])) digits++;
  if (digits === 0 || digits > 4) return;
  // a JSON number stays one
  const bare = is_json && isNumberBefore(answer, at);
  for (let one = at; one < to; one++) if (isDigit(answer[one])) answer[one] = !bare ? HASH : one === at ? ONE : ZERO;
}

/** The place after a word that names a value, and after the signs behind it; undefined: there is none. */
function behindWords(answer: Buffer, at: number): number | undefined {
  for (const word of WORDS) {
    const behind = behindWord(answer, at, word);
    if (behind !== undefined && !isWordly(answer[behind])) return behindSigns(answer, behind);
  }
  return undefined;
}

/** The place after quotes, colons and everything else that is neither letter nor digit. */
function behindSigns(answer: Buffer, from: number): number {
  let at = from;
  while (at < answer.length && at - from < MOST_SIGNS && !isLetter(answer[at]) && !isDigit(answer[at])) at++;
  return at;
}

/** The place after the attributes of the element with this name: `<cvc type="text">123`. */
function behindTag(answer: Buffer, at: number): number {
  const before = answer[at - 1] ?? 0;
  if (before > 0x20 || !isLetter(answer[at])) return at;
  for (let one = at; one < Math.min(answer.length, at + 128); one++) {
    if (answer[one] === 0x3c) return at;
    if (answer[one] === 0x3e) return behindSigns(answer, one);
  }
  return at;
}

/** A colon, with blanks, stands before it. */
function isNumberBefore(answer: Buffer, at: number): boolean {
  let before = at - 1;
  while ((answer[before] ?? 0x3a) <= 0x20) before--;
  return answer[before] === 0x3a;
}

function isLetter(byte: number | undefined): boolean {
  const low = (byte ?? 0) | 0x20;
  return low >= 0x61 && low <= 0x7a;
}

/** Goes on with the word before it. */
function isWordly(byte: number | undefined): boolean {
  return isLetter(byte) || isDigit(byte);
}

function isMark(byte: number | undefined): boolean {
  return byte === 0x5f || byte === 0x2d || byte === 0x2e || byte === 0x20;
}
