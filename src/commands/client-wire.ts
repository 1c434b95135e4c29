// Generates the base of the client library (client/) from the tables that validation and reference use: the types of
// every request and answer, the routes, the names of the result codes, the decimals of currencies. `florin docs` writes
// it.
import { CURRENCIES } from '../core/money.ts';
import type { JsonSchema } from '../core/shape.ts';
import { RESULTS } from '../core/results.ts';
import { EVENTS } from '../payment/notification/events.ts';

type Json = Readonly<Record<string, unknown>>;
type Way = 'request' | 'answer';
type Operation = {
  readonly operation_id: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Json[];
  /** The name of the schema of its request. */
  readonly body: string;
  readonly at_vault: boolean;
};

const HEAD = '// Written by `npm run docs` from the tables in src; not to be edited.\n';
const AMOUNT = /(?:^|_)(?:amount|price|tax|commission)(?:_|$)/;

/** The files of client/src/wire: name and text. */
export function clientWire(document: Json): Readonly<Record<string, string>> {
  const operations = operationsOf(document);
  return { 'schemas.ts': schemas(document, operations), 'routes.ts': routes(operations), 'codes.ts': codes() };
}

function routes(operations: readonly Operation[]): string {
  const table = (name: string, at_vault: boolean) => {
    const rows = operations
      .filter((operation) => operation.at_vault === at_vault)
      .map(({ operation_id, method, path }) => `  ${operation_id}: ['${method}', '${path}'],`);
    return `export const ${name} = {\n${rows.join('\n')}\n} as const;\n`;
  };
  return `${HEAD}
/** Every route of the payment API that a merchant calls, by the name it has in openapi.json. */
${table('ROUTES', false)}
export type RouteName = keyof typeof ROUTES;

/** Those of the vault: apart, so that a server which only pays has no way to it. */
${table('VAULT_ROUTES', true)}`;
}

function codes(): string {
  const rows = RESULTS.map(({ code, name, description }) => `  // ${description}\n  '${code}': '${name}',`);
  const decimals = Map.groupBy([...CURRENCIES.keys()].toSorted(), (code) => CURRENCIES.get(code));
  const currencies = [...decimals]
    .toSorted(([a = 0], [b = 0]) => a - b)
    .map(([count, names]) => `  ${count}: '${names.join(' ')}',`);
  return `${HEAD}/** Every result code that this version of the client knows, and its name. */\nexport const CODES = {\n${rows.join('\n')}\n} as const;\n\nexport type ResultName = (typeof CODES)[keyof typeof CODES];\n\n/** Currencies by the number of their decimals (ISO 4217). */\nexport const DECIMALS: Readonly<Record<number, string>> = {\n${currencies.join('\n')}\n};\n`;
}

function schemas(document: Json, operations: readonly Operation[]): string {
  const named = recordOf(recordOf(document['components'])['schemas']);
  const types = Object.entries(named)
    .filter(([name]) => !/^(?:Provider|Authentication)EventAnswer$/.test(name))
    .map(([name, schema]) => {
      const way = operations.some(({ body }) => body === name) ? 'request' : 'answer';
      return `${comment(recordOf(schema), '')}export type ${name} = ${typeOf(recordOf(schema), way)};\n`;
    });
  const filters = operations
    .filter(({ query }) => query.length > 0)
    .map(({ operation_id, query }) => {
      const members = query.map((parameter) => [textOf(parameter['name']), recordOf(parameter['schema'])] as const);
      const text = membersOf(Object.fromEntries(members), { way: 'request', required: [], indent: '' });
      return `/** What ${operation_id} may be asked for. */\nexport type ${operation_id.charAt(0).toUpperCase()}${operation_id.slice(1)}Query = ${text};\n`;
    });
  const events = EVENTS.map((event) => `  | '${event}'`).join('\n');
  return `${HEAD}import type { Amount, Money } from '../money.ts';\n\n/** A word of a list that may grow: new ones may come in any release. */\nexport type Open<Word extends string> = Word | (string & {});\n\n/** Every event of a notification. */\nexport type EventName =\n${events};\n\n${[...types, ...filters].join('\n')}`;
}

