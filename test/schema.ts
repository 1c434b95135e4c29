// A small validator for the part of JSON Schema that openapi.json uses. It is stricter than the published schemas: a
// member that is not described is a finding too, since callers are told to ignore such members but we are not.

type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with the value, as paths with a word on each; empty: nothing. */
export function findings(value: unknown, schema: Schema, document: Schema, path = '$'): readonly string[] {
  if (typeof schema['$ref'] === 'string') return findings(value, resolve(schema['$ref'], document), document, path);
  const { type, enum: values, pattern } = schema;
  if (Array.isArray(values)) return values.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}, not listed`];
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (!types.some((one) => is(value, one))) return [`${path} is ${JSON.stringify(value)}, not ${types.join(' or ')}`];
  if (typeof value === 'string' && typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value))
    return [`${path} does not match ${pattern}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    return isObject(items) ? value.flatMap((item, i) => findings(item, items, document, `${path}[${i}]`)) : [];
  }
  return isObject(value) && isObject(schema['properties']) ? memberFindings(value, schema, document, path) : [];
}

function memberFindings(value: Schema, schema: Schema, document: Schema, path: string): readonly string[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isObject(described)
        ? findings(member, described, document, `${path}.${name}`)
        : [`${path}.${name} is not described`];
    }),
  ];
}

/** The schema at a JSON pointer such as #/components/schemas/Order. */
export function resolve(pointer: string, document: Schema): Schema {
  const steps = pointer.replace(/^#\//, '').split('/');
  let here: unknown = document;
  for (const step of steps) here = isObject(here) ? here[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
  if (!isObject(here)) throw new Error(`there is nothing at ${pointer}`);
  return here;
}

function is(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
