// Looks for card numbers in what is shown against a dispute: in texts, and in files as far as a program can read them. A picture of a
// card has digits that nobody reads here; the page says so.
import { inflateSync } from 'node:zlib';
import { holdsCardNumber } from '../../../core/card.ts';
import type { FileType } from '../../../core/dispute/evidence.ts';

/** Where it stands, for the person who sent it; undefined: none was found. */
export function cardNumberIn(type: FileType, content: Buffer): string | undefined {
  if (type === 'application/pdf') return inPdf(content);
  return holdsCardNumber(wordsIn(content)) || pngTexts(content).some(holdsCardNumber)
    ? 'in what the picture says of itself'
    : undefined;
}

/** Pieces of a binary file that read as text: a number of a card is longer than any that chance makes of ten digits and a space. */
function wordsIn(content: Buffer): string {
  return [...content.toString('latin1').matchAll(/[\x20-\x7e]{12,}/g)].map(([text]) => text).join('\n');
}

const MOST_INFLATED = 32 * 1024 * 1024;

/** Chunks zTXt and iTXt may be packed. */
function pngTexts(content: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 8; at + 12 <= content.length;) {
    const length = content.readUInt32BE(at);
    const name = content.toString('latin1', at + 4, at + 8);
    const body = content.subarray(at + 8, at + 8 + length);
    if (name === 'zTXt' || name === 'iTXt') texts.push(...packedIn(body));
    at += 12 + length;
  }
  return texts;
}

/** zlib begins with 0x78 wherever it stands in the chunk. */
function packedIn(body: Buffer): string[] {
  const from = body.indexOf(0x78);
  const text = from < 0 ? undefined : inflated(body.subarray(from));
  return text === undefined ? [] : [text];
}

function inflated(packed: Buffer): string | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: MOST_INFLATED, finishFlush: 2 }).toString('latin1');
  } catch {
    return undefined;
  }
}

const STREAM = /<<(?:[^<>]|<[^<]|>[^>]|<<[^<>]*>>)*>>\s*stream\r?\n/g;

/**
 * Page by page of what is drawn: texts stand in `( )` or as hex in `< >`, often in small pieces that are moved closer together, so the
 * pieces of one page are read as one. What a font renames cannot be read so.
 */
function inPdf(content: Buffer): string | undefined {
  const raw = content.toString('latin1');
  let streams = 0;
  let outside = '';
  let last = 0;
  for (const match of raw.matchAll(STREAM)) {
    const from = match.index + match[0].length;
    const to = raw.indexOf('endstream', from);
    if (to < 0) break;
    outside += raw.slice(last, from);
    last = to;
    streams += 1;
    const packed = match[0].includes('FlateDecode');
    const text = packed ? inflated(content.subarray(from, to)) : raw.slice(from, to);
    if (text !== undefined && drawn(text).some(holdsCardNumber)) return `in the PDF, in its part ${streams}`;
  }
  outside += raw.slice(last);
  return drawn(outside).some(holdsCardNumber) ? 'in what the PDF says of itself, such as its title' : undefined;
}

/** Texts of a stream: each line of pieces joined, and each piece alone with a space between; metadata as they are. */
function drawn(text: string): string[] {
  const lines = text.split(/\b(?:T\*|Td|TD|Tm|ET|BT)\b/).map((line) => pieces(line));
  const all = lines.flat();
  const plain = /<\?xpacket|<x:xmpmeta/.test(text) ? [text] : [];
  return [...lines.map((line) => line.join('')), all.join(' '), ...plain];
}

function pieces(line: string): string[] {
  return [...line.matchAll(/\(((?:\\[\s\S]|[^\\()])*)\)|<([0-9A-Fa-f\s]{2,})>/g)].map(([, quoted, hex]) =>
    quoted === undefined ? fromHex(hex ?? '') : quoted.replace(/\\([()\\])/g, '$1'),
  );
}

function fromHex(hex: string): string {
  return Buffer.from(hex.replace(/\s/g, ''), 'hex').toString('latin1').replaceAll('\0', '');
}
