// JSON as a wire: a slot is a whole value, quotes included; its place is a JSON pointer (RFC 6901). An optional slot
// with nothing to say takes its member with it; in a list it becomes null.
import { JsonProblem, type JsonValue, parseJson } from '../../core/json.ts';
import { isText, joined, valueOf } from './slots.ts';
import { hasTwins } from './twins.ts';
import type { Part, Values, Wire } from './wire.ts';

export const json: Wire = { read, write };

/** A text that stands for a slot while the template is read as JSON; who writes it himself is found twice. */
const STAND_IN = '\ue000slot ';

/** Read by our own strict reader: a member name stands once, so no other reader can see the slot elsewhere. */
function read(body: readonly Part[]): readonly string[] | undefined {
  const slots = body.filter((part) => typeof part !== 'string');
  let count = 0;
  const text = body.map((part) => (typeof part === 'string' ? part : `"${STAND_IN}${count++}"`)).join('');
  const found: { readonly index: number; readonly place: string }[] = [];
  try {
    walk(parseJson(text), '', (value, place) => {
      if (value.startsWith(STAND_IN)) found.push({ index: Number(value.slice(STAND_IN.length)), place });
    });
  } catch (error) {
    if (error instanceof JsonProblem) return undefined;
    throw error;
  }
  // one place for each slot, and no stand-in but ours
  const places = slots.flatMap((_, index) => found.filter((one) => one.index === index).map(({ place }) => place));
  if (places.length !== slots.length || found.length !== slots.length) return undefined;
  if (new Set(found.map(({ index }) => index)).size !== slots.length) return undefined;
  return places;
}

function walk(value: JsonValue, place: string, visit: (text: string, place: string) => void): void {
  if (typeof value === 'string') visit(value, place);
  else if (Array.isArray(value)) value.forEach((item: JsonValue, at) => walk(item, `${place}/${at}`, visit));
  else if (value instanceof Map) {
    if (hasTwins([...value.keys()])) throw new JsonProblem('the body has a member name twice for some readers');
    for (const [name, item] of value) walk(item, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit);
  }
}

function write(body: readonly Part[], values: Values): Buffer {
  const pieces: { bytes: Buffer; secret: boolean }[] = [];
  let before = '';
  for (const part of body) {
    if (typeof part === 'string') {
      before = followed(before, part);
      continue;
    }
    const value = valueOf(part.slot, values);
    if (!value) {
      before = withoutMember(before);
      continue;
    }
    const bytes = isText(part.slot) ? escaped(value) : value;
    pieces.push({ bytes: Buffer.from(`${before}"`), secret: false }, { bytes, secret: true });
    before = '"';
  }
  return joined([...pieces, { bytes: Buffer.from(before), secret: false }]);
}

/**
 * Stands where the first member of an object was left out, until the text behind it is known. No JSON text holds it.
 */
const GONE = '\u0000';

/**
 * What is written up to a slot with nothing to say: its member goes with it, and the sign that parts it from the one
 * before.
 */
function withoutMember(before: string): string {
  const name = before.trimEnd().endsWith(':') ? before.trimEnd().slice(0, -1).trimEnd() : '';
  if (!name.endsWith('"')) return `${before}null`;
  const rest = before.slice(0, beginOf(name)).trimEnd();
  return rest.endsWith(',') ? rest.slice(0, -1) : rest + GONE;
}

/** Where the JSON text begins that `text` ends with. */
function beginOf(text: string): number {
  let begins = text.lastIndexOf('"', text.length - 2);
  while (isEscaped(text, begins)) begins = text.lastIndexOf('"', begins - 1);
  return begins;
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** The text behind a slot; of the one behind a first member that is gone, the sign that parted the two. */
function followed(before: string, text: string): string {
  if (!before.endsWith(GONE)) return before + text;
  return text.trim() === '' ? before : before.slice(0, -1) + text.replace(/^\s*,/, '');
}

/** A text, which may hold quotes and backslashes; digits and dates hold none. */
function escaped(name: Buffer): Buffer {
  const text = JSON.stringify(name.toString('utf8')).slice(1, -1);
  name.fill(0);
  return Buffer.from(text);
}
