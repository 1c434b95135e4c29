// openapi.json (OpenAPI 3.1) out of the route tables: what validates is what is published.
import { REFUSALS, type RefusalName } from '../../../core/refusals.ts';
import { SCOPES } from '../../../core/keys/scopes.ts';
import { result } from '../../../core/results.ts';
import type { JsonSchema } from '../../../core/shape.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import type { Route } from '../route.ts';
import { exampleOf, hoist, propertiesOf } from '../schema.ts';

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
  | 'query'
  | 'answer'
  | 'refusals'
> & {
  /** Where the route is served, when not at the first server. */
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
const WITH_BODY: readonly RefusalName[] = [
  'parameter_missing',
  'body_too_large',
  'media_type_unknown',
  'idempotency_mismatch',
];

export type DescribedRefusal = {
  readonly name: RefusalName;
  readonly status: number;
  readonly slug: string;
  readonly code: string;
  readonly description: string;
};

/** Every way in which a route refuses, by status. */
export function refusalsOf(route: Described): readonly DescribedRefusal[] {
  const names = new Set([...EVERYWHERE, ...(route.body ? WITH_BODY : []), ...route.refusals]);
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
  routes: readonly Described[];
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
    servers: [{ url: options.base_url }],
    security: [{ api_key: [] }],
    tags: [...new Set(options.routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
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
    ...(route.server !== undefined && { servers: [{ url: route.server }] }),
    'x-key': route.key,
    ...(route.scope !== undefined && { 'x-scope': route.scope }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(route.query),
      ...REQUEST_HEADERS.filter((header) => route.method !== 'GET' || header.name === 'version'),
    ],
    ...(route.body && {
      requestBody: { required: true, content: { 'application/json': media(route.body, schemas) } },
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

function media(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const { examples: _, ...published } = hoist(schema, schemas);
  return { schema: published, example: exampleOf(schema) };
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

const TEXT = { type: 'string' };

const RESPONSE_HEADERS = {
  'x-request-id': {
    schema: TEXT,
    description: '24 hexadecimal characters, on every answer; give it when you ask for help',
  },
  version: { schema: TEXT, description: 'Contract version used' },
  'x-ignored-fields': { schema: TEXT, description: 'Names of request fields that are not known, joined by commas' },
  'idempotent-replayed': { schema: TEXT, description: 'true when an earlier answer is repeated' },
  'preference-applied': { schema: TEXT, description: 'The Prefer header that was honoured' },
  'retry-after': { schema: { type: 'integer' }, description: 'Seconds to wait before the request is sent again' },
};
const SUCCESS_HEADERS = ['x-request-id', 'version', 'x-ignored-fields', 'idempotent-replayed', 'preference-applied'];

const REQUEST_HEADERS = [
  {
    name: 'version',
    in: 'header',
    required: false,
    schema: TEXT,
    example: '2.3.0',
    description: 'Contract version, major 1 or 2; the newest when absent',
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    description: 'A text of your choice: repeats of this request under it have one effect and the same answer',
  },
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: TEXT,
    example: 'wait=10',
    description: 'wait=N waits up to N seconds (1 to 25) for the outcome of a payment; respond-async does not wait',
  },
];

function pathParameters(path: string) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name} of an earlier answer`,
    schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
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

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457 problem details',
  required: ['type', 'title', 'status', 'detail', 'instance', 'result'],
  properties: {
    type: { ...TEXT, format: 'uri', description: 'Page that explains the problem' },
    title: { ...TEXT, description: 'The problem, in words' },
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status' },
    detail: { ...TEXT, description: 'The reason of this case, and what to do; never repeats a value' },
    instance: { ...TEXT, description: 'The request id' },
    result: {
      type: 'object',
      required: ['code', 'description'],
      properties: {
        code: { ...TEXT, description: 'Code of the first entry of errors' },
        description: { ...TEXT, description: 'What the code means' },
      },
    },
    ...Object.fromEntries(
      ['order_id', 'transaction_id', 'capture_id', 'refund_id'].map((name) => [
        name,
        { ...TEXT, description: 'Where such an object exists' },
      ]),
    ),
    order_status: {
      ...TEXT,
      enum: Object.keys(ORDER_STATUSES),
      description: "The order's status, where there is an order",
    },
    errors: {
      type: 'array',
      description: 'Every problem of the fields at once, missing ones first',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { ...TEXT, description: 'Body path, query name, path parameter or header name' },
          code: TEXT,
          message: { ...TEXT, description: 'Completes the name of the field' },
        },
      },
    },
  },
};
