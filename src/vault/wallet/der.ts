// Reads DER (X.690), and the lengths without a number that Apple writes around it in CMS (RFC 5652 allows BER there).
// Strict: one-byte tags, lengths in their shortest form, nothing behind the end.
import { WalletRefused } from './refused.ts';

export type Element = {
  readonly tag: number;
  /** With tag and length, as it was signed. */
  readonly whole: Buffer;
  readonly content: Buffer;
};

export const TAG = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  utc_time: 0x17,
  general_time: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Tag of `[n]` around others. */
export const explicit = (number: number) => 0xa0 + number;

const MOST_DEPTH = 16;
const CONSTRUCTED = 0x20;
const NO_LENGTH = 0x80;

/** The one element that the bytes are. */
export function readElement(bytes: Buffer): Element {
  const element = elementAt(bytes, 0, 0);
  if (element.whole.length !== bytes.length) throw new WalletRefused('malformed');
  return element;
}

/** The elements inside an element. */
export function childrenOf({ content }: Element): readonly Element[] {
  const children: Element[] = [];
  for (let at = 0; at < content.length;) {
    const child = elementAt(content, at, 0);
    children.push(child);
    at += child.whole.length;
  }
  return children;
}

/** The element if it has this tag, else the payload is refused. */
export function expected(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new WalletRefused('malformed');
  return element;
}

/** An object identifier as its bytes in hex. */
export function oidOf(element: Element | undefined): string {
  return expected(element, TAG.oid).content.toString('hex');
}

function elementAt(bytes: Buffer, at: number, depth: number): Element {
  const tag = bytes[at] ?? 0;
  const first = bytes[at + 1];
  if (first === undefined || (tag & 0x1f) === 0x1f || depth > MOST_DEPTH) throw new WalletRefused('malformed');
  if (first === NO_LENGTH) return openEnded(bytes, at, depth);
  const { length, size } = lengthAt(bytes, at + 1);
  const from = at + 1 + size;
  if (from + length > bytes.length) throw new WalletRefused('malformed');
  return { tag, whole: bytes.subarray(at, from + length), content: bytes.subarray(from, from + length) };
}

/** `size`: how many bytes say it. */
function lengthAt(bytes: Buffer, at: number): { readonly length: number; readonly size: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { length: first, size: 1 };
  const more = first & 0x7f;
  if (more > 3 || at + more >= bytes.length) throw new WalletRefused('malformed');
  const length = bytes.readUIntBE(at + 1, more);
  const shortest = length < 0x80 ? 0 : length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  if (more !== shortest) throw new WalletRefused('malformed');
  return { length, size: 1 + more };
}

/** An element without a length: it ends with two zero bytes after its last child. */
function openEnded(bytes: Buffer, at: number, depth: number): Element {
  const tag = bytes[at] ?? 0;
  if ((tag & CONSTRUCTED) === 0) throw new WalletRefused('malformed');
  let end = at + 2;
  while (bytes[end] !== 0 || bytes[end + 1] !== 0) end += elementAt(bytes, end, depth + 1).whole.length;
  return { tag, whole: bytes.subarray(at, end + 2), content: bytes.subarray(at + 2, end) };
}
