// JSON as a wire: a slot is a whole value, quotes included; its place is a JSON pointer (RFC 6901). An optional slot with
// nothing to say becomes null.
import { JsonProblem, type JsonValue, parseJson } from '../../core/json.ts';
import { isText, joined, valueOf } from './slots.ts';
import { hasTwins } from './twins.ts';
import type { Part, ReadTemplate, Values, Wire } from './wire.ts';

export const json: Wire = { read, write };

/** A text that stands for a slot while the template is read as JSON; who writes it himself is found twice. */
const STAND_IN = '\ue000slot ';

/** Read by our own strict reader: a member name stands once, so no other reader can see the slot elsewhere. */
function read(body: readonly Part[]): ReadTemplate | undefined {
  const slots = body.filter((part) => typeof part !== 'string');
  let count = 0;
  const text = body.map((part) => (typeof part === 'string' ? part : `"${STAND_IN}${count++}"`)).join('');
  const found: { readonly index: number; readonly place: string }[] = [];
  const texts = new Map<string, string>();
  try {
    walk(parseJson(text), '', (value, place) => {
      if (value.startsWith(STAND_IN)) found.push({ index: Number(value.slice(STAND_IN.length)), place });
      else texts.set(place, value);
    });
  } catch (error) {
    if (error instanceof JsonProblem) return undefined;
    throw error;
  }
  // one place for each slot, and no stand-in but ours
  const places = slots.flatMap((_, index) => found.filter((one) => one.index === index).map(({ place }) => place));
  if (places.length !== slots.length || found.length !== slots.length) return undefined;
  if (new Set(found.map(({ index }) => index)).size !== slots.length) return undefined;
  return { places, textAt: (place) => texts.get(place) };
}

function walk(value: JsonValue, place: string, visit: (text: string, place: string) => void): void {
  if (typeof value === 'string') visit(value, place);
  else if (Array.isArray(value)) value.forEach((item: JsonValue, at) => walk(item, `${place}/${at}`, visit));
  else if (value instanceof Map) {
    if (hasTwins([...value.keys()])) throw new JsonProblem('the body has a member name twice for some readers');
    for (const [name, item] of value) walk(item, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit);
  }
}

const QUOTE = Buffer.from('"');
const NULL = Buffer.from('null');

function write(body: readonly Part[], values: Values): Buffer {
  return joined(
    body.flatMap((part) => {
      if (typeof part === 'string') return [{ bytes: Buffer.from(part), secret: false }];
      const value = valueOf(part.slot, values);
      if (!value) return [{ bytes: NULL, secret: false }];
      const bytes = isText(part.slot) ? escaped(value) : value;
      const quote = { bytes: QUOTE, secret: false };
      return [quote, { bytes, secret: true }, quote];
    }),
  );
}

/** A text, which may hold quotes and backslashes; digits and dates hold none. */
function escaped(name: Buffer): Buffer {
  const text = JSON.stringify(name.toString('utf8')).slice(1, -1);
  name.fill(0);
  return Buffer.from(text);
}
