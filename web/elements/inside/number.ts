// A card number while it is typed: digits, groups, length, and the position of the caret.
import { SHORTEST, luhn, schemesOf } from '../../../src/core/card.ts';

export { LONGEST, SHORTEST, grouped } from '../../../src/core/card.ts';

/** The digits of a text, also Arabic-Indic, Persian and full-width ones from keyboards of those languages. */
export function digitsOf(text: string): string {
  return [...text].map(digitOf).join('');
}

function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const zero = [0x30, 0x660, 0x6f0, 0xff10].find((start) => code >= start && code <= start + 9);
  return zero === undefined ? '' : String(code - zero);
}

export function bytesOf(digits: string): Uint8Array {
  return new TextEncoder().encode(digits);
}

/** True for a complete number: a known scheme, one of its lengths, and Luhn's check. */
export function isWhole(digits: string): boolean {
  const bytes = bytesOf(digits);
  return digits.length >= SHORTEST && schemesOf(bytes).length > 0 && luhn(bytes);
}

/** The position of the caret after `count` digits of a formatted text. */
export function caretBehind(text: string, count: number): number {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    if (seen === count) return i;
    if (/\d/.test(text.charAt(i))) seen += 1;
  }
  return text.length;
}
