// All calls to the server go through this file: JSON in, JSON out, the session's cookie, and the token that protects
// changes against forged requests.
import type { Problem } from '../../../src/backoffice/wire.ts';
import type { AnswerOf, RouteName, SentTo } from '../../../src/backoffice/wire/routes.ts';
import { hearClocks } from './clock.ts';
import { t } from './texts.ts';

/** All members are optional, because the answer may come from a server between us and the browser. */
type Told = Partial<Problem>;

/** The server's refusal with its reason, or status 0 if the server could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Told;

  constructor(status: number, problem: Told) {
    super(problem.detail ?? problem.title ?? t('The server answered {status}.', { status }));
    this.status = status;
    this.problem = problem;
  }
}

const UNREACHABLE = t('The server cannot be reached. Check your connection.');
/** Of what changes something: the request may have arrived. */
const UNHEARD = t('The server did not answer. Check your connection; what you asked for may have been done.');

let csrf = '';
let loggedOut: () => void = () => undefined;
let forbidden: () => void = () => undefined;

/** Keeps the token from the session's answer; it is sent with every change. */
export function keepCsrf(token: string): void {
  csrf = token;
}

/** Sets the function that is called when the server no longer knows the session. */
export function onLoggedOut(told: () => void): void {
  loggedOut = told;
}

/** Sets the function that is called when the server refuses what this page thinks its person may do. */
export function onForbidden(told: () => void): void {
  forbidden = told;
}

/**
 * A request this long after the last key or pointer event was made by the page itself, so it must not keep a session
 * awake.
 */
const BY_ITSELF_MS = 8000;
let touched = Date.now();
for (const event of ['pointerdown', 'pointermove', 'keydown', 'focus'])
  window.addEventListener(event, () => (touched = Date.now()), { passive: true });

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type AnyCall = {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Every try of one change has the same key, so that the change is made once. */
  readonly key?: string;
};

type NamesIn<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** The arguments of a call: the parameters of its path, and a body if the route takes one. */
export type Call<R extends RouteName> = Omit<AnyCall, 'params' | 'body'> &
  ([NamesIn<R>] extends [never] ? unknown : { readonly params: Readonly<Record<NamesIn<R>, string>> }) &
  ([keyof SentTo<R>] extends [never] ? unknown : { readonly body: SentTo<R> });

/** The argument is optional if nothing in it is required. */
export type Given<R extends RouteName> = object extends Call<R> ? [call?: Call<R>] : [call: Call<R>];

/** Calls a route. Throws ApiError for everything but a 2xx; a lost session leads to the login page. */
export function api<R extends RouteName>(route: R, ...[call]: Given<R>): Promise<AnswerOf<R>> {
  return answered(route, call ?? {});
}

/** The same, for a call whose members have been checked. */
export async function answered<R extends RouteName>(route: R, call: AnyCall): Promise<AnswerOf<R>> {
  const { params = {}, body, ...rest } = call;
  const [method = '', named = ''] = route.split(' ');
  const path = named.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const sent = body ?? (method === 'POST' || method === 'PUT' ? {} : undefined);
  const response = await send(path, { ...rest, method, body: sent });
  if (response.ok) return read<AnswerOf<R>>(response);
  if (response.status === 401 && !path.startsWith('/session')) {
    loggedOut();
    // it is read behind the next sign-in, where the form is as it was
    throw new ApiError(401, { detail: t('Your session had ended, and nothing was done. Send it once more.') });
  }
  if (response.status === 403 && !path.startsWith('/session')) forbidden();
  throw await refusalOf(response);
}

/** Turns an answer that is not a success into an error, with the server's reason if it gave one. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const problem = await read<Told>(response).catch((): Told => ({}));
  return new ApiError(response.status, problem ?? {});
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  const value: T = JSON.parse(text === '' ? 'null' : text);
  return value;
}

type Sending = Omit<AnyCall, 'params'> & { readonly method?: string };

/** Returns the answer itself, for streams. Throws ApiError (status 0) if there is no answer. */
export async function send(path: string, { method = 'GET', body, query, signal, key }: Sending): Promise<Response> {
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
    throw new ApiError(0, { detail: method === 'GET' ? UNREACHABLE : UNHEARD });
  }
}

function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
}
