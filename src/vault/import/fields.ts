// The fields of one line, CSV (RFC 4180, one record a line) or a flat JSON object, as views of its bytes.
import { privateBytes } from '../../kit/crypto.ts';
import { isDigit } from '../card/json-bytes.ts';

/** The fields by name; each is a view of the line, or a copy if something was escaped. */
export type Fields = ReadonlyMap<string, Buffer>;

/** The problem of a line; the text never repeats the line. */
export class LineProblem extends Error {}

const [QUOTE, COMMA, BACKSLASH, COLON, OPEN, CLOSE] = [0x22, 0x2c, 0x5c, 0x3a, 0x7b, 0x7d];

export function csvValues(line: Buffer): readonly Buffer[] {
  const values: Buffer[] = [];
  let at = 0;
  for (;;) {
    const quoted = line[at] === QUOTE;
    const [value, end] = quoted ? quotedValue(line, at + 1) : plainValue(line, at);
    values.push(value);
    if (end >= line.length) return values;
    if (line[end] !== COMMA) throw new LineProblem('has something behind a closing quote');
    at = end + 1;
  }
}

function plainValue(line: Buffer, from: number): [Buffer, number] {
  const comma = line.indexOf(COMMA, from);
  const end = comma < 0 ? line.length : comma;
  return [line.subarray(from, end), end];
}

function quotedValue(line: Buffer, from: number): [Buffer, number] {
  const copy = privateBytes(line.length - from);
  let length = 0;
  for (let at = from; at < line.length; at++) {
    const byte = line[at] ?? 0;
    if (byte !== QUOTE) copy[length++] = byte;
    else if (line[at + 1] === QUOTE) copy[length++] = line[at++] ?? 0;
    else return [copy.subarray(0, length), at + 1];
  }
  copy.fill(0);
  throw new LineProblem('has a quote that is not closed');
}

/** The members of a flat JSON object of texts and whole numbers. */
export function jsonMembers(line: Buffer): Fields {
  const reader = new JsonLine(line);
  return reader.members();
}

/** Reads on from where it is; whatever is not expected is a LineProblem. */
class JsonLine {
  private at = 0;
  private readonly line: Buffer;

  constructor(line: Buffer) {
    this.line = line;
  }

  members(): Fields {
    const found = new Map<string, Buffer>();
    this.expect(OPEN, 'is no JSON object');
    if (this.peek() === CLOSE) return this.end(found);
    for (;;) {
      const name = this.text(false).toString('utf8');
      this.expect(COLON, 'has a member without a value');
      if (found.has(name)) throw new LineProblem('has a member twice');
      const value = this.value(MAY_ESCAPE.has(name));
      if (value) found.set(name, value);
      if (this.peek() !== COMMA) break;
      this.at++;
    }
    return this.end(found);
  }

  private end(found: Fields): Fields {
    this.expect(CLOSE, 'is no JSON object of texts and numbers');
    if (this.peek() !== undefined) throw new LineProblem('has something behind its object');
    return found;
  }

  private value(may_escape: boolean): Buffer | undefined {
    const byte = this.peek();
    if (byte === QUOTE) return this.text(may_escape);
    if (this.line.subarray(this.at, this.at + 4).equals(NULL)) {
      this.at += 4;
      return undefined;
    }
    const from = this.at;
    while (isDigit(this.line[this.at])) this.at++;
    if (this.at === from) throw new LineProblem('has a value that is neither a text nor a whole number');
    return this.line.subarray(from, this.at);
  }

  private text(may_escape: boolean): Buffer {
    this.expect(QUOTE, 'has a name or value that is no text');
    const from = this.at;
    while (this.at < this.line.length && this.line[this.at] !== QUOTE)
      this.at += this.line[this.at] === BACKSLASH ? 2 : 1;
    const raw = this.line.subarray(from, this.at);
    this.expect(QUOTE, 'has a text that is not closed');
    if (!raw.includes(BACKSLASH)) return raw;
    if (!may_escape) throw new LineProblem('has an escape where none is wanted');
    return unescaped(raw);
  }

  private peek(): number | undefined {
    while (isSpace(this.line[this.at])) this.at++;
    return this.line[this.at];
  }

  private expect(byte: number, otherwise: string): void {
    if (this.peek() !== byte) throw new LineProblem(otherwise);
    this.at++;
  }
}

const NULL = Buffer.from('null');
/** Digits need no escapes, and undoing one makes a text that cannot be overwritten. */
const MAY_ESCAPE = new Set(['cardholder_name', 'reference']);

function unescaped(raw: Buffer): Buffer {
  try {
    const value: unknown = JSON.parse(`"${raw.toString('utf8')}"`);
    return Buffer.from(String(value));
  } catch {
    throw new LineProblem('has an escape that is not valid');
  }
}

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0d;
