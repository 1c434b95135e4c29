// Fields that hold several things: parts of fixed length one behind the other, or private tags with their lengths.
import { Refused, latin, ownBytes } from './codec.ts';
import type { Dialect, DialectPart } from './dialect.ts';

export type Member = { readonly name: string; readonly bytes: Uint8Array };

export function isComposite(field: number, { parts, tags }: Dialect): boolean {
  return Object.hasOwn(parts, field) || Object.hasOwn(tags, field);
}

/** Puts them together into bytes of its own, which the caller overwrites. Each name stands once. */
export function compose(field: number, members: readonly Member[], dialect: Dialect): Buffer {
  const given = new Map(members.map(({ name, bytes }) => [name, bytes]));
  const parts = dialect.parts[field];
  const pieces = parts ? ofParts(field, given, parts) : ofTags(field, given, dialect.tags[field] ?? {});
  const out = ownBytes(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Views of the bytes. */
export function decompose(field: number, bytes: Uint8Array, dialect: Dialect): Member[] {
  const parts = dialect.parts[field];
  if (!parts) return tagsIn(field, bytes, dialect.tags[field] ?? {});
  let at = 0;
  return parts.map(({ name, length }) => ({ name, bytes: bytes.subarray(at, (at += length)) }));
}

function ofParts(field: number, given: ReadonlyMap<string, Uint8Array>, parts: readonly DialectPart[]): Uint8Array[] {
  if (given.size !== parts.length) throw new Refused('tags', field);
  return parts.flatMap(({ name, length, zeros = false, end = false }) => {
    const all = given.get(name);
    const bytes = end && all ? all.subarray(-length) : all;
    const missing = length - (bytes?.length ?? 0);
    if (!bytes || missing < 0 || (missing > 0 && !zeros)) throw new Refused('length', field);
    return [Buffer.from('0'.repeat(missing)), bytes];
  });
}

const TAG = /^[0-9A-Z]{2}$/;
const MOST = 99;

function ofTags(
  field: number,
  given: ReadonlyMap<string, Uint8Array>,
  tags: Readonly<Record<string, string>>,
): Uint8Array[] {
  const known = new Set(Object.values(tags));
  const rows = [...given].map(([name, bytes]) => {
    const tag = Object.hasOwn(tags, name) ? (tags[name] ?? '') : known.has(name) ? '' : name;
    if (!TAG.test(tag) || bytes.length === 0 || bytes.length > MOST) throw new Refused('tags', field);
    return { tag, bytes };
  });
  // one order, so one way to write it
  rows.sort((a, b) => (a.tag < b.tag ? -1 : 1));
  return rows.flatMap(({ tag, bytes }) => [Buffer.from(tag + String(bytes.length).padStart(2, '0')), bytes]);
}

function tagsIn(field: number, bytes: Uint8Array, tags: Readonly<Record<string, string>>): Member[] {
  const names = new Map(Object.entries(tags).map(([name, tag]) => [tag, name]));
  const members: Member[] = [];
  let before = '';
  for (let at = 0; at < bytes.length;) {
    const tag = latin(bytes.subarray(at, at + 2));
    const said = latin(bytes.subarray(at + 2, at + 4));
    const length = /^\d\d$/.test(said) ? Number(said) : 0;
    at += 4 + length;
    if (!TAG.test(tag) || length === 0 || at > bytes.length || tag <= before) throw new Refused('tags', field);
    members.push({ name: names.get(tag) ?? tag, bytes: bytes.subarray(at - length, at) });
    before = tag;
  }
  return members;
}
