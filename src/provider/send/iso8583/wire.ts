// ISO 8583 as a wire: a template is a JSON object, field number → text or slot, `0` being the message type; of a field
// that holds several things, an object of its own: {"0":"0100","2":SLOT,"14":{"month":SLOT,"year":SLOT}}. Places are
// JSON pointers (RFC 6901). What comes back over a line is given in the same form. Lengths and bitmaps are written
// here.
import { JsonProblem, type JsonValue, parseJson } from '../../../core/json.ts';
import { type Message, latin, ownBytes, pack } from './codec.ts';
import { type Member, compose, decompose, isComposite } from './composite.ts';
import type { Dialect } from './dialect.ts';

export type LinePart = string | { readonly slot: string };

/** The value of a slot, which is overwritten later. Undefined: none, which only a slot that ends in `?` may have. */
export type SlotValue = (slot: string) => Buffer | undefined;

export type LineTemplate = { readonly places: readonly string[]; textAt(place: string): string | undefined };

export type LineWire = {
  /** Reads a body. Undefined: it is no message of this wire, or can be read in two ways. */
  read(body: readonly LinePart[]): LineTemplate | undefined;
  /** Into a buffer of its own, which the caller overwrites. Throws `Refused` where a value does not fit its field. */
  write(body: readonly LinePart[], value: SlotValue): Buffer;
};

export function lineWire(dialect: Dialect): LineWire {
  return {
    read: (body) => {
      const rows = rowsOf(body, dialect);
      if (!rows) return undefined;
      const texts = new Map(rows.flatMap(({ place, text }) => (text === undefined ? [] : [[place, text] as const])));
      const slots = rows.filter(({ slot }) => slot !== undefined).toSorted((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
      return { places: slots.map(({ place }) => place), textAt: (place) => texts.get(place) };
    },
    write: (body, value) => {
      const rows = rowsOf(body, dialect);
      if (!rows) throw new Error('a template that cannot be read is not written');
      return write(rows, { slots: body.filter((part) => typeof part !== 'string'), value, dialect });
    },
  };
}

/** A text that stands for a slot while the template is read as JSON; who writes it himself is found twice. */
const STAND_IN = '\ue000slot ';

type Row = {
  readonly place: string;
  readonly field: number;
  readonly member: string | undefined;
  /** A text or a slot: one of the two. */
  readonly text: string | undefined;
  readonly slot: number | undefined;
};

/** The rows of a body. Undefined: it is no template. Each slot is one whole text, once. */
function rowsOf(body: readonly LinePart[], dialect: Dialect): Row[] | undefined {
  let count = 0;
  const text = body.map((part) => (typeof part === 'string' ? part : `"${STAND_IN}${count++}"`)).join('');
  const template = parsed(text);
  if (!(template instanceof Map) || typeof template.get('0') !== 'string') return undefined;
  const rows: Row[] = [];
  for (const [name, value] of template as ReadonlyMap<string, JsonValue>) {
    const field = /^(?:0|[1-9]\d{0,2})$/.test(name) ? Number(name) : -1;
    const composite = isComposite(field, dialect);
    if (field !== 0 && !Object.hasOwn(dialect.fields, field)) return undefined;
    const members: readonly (readonly [string | undefined, JsonValue])[] =
      composite && value instanceof Map ? [...value] : [[undefined, value]];
    for (const [member, one] of members) {
      if (typeof one !== 'string' || (composite && member === undefined)) return undefined;
      const slot = one.startsWith(STAND_IN) ? Number(one.slice(STAND_IN.length)) : undefined;
      if (slot !== undefined && field === 0) return undefined;
      const place = member === undefined ? `/${name}` : `/${name}/${member}`;
      rows.push({ place, field, member, slot, text: slot === undefined ? one : undefined });
    }
  }
  const found = rows.flatMap(({ slot }) => slot ?? []);
  const once = new Set(found).size === found.length && found.length === count && found.every((slot) => slot < count);
  return once ? rows : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonProblem) return undefined;
    throw error;
  }
}

type Filling = {
  readonly slots: readonly { readonly slot: string }[];
  readonly value: SlotValue;
  readonly dialect: Dialect;
};

function write(rows: readonly Row[], { slots, value, dialect }: Filling): Buffer {
  // everything a card went through on its way
  const own: Buffer[] = [];
  try {
    const members = new Map<number, Member[]>();
    for (const { field, member, text, slot } of rows) {
      const bytes = text === undefined ? value(slots[slot ?? 0]?.slot ?? '') : Buffer.from(text);
      if (!bytes) continue;
      own.push(bytes);
      members.set(field, [...(members.get(field) ?? []), { name: member ?? '', bytes }]);
    }
    const type = latin(members.get(0)?.[0]?.bytes ?? Buffer.alloc(0));
    members.delete(0);
    const fields = new Map<number, Uint8Array>();
    for (const [field, inside] of members) {
      const whole = isComposite(field, dialect) ? compose(field, inside, dialect) : filledUp(field, inside, dialect);
      own.push(whole);
      fields.set(field, whole);
    }
    return pack({ type, fields }, dialect);
  } finally {
    for (const bytes of own) bytes.fill(0);
  }
}

/** A copy of a field that is no composite, with blanks behind it where its dialect wants them. */
function filledUp(field: number, [only]: readonly Member[], { blanks, fields }: Dialect): Buffer {
  const bytes = only?.bytes ?? Buffer.alloc(0);
  const length = blanks.includes(field) ? Math.max(fields[field]?.length ?? 0, bytes.length) : bytes.length;
  const out = ownBytes(length).fill(BLANK);
  out.set(bytes);
  return out;
}

const BLANK = 0x20;

/** An answer in the form of a template: JSON as bytes, so that a card number in it can be overwritten. */
export function bodyOf({ type, fields }: Message, dialect: Dialect): Buffer {
  const pieces: Uint8Array[] = [Buffer.from(`{"0":"${type}"`)];
  for (const [field, bytes] of fields) {
    pieces.push(Buffer.from(`,"${field}":`));
    if (!isComposite(field, dialect)) pieces.push(...quoted(bytes));
    else {
      decompose(field, bytes, dialect).forEach(({ name, bytes: inside }, at) => {
        pieces.push(Buffer.from(`${at === 0 ? '{' : ','}"${name}":`), ...quoted(inside));
      });
      pieces.push(Buffer.from(bytes.length === 0 ? '{}' : '}'));
    }
  }
  pieces.push(Buffer.from('}'));
  const out = ownBytes(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const QUOTES = Buffer.from('"');
const ESCAPE = Buffer.from('\\');

/** All fields are printed ASCII: two signs are escaped, and views are enough. */
function quoted(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [QUOTES];
  let from = 0;
  bytes.forEach((byte, at) => {
    if (byte !== QUOTE && byte !== BACKSLASH) return;
    pieces.push(bytes.subarray(from, at), ESCAPE);
    from = at;
  });
  return [...pieces, bytes.subarray(from), QUOTES];
}
