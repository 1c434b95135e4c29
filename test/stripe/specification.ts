// Stripe's own specification of version 2023-08-16 (shared/data/providers/stripe), closed at every depth: it says `no
// other members` at the top of a request only, and `card[cvv]` would pass.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

const FOLDER = new URL('../../../shared/data/providers/stripe/', import.meta.url);
const FILE = new URL('spec3.2023-08-16.trimmed.json', FOLDER);
export const HAS_SPECIFICATION = existsSync(FILE);

type Node = { [name: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `nullable` as JSON Schema says it; and no member that is not named. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isNode(value)) return value;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, closed(item)]));
  const open = rest['additionalProperties'] === undefined || rest['additionalProperties'] === true;
  const node: Node =
    rest['type'] === 'object' && isNode(rest['properties']) && open ? { ...rest, additionalProperties: false } : rest;
  if (nullable !== true) return node;
  return { anyOf: [node, { type: 'null' }] };
}

export type Specification = {
  /** What is wrong with a request, or with an answer to it; nothing, if it is as specified. */
  request(method: string, path: string, form: readonly (readonly [string, string])[]): string[];
  answer(method: string, path: string, status: number, body: unknown): string[];
  object(name: string, value: unknown): string[];
};

export function readSpecification(): Specification {
  const ajv = new Ajv({ strict: false, validateFormats: false, inlineRefs: false });
  const coercing = new Ajv({ strict: false, coerceTypes: 'array', validateFormats: false, inlineRefs: false });
  const document = closed(JSON.parse(readFileSync(FILE, 'utf8'))) as { paths: Record<string, Record<string, Node>> };
  for (const one of [ajv, coercing]) one.addSchema(document, 'stripe');
  const made = new Map<string, ValidateFunction>();
  const check = (one: Ajv, pointer: string, value: unknown): string[] => {
    const validate = made.get(pointer) ?? one.compile({ $ref: `stripe#${pointer}` });
    made.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    );
  };
  const template = (path: string): string | undefined =>
    Object.keys(document.paths).find((known) => new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
  const pointerOf = (path: string, method: string): string =>
    `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method.toLowerCase()}`;
  return {
    request(method, path, form) {
      const known = template(path);
      const operation = known === undefined ? undefined : document.paths[known]?.[method.toLowerCase()];
      if (known === undefined || operation === undefined) return [`there is no ${method} ${path}`];
      if (method !== 'GET')
        return check(
          coercing,
          `${pointerOf(known, method)}/requestBody/content/application~1x-www-form-urlencoded/schema`,
          nested(form),
        );
      const names = (operation['parameters'] as { name: string; in: string }[]).filter((one) => one.in === 'query');
      const odd = Object.keys(nested(form)).filter((name) => !names.some((one) => one.name === name));
      return odd.map((name) => `there is no parameter ${name}`);
    },
    answer(method, path, status, body) {
      const known = template(path);
      if (known === undefined) return [`there is no ${path}`];
      const response = status === 200 ? '200' : 'default';
      return check(ajv, `${pointerOf(known, method)}/responses/${response}/content/application~1json/schema`, body);
    },
    object: (name, value) => check(ajv, `/components/schemas/${name}`, value),
  };
}

/** `a[b]=1&c[]=2` as an object. */
function nested(form: readonly (readonly [string, string])[]): Node {
  const root: Node = {};
  for (const [key, value] of form) {
    const [first = '', ...inner] = key.split(/\[|\]\[|\]/).filter((part, i, all) => part !== '' || i < all.length - 1);
    const path = [first, ...inner];
    if (path.length === 2 && /^\d*$/.test(path[1] ?? '')) {
      root[first] = [...((root[first] as unknown[] | undefined) ?? []), value];
      continue;
    }
    let node = root;
    for (const name of path.slice(0, -1)) {
      const next = node[name];
      const below: Node = isNode(next) ? next : {};
      node[name] = below;
      node = below;
    }
    node[path.at(-1) ?? ''] = value;
  }
  return root;
}

export const sampleObjects = (): Record<string, Node> =>
  JSON.parse(readFileSync(new URL('fixtures3.2026-08-21.trimmed.json', FOLDER), 'utf8')) as Record<string, Node>;
