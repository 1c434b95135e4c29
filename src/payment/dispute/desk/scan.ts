// Looks for card numbers in what is shown against a dispute: in texts, and in files as far as a program can read them.
// A picture of a card has digits that Florin cannot read; the page says so.
import { constants, inflateSync } from 'node:zlib';
import { holdsCardNumber } from '../../../core/card.ts';
import type { FileType } from '../../../core/dispute/evidence.ts';
import { refuseField } from '../../../core/refusals.ts';
import { fromLetters } from './letters.ts';

/**
 * The place of a card number in a file, for the person who sent it. Undefined: none was found. Refused: the file is
 * larger than what can be searched, or packed or encrypted so that nothing in it can be.
 */
export function cardNumberIn(type: FileType, content: Buffer): string | undefined {
  const unpack = unpacking();
  if (type === 'application/pdf') return inPdf(content, unpack);
  return holdsCardNumber(wordsIn(content)) || pngTexts(content, unpack).some(holdsCardNumber)
    ? 'in what the picture says of itself'
    : undefined;
}

/** One byte for each sign, or two in either order. */
const PIECES = [/[\x20-\x7e]{12,}/g, /(?:[\x20-\x7e]\0){12,}/g, /(?:\0[\x20-\x7e]){12,}/g];

/**
 * Pieces of a binary file that read as text, in one byte or two for each sign: a number of a card is longer than any
 * that chance makes of ten digits and a space.
 */
function wordsIn(content: Buffer): string {
  const raw = content.toString('latin1');
  const pieces = PIECES.flatMap((piece) => [...raw.matchAll(piece)]);
  return pieces.map(([text]) => text.replaceAll('\0', '')).join('\n');
}

/**
 * How many bytes of one file are unpacked, all its parts together: a few kilobytes can unpack to gigabytes, and all of
 * it is searched in one turn.
 */
const MOST_UNPACKED = 8 * 1024 * 1024;

type Unpack = (packed: Buffer) => string | undefined;

/** Unpacks parts of a file. Undefined: the part is not packed. Throws if the parts are larger than what is searched. */
function unpacking(): Unpack {
  let room = MOST_UNPACKED;
  return (packed) => {
    try {
      const plain = inflateSync(packed, { maxOutputLength: room + 1, finishFlush: constants.Z_SYNC_FLUSH });
      room -= plain.length;
      if (room >= 0) return plain.toString('latin1');
    } catch (error) {
      if (!(error instanceof RangeError)) return undefined;
    }
    throw refuseField('content', 'parameter_invalid', 'holds more text than can be looked through: send a part of it');
  };
}

/** Chunks zTXt and iTXt may be packed. */
function pngTexts(content: Buffer, unpack: Unpack): string[] {
  const texts: string[] = [];
  for (let at = 8; at + 12 <= content.length;) {
    const length = content.readUInt32BE(at);
    const name = content.toString('latin1', at + 4, at + 8);
    const body = content.subarray(at + 8, at + 8 + length);
    if (name === 'zTXt' || name === 'iTXt') {
      const text = unpack(body.subarray(textFrom(name, body)));
      if (text !== undefined) texts.push(text);
    }
    at += 12 + length;
  }
  return texts;
}

/**
 * The place where the text of a chunk begins: after its keyword and the kind of compression; in iTXt also after the
 * language and the translated keyword (PNG 11.3.3).
 */
function textFrom(name: 'zTXt' | 'iTXt', body: Buffer): number {
  const keyword = body.indexOf(0);
  if (name === 'zTXt') return keyword + 2;
  const language = body.indexOf(0, keyword + 3);
  return body.indexOf(0, language + 1) + 1;
}

/** Pictures and fonts: nothing in them is drawn as text. */
const NO_TEXT = /\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType)\b|\/Length1\b/;
const LONGEST_HEAD = 4096;

