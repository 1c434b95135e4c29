// PayPal's own specifications (shared/data/providers/paypal), closed: as published they take any member that they do
// not name.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const FOLDER = new URL('../../../shared/data/providers/paypal/', import.meta.url);
const FILES = {
  orders: 'checkout_orders_v2.trimmed.json',
  payments: 'payments_payment_v2.json',
  webhooks: 'notifications_webhooks_v1.trimmed.json',
} as const;
export const HERE = existsSync(new URL(FILES.orders, FOLDER));

type Node = { [name: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
export type Operation = {
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly requestBody?: { readonly content: Json };
  readonly responses: Readonly<Record<string, { readonly content?: Json; readonly $ref?: string }>>;
};
type Json = {
  readonly 'application/json': { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
    readonly parameters: Readonly<Record<string, Node>>;
  };
};

const BRANCHES = ['allOf', 'oneOf', 'anyOf'];

/**
 * Every place where a value stands takes what some branch of its schema names, and nothing else; a branch alone is not
 * closed. Lists of errors are left open: two branches each name a part of their members.
 */
function closing({ components }: Document) {
  const isObject = (node: Node): boolean => {
    const { $ref } = node;
    if (typeof $ref === 'string') return isObject(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    if (node['properties'] !== undefined) return true;
    return BRANCHES.some((name) => Array.isArray(node[name]) && node[name].some((one) => isNode(one) && isObject(one)));
  };
  const branch = (node: unknown): unknown => {
    if (!isNode(node)) return node;
    const entries = Object.entries(node).map(([name, value]) => {
      if (BRANCHES.includes(name) && Array.isArray(value)) return [name, value.map(branch)];
      if (name === 'properties' && isNode(value))
        return [
          name,
          Object.fromEntries(
            Object.entries(value).map(([key, one]) => [key, key === 'details' ? branch(one) : place(one)]),
          ),
        ];
      if (name === 'items') return [name, place(value)];
      return [name, value];
    });
    return Object.fromEntries(entries);
  };
  const place = (node: unknown): unknown => {
    if (!isNode(node)) return node;
    const done = branch(node) as Node;
    return isObject(node) ? { ...done, unevaluatedProperties: false } : done;
  };
  const error_items = (name: string, schema: Node): unknown =>
    /^error|^\d|-\d{3}$/.test(name) ? schema : branch(schema);
  return { place, error_items };
}

export type Specification = {
  readonly document: Document;
  /** What is wrong with a request, or with an answer to it; nothing, if it is as specified. */
  request(method: string, path: string, body: unknown): string[];
  headers(method: string, path: string, names: readonly string[]): string[];
  answer(asked: { readonly method: string; readonly path: string; readonly status: number }, body: unknown): string[];
  object(name: string, value: unknown): string[];
};

export function readSpecification(which: keyof typeof FILES): Specification {
  const document = JSON.parse(readFileSync(new URL(FILES[which], FOLDER), 'utf8')) as Document;
  const { place, error_items } = closing(document);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, unicodeRegExp: false });
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, one]) => [name, error_items(name, one)]),
  );
  ajv.addSchema({ components: { schemas } }, 'paypal');
  const made = new Map<string, ValidateFunction>();
  const check = (schema: Node, value: unknown): string[] => {
    const key = JSON.stringify(schema);
    const validate = made.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"paypal#/')) as Node);
    made.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  const operationOf = (method: string, path: string): Operation | undefined => {
    const known = Object.keys(document.paths).find((one) =>
      new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    return known === undefined ? undefined : document.paths[known]?.[method.toLowerCase()];
  };
  const schemaIn = (content: Json | undefined): Node | undefined =>
    (content?.['application/json'] as { schema?: Node } | undefined)?.schema;
  return {
    document,
    request(method, path, body) {
      const operation = operationOf(method, path);
      if (operation === undefined) return [`there is no ${method} ${path}`];
      const schema = schemaIn(operation.requestBody?.content);
      if (schema === undefined) return body === undefined ? [] : ['it has no body'];
      return check(place(schema) as Node, body);
    },
    headers(method, path, names) {
      const known = (operationOf(method, path)?.parameters ?? [])
        .map(({ $ref }) => document.components.parameters[$ref.split('/').at(-1) ?? ''])
        .filter((one) => one?.['in'] === 'header')
        .map((one) => String(one?.['name']).toLowerCase());
      return names.filter((name) => !known.includes(name)).map((name) => `${method} ${path} takes no ${name}`);
    },
    answer({ method, path, status }, body) {
      const response = operationOf(method, path)?.responses[status];
      if (response === undefined) return [`${method} ${path} is never answered ${status}`];
      const schema = schemaIn(response.content);
      if (schema === undefined) return [];
      // an error is as published: in parts that each name a part of it
      return check((status < 400 ? place(schema) : schema) as Node, body);
    },
    object: (name, value) => check(place({ $ref: `#/components/schemas/${name}` }) as Node, value),
  };
}

export type Example = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly value: unknown;
};

/** Of requests and, with their status, of answers. */
export function examplesOf({ document }: Specification): readonly Example[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const of = (content: Json | undefined, status: number | null) =>
        Object.entries(content?.['application/json']?.examples ?? {}).map(([name, { value }]) => ({
          name,
          method: method.toUpperCase(),
          path,
          status,
          value,
        }));
      const answers = Object.entries(responses).flatMap(([status, { content }]) => of(content, Number(status)));
      return [...of(requestBody?.content, null), ...answers];
    }),
  );
}

/** Every constant of a kind that the schemas of answers name. */
export function constantsOf({ document }: Specification, member: string): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    if (!isNode(node)) return;
    const schema = isNode(node['properties']) ? node['properties'][member] : undefined;
    if (isNode(schema) && Array.isArray(schema['enum'])) for (const one of schema['enum']) found.add(String(one));
    Object.values(node).forEach(walk);
  };
  walk(document.components.schemas);
  return found;
}
