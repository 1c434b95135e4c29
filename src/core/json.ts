// Reads a JSON body as the contract wants it (2.2): numbers keep the text they were written in, a member name may stand
// once, and depth, members and list lengths have limits. Objects are Maps, so no name can reach a prototype.

/** A number as it was written: `11.30` stays `11.30`. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type JsonObject = ReadonlyMap<string, JsonValue>;
export type JsonValue = null | boolean | string | JsonNumber | readonly JsonValue[] | JsonObject;

export type JsonLimits = { readonly depth: number; readonly members: number; readonly list: number };
export const CONTRACT_LIMITS: JsonLimits = { depth: 8, members: 2000, list: 200 };

/** Why a text is not JSON we take. Says where, never what stands there. */
export class JsonProblem extends Error {}

/** Nobody sees it, so it is named: some tools put it before a text, which RFC 8259, 8.1, forbids. */
export const BYTE_ORDER_MARK = 'begins with a byte order mark that must not be there';

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Parses RFC 8259 JSON within the limits, or throws a JsonProblem. */
export function parseJson(text: string, limits: JsonLimits = CONTRACT_LIMITS): JsonValue {
  const reader = new Reader(text, limits);
  return reader.document();
}

/** The plain JavaScript form of a parsed value, for storage: numbers become doubles. */
export function plainJson(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [name, plainJson(item)]));
  if (Array.isArray(value)) return value.map(plainJson);
  return value;
}

class Reader {
  private at = 0;
  private members = 0;
  private readonly text: string;
  private readonly limits: JsonLimits;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  document(): JsonValue {
    if (this.text.startsWith('\uFEFF')) throw this.problem(BYTE_ORDER_MARK);
    this.skip();
    const value = this.value(0);
    this.skip();
    if (this.at < this.text.length) throw this.problem('has something behind its end');
    return value;
  }

  private value(depth: number): JsonValue {
    const char = this.text[this.at];
    if (char === '"') return this.string();
    if (char === '{') return this.object(depth + 1);
    if (char === '[') return this.list(depth + 1);
    for (const [word, value] of WORDS) {
      if (char === word[0] && this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.at;
    const number = NUMBER.exec(this.text)?.[0];
    if (number === undefined) throw this.problem(this.at < this.text.length ? 'is not valid JSON' : 'ends too early');
    this.at += number.length;
    return new JsonNumber(number);
  }

  private object(depth: number): JsonObject {
    this.enter(depth);
    const object = new Map<string, JsonValue>();
    if (this.take('}')) return object;
    do {
      this.skip();
      if (this.text[this.at] !== '"') throw this.problem('is not valid JSON');
      const name = this.string();
      this.skip();
      if (!this.take(':')) throw this.problem('is not valid JSON');
      this.skip();
      if (object.has(name)) throw this.problem('has a member name twice');
      if (++this.members > this.limits.members) throw this.problem(`has more than ${this.limits.members} members`);
      object.set(name, this.value(depth));
      this.skip();
    } while (this.take(','));
    if (!this.take('}')) throw this.problem('is not valid JSON');
    return object;
  }

  private list(depth: number): readonly JsonValue[] {
    this.enter(depth);
    const list: JsonValue[] = [];
    if (this.take(']')) return list;
    do {
      this.skip();
      if (list.length === this.limits.list) throw this.problem(`has a list of more than ${this.limits.list} items`);
      list.push(this.value(depth));
      this.skip();
    } while (this.take(','));
    if (!this.take(']')) throw this.problem('is not valid JSON');
    return list;
  }

  private enter(depth: number): void {
    if (depth > this.limits.depth) throw this.problem(`is nested deeper than ${this.limits.depth}`);
    this.at++;
    this.skip();
  }

  private string(): string {
    let string = '';
    this.at++;
    for (;;) {
      PLAIN.lastIndex = this.at;
      const plain = PLAIN.exec(this.text)?.[0] ?? '';
      string += plain;
      this.at += plain.length;
      const char = this.text[this.at++];
      if (char === '"') return string;
      if (char !== '\\') throw this.problem('has a text that is not closed or holds a control character');
      string += this.escape();
    }
  }

  private escape(): string {
    const char = this.text[this.at++] ?? '';
    if (char === 'u') {
      const hex = this.text.slice(this.at, this.at + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.problem('has an escape that is not valid');
      this.at += 4;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = ESCAPES[char];
    if (plain === undefined) throw this.problem('has an escape that is not valid');
    return plain;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private skip(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  private problem(what: string): JsonProblem {
    return new JsonProblem(`the body ${what} (near character ${Math.min(this.at, this.text.length) + 1})`);
  }
}

const WORDS: readonly (readonly [string, null | boolean])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
