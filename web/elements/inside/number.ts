// A card number while it is typed: digits, groups, length, and where the caret stays.
import { luhn, schemesOf, schemesStarting } from '../../../src/core/card.ts';

export const LONGEST = 19;

/** The digits of a text: also Arabic-Indic, Persian and full-width ones, which keyboards of those languages give. */
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

/** Sizes of the groups as they are printed on the card. */
function groupsOf(digits: string): readonly number[] {
  const [scheme] = schemesStarting(bytesOf(digits));
  if (scheme === 'amex') return [4, 6, 5];
  if (scheme === 'diners' && digits.length <= 14) return [4, 6, 4];
  return [4, 4, 4, 4, 3];
}

/** `4242424242424242` as `4242 4242 4242 4242`, amex as 4-6-5. */
export function grouped(digits: string): string {
  const parts: string[] = [];
  let rest = digits.slice(0, LONGEST);
  for (const size of groupsOf(digits)) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.concat(rest === '' ? [] : [rest]).join(' ');
}

/** Whole and right: a known scheme, a length it has, and Luhn's check. */
export function isWhole(digits: string): boolean {
  const bytes = bytesOf(digits);
  return digits.length >= 14 && schemesOf(bytes).length > 0 && luhn(bytes);
}

/** Where the caret stands behind `count` digits of a formatted text. */
export function caretBehind(text: string, count: number): number {
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    if (seen === count) return i;
    if (/\d/.test(text.charAt(i))) seen += 1;
  }
  return text.length;
}
