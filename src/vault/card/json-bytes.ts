// Reads a JSON body as bytes: a fixed grammar over the receive buffer, because `JSON.parse` and `toString`
// leave copies of a card number in the heap that garbage collection does not remove. The same language, limits and
// complaints as core/json.ts; a test holds the two together. What it gives are views of the buffer: their reader
// overwrites it.
import { isUtf8 } from 'node:buffer';
import { BYTE_ORDER_MARK, CONTRACT_LIMITS, type JsonLimits, JsonProblem } from '../../core/json.ts';
import { privateBytes } from '../../kit/crypto.ts';

export type JsonNode =
  /** `bytes`: the text, its escapes undone, as UTF-8; `well_formed`: false where an escape names half a character. */
  | { readonly kind: 'text'; readonly bytes: Buffer; readonly well_formed: boolean }
  /** The bytes as they were written. */
  | { readonly kind: 'number' | 'true' | 'false' | 'null'; readonly bytes: Buffer }
  | { readonly kind: 'list'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] };

export type Member = { readonly name: Buffer; readonly value: JsonNode };

/** A body that was read: the members of its object, in body order. `wipe` overwrites what undoing escapes copied. */
export type JsonBody = { readonly members: readonly Member[]; wipe(): void };

/** Reads one JSON object, or throws a JsonProblem that says where and never what. An empty body is an empty object. */
export function readJsonBytes(bytes: Buffer, limits: JsonLimits = CONTRACT_LIMITS): JsonBody {
  if (bytes.length === 0) return { members: [], wipe: () => undefined };
  if (!isUtf8(bytes)) throw new JsonProblem('the body is not UTF-8');
  const reader = new ByteReader(bytes, limits);
  try {
    const value = reader.document();
    if (value.kind === 'object') return { members: value.members, wipe: () => reader.wipe() };
  } catch (error) {
    reader.wipe();
    throw error;
  }
  reader.wipe();
  throw new JsonProblem('the body must be a JSON object');
}

const MARK = Buffer.from('\uFEFF');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const LETTER_U = 0x75;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST, COLON, COMMA] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a, 0x2c];
const WORDS = (['true', 'false', 'null'] as const).map((kind) => ({ kind, bytes: Buffer.from(kind) }));
/** The characters after a backslash, and their meanings. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([written, meant]) => [written.charCodeAt(0), meant.charCodeAt(0)],
  ),
);

export const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= 0x39;

class ByteReader {
  private at = 0;
  private members = 0;
  private readonly bytes: Buffer;
  private readonly limits: JsonLimits;
  private readonly own: Buffer[] = [];

  constructor(bytes: Buffer, limits: JsonLimits) {
    this.bytes = bytes;
    this.limits = limits;
  }

  document(): JsonNode {
    if (this.bytes.subarray(0, MARK.length).equals(MARK)) throw this.problem(BYTE_ORDER_MARK);
    this.skip();
    const value = this.value(0);
    this.skip();
    if (this.at < this.bytes.length) throw this.problem('has something behind its end');
    return value;
  }

  wipe(): void {
    for (const copy of this.own) copy.fill(0);
  }

  private value(depth: number): JsonNode {
    const byte = this.bytes[this.at];
    if (byte === QUOTE) return { kind: 'text', ...this.text() };
    if (byte === OPEN_OBJECT) return { kind: 'object', members: this.object(depth + 1) };
    if (byte === OPEN_LIST) return { kind: 'list', items: this.list(depth + 1) };
    for (const word of WORDS) {
      if (byte === word.bytes[0] && word.bytes.equals(this.bytes.subarray(this.at, this.at + word.bytes.length))) {
        this.at += word.bytes.length;
        return word;
      }
    }
    const end = this.numberEnd();
    if (end === undefined) throw this.problem(this.at < this.bytes.length ? 'is not valid JSON' : 'ends too early');
    const number = this.bytes.subarray(this.at, end);
    this.at = end;
    return { kind: 'number', bytes: number };
  }

  /** The end of the number that begins here; undefined: none begins here. */
  private numberEnd(): number | undefined {
    const { bytes } = this;
    let at = this.at + (bytes[this.at] === MINUS ? 1 : 0);
    if (!isDigit(bytes[at])) return undefined;
    at = bytes[at] === ZERO ? at + 1 : this.digitsEnd(at);
    if (bytes[at] === 0x2e && isDigit(bytes[at + 1])) at = this.digitsEnd(at + 1);
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      const sign = bytes[at + 1] === 0x2b || bytes[at + 1] === MINUS ? 1 : 0;
      if (isDigit(bytes[at + 1 + sign])) at = this.digitsEnd(at + 1 + sign);
    }
    return at;
  }

  private digitsEnd(from: number): number {
    let at = from;
    while (isDigit(this.bytes[at])) at++;
    return at;
  }

  private object(depth: number): readonly Member[] {
    this.enter(depth);
    const members: Member[] = [];
    const names = new Names();
    if (this.take(CLOSE_OBJECT)) return members;
    do {
      this.skip();
      if (this.bytes[this.at] !== QUOTE) throw this.problem('is not valid JSON');
      const { bytes: name } = this.text();
      this.skip();
      if (!this.take(COLON)) throw this.problem('is not valid JSON');
      this.skip();
      if (!names.add(name)) throw this.problem('has a member name twice');
      if (++this.members > this.limits.members) throw this.problem(`has more than ${this.limits.members} members`);
      members.push({ name, value: this.value(depth) });
      this.skip();
    } while (this.take(COMMA));
    if (!this.take(CLOSE_OBJECT)) throw this.problem('is not valid JSON');
    return members;
  }

  private list(depth: number): readonly JsonNode[] {
    this.enter(depth);
    const items: JsonNode[] = [];
    if (this.take(CLOSE_LIST)) return items;
    do {
      this.skip();
      if (items.length === this.limits.list) throw this.problem(`has a list of more than ${this.limits.list} items`);
      items.push(this.value(depth));
      this.skip();
    } while (this.take(COMMA));
    if (!this.take(CLOSE_LIST)) throw this.problem('is not valid JSON');
    return items;
  }

  private enter(depth: number): void {
    if (depth > this.limits.depth) throw this.problem(`is nested deeper than ${this.limits.depth}`);
    this.at++;
    this.skip();
  }

  /** A view of the buffer where nothing is escaped; else a copy of its own, which `wipe` overwrites. */
  private text(): { readonly bytes: Buffer; readonly well_formed: boolean } {
    const from = ++this.at;
    let escapes = 0;
    for (;;) {
      let byte = this.bytes[this.at];
      while (byte !== undefined && byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) byte = this.bytes[++this.at];
      this.at++;
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) throw this.problem('has a text that is not closed or holds a control character');
      this.escape();
      escapes++;
    }
    const raw = this.bytes.subarray(from, this.at - 1);
    if (escapes === 0) return { bytes: raw, well_formed: true };
    const copy = privateBytes(raw.length);
    this.own.push(copy);
    return unescaped(raw, copy);
  }

  private escape(): void {
    const byte = this.bytes[this.at++];
    if (byte === LETTER_U) {
      if (codeUnitAt(this.bytes, this.at) === undefined) throw this.problem('has an escape that is not valid');
      this.at += 4;
    } else if (byte === undefined || !ESCAPES.has(byte)) throw this.problem('has an escape that is not valid');
  }

  private take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  private skip(): void {
    let byte = this.bytes[this.at];
    while (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) byte = this.bytes[++this.at];
  }

  /** Counts as JavaScript counts the characters of a text, so that the place is the same on both hosts. */
  private problem(what: string): JsonProblem {
    let characters = 0;
    for (let at = 0; at < Math.min(this.at, this.bytes.length); at++) {
      const byte = this.bytes[at] ?? 0;
      if ((byte & 0xc0) !== 0x80) characters++;
      // a character of four bytes counts twice, when it is passed
      if (byte >= 0xf0 && at + 3 < this.at) characters++;
    }
    return new JsonProblem(`the body ${what} (near character ${characters + 1})`);
  }
}

