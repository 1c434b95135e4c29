// Words for describing answers in JSON Schema, and what is made from such descriptions: examples, and named components.
// Every leaf carries an example, so that the example of a whole answer is put together from the same table.
import { type ResultName, result } from '../../core/results.ts';
import type { JsonSchema } from '../../core/shape.ts';

export type Members = Readonly<Record<string, JsonSchema>>;

const say =
  (type: string | readonly string[]) =>
  (description: string, example: unknown): JsonSchema => ({ type, description, examples: [example] });

export const text = say('string');
export const textOrNull = say(['string', 'null']);
export const number = say('number');
export const integer = say('integer');
/** compatibility: an amount where there is one, else "" (contract 7.2). */
export const amountOrEmpty = say(['number', 'string']);

export function flag(description: string, example = false): JsonSchema {
  return say('boolean')(description, example);
}

export function id(description: string, example = '66bf18d25d1c9a0e47b2f317'): JsonSchema {
  return { ...text(description, example), pattern: '^[0-9a-f]{24}$' };
}

/** Long textual date of contract 2.11, null while there is none. */
export function longDate(description: string, example: string | null = null): JsonSchema {
  return textOrNull(`${description}; a long textual date, null while there is none`, example);
}

/** ISO 8601 UTC with milliseconds. */
export function isoDate(description: string, example = '2024-08-16T09:16:02.118Z'): JsonSchema {
  return { ...text(description, example), format: 'date-time' };
}

export function isoDateOrNull(description: string, example: string | null = '2024-08-16T09:16:02.118Z'): JsonSchema {
  return { ...textOrNull(description, example), format: 'date-time' };
}

export function word(
  description: string,
  values: readonly (string | null)[],
  example: string | null = values[0] ?? null,
) {
  return { enum: values, description, examples: [example] };
}

export function list(description: string, items: JsonSchema, example?: readonly unknown[]): JsonSchema {
  return { type: 'array', description, items, ...(example && { examples: [example] }) };
}

type About = { readonly title?: string; readonly description?: string; readonly optional?: Members };

/** An object of an answer: every member is always there, but for the optional ones. */
export function object(members: Members, { title, description, optional = {} }: About = {}): JsonSchema {
  return {
    ...(title !== undefined && { title }),
    type: 'object',
    ...(description !== undefined && { description }),
    required: Object.keys(members),
    properties: { ...members, ...optional },
  };
}

const RESULT = object(
  {
    code: { type: 'string', description: 'Result code: compare it as a text; docs/codes.md lists all' },
    description: { type: 'string', description: 'What the code means, in words; test the code only' },
  },
  { title: 'Result' },
);

/** The `result` member, with this result as its example. */
export function resultOf(name: ResultName): JsonSchema {
  return { ...RESULT, examples: [result(name)] };
}

/** The schema with the example made of its members, and `more` members in it. */
export function withExample(schema: JsonSchema, more: Readonly<Record<string, unknown>>): JsonSchema {
  return { ...schema, examples: [Object.assign({}, exampleOf(schema), more)] };
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function propertiesOf(schema: JsonSchema): Members {
  const properties = schema['properties'];
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])),
  );
}

/** The names that must be there. */
export function requiredOf(schema: JsonSchema): ReadonlySet<unknown> {
  return new Set(Array.isArray(schema['required']) ? schema['required'] : []);
}

/** The example a schema carries, or one put together from those of its required members. */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, type, items } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (type === 'array' && isSchema(items)) return [exampleOf(items)];
  const wanted = requiredOf(schema);
  const members = Object.entries(propertiesOf(schema)).filter(([name]) => wanted.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member)]));
}

/** The meanings of request fields, by name; a schema instead of a text replaces the field's own schema. */
export type Notes = Readonly<Record<string, string | JsonSchema>>;

/** The schema of a request with the meaning of each field, grouped as the notes are. `about` goes on top. */
export function withNotes(schema: JsonSchema, groups: Readonly<Record<string, Notes>>, about: JsonSchema): JsonSchema {
  const described = new Map(
    Object.entries(groups).flatMap(([group, notes]) =>
      Object.entries(notes).map(([name, note]): [string, JsonSchema] => [
        name,
        { ...(typeof note === 'string' ? { description: note } : note), 'x-group': group },
      ]),
    ),
  );
  const own = propertiesOf(schema);
  // in the order of the notes, the rest behind
  const names = [...described.keys()].filter((name) => Object.hasOwn(own, name));
  const rest = Object.keys(own).filter((name) => !described.has(name));
  const properties = [...names, ...rest].map((name) => {
    const note = described.get(name);
    return [name, note?.['type'] === undefined ? { ...own[name], ...note } : note];
  });
  return { ...schema, properties: Object.fromEntries(properties), ...about };
}

/** Replaces every schema with a title by a reference, and puts it into `components` under that title. */
function hoist(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const { title, examples, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoistKey(key, value, components)]));
  if (typeof title !== 'string') return { ...own, ...(examples !== undefined && { examples }) };
  components[title] = own;
  return { $ref: `#/components/schemas/${title}`, ...(examples !== undefined && { examples }) };
}

function hoistKey(key: string, value: unknown, components: Record<string, JsonSchema>): unknown {
  if (!isSchema(value)) return value;
  if (key === 'items') return hoist(value, components);
  if (key !== 'properties') return value;
  const members = Object.entries(propertiesOf({ properties: value }));
  return Object.fromEntries(members.map(([name, member]) => [name, hoist(member, components)]));
}

/**
 * Gives the request of a route the meanings of its fields, a name and an example: for the reference, not for
 * validation.
 */
export function noted(groups: Readonly<Record<string, Notes>>, title: string, example: object) {
  return <R extends { readonly body: JsonSchema | undefined }>(route: R): R => ({
    ...route,
    body: route.body && withNotes(route.body, groups, { title, examples: [example] }),
  });
}

/** A body in openapi.json: the schema by its name, and one example. */
export function media(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const { examples: _, ...published } = hoist(schema, schemas);
  return { schema: published, example: exampleOf(schema) };
}
