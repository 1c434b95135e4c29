// Passwords that are guessed first (NIST SP 800-63B 3.1.1.2, ASVS 6.2): those of a published list, also with digits and
// signs around them, a few characters again and again, rows of the keyboard, and the person's own words.
import { readFileSync } from 'node:fs';

/** Derived from @zxcvbn-ts/language-common; test/kit/weak-password.test.ts says how. */
const LIST = new URL('common-passwords.txt', import.meta.url);
let common: ReadonlySet<string> | undefined;

/**
 * Why a password is guessed early, as the rest of a sentence; undefined: it is not. `own`: words of the person and the
 * service.
 */
export function weaknessOf(password: string, own: readonly string[]): string | undefined {
  const text = password.normalize('NFKC').trim().toLowerCase();
  if (isCommon(text)) return 'is a common password, or one with digits and signs around it';
  if (isRepeated(text)) return 'is the same few characters again and again';
  if (isRow(text)) return 'is a row of the keyboard or the alphabet';
  if (isOwn(text, own)) return 'is little more than your own name, your address or the name of this service';
  return undefined;
}

function isCommon(text: string): boolean {
  common ??= new Set(readFileSync(LIST, 'utf8').trimEnd().split('\n'));
  const list = common;
  const chars = [...text];
  const first = chars.findIndex(isLetter);
  const end = chars.findLastIndex(isLetter) + 1;
  const bare = chars.slice(Math.max(0, first), end).join('');
  return [text, bare, unsigned(chars.slice(0, end))].some((one) => list.has(one));
}

const isLetter = (char: string) => /\p{L}/u.test(char);

const LETTER_OF: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** p@ssw0rd as it is meant. */
function unsigned(chars: readonly string[]): string {
  return chars.map((char) => LETTER_OF[char] ?? char).join('');
}

const LONGEST_PART = 8;

function isRepeated(text: string): boolean {
  for (let size = 1; size <= Math.min(LONGEST_PART, text.length / 2); size++) {
    const part = text.slice(0, size);
    if (part.repeat(Math.ceil(text.length / size)).startsWith(text)) return true;
  }
  return false;
}

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
];
const BOTH_WAYS = ROWS.flatMap((row) => [row.repeat(2), [...row].toReversed().join('').repeat(2)]);
const SHORTEST_RUN = 3;
const LOOSE = 2;

/** Nothing but pieces of rows, and one or two characters beside them. */
function isRow(text: string): boolean {
  let loose = 0;
  for (let at = 0; at < text.length;) {
    const length = runAt(text, at);
    if (length === 0) loose++;
    at += Math.max(1, length);
  }
  return loose <= LOOSE;
}

function runAt(text: string, at: number): number {
  for (let length = text.length - at; length >= SHORTEST_RUN; length--)
    if (BOTH_WAYS.some((row) => row.includes(text.slice(at, at + length)))) return length;
  return 0;
}

const SHORTEST_WORD = 3;
const ENOUGH = 8;

function isOwn(text: string, own: readonly string[]): boolean {
  const words = own
    .flatMap((one) =>
      one
        .normalize('NFKC')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    )
    .filter((word) => word.length >= SHORTEST_WORD)
    .toSorted((one, other) => other.length - one.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest.length < text.length && rest.replaceAll(/[^\p{L}\p{N}]/gu, '').length < ENOUGH;
}
