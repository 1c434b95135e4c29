// Writes JSON in which what may not be shown is a word for its type and length. In one walk that looks at each
// character once: every request pays for it.
import { isId } from '../../core/ids.ts';
import { JsonNumber } from '../../core/json.ts';
import { maskDigits } from '../../core/digits.ts';
import type { Shown } from './shown.ts';

const LONGEST_TEXT = 200;
const LONGEST_NAME = 64;
/** No card number has fewer digits. */
const CARD_DIGITS = 12;
const MOST_DEPTH = 8;

/** JSON of a value, of about `most` characters: what does not fit is left out, and said to be. */
export function maskedJson(value: unknown, shown: Shown, most: number): string {
  const masking = new Masking(shown, most);
  masking.value(undefined, value, 0);
  return masking.out;
}

type Known = ReturnType<Shown['names']['get']>;

type Members = ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>>;

function hasInside(value: unknown): value is Members | readonly unknown[] {
  return typeof value === 'object' && value !== null && !(value instanceof JsonNumber);
}

const isMap = (value: Members): value is ReadonlyMap<unknown, unknown> => value instanceof Map;
const isList = (value: Members | readonly unknown[]): value is readonly unknown[] => Array.isArray(value);

/** Builds one text by adding at its end: texts within texts would be joined again and again. */
class Masking {
  out = '';
  private readonly shown: Shown;
  private readonly most: number;

  constructor(shown: Shown, most: number) {
    this.shown = shown;
    this.most = most;
  }

  /** `known`: the name it stands under, if what stands there is shown. */
  value(known: Known, value: unknown, depth: number): void {
    if (hasInside(value)) this.inside(known, value, depth);
    else this.out += wordOf(known, value);
  }

  private inside(known: Known, value: Members | readonly unknown[], depth: number): void {
    if (depth > MOST_DEPTH) this.out += '"(more)"';
    else if (isList(value)) this.list(known, value, depth);
    else this.members(value, depth);
  }

  private members(value: Members, depth: number): void {
    this.out += '{';
    const begun = this.out.length;
    if (isMap(value)) {
      for (const [name, member] of value) if (!this.member(String(name), member, { begun, depth })) break;
    } else {
      for (const name of Object.keys(value)) if (!this.member(name, value[name], { begun, depth })) break;
    }
    this.out += '}';
  }

  /** False: there is no room for it, nor for those behind it. */
  private member(name: string, value: unknown, { begun, depth }: { begun: number; depth: number }): boolean {
    if (value === undefined || (this.shown.without_empty && (value === null || value === ''))) return true;
    if (this.out.length > begun) this.out += ',';
    if (this.out.length > this.most) {
      this.out += '"(more)":true';
      return false;
    }
    const known = this.shown.names.get(name);
    this.out += known ? known.member : `${quoted(name, LONGEST_NAME)}:`;
    this.value(known, value, depth + 1);
    return true;
  }

  private list(known: Known, list: readonly unknown[], depth: number): void {
    this.out += '[';
    for (const [i, item] of list.entries()) {
      if (i > 0) this.out += ',';
      if (this.out.length > this.most) {
        this.out += `"(${list.length - i} more)"`;
        break;
      }
      this.value(known, item, depth + 1);
    }
    this.out += ']';
  }
}

function wordOf(known: Known, value: unknown): string {
  if (typeof value === 'string') return textOf(known, value);
  if (typeof value === 'number') return number(known, String(value));
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return value instanceof JsonNumber ? number(known, value.text) : 'null';
}

function textOf(known: Known, text: string): string {
  if (text === '') return '""';
  if (!known) return `"(text of ${text.length})"`;
  return known.own_id && isId(text) ? `"${text}"` : quoted(text, LONGEST_TEXT);
}

/** A number as it was written: `42.50` and 42.5 are different mistakes. */
function number(known: Known, text: string): string {
  return known && text.length < CARD_DIGITS ? text : `"(number of ${text.length})"`;
}

/**
 * A text as JSON, without digits that could be a card's, and cut if it is long. Characters that cannot be shown are
 * left out first, then digits are masked, then the text is cut: neither leaving out nor cutting may hide a card number
 * from the mask.
 */
export function quoted(text: string, most: number): string {
  if (text.length <= most && isHarmless(text)) return `"${text}"`;
  const masked = maskDigits(text.slice(0, 4 * most).replace(/\p{C}/gu, ''));
  return JSON.stringify(masked.length > most ? `${masked.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : masked);
}

/** Nothing but plain characters that JSON writes as they are, and too few digits together to be a card's. */
function isHarmless(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const kind = KINDS[text.charCodeAt(i)];
    if (kind === PLAIN) digits = 0;
    else if (kind === DIGIT) digits++;
    else if (kind !== BETWEEN) return false;
    if (digits >= CARD_DIGITS) return false;
  }
  return true;
}

const [PLAIN, DIGIT, BETWEEN, OTHER] = [0, 1, 2, 3];
/**
 * Of visible ASCII: a character is looked up, and no set is asked. What JSON escapes, and what digits are escaped with,
 * is no plain one.
 */
const KINDS = Uint8Array.from({ length: 0x7f }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[ ._/+-]/.test(character)) return BETWEEN;
  return /["%&\\]|[^\x20-\x7e]/.test(character) ? OTHER : PLAIN;
});
