// A request as a shape: field by field, what is read, what is wrong, what is not known; and the JSON Schema of the
// same.
import type { JsonObject, JsonValue } from './json.ts';
import { toMinor } from './money.ts';
import type { FieldProblem, RefusalName } from './refusals.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Collects what a reading of one request finds. */
export class Reading {
  readonly problems: FieldProblem[] = [];
  /** Names the contract does not know at that place, as paths, in body order. */
  readonly ignored: string[] = [];
  /** Amounts read so far: their decimals are checked once the currency is known. */
  readonly amounts: { readonly field: string; readonly decimal: string }[] = [];
  /** Production refuses http in return addresses (contract 2.2, url). */
  readonly production: boolean;

  constructor(production: boolean) {
    this.production = production;
  }

  refuse(field: string, message: string, refusal: RefusalName = 'parameter_invalid'): undefined {
    this.problems.push({ field, refusal, message });
    return undefined;
  }

  /** Checks every amount read so far against the currency: decimals and size. */
  checkAmounts(currency: string): void {
    for (const { field, decimal } of this.amounts) {
      if (field === 'giftcard_amount') continue; // has a currency of its own
      const read = toMinor(decimal, currency);
      if ('problem' in read) this.refuse(field, read.problem);
    }
  }
}

export type Field<T, Required extends boolean = boolean> = {
  readonly read: (value: JsonValue, field: string, reading: Reading) => T | undefined;
  readonly schema: JsonSchema;
  readonly required: Required;
};

export type Shape = Readonly<Record<string, Field<unknown>>>;
type RequiredNames<S extends Shape> = { [K in keyof S]: S[K]['required'] extends true ? K : never }[keyof S];

/** What a shape gives after reading: required members are there, the others may be absent. */
export type Read<S extends Shape> = {
  readonly [K in RequiredNames<S>]: Exclude<ReturnType<S[K]['read']>, undefined>;
} & { readonly [K in Exclude<keyof S, RequiredNames<S>>]?: Exclude<ReturnType<S[K]['read']>, undefined> };

/** Marks a field as required: its absence is 111011. */
export function required<T>(field: Field<T>): Field<T, true> {
  return { ...field, required: true };
}

/**
 * Reads the members of an object by its shape. `null` and `""` count as absent. Problems and unknown names go to
 * `reading`.
 */
export function readShape<S extends Shape>(
  shape: S,
  object: JsonObject,
  { reading, path = '' }: { readonly reading: Reading; readonly path?: string },
): Partial<Read<S>> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of object) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) {
      reading.ignored.push(path + name);
    } else if (value !== null && value !== '') {
      const taken = field.read(value, path + name, reading);
      if (taken !== undefined) read[name] = taken;
    }
  }
  for (const name of requiredNames(shape)) {
    const value = object.get(name);
    if (value === undefined || value === null || value === '')
      reading.refuse(path + name, 'is required', 'parameter_missing');
  }
  return read as Partial<Read<S>>;
}

/** Reads a query as `readShape` an object; a list is a name that stands there more than once. */
export function readQuery<S extends Shape>(shape: S, query: JsonObject, reading: Reading): Partial<Read<S>> {
  const last = [...query].map(([name, value]): [string, JsonValue] => {
    if (!Array.isArray(value)) return [name, value];
    if (Object.hasOwn(shape, name)) reading.refuse(name, 'stands in the query more than once: send it once');
    return [name, value.at(-1) ?? ''];
  });
  return readShape(shape, new Map(last), { reading });
}

const REQUIRED = new WeakMap<Shape, readonly string[]>();

function requiredNames(shape: Shape): readonly string[] {
  const known = REQUIRED.get(shape);
  if (known) return known;
  const names = Object.keys(shape).filter((name) => shape[name]?.required);
  REQUIRED.set(shape, names);
  return names;
}

/** The JSON Schema of a shape. Published; the reading above is what validates, and a test holds the two together. */
export function shapeSchema(shape: Shape, description?: string): JsonSchema {
  const names = requiredNames(shape);
  return {
    type: 'object',
    ...(description && { description }),
    properties: Object.fromEntries(
      Object.entries(shape).map(([name, { schema, required: is }]) => [name, is ? present(schema) : orEmpty(schema)]),
    ),
    ...(names.length > 0 && { required: names }),
  };
}

/** Of a field that must be there: `null` and `""` would count as absent. */
function present(schema: JsonSchema): JsonSchema {
  const { type, enum: values, pattern } = schema;
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : undefined;
  return {
    ...schema,
    ...(types && { type: types.length === 1 ? types[0] : types }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
    ...(types?.includes('string') === true && pattern === undefined && { minLength: 1 }),
  };
}

/** Of a field that may be absent: as `""`, too, which no format takes. */
function orEmpty({ format: _, ...schema }: JsonSchema): JsonSchema {
  const { enum: values, pattern } = schema;
  return {
    ...schema,
    ...(Array.isArray(values) && values.includes(null) && { enum: [...values.slice(0, -1), '', null] }),
    ...(typeof pattern === 'string' && { pattern: EMPTY_OR + pattern }),
  };
}

/** What stands before the pattern of a text that may be empty. */
export const EMPTY_OR = '^$|';

/** A list of objects of one shape. */
export function listOf<S extends Shape>(shape: S, max: number): Field<readonly Read<S>[], false> {
  const schema = { type: ['array', 'null'], maxItems: max, items: shapeSchema(shape) };
  return optional(schema, (value, name, reading) => {
    if (!Array.isArray(value)) return reading.refuse(name, 'must be a list');
    if (value.length > max) return reading.refuse(name, `has more than ${max} items`);
    return value.flatMap(
      (item: JsonValue, index) => readItem(shape, item, { reading, name: `${name}[${index}]` }) ?? [],
    );
  });
}

/** A list of 1 to `most` values of one field. */
export function someOf<T>(item: Field<T>, most: number): Field<readonly T[], false> {
  const schema = { type: 'array', items: item.schema, minItems: 1, maxItems: most };
  return optional(schema, (value, name, reading) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > most)
      return reading.refuse(name, `must be a list of 1 to ${most} values`);
    return value.flatMap((one: JsonValue, i) => {
      const read = item.read(one, `${name}[${i}]`, reading);
      // what is read may be a list itself
      return read === undefined ? [] : [read];
    });
  });
}

/** An object of a shape. */
export function objectOf<S extends Shape>(shape: S): Field<Read<S>, false> {
  const schema = { ...shapeSchema(shape), type: ['object', 'null'] };
  return optional(schema, (value, name, reading) => readItem(shape, value, { reading, name }));
}

type Item = { readonly reading: Reading; readonly name: string };

function readItem<S extends Shape>(shape: S, value: JsonValue, { reading, name }: Item): Read<S> | undefined {
  if (value instanceof Map) return readShape(shape, value, { reading, path: `${name}.` }) as Read<S>;
  return reading.refuse(name, 'must be an object');
}

const optional = <T>(schema: JsonSchema, read: Field<T>['read']): Field<T, false> => ({
  schema,
  read,
  required: false,
});
