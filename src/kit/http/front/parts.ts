// The parts of a request that routes are asked with: headers, path, query and body.
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { JsonProblem, type JsonObject, parseJson } from '../../../core/json.ts';
import { Refusal } from '../../../core/refusals.ts';

export const endsEmpty = (request: FastifyRequest) => Object.values(paramsOf(request)).includes('');

export const EMPTY: JsonObject = new Map();
export const NO_BODY = Buffer.alloc(0);

export function readObject(raw: Buffer): JsonObject {
  if (raw.length === 0) return EMPTY;
  if (!isUtf8(raw)) throw new Refusal('parameter_invalid', { detail: 'the body is not UTF-8' });
  try {
    const value = parseJson(raw.toString('utf8'));
    if (value instanceof Map) return value;
    // so PHP writes a request without fields
    if (Array.isArray(value) && value.length === 0) return EMPTY;
  } catch (error) {
    if (error instanceof JsonProblem) throw new Refusal('parameter_invalid', { detail: error.message });
    throw error;
  }
  throw new Refusal('parameter_invalid', { detail: 'the body must be a JSON object' });
}

export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The headers that a route wants to see. */
export function shownHeaders(
  { headers = [] }: { readonly headers?: readonly string[] },
  request: FastifyRequest,
): Readonly<Record<string, string | undefined>> {
  const shown: Record<string, string | undefined> = { origin: header(request, 'origin') };
  for (const name of headers) shown[name] = header(request, name);
  return shown;
}

export function paramsOf(request: FastifyRequest): Readonly<Record<string, string>> {
  return textsOf(request.params);
}

/** A list: the name stands there more than once. */
export function queryOf(request: FastifyRequest): JsonObject {
  return new Map(
    membersOf(request.query).map(([name, item]) => [name, Array.isArray(item) ? item.map(String) : String(item)]),
  );
}

/** Of what stands more than once all, with commas between. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(membersOf(value).map(([name, item]) => [name, String(item)]));
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
