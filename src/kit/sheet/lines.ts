// The lines of a text file. Not by node:readline: it takes U+2028 and U+2029 for line ends too, which JSON and CSV have
// in their texts.
import { createReadStream } from 'node:fs';

/** What is longer comes cut to this many characters and one more, so that it can be refused. */
export const LONGEST_LINE = 10_000;

export type TextLine = {
  /** Counts from 1; of several lines, that of the first one. */
  readonly number: number;
  readonly text: string;
};

const END = /\r\n?|\n/;

/** Without the byte order mark that some programs put before a file. */
export async function* linesIn(path: string): AsyncGenerator<TextLine> {
  let number = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const is_first = number === 0 && rest === '';
    const text = is_first ? String(chunk).replace(/^\uFEFF/, '') : rest + String(chunk);
    // the other half of the line end may follow
    const half = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - half.length).split(END);
    rest = cut(lines.pop() ?? '') + half;
    for (const line of lines) yield { number: ++number, text: cut(line) };
  }
  if (rest !== '') yield { number: number + 1, text: rest.replace(/\r$/, '') };
}

/** Rows of CSV (RFC 4180): a line end between quotes is part of its row. */
export async function* csvRowsIn(path: string): AsyncGenerator<TextLine> {
  let open: TextLine | undefined;
  for await (const line of linesIn(path)) {
    const row: TextLine = open ? { number: open.number, text: cut(`${open.text}\n${line.text}`) } : line;
    open = hasOpenQuote(row) && row.text.length <= LONGEST_LINE ? row : undefined;
    if (!open) yield row;
  }
  if (open) yield open;
}

const cut = (text: string) => text.slice(0, LONGEST_LINE + 1);
const hasOpenQuote = ({ text }: TextLine) => (text.split('"').length - 1) % 2 === 1;
