// The one way to the server: JSON in, JSON out, the session's cookie, and the token that proves that a change was
// meant.
import type { Problem } from '../../../src/backoffice/wire.ts';
import type { AnswerOf, RouteName, SentTo } from '../../../src/backoffice/wire/routes.ts';
import { hearClocks } from './clock.ts';
import { t } from './texts.ts';

/** What was understood of the answer: a server that is not ours may stand in between. */
type Told = Partial<Problem>;

/** What the server refused and why, or that it could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Told;

  constructor(status: number, problem: Told) {
    super(
      problem.detail ?? problem.title ?? (status === 0 ? UNREACHABLE : t('The server answered {status}.', { status })),
    );
    this.status = status;
    this.problem = problem;
  }
}

const UNREACHABLE = t('The server cannot be reached. Check your connection; nothing was changed by this.');

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

/**
 * What is asked so long after the last key or pointer was asked by the page itself: it must not keep a session awake.
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
  /** The same for every try of one change: it is done once. */
  readonly key?: string;
};

type NamesIn<Path> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** What a call of a route is given: what its path names, and the body that it is sent, where it is sent one. */
export type Call<R extends RouteName> = Omit<AnyCall, 'params' | 'body'> &
  ([NamesIn<R>] extends [never] ? unknown : { readonly params: Readonly<Record<NamesIn<R>, string>> }) &
  ([keyof SentTo<R>] extends [never] ? unknown : { readonly body: SentTo<R> });

/** May be left out where nothing must be given. */
export type Given<R extends RouteName> = object extends Call<R> ? [call?: Call<R>] : [call: Call<R>];

/** Calls a route. Throws ApiError for everything but a 2xx; a lost session leads to the login page. */
export function api<R extends RouteName>(route: R, ...[call]: Given<R>): Promise<AnswerOf<R>> {
  return answered(route, call ?? {});
}

/** The same, for a call whose members are checked already. */
export async function answered<R extends RouteName>(route: R, call: AnyCall): Promise<AnswerOf<R>> {
  const { params = {}, body, ...rest } = call;
  const [method = '', named = ''] = route.split(' ');
  const path = named.replace(/:([a-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const sent = body ?? (method === 'POST' || method === 'PUT' ? {} : undefined);
  const response = await send(path, { ...rest, method, body: sent });
  if (response.ok) return read<AnswerOf<R>>(response);
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

type Sending = Omit<AnyCall, 'params'> & { readonly method?: string };

/** The answer itself, for what is streamed. Throws ApiError (status 0) when there is none. */
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
    throw new ApiError(0, {});
  }
}

function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
}
