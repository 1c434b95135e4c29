// The requests of the other tests, sent by the client library: FLORIN_TEST_CLIENT=library runs the journeys once more
// over it. What the library makes of an answer is compared with the answer.
import { inspect, isDeepStrictEqual } from 'node:util';
import { Florin, FlorinNoAnswer, FlorinRefusal } from '../../client/src/florin.ts';
import { openVault } from '../../client/src/vault.ts';
import { ROUTES, VAULT_ROUTES } from '../../client/src/wire/routes.ts';
import type { Request } from '../client.ts';

type Json = Readonly<Record<string, unknown>>;
type Options = { readonly idempotency_key?: string; readonly wait_seconds?: number };
type Asked = {
  readonly ids: readonly string[];
  readonly query: Json;
  readonly body: object;
  readonly options: Options;
};
type Ends = { readonly florin: Florin; readonly vault: ReturnType<typeof openVault> };
type Answered = { readonly response: Response; readonly text: string };

/** How each route is asked for by a method of the library. Bodies are the tests' own, right and wrong ones. */
const METHODS: Readonly<Record<string, (ends: Ends, asked: Asked) => unknown>> = {
  createCheckout: ({ florin }, { body, options }) => florin.checkouts.create(body as never, options),
  readCheckout: ({ florin }, { ids, options }) => florin.checkouts.read(ids[0] ?? '', options),
  createOrder: ({ florin }, { body, options }) => florin.orders.create(body, options),
  retryOrder: ({ florin }, { ids, body, options }) => florin.orders.retry(ids[0] ?? '', body, options),
  readOrder: ({ florin }, { ids, options }) => florin.orders.read(ids[0] ?? '', options),
  listOrders: ({ florin }, { query, options }) => firstOf(florin.orders.list(query, options).pages()),
  captureOrder: ({ florin }, { ids, body, options }) => florin.orders.capture(ids[0] ?? '', body, options),
  refundOrder: ({ florin }, { ids, body, options }) => florin.orders.refund(ids[0] ?? '', body, options),
  cancelOrder: ({ florin }, { ids, body, options }) => florin.orders.cancel(ids[0] ?? '', body, options),
  readCustomer: ({ florin }, { ids, options }) => florin.customers.read(decodeURIComponent(ids[0] ?? ''), options),
  removeSavedCards: ({ florin }, { body, options }) => florin.customers.removeSavedCards(body as never, options),
  tokenizeCard: ({ vault }, { body, options }) => vault.tokenize(body, options),
  advanceSandboxClock: ({ florin }, { body, options }) => florin.sandbox.advanceClock(body, options),
  armScenario: ({ florin }, { body, options }) => florin.sandbox.armScenario(body as never, options),
  readSandboxClock: ({ florin }, { options }) => florin.sandbox.clock(options),
  removeScenarios: ({ florin }, { options }) => florin.sandbox.removeScenarios(options),
  readProviderBooks: ({ florin }, { query, options }) => firstOf(florin.sandbox.books(query, options).pages()),
};

const SHAPES = Object.entries({ ...ROUTES, ...VAULT_ROUTES }).map(([name, [method, path]]) => ({
  name,
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
}));

/** The answer, when the library has a way to ask this; undefined: it is not made for such a request. */
export async function sendByLibrary(url: string, request: Request): Promise<Answered | undefined> {
  const asked = readRequest(new URL(url), request);
  if (asked === undefined) return undefined;
  let last: Answered | undefined;
  const { origin } = new URL(url);
  const fetching = async (to: string, init: RequestInit) => {
    const response = await fetch(to, init);
    const text = await response.clone().text();
    last = { response, text };
    return response;
  };
  const made = { key: request.key ?? '', fetch: fetching, defaults: { attempts: 1 } };
  const ends = {
    get florin() {
      return new Florin({ base_url: origin, ...made });
    },
    vault: openVault({ vault_url: origin, ...made }),
  };
  let said: unknown;
  try {
    said = await METHODS[asked.name]?.(ends, asked);
  } catch (error) {
    if (error instanceof FlorinNoAnswer && last === undefined) throw error.cause;
    if (!(error instanceof FlorinRefusal) && !(error instanceof FlorinNoAnswer)) throw error;
    said = error;
  }
  if (last === undefined) throw new Error(`no answer: ${inspect(said)}`);
  compare(said, last);
  return last;
}

function readRequest(url: URL, { method, body, headers = {}, key }: Request) {
  if (typeof key !== 'string' || key.trim() === '' || (/_PUB_/.test(key) && url.pathname !== '/token'))
    return undefined;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) return undefined;
  const { prefer, 'idempotency-key': idempotency_key, ...others } = headers;
  const wait = /^wait=(\d+)$/.exec(prefer ?? '')?.[1];
  if (Object.keys(others).length > 0 || (prefer !== undefined && wait === undefined)) return undefined;
  // the library always sends one
  if (body === undefined && (method === 'POST' || method === 'PUT')) return undefined;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  for (const shape of SHAPES) {
    const match = shape.method === verb ? shape.pattern.exec(url.pathname) : null;
    if (!match || METHODS[shape.name] === undefined) continue;
    const ids = match.slice(1);
    // the library writes an id as one: what is not written so is another request
    if (!ids.every(isWrittenOnce)) return undefined;
    const options = {
      ...(idempotency_key !== undefined && { idempotency_key }),
      ...(wait !== undefined && { wait_seconds: Number(wait) }),
    };
    return { name: shape.name, ids, query: Object.fromEntries(url.searchParams), body: body ?? {}, options };
  }
  return undefined;
}

function isWrittenOnce(id: string): boolean {
  try {
    return encodeURIComponent(decodeURIComponent(id)) === id;
  } catch {
    return false;
  }
}

/** What the library says is what the API said. */
function compare(said: unknown, { response, text }: Answered): void {
  const body: Json = JSON.parse(text);
  const { code } = body['result'] as { code: string };
  const wrong = (why: string) => new Error(`the library says ${inspect(said)} of ${response.status} ${text}: ${why}`);
  if (said instanceof FlorinRefusal && (said.status !== response.status || said.code !== code))
    throw wrong('refused otherwise');
  if (said instanceof Error) return;
  if (typeof said !== 'object' || said === null || !('kind' in said)) return;
  const { kind } = said;
  if (kind === 'declined' && response.status === 422) return;
  if (kind === 'in_doubt' && response.status === 500) return;
  if ('order' in said && !isDeepStrictEqual(said.order, body)) throw wrong('another order');
  if (body['is_in_doubt'] === true) {
    if (kind !== 'in_doubt') throw wrong('it is in doubt');
    return;
  }
  if ((kind === 'approved' || kind === 'done') !== code.startsWith('9')) throw wrong('success is 9…');
  const is_pending = code.endsWith('080') || code === '420150';
  if ((kind === 'pending' || kind === 'payer_must_act') && !is_pending) throw wrong('no pending code');
  if (kind === 'in_doubt') throw wrong('doubt where there is an answer');
}

async function firstOf<T>(pages: AsyncIterable<T>): Promise<T | undefined> {
  for await (const page of pages) return page;
  return undefined;
}
