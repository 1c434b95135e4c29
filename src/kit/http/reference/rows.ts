// A schema in words: one row a field, as the pages of the reference show it.
import { WEB_ADDRESS } from '../../../core/fields.ts';
import { EMPTY_OR, type JsonSchema } from '../../../core/shape.ts';
import { isSchema, propertiesOf, requiredOf } from '../schema.ts';

export type FieldRow = {
  readonly name: string;
  readonly required: boolean;
  /** Type and bounds, in words. */
  readonly type: string;
  /** The values it may have, where they are listed. */
  readonly values: readonly string[];
  readonly meaning: string;
  readonly group: string;
  /** Rows of the members, for an object or a list of objects. */
  readonly inner: readonly FieldRow[];
};

/** A request takes null and "" for everything that may be absent; an answer says where null may be. */
export type Side = 'request' | 'answer';

export function fieldRows(schema: JsonSchema, side: Side): readonly FieldRow[] {
  const wanted = requiredOf(schema);
  return Object.entries(propertiesOf(schema)).map(([name, field]) => ({
    name,
    required: wanted.has(name),
    type: typeWords(field, side),
    values: valuesOf(field, side),
    meaning: words(field['description']),
    group: words(field['x-group']),
    inner: fieldRows(isSchema(field['items']) ? field['items'] : field, side),
  }));
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function valuesOf({ enum: values }: JsonSchema, side: Side): readonly string[] {
  if (!Array.isArray(values) || values.includes(true)) return [];
  const texts = values.filter((value) => typeof value === 'string');
  return texts.filter((value) => value !== '' || side === 'answer').map((value) => (value === '' ? '""' : value));
}

function typeWords(schema: JsonSchema, side: Side): string {
  const { type, enum: values } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const null_allowed = types.includes('null') || (Array.isArray(values) && values.includes(null));
  const plain = Array.isArray(values)
    ? values.includes(true)
      ? 'true or false'
      : 'one of'
    : [kindOf(schema, types), suchAs(schema, side), ...boundsOf(schema)].filter(Boolean).join(', ');
  return side === 'answer' && null_allowed && types[0] !== 'null' ? `${plain}, or null` : plain;
}

/** A request field whose form is in no other word is shown by its example. */
function suchAs({ type, examples, pattern, format }: JsonSchema, side: Side): string {
  const text = side === 'request' && Array.isArray(type) && type[0] === 'string' && !pattern && !format;
  return text && Array.isArray(examples) && typeof examples[0] === 'string' ? `such as ${examples[0]}` : '';
}

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'web address',
  'date-time': 'ISO 8601 time',
  uuid: 'UUID',
};
const PATTERNS: Readonly<Record<string, string>> = {
  '^[0-9a-f]{24}$': '24 hexadecimal characters',
  '^[0-9a-f]{64}$': '64 hexadecimal characters',
  '^[A-Za-z]{2}$': 'two letters',
  '^[A-Za-z]{3}$': 'three letters',
  [WEB_ADDRESS]: 'web address',
};

function kindOf(schema: JsonSchema, types: readonly unknown[]): string {
  const [first] = types;
  if (first === 'object') return types.includes('array') ? 'object or list' : 'object';
  if (first === 'array') return isSchema(schema['items']) && schema['items']['properties'] ? 'list of objects' : 'list';
  if (first === 'number') return types.includes('string') ? amountWord(schema) : 'number';
  if (first === 'integer') return 'whole number';
  if (first === 'boolean') return 'true or false';
  if (first === 'null') return 'null';
  if (types.includes('boolean')) return 'text, number or boolean';
  return FORMATS[words(schema['format'])] ?? PATTERNS[words(schema['pattern']).replace(EMPTY_OR, '')] ?? 'text';
}

function amountWord(schema: JsonSchema): string {
  if (schema['exclusiveMinimum'] === 0) return 'amount above 0, as a number or decimal text';
  return schema['minimum'] === 0 ? 'amount, 0 allowed, as a number or decimal text' : 'number or ""';
}

function boundsOf({ maxLength, minimum, maximum, maxItems }: JsonSchema): readonly string[] {
  return [
    typeof maxLength === 'number' ? `at most ${maxLength} characters` : '',
    typeof minimum === 'number' && typeof maximum === 'number' ? `${minimum} to ${maximum}` : '',
    typeof maxItems === 'number' ? `at most ${maxItems}` : '',
  ].filter(Boolean);
}
