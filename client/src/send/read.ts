// What came back for one try. Only what the API itself wrote counts: a proxy's page says nothing about a payment.
import { type FieldError, FlorinRefusal } from '../errors.ts';

export type Json = { readonly [name: string]: unknown };

export type Read =
  | { readonly kind: 'answered'; readonly body: Json }
  /** again: the same request may do better later. */
  | { readonly kind: 'refused'; readonly refusal: FlorinRefusal; readonly again: boolean }
  /** No answer of the API: it may have been done. */
  | { readonly kind: 'lost'; readonly cause: unknown };

export async function readAnswer(response: Response): Promise<Read> {
  const body = parse(await response.text());
  const result = recordOf(body['result']);
  const { status } = response;
  if (typeof result['code'] !== 'string')
    return { kind: 'lost', cause: new Error(`an answer with status ${status} that is not the payment API's`) };
  if (status === 200) return { kind: 'answered', body };
  const refusal = refusalOf(response, body, result['code']);
  // 500: the API itself does not know; a status of a gateway is a gateway's
  if (status >= 500 && status !== 503) return { kind: 'lost', cause: refusal };
  return { kind: 'refused', refusal, again: status === 429 || status === 503 };
}

function refusalOf(response: Response, body: Json, code: string): FlorinRefusal {
  const slug = textOf(body['type']).split('/').at(-1) ?? '';
  const wordOf = (name: string) => textOf(body[name]) || undefined;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new FlorinRefusal({
    status: response.status,
    code,
    slug,
    detail: textOf(body['detail']),
    request_id: textOf(body['instance']) || (response.headers.get('x-request-id') ?? ''),
    errors: (Array.isArray(body['errors']) ? body['errors'] : []).map(fieldOf),
    order_id: wordOf('order_id'),
    order_status: wordOf('order_status'),
    transaction_id: wordOf('transaction_id'),
    capture_id: wordOf('capture_id'),
    refund_id: wordOf('refund_id'),
    retry_after_seconds: Number.isFinite(after) ? Math.max(0, after) : undefined,
  });
}

function fieldOf(value: unknown): FieldError {
  const { field, code, message } = recordOf(value);
  return { field: textOf(field), code: textOf(code), message: textOf(message) };
}

function parse(text: string): Json {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    // no JSON: not the API's
    return {};
  }
}

export function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
