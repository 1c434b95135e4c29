// The published tables and sample messages, and a second reader of messages made of nothing but them: short, slow, on
// text.
import { existsSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../shared/data/providers/iso8583/', import.meta.url);
export const published = existsSync(FOLDER);

const read = (name: string): unknown => JSON.parse(published ? readFileSync(new URL(name, FOLDER), 'utf8') : 'null');

type PublishedField = { readonly type: string; readonly length: number; readonly var: 0 | 2 | 3 };
export const FIELDS = ((read('fields-1987.json') as { fields?: Record<string, PublishedField> } | null)?.fields ??
  {}) as Readonly<Record<string, PublishedField>>;

type PublishedSpec = { readonly length: number; readonly prefix: string; readonly enc: string };
export const SPEC = ((read('spec87ascii.json') as { fields?: Record<string, PublishedSpec> } | null)?.fields ??
  {}) as Readonly<Record<string, PublishedSpec>>;

export type Sample = {
  readonly file: string;
  readonly raw: string;
  readonly error?: string;
  readonly mti?: string;
  readonly fields?: Readonly<Record<string, string>>;
};
export const SAMPLES = (read('vectors/parsed.json') ?? []) as readonly Sample[];

/** The bytes of a sample as they were published; undefined: it is no file. */
export function bytesOf({ file }: Sample): Buffer | undefined {
  const path = new URL(`vectors/${file}`, FOLDER);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}

/** What the classes allow, by the words of the standard. */
const CLASSES: Readonly<Record<string, string>> = {
  n: '[0-9]',
  an: '[A-Za-z0-9 ]',
  ns: '[ -@[-`{-~]',
  ans: '[ -~]',
  z: '[0-9=D]',
};

function patternOf({ type, length, var: prefix }: PublishedField): RegExp {
  if (type === 'b') return new RegExp(`^[0-9A-F]{${length / 4}}$`);
  if (type === 'x+n') return new RegExp(`^[CD][0-9]{${length}}$`);
  return new RegExp(`^${CLASSES[type]}{${prefix === 0 ? length : `0,${length}`}}$`);
}

/** Undefined: it is no message. */
export function secondReader(text: string): { type: string; fields: Record<string, string> } | undefined {
  let rest = text;
  const take = (length: number) => {
    const taken = rest.slice(0, length);
    rest = rest.slice(length);
    return taken.length === length ? taken : undefined;
  };
  const type = take(4);
  let bitmap = take(16);
  if (type === undefined || !/^0[1-8]\d[0-5]$/.test(type) || bitmap === undefined || !/^[0-9A-F]+$/.test(bitmap))
    return undefined;
  if (/^[89A-F]/.test(bitmap)) {
    const second = take(16);
    if (second === undefined || !/^[0-9A-F]+$/.test(second) || /^0+$/.test(second)) return undefined;
    bitmap += second;
  }
  const bits = BigInt(`0x1${bitmap}`).toString(2).slice(1);
  const fields: Record<string, string> = {};
  for (let field = 2; field <= bits.length; field++) {
    if (bits[field - 1] === '0') continue;
    const row = FIELDS[field];
    if (!row || field === 65) return undefined;
    const said = row.var === 0 ? undefined : take(row.var);
    if (row.var > 0 && (said === undefined || !/^\d+$/.test(said))) return undefined;
    const fixed = row.type === 'b' ? row.length / 4 : row.type === 'x+n' ? row.length + 1 : row.length;
    const value = take(said === undefined ? fixed : Number(said));
    if (value === undefined || !patternOf(row).test(value)) return undefined;
    fields[field] = value;
  }
  return rest === '' ? { type, fields } : undefined;
}
