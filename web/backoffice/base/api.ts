// The one way to the server: JSON in, JSON out, the session's cookie, and the token that proves that a change was meant.
import type { Problem } from '../../../src/backoffice/wire.ts';
import { hearClocks } from './clock.ts';

/** What was understood of the answer: a server that is not ours may stand in between. */
type Told = Partial<Problem>;

/** What the server refused and why, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Told;

  constructor(status: number, problem: Told) {
    super(problem.detail ?? problem.title ?? (status === 0 ? UNREACHABLE : `The server answered ${status}.`));
    this.status = status;
    this.problem = problem;
  }
}

const UNREACHABLE = 'The server cannot be reached. Check your connection; nothing was changed by this.';

let csrf = '';
let loggedOut: () => void = () => undefined;

/** What the session's answer gave: sent with every change. */
export function keepCsrf(token: string): void {
  csrf = token;
}

/** Called when the server no longer knows the session. */
export function onLoggedOut(told: () => void): void {
  loggedOut = told;
}

/** What is asked so long after the last key or pointer was asked by the page itself: it must not keep a session awake. */
const BY_ITSELF_MS = 8000;
let touched = Date.now();
for (const event of ['pointerdown', 'pointermove', 'keydown', 'focus'])
  window.addEventListener(event, () => (touched = Date.now()), { passive: true });

export type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal;
  /** The same for every try of one change: it is done once. */
  readonly key?: string;
};

/** Calls `/api` + path. Throws ApiError for everything but a 2xx; a lost session leads to the login page. */
export async function api<T>(path: string, call: Call = {}): Promise<T> {
  const response = await send(path, call);
  if (response.ok) return read<T>(response);
  const refusal = await refusalOf(response);
  if (response.status === 401 && !path.startsWith('/session')) loggedOut();
  throw refusal;
}

/** Why an answer is none: as the server says it, when it does. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const problem = await read<Told>(response).catch((): Told => ({}));
  return new ApiError(response.status, problem ?? {});
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  const value: T = JSON.parse(text === '' ? 'null' : text);
  return value;
}

/** The answer itself, for what is streamed. Throws ApiError (status 0) when there is none. */
export async function send(path: string, { method = 'GET', body, query, signal, key }: Call): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-csrf-token'] = csrf;
  if (method === 'GET' && Date.now() - touched > BY_ITSELF_MS) headers['x-background'] = '1';
  if (key !== undefined) headers['idempotency-key'] = key;
  try {
    const response = await fetch(addressOf(path, query), {
      method,
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    hearClocks(response);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, {});
  }
}

function addressOf(path: string, query: Call['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
}