/** Texts of today are not packed so; in pictures these are common (ISO 32000-1, 7.4). */
const UNREAD = /\/Filter\s*(?:\[[^\][]*)?\/(?:LZWDecode|LZW|RunLengthDecode|RL|Crypt)\b/;
const PACKED = refuseField(
  'content',
  'parameter_invalid',
  'is packed in a way that cannot be looked through for card numbers: print it to a new PDF, and send that',
);
/** Also a PDF that opens without a password, and merely may not be printed or changed, is encrypted (7.6). */
const LOCKED = /\/Encrypt\s*(?:\d+\s+\d+\s+R\b|<<)/;
const ENCRYPTED = refuseField(
  'content',
  'parameter_invalid',
  'is encrypted, so it cannot be looked through for card numbers: print it to a new PDF without a password, and send that',
);

/**
 * Page by page of what is drawn: texts stand in `( )` or as hex in `< >`, often in small pieces that are moved closer
 * together, so the pieces of one page are read as one. What a font renames cannot be read so. Each byte is looked at
 * once, whatever the file is.
 */
function inPdf(content: Buffer, unpack: Unpack): string | undefined {
  const raw = content.toString('latin1');
  let streams = 0;
  let outside = '';
  let last = 0;
  for (const { index, 0: word } of raw.matchAll(/stream\r?\n/g)) {
    if (index < last || raw.startsWith('end', index - 3)) continue;
    const from = index + word.length;
    const to = raw.indexOf('endstream', from);
    if (to < 0) break;
    const before = raw.slice(Math.max(last, index - LONGEST_HEAD), index);
    const head = before.slice(before.lastIndexOf('obj') + 1);
    outside += raw.slice(last, from);
    last = to;
    streams += 1;
    if (NO_TEXT.test(head)) continue;
    if (UNREAD.test(head)) throw PACKED;
    const body = fromLetters(head, content.subarray(from, to));
    if (isDrawn(unpack(body) ?? body.toString('latin1'))) return `in the PDF, in its part ${streams}`;
  }
  outside += raw.slice(last);
  if (LOCKED.test(outside)) throw ENCRYPTED;
  return isDrawn(outside) ? 'in what the PDF says of itself, such as its title' : undefined;
}

/**
 * Is a card number in the texts of a stream: in a line of pieces joined, in pieces with a space between, or in metadata
 * as they are?
 */
function isDrawn(text: string): boolean {
  const all: string[] = [];
  let line = '';
  const isLine = () => {
    const full = line;
    line = '';
    return full !== '' && holdsCardNumber(full);
  };
  const marks = /[(<]|\b(?:T\*|Td|TD|Tm|ET|BT)\b/g;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const at = marks.lastIndex;
    if (mark[0] !== '(' && mark[0] !== '<') {
      if (isLine()) return true;
      continue;
    }
    const { piece, next } = mark[0] === '(' ? quotedAt(text, at) : hexAt(text, at);
    marks.lastIndex = next;
    if (piece === '') continue;
    line += piece;
    all.push(piece);
  }
  if (isLine() || holdsCardNumber(all.join(' '))) return true;
  return /<\?xpacket|<x:xmpmeta/.test(text) && holdsCardNumber(text);
}

type Piece = { readonly piece: string; readonly next: number };

/** Up to the bracket that closes it; one that opens another begins anew. */
function quotedAt(text: string, from: number): Piece {
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === '(') return { piece: '', next: at };
    else if (sign === ')') return { piece: unquoted(text.slice(from, at)), next: at + 1 };
  }
  return { piece: '', next: text.length };
}

/**
 * A sign may be written by its number, a line may be broken, and texts outside of Latin have two bytes for each sign
 * (ISO 32000-1, 7.3.4.2 and 7.9.2.2).
 */
function unquoted(text: string): string {
  const plain = text.replace(/\\(?:([0-7]{1,3})|\r?\n|([\s\S]))/g, (_, number?: string, sign = '') =>
    number === undefined ? (OTHERS[sign] ?? sign) : String.fromCodePoint(Number.parseInt(number, 8) % 256),
  );
  return plain.replaceAll('\0', '');
}

const OTHERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function hexAt(text: string, from: number): Piece {
  const hex = /[0-9A-Fa-f\s]*/y;
  hex.lastIndex = from;
  const [digits = ''] = hex.exec(text) ?? [];
  const next = from + digits.length;
  return { piece: text[next] === '>' && digits.length >= 2 ? fromHex(digits) : '', next };
}

function fromHex(hex: string): string {
  return Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1').replaceAll('\0', '');
}
