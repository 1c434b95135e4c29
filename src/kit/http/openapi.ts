// openapi.json (OpenAPI 3.1) out of the route tables: what validates is what is published.
import type { JsonSchema } from '../../core/shape.ts';
import { REFUSALS, type RefusalName } from '../../core/refusals.ts';
import type { Route } from './route.ts';

export type Described = Pick<
  Route<never>,
  'method' | 'path' | 'aliases' | 'operation_id' | 'summary' | 'tag' | 'key' | 'body' | 'query' | 'answer' | 'refusals'
> & {
  /** Where the route is served, when not at the first server. */
  readonly server?: string;
};

/** Refusals that any keyed route may give. */
const EVERYWHERE: readonly RefusalName[] = [
  'parameter_missing',
  'parameter_invalid',
  'key_missing',
  'key_invalid',
  'key_forbidden',
  'rate_limited',
  'outcome_unknown',
  'unavailable',
];
const WITH_BODY: readonly RefusalName[] = ['body_too_large', 'media_type_unknown', 'idempotency_mismatch'];

export function openApi(options: {
  title: string;
  version: string;
  base_url: string;
  routes: readonly Described[];
}): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of options.routes)
    for (const path of [route.path, ...route.aliases]) {
      const name = path.replace(/:(\w+)/g, '{$1}');
      paths[name] = { ...paths[name], [route.method.toLowerCase()]: operation(route, path) };
    }
  return {
    openapi: '3.1.1',
    info: {
      title: options.title,
      version: options.version,
      description:
        'A card payment API. Amounts are major units; unknown fields are ignored and named in x-ignored-fields; every error is application/problem+json.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.base_url }],
    security: [{ api_key: [] }],
    tags: [...new Set(options.routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { api_key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas: { Problem: PROBLEM },
    },
  };
}

function operation(route: Described, path: string): JsonSchema {
  const refusals = [...EVERYWHERE, ...(route.method === 'GET' ? [] : WITH_BODY), ...route.refusals];
  const statuses = new Map<number, string[]>();
  for (const name of refusals) {
    const { status, slug } = REFUSALS[name];
    statuses.set(status, [...(statuses.get(status) ?? []), slug]);
  }
  const alias = path !== route.path;
  return {
    operationId: alias ? `${route.operation_id}Alias` : route.operation_id,
    summary: route.summary,
    tags: [route.tag],
    ...(alias && { deprecated: true }),
    ...(route.server !== undefined && { servers: [{ url: route.server }] }),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(route.query),
      ...HEADERS.filter((header) => route.method !== 'GET' || header.name === 'version'),
    ],
    ...(route.body && { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
    responses: {
      200: {
        description: 'Understood and decided, or accepted; read result.code',
        content: { 'application/json': { schema: route.answer } },
      },
      ...Object.fromEntries(
        [...statuses]
          .toSorted(([a], [b]) => a - b)
          .map(([status, slugs]) => [
            status,
            {
              description: [...new Set(slugs)].join(', '),
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          ]),
      ),
    },
  };
}

const HEADERS = [
  {
    name: 'version',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Contract version, such as 2.3.0',
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 255 },
    description: 'Repeats of this request have one effect',
  },
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'wait=N (1 to 25 seconds) or respond-async',
  },
];

function pathParameters(path: string) {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  }));
}

function queryParameters(query: JsonSchema | undefined) {
  const properties = query?.['properties'];
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schema as JsonSchema,
  }));
}

const TEXT = { type: 'string' };
const PROBLEM = {
  type: 'object',
  description: 'RFC 9457 problem details',
  required: ['type', 'title', 'status', 'detail', 'instance', 'result'],
  properties: {
    type: TEXT,
    title: TEXT,
    status: { type: 'integer' },
    detail: TEXT,
    instance: { ...TEXT, description: 'the request id' },
    result: { type: 'object', required: ['code', 'description'], properties: { code: TEXT, description: TEXT } },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: TEXT, code: TEXT, message: TEXT },
      },
    },
  },
};