/** Names that were seen, found by a hash: a thousand of them must not cost a million comparisons. */
class Names {
  private readonly seen = new Map<number, Buffer[]>();

  /** False: it was there already. */
  add(name: Buffer): boolean {
    let hash = 0;
    for (const byte of name) hash = (Math.imul(hash, 31) + byte) | 0;
    const alike = this.seen.get(hash);
    if (alike?.some((other) => other.equals(name))) return false;
    if (alike) alike.push(name);
    else this.seen.set(hash, [name]);
    return true;
  }
}

/** The four hexadecimal digits that begin at `at`, or undefined. */
function codeUnitAt(bytes: Buffer, at: number): number | undefined {
  let unit = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i] ?? 0;
    const lower = byte | 0x20;
    if (isDigit(byte)) unit = unit * 16 + byte - ZERO;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else return undefined;
  }
  return unit;
}

/** Undoes the escapes of a text that was found valid; the result is never longer than what was written. */
function unescaped(raw: Buffer, into: Buffer): { bytes: Buffer; well_formed: boolean } {
  let well_formed = true;
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at] ?? 0;
    if (byte !== BACKSLASH) {
      into[length++] = byte;
      continue;
    }
    const escape = raw[++at] ?? 0;
    if (escape !== LETTER_U) {
      into[length++] = ESCAPES.get(escape) ?? 0;
      continue;
    }
    let code = codeUnitAt(raw, at + 1) ?? 0;
    at += 4;
    const low = raw[at + 1] === BACKSLASH && raw[at + 2] === LETTER_U ? codeUnitAt(raw, at + 3) : undefined;
    if (code >= 0xd800 && code < 0xdc00 && low !== undefined && low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
      at += 6;
    }
    if (code >= 0xd800 && code < 0xe000) well_formed = false;
    length = writeUtf8(into, length, code);
  }
  return { bytes: into.subarray(0, length), well_formed };
}

/** Half a character (a lone surrogate) is written as if it were one, so that two different ones stay different. */
function writeUtf8(into: Buffer, at: number, code: number): number {
  if (code < 0x80) return into.writeUInt8(code, at);
  if (code < 0x800) {
    into.writeUInt8(0xc0 | (code >> 6), at);
    return into.writeUInt8(0x80 | (code & 0x3f), at + 1);
  }
  if (code < 0x10000) {
    into.writeUInt8(0xe0 | (code >> 12), at);
    into.writeUInt8(0x80 | ((code >> 6) & 0x3f), at + 1);
    return into.writeUInt8(0x80 | (code & 0x3f), at + 2);
  }
  into.writeUInt8(0xf0 | (code >> 18), at);
  into.writeUInt8(0x80 | ((code >> 12) & 0x3f), at + 1);
  into.writeUInt8(0x80 | ((code >> 6) & 0x3f), at + 2);
  return into.writeUInt8(0x80 | (code & 0x3f), at + 3);
}