function typeOf(schema: JsonSchema, way: Way, place = { name: '', indent: '' }): string {
  const reference = textOf(schema['$ref']).split('/').at(-1) ?? '';
  if (reference !== '') return reference;
  const words = schema['enum'];
  if (Array.isArray(words)) return wordsOf(words, way);
  const kinds = [schema['type']].flat().map(textOf);
  if (AMOUNT.test(place.name) && kinds.includes('number')) {
    const empty = kinds.includes('string') ? " | ''" : kinds.includes('null') ? ' | null' : '';
    return way === 'request' ? 'Amount' : `Money${empty}`;
  }
  const known = kinds.filter((kind) => !(way === 'request' && kind === 'null'));
  // an integer that may also be a text, or a text that may also be an integer: one type is enough
  const one = known.includes('integer') && known.includes('string') ? [ofTwo(schema)] : known;
  return [...new Set(one.map((kind) => ofKind(kind, { schema, way, indent: place.indent })))].join(' | ');
}

function ofTwo(schema: JsonSchema): string {
  return textOf([schema['type']].flat()[0]) === 'integer' ? 'integer' : 'string';
}

function wordsOf(words: readonly unknown[], way: Way): string {
  const texts = words.filter((word) => typeof word === 'string').filter((word) => word !== '' || way === 'answer');
  if (words.includes(true)) return 'boolean';
  const listed = texts.map((word) => `'${word}'`).join(' | ');
  if (way === 'request') return listed;
  return `Open<${listed}>${words.includes(null) ? ' | null' : ''}`;
}

type At = { readonly schema: JsonSchema; readonly way: Way; readonly indent: string };

function ofKind(kind: string, { schema, way, indent }: At): string {
  if (kind === 'integer' || kind === 'number') return 'number';
  if (kind === 'array') {
    const items =
      schema['items'] === undefined ? 'unknown' : typeOf(recordOf(schema['items']), way, { name: '', indent });
    return /^\w+$/.test(items) ? `readonly ${items}[]` : `ReadonlyArray<${items}>`;
  }
  if (kind !== 'object') return kind === '' ? 'unknown' : kind;
  if (schema['properties'] === undefined) return 'Readonly<Record<string, unknown>>';
  const required = schema['required'];
  return membersOf(recordOf(schema['properties']), { way, required: Array.isArray(required) ? required : [], indent });
}

type Around = { readonly way: Way; readonly required: readonly unknown[]; readonly indent: string };

function membersOf(properties: Json, { way, required, indent }: Around): string {
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([name, value]) => {
    const schema = recordOf(value);
    const type = typeOf(schema, way, { name, indent: deeper });
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    const optional = required.includes(name) ? '' : '?';
    const none = optional === '' ? '' : way === 'request' ? ' | null | undefined' : ' | undefined';
    return `${comment(schema, deeper)}${deeper}readonly ${key}${optional}: ${type}${none};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function comment(schema: Json, indent: string): string {
  const text = textOf(schema['description']).replaceAll('*/', '* /');
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}

function operationsOf(document: Json): readonly Operation[] {
  return Object.entries(recordOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(recordOf(methods)).flatMap(([method, value]) => {
      const operation = recordOf(value);
      const parameters = Array.isArray(operation['parameters']) ? operation['parameters'].map(recordOf) : [];
      // routes without a key of the account are called by providers, not by clients
      if (operation['deprecated'] === true || operation['x-scope'] === undefined) return [];
      const query = parameters.filter((parameter) => parameter['in'] === 'query');
      const operation_id = textOf(operation['operationId']);
      const content = recordOf(recordOf(operation['requestBody'])['content']);
      const schema = recordOf(recordOf(content['application/json'])['schema']);
      const body = textOf(schema['$ref']).split('/').at(-1) ?? '';
      const at_vault = operation['servers'] !== undefined;
      return [{ operation_id, method: method.toUpperCase(), path, query, body, at_vault }];
    }),
  );
}

function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
