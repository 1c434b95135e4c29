// openapi.json (OpenAPI 3.1) out of the route tables: what validates is what is published.
import { REFUSALS, type RefusalName } from '../../../core/refusals.ts';
import { SCOPES } from '../../../core/keys/scopes.ts';
import { result } from '../../../core/results.ts';
import type { JsonSchema } from '../../../core/shape.ts';
import type { Route } from '../route.ts';
import { media, propertiesOf } from '../schema.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS, SUCCESS_HEADERS } from './headers.ts';
import { PROBLEM } from './problem.ts';
import { type Told, webhooksOf } from './webhooks.ts';

export type Described = Pick<
  Route<never>,
  | 'method'
  | 'path'
  | 'aliases'
  | 'operation_id'
  | 'summary'
  | 'tag'
  | 'key'
  | 'scope'
  | 'body'
  | 'bodiless'
  | 'query'
  | 'answer'
  | 'refusals'
> & {
  /** The server of the route, if it is not the first one. */
  readonly server?: string;
};

/** Refusals that any keyed route may give. */
const EVERYWHERE: readonly RefusalName[] = [
  'parameter_invalid',
  'key_missing',
  'key_invalid',
  'key_forbidden',
  'rate_limited',
  'outcome_unknown',
  'unavailable',
];
/** And any route that writes, also one without fields: what it gets is read all the same. */
const WRITES: readonly RefusalName[] = ['body_too_large', 'media_type_unknown', 'idempotency_mismatch'];
const WITH_BODY: readonly RefusalName[] = ['parameter_missing'];

export type DescribedRefusal = {
  readonly name: RefusalName;
  readonly status: number;
  readonly slug: string;
  readonly code: string;
  readonly description: string;
};

/** Every way in which a route refuses, by status. */
export function refusalsOf(route: Described): readonly DescribedRefusal[] {
  const names = new Set([
    ...EVERYWHERE,
    ...(route.method === 'GET' ? [] : WRITES),
    ...(route.body ? WITH_BODY : []),
    ...route.refusals,
  ]);
  return [...names]
    .map((name) => ({
      name,
      status: REFUSALS[name].status,
      slug: REFUSALS[name].slug,
      ...result(REFUSALS[name].result),
    }))
    .toSorted((a, b) => a.status - b.status);
}

export function openApi(options: {
  title: string;
  version: string;
  base_url: string;
  /** The brand that names the headers of notifications. */
  brand: string;
  routes: readonly Described[];
  told: readonly Told[];
}): JsonSchema {
  const schemas: Record<string, JsonSchema> = { Problem: PROBLEM };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of options.routes)
    for (const path of [route.path, ...route.aliases]) {
      const name = wirePath(path);
      paths[name] = { ...paths[name], [route.method.toLowerCase()]: operation(route, path, schemas) };
    }
  return {
    openapi: '3.1.1',
    info: {
      title: options.title,
      version: options.version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.base_url, description: 'The payment API' }],
    security: [{ api_key: [] }],
    tags: [...new Set(options.routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: webhooksOf(options.told, { brand: options.brand, schemas }),
    components: {
      securitySchemes: {
        api_key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: API_KEY },
      },
      headers: RESPONSE_HEADERS,
      schemas,
    },
  };
}

const API_KEY = `A private or a public key. A private key may be made with some scopes only; a route whose x-scope it does not have is refused with 403, forbidden-key. ${Object.entries(
  SCOPES,
)
  .map(([name, meaning]) => `${name}: ${meaning}`)
  .join('; ')}`;

/** The path as callers write it: `{order_id}` for `:order_id`. */
export function wirePath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

const DESCRIPTION =
  'A card payment API. Amounts are in major units. `null` and `""` count as absent in requests. Unknown fields are ignored and named in x-ignored-fields. Every error is application/problem+json. Answers may gain members: ignore what you do not know.';

function operation(route: Described, path: string, schemas: Record<string, JsonSchema>): JsonSchema {
  const alias = path !== route.path;
  return {
    operationId: alias ? `${route.operation_id}Alias` : route.operation_id,
    summary: route.summary,
    ...(alias && { description: `Another path of ${wirePath(route.path)}`, deprecated: true }),
    tags: [route.tag],
    ...(route.server !== undefined && { servers: [{ url: route.server, description: 'The vault' }] }),
    // a message of a provider is signed by it, and needs no key
    ...(route.key === 'none' && { security: [] }),
    'x-key': route.key,
    ...(route.scope !== undefined && { 'x-scope': route.scope }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(route.query),
      ...REQUEST_HEADERS.filter((header) => route.method !== 'GET' || header.name === 'version'),
    ],
    ...(route.body && {
      requestBody: { required: route.bodiless !== true, content: { 'application/json': media(route.body, schemas) } },
    }),
    responses: {
      200: {
        description: 'Understood and decided, or accepted: read result.code',
        headers: headersOf(SUCCESS_HEADERS),
        content: { 'application/json': media(route.answer, schemas) },
      },
      ...refusedResponses(route),
    },
  };
}

function refusedResponses(route: Described): JsonSchema {
  const by_status = Map.groupBy(refusalsOf(route), (refusal) => refusal.status);
  return Object.fromEntries(
    [...by_status].map(([status, refusals]) => [
      status,
      {
        description: refusals.map(({ slug, code, description }) => `${slug}: ${code} ${description}`).join('; '),
        headers: headersOf(['x-request-id', ...(status === 429 || status === 503 ? ['retry-after'] : [])]),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function headersOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Parts of paths that are no ids of ours: they may be any text. */
const NAMES: Readonly<Record<string, string>> = {
  customer_id: 'Your own id of the customer, percent-encoded',
  provider: 'Name of the provider',
  server: 'Name of the 3-D Secure server',
};

/** What each part of the path means that callers fill in. */
export function pathParts(path: string): readonly { name: string; description: string }[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    description: NAMES[name] ?? `The ${name} of an earlier answer`,
  }));
}

function pathParameters(path: string) {
  return pathParts(path).map(({ name, description }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', ...(!(name in NAMES) && { pattern: '^[0-9a-f]{24}$' }) },
  }));
}

function queryParameters(query: JsonSchema | undefined) {
  return Object.entries(propertiesOf(query ?? {})).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}
