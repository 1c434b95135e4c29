// A form (application/x-www-form-urlencoded) as a wire: a slot is a whole value, its place the key. An optional slot
// with nothing to say goes with its key.
import { isText, joined, valueOf } from './slots.ts';
import { hasFormTwins } from './twins.ts';
import type { Part, Values, Wire } from './wire.ts';

export const form: Wire = { read, write };

/** The characters of a form; all others must be percent-encoded, so that there is only one way to read it. */
const PLAIN = /^(?:[A-Za-z0-9\-._~*+[\]&=]|%[0-9A-Fa-f]{2})*$/;
const SLOT = '\u0000';

function read(body: readonly Part[]): readonly string[] | undefined {
  const texts = body.filter((part) => typeof part === 'string');
  // an escape cut in two by a slot would be read with it
  if (!texts.every((text) => PLAIN.test(text))) return undefined;
  const text = body.map((part) => (typeof part === 'string' ? part : SLOT)).join('');
  const pairs = text.split('&').map((pair) => {
    const [key = '', ...values] = pair.split('=');
    return { key: decoded(key), value: values.length === 1 ? values[0] : undefined };
  });
  const keys = pairs.map(({ key }) => key);
  const clear = keys.every((key) => key !== undefined && key !== '' && !key.includes(SLOT));
  if (!clear || hasFormTwins(keys.map(String)) || pairs.some(({ value }) => value === undefined)) return undefined;
  const with_slot = pairs.filter(({ value }) => value?.includes(SLOT));
  if (with_slot.some(({ value }) => value !== SLOT)) return undefined;
  return with_slot.map(({ key }) => key ?? '');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function write(body: readonly Part[], values: Values): Buffer {
  const pieces: { bytes: Buffer; secret: boolean }[] = [];
  let before = '';
  for (const part of body) {
    if (typeof part === 'string') {
      before += part;
      continue;
    }
    const value = valueOf(part.slot, values);
    if (!value) {
      before = before.slice(0, before.lastIndexOf('&') + 1);
      // its pair is gone, and with it one of the two signs around it
      before = before.slice(0, -1);
      continue;
    }
    pieces.push({ bytes: Buffer.from(before), secret: false }, { bytes: encoded(part.slot, value), secret: true });
    before = '';
  }
  pieces.push({ bytes: Buffer.from(before), secret: false });
  const first = pieces.find(({ bytes }) => bytes.length > 0);
  if (first?.bytes[0] === AND) first.bytes = first.bytes.subarray(1);
  return joined(pieces);
}

const AND = 0x26;
const SIGNS: ReadonlyMap<number, string> = new Map(
  [...'+/='].map((sign) => [sign.charCodeAt(0), encodeURIComponent(sign)]),
);

/** Byte by byte: a text of it could not be overwritten. */
function base64Encoded(value: Buffer): Buffer {
  const pieces = [...value].map((byte) => Buffer.from(SIGNS.get(byte) ?? [byte]));
  value.fill(0);
  return joined(pieces.map((bytes) => ({ bytes, secret: true })));
}

/** Digits stand for themselves; a text is encoded. */
function encoded(slot: string, value: Buffer): Buffer {
  if (slot === 'card.cryptogram?') return base64Encoded(value);
  if (!isText(slot)) return value;
  const text = encodeURIComponent(value.toString('utf8'));
  value.fill(0);
  return Buffer.from(text);
}
