// Makes a row of the request log. Everything that may not be shown is gone when it is made.
import { isId } from '../../core/ids.ts';
import type { Exchange } from '../../kit/egress.ts';
import type { Told } from '../../kit/http/front/told.ts';
import type { LogEntry } from '../log-entry.ts';
import type { Account } from '../merchant/account.ts';
import { originOf } from '../../kit/outside/place.ts';
import { maskedJson, quoted } from './mask.ts';
import { IN_ANSWER, IN_REFUSED, IN_REQUEST } from './shown.ts';

/** In characters. A read tells nothing that cannot be read again: its beginning says which and how it stood. */
const MOST_REQUEST = 1500;
const MOST_ANSWER = 1500;
const MOST_READ = 600;
const MOST_HEADER = 160;

const REQUEST_HEADERS = ['idempotency-key', 'prefer', 'version', 'origin', 'user-agent', 'content-type'] as const;
const ANSWER_HEADERS = ['x-ignored-fields', 'idempotent-replayed', 'preference-applied', 'retry-after'] as const;

export function entryOfRequest(told: Told<Account>, now: Date): LogEntry {
  const { caller, request_id, method, path, object, status, answer: body, ms } = told;
  const { params, query } = told.asked();
  // what was refused as unknown may be anything in the form of an id
  const known = status < 300;
  const sent = { ...filled('path', params), ...filled('query', query), ...(object.size > 0 && { body: object }) };
  return {
    merchant_account_id: caller.merchant_account_id,
    at: new Date(now.getTime() - ms),
    id: request_id,
    kind: 'request',
    key_id: caller.key_id,
    method,
    path,
    status,
    code: codeOf(body),
    duration_ms: Math.round(ms),
    order_id: idIn(body, 'order_id') ?? (known || status === 409 || status === 422 ? idIn(params, 'order_id') : null),
    headers: headersOf(told),
    request: maskedJson(sent, known ? IN_REQUEST : IN_REFUSED, MOST_REQUEST),
    answer: maskedJson(body, IN_ANSWER, method === 'GET' && known ? MOST_READ : MOST_ANSWER),
  };
}

export type Tried = {
  readonly merchant_account_id: string;
  readonly id: string;
  readonly endpoint_id: string;
  readonly order_id: string | null;
  readonly url: string;
  readonly body: string;
  readonly exchange: Exchange;
  readonly ms: number;
};

/**
 * The entry of a notification. Of the receiver's answer only the status and the length of the text are stored: the text
 * is the receiver's own.
 */
export function entryOfNotification({ exchange, body, url, ms, ...of }: Tried, now: Date): LogEntry {
  const answered = exchange.kind === 'answered';
  const why = exchange.kind === 'unknown' ? exchange.why : exchange.kind;
  const answer = answered ? `(text of ${exchange.body.length})` : `no answer: ${why.replace('_', ' ')}`;
  return {
    merchant_account_id: of.merchant_account_id,
    at: new Date(now.getTime() - ms),
    id: of.id,
    kind: 'notification',
    key_id: null,
    method: 'POST',
    path: quoted(originOf(url), MOST_HEADER).slice(1, -1),
    status: answered ? exchange.status : null,
    code: null,
    duration_ms: Math.round(ms),
    order_id: of.order_id,
    headers: JSON.stringify({ endpoint_id: of.endpoint_id }),
    request: maskedJson({ body: parsed(body) }, IN_ANSWER, MOST_REQUEST),
    answer: JSON.stringify(answer),
  };
}

function headersOf({ headers, answerHeader }: Told<Account>): string {
  const texts: string[] = [];
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string' && value !== '') texts.push(`"${name}":${quoted(value, MOST_HEADER)}`);
  };
  for (const name of REQUEST_HEADERS) add(name, headers[name]);
  for (const name of ANSWER_HEADERS) add(name, answerHeader(name));
  return `{${texts.join(',')}}`;
}

function filled(name: string, members: Readonly<Record<string, string>>) {
  for (const _ in members) return { [name]: members };
  return {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function codeOf(body: unknown): string | null {
  const found = member(member(body, 'result'), 'code');
  return typeof found === 'string' && /^\d{6,7}$/.test(found) ? found : null;
}

function idIn(body: unknown, name: string): string | null {
  const found = member(body, name);
  return typeof found === 'string' && isId(found) ? found : null;
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
