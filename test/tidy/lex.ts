// Reads TypeScript just closely enough to tell code from what only looks like it: comments, strings, templates and
// regular expressions. A rule then looks at `code`, at `texts` or at `comments`, and never takes one for the other.

/** A string or template: where its quotes are, and what stands between them (escapes as written). */
export type Text = { readonly start: number; readonly end: number; readonly value: string; readonly template: boolean };
export type Comment = { readonly start: number; readonly value: string };

export type Lexed = {
  /** As long as the file and with the same lines; whatever is not code is blank, between quotes that still stand. */
  readonly code: string;
  /** The parts that a template works out are not in its value: `${}` stands in their place. */
  readonly texts: readonly Text[];
  readonly comments: readonly Comment[];
};

type Reader = {
  readonly text: string;
  readonly code: string[];
  readonly texts: Text[];
  readonly comments: Comment[];
  at: number;
  /** Where the last piece of code ended that was not blank, and whether that was the `)` of an if, while or for. */
  last: number;
  condition: boolean;
};

export function lex(text: string): Lexed {
  const reader: Reader = { text, code: text.split(''), texts: [], comments: [], at: 0, last: -1, condition: false };
  if (text.startsWith('#!')) readComment(reader, lineEnd(reader));
  readCode(reader, false);
  const texts = reader.texts.toSorted((a, b) => a.start - b.start);
  return { code: reader.code.join(''), texts, comments: reader.comments };
}

/** Reads to the end of the file, or to the `}` that ends the part of a template which is code. */
function readCode(reader: Reader, in_template: boolean): void {
  const open: boolean[] = [];
  let braces = 0;
  while (reader.at < reader.text.length) {
    const c = reader.text.charAt(reader.at);
    if (readOther(reader, c)) continue;
    if (c === '{') braces += 1;
    if (c === '}') {
      if (braces === 0 && in_template) return;
      braces -= 1;
    }
    if (c === '(') open.push(/\b(?:if|while|for|with)\s*$/.test(before(reader)));
    const condition = c === ')' && open.pop() === true;
    if (c.trim() !== '') {
      reader.last = reader.at;
      reader.condition = condition;
    }
    reader.at += 1;
  }
}

/** Reads a comment, string, template or regular expression if one starts here. */
function readOther(reader: Reader, c: string): boolean {
  if (c === '/') {
    const next = reader.text.charAt(reader.at + 1);
    if (next === '/') return readComment(reader, lineEnd(reader));
    if (next === '*') return readComment(reader, endOr(reader.text, reader.text.indexOf('*/', reader.at + 2), 2));
    if (ofElement(reader, next)) return false;
    return mayBeRegex(reader) && readRegex(reader);
  }
  if (c === "'" || c === '"') return readString(reader, c);
  return c === '`' && readTemplate(reader);
}

function readComment(reader: Reader, end: number): boolean {
  reader.comments.push({ start: reader.at, value: reader.text.slice(reader.at, end) });
  blank(reader, reader.at, end);
  reader.at = end;
  return true;
}

function readString(reader: Reader, quote: string): boolean {
  const start = reader.at;
  let at = start + 1;
  while (at < reader.text.length && reader.text[at] !== quote && reader.text[at] !== '\n') {
    at += reader.text[at] === '\\' ? 2 : 1;
  }
  blank(reader, start + 1, at);
  reader.texts.push({ start, end: at + 1, value: reader.text.slice(start + 1, at), template: false });
  finish(reader, at + 1);
  return true;
}

function readTemplate(reader: Reader): boolean {
  const { text } = reader;
  const start = reader.at;
  let value = '';
  reader.at += 1;
  while (reader.at < text.length && text[reader.at] !== '`') {
    const from = reader.at;
    if (text.startsWith('${', from)) {
      blank(reader, from, from + 1);
      reader.at += 2;
      finish(reader, reader.at);
      readCode(reader, true);
      reader.at += 1;
      value += '${}';
    } else {
      reader.at += text[from] === '\\' ? 2 : 1;
      value += text.slice(from, reader.at);
      blank(reader, from, reader.at);
    }
  }
  reader.texts.push({ start, end: reader.at + 1, value, template: true });
  finish(reader, reader.at + 1);
  return true;
}

/** A `/` that is not followed by another one on its line divides. What is read stays as an empty string in the code. */
function readRegex(reader: Reader): boolean {
  let in_class = false;
  for (let at = reader.at + 1; at < reader.text.length; at += 1) {
    const c = reader.text[at];
    if (c === '\n') return false;
    if (c === '\\') at += 1;
    else if (c === '[') in_class = true;
    else if (c === ']') in_class = false;
    else if (c === '/' && !in_class) {
      blank(reader, reader.at, at + 1);
      reader.code[reader.at] = '"';
      reader.code[at] = '"';
      finish(reader, at + 1);
      return true;
    }
  }
  return false;
}

const BEFORE_A_VALUE = new Set(
  'return typeof case in of delete void throw new instanceof else do yield await'.split(' '),
);

/** The `/` of `</a>`, and of `/>` behind a value in braces: neither divides nor opens anything. */
function ofElement(reader: Reader, next: string): boolean {
  const last = before(reader).at(-1);
  return last === '<' || (next === '>' && (last === '}' || last === '>'));
}

/** After a value a `/` divides; after anything else it opens a regular expression. */
function mayBeRegex(reader: Reader): boolean {
  const code = before(reader);
  const last = code.at(-1) ?? '';
  if (last === ')') return reader.condition;
  if (/[\]"'`]/.test(last) || code.endsWith('++') || code.endsWith('--')) return false;
  if (last === '!') return !/[\w$)\]]!$/.test(code);
  if (!/[\w$]/.test(last)) return true;
  const word = /(\.\s*)?([\w$]+)$/.exec(code);
  return word?.[1] === undefined && BEFORE_A_VALUE.has(word?.[2] ?? '');
}

/** The end of the code read so far, enough of it to tell what a `/` or `(` follows. */
function before(reader: Reader): string {
  return reader.code
    .slice(Math.max(0, reader.last - 40), reader.last + 1)
    .join('')
    .trimEnd();
}

function finish(reader: Reader, end: number): void {
  reader.at = end;
  reader.last = end - 1;
  reader.condition = false;
}

function blank(reader: Reader, from: number, to: number): void {
  for (let i = from; i < to && i < reader.code.length; i += 1) if (reader.code[i] !== '\n') reader.code[i] = ' ';
}

function lineEnd(reader: Reader): number {
  return endOr(reader.text, reader.text.indexOf('\n', reader.at), 0);
}

function endOr(text: string, found: number, length: number): number {
  return found < 0 ? text.length : found + length;
}
