// JSON as a wire: a slot is a whole value, quotes included; its place is a JSON pointer (RFC 6901). An optional slot with
// nothing to say becomes null.
import { JsonProblem, type JsonValue, parseJson } from '../../core/json.ts';
import { joined, valueOf } from './slots.ts';
import type { Part, Values, Wire } from './wire.ts';

export const json: Wire = { placesOf, write };

/** A text that stands for a slot while the template is read as JSON; who writes it himself is found twice. */
const STAND_IN = '\ue000slot ';

/** Read by our own strict reader: a member name stands once, so no other reader can see the slot elsewhere. */
function placesOf(body: readonly Part[]): readonly string[] | undefined {
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
  const places = slots.map((_, index) => found.filter((one) => one.index === index).map(({ place }) => place));
  const single = places.flatMap((some) => (some.length === 1 ? some : []));
  return single.length === slots.length && found.length === slots.length ? single : undefined;
}

function walk(value: JsonValue, place: string, visit: (text: string, place: string) => void): void {
  if (typeof value === 'string') visit(value, place);
  else if (Array.isArray(value)) value.forEach((item: JsonValue, at) => walk(item, `${place}/${at}`, visit));
  else if (value instanceof Map)
    for (const [name, item] of value) walk(item, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, visit);
}

const QUOTE = Buffer.from('"');
const NULL = Buffer.from('null');

function write(body: readonly Part[], values: Values): Buffer {
  return joined(
    body.flatMap((part) => {
      if (typeof part === 'string') return [{ bytes: Buffer.from(part), secret: false }];
      const value = valueOf(part.slot, values);
      if (!value) return [{ bytes: NULL, secret: false }];
      const bytes = part.slot === 'card.holder?' ? escaped(value) : value;
      const quote = { bytes: QUOTE, secret: false };
      return [quote, { bytes, secret: true }, quote];
    }),
  );
}

/** A name, which may hold quotes and backslashes; digits and dates hold none. */
function escaped(name: Buffer): Buffer {
  const text = JSON.stringify(name.toString('utf8')).slice(1, -1);
  name.fill(0);
  return Buffer.from(text);
}
