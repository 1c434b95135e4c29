// A Stripe for tests that moves no money: the part of its API that src/provider/stripe uses, with its own books, in
// memory. It shares nothing with the product but the wire format. People see its books at `/`; payers authenticate at
// `/3ds/…`.
import type { IncomingMessage } from 'node:http';
import { type Reply, type Sent, TOO_LARGE, open, serve, shut, whole } from '../line.ts';
import { answer } from './api/answer.ts';
import type { Keys } from './api/keys.ts';
import { refused } from './api/reply.ts';
import type { Call } from './api/routes.ts';
import { control } from './control/routes.ts';
import { turnedAway } from './errors.ts';
import { formOf } from './form.ts';
import { openMessages } from './messages.ts';
import { booksPage } from './pages/books.ts';
import { challenge } from './pages/challenge.ts';
import { type World, openWorld } from './world.ts';

export type StripeSettings = {
  /** 0 asks for any free port. */
  readonly port: number;
  readonly control_port: number;
  readonly host?: string;
  /** The address of the pages for payers, if it is not the API's address. */
  readonly public_url?: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called with each call, and with its answer before it is sent, even if a fault breaks the connection. */
  readonly seen?: (call: Pick<Call, 'method' | 'path' | 'form'>, sent: Sent) => void;
};

export type OpenStripe = {
  readonly url: string;
  readonly control_url: string;
  readonly close: () => Promise<void>;
};

/** A form with a file of evidence is read as bytes; the text evidence of a dispute may be long too. */
const LONG = { at: /^\/v1\/(?:files|disputes)/, most: 6 * 1024 * 1024, bytes_at: /^\/v1\/files/ };

export async function openStripe(settings: StripeSettings): Promise<OpenStripe> {
  const { host = '127.0.0.1', clock, seen } = settings;
  const keys: Keys = new Map();
  let [url, now_s] = ['', () => 0];
  const messages = openMessages(() => now_s());
  const world = openWorld(clock, () => settings.public_url ?? url, messages.tell);
  now_s = world.now_s;

  const headers = { 'request-id': 'req_Simulated' };
  const reach = (request: IncomingMessage, text?: string) =>
    text === undefined ? TOO_LARGE : reached({ world, keys, seen }, request, text);
  const api = serve(reach, headers, LONG);
  const controller = serve(async (request, text = '') => {
    return whole(await control({ world, messages, listen }, `${request.method ?? ''} ${request.url ?? ''}`, text));
  }, headers);

  let port = await open(api, settings.port, host);
  const control_port = await open(controller, settings.control_port, host);
  url = `http://${host}:${port}`;
  const listen = async (is_open: boolean): Promise<void> => {
    if (is_open === api.listening) return;
    if (is_open) port = await open(api, port, host);
    else await shut(api);
  };
  const close = async () => {
    messages.endpoints = [];
    await Promise.all([shut(api), shut(controller)]);
  };
  return { url, control_url: `http://${host}:${control_port}`, close };
}

type Reached = { readonly world: World; readonly keys: Keys; readonly seen: StripeSettings['seen'] };

function reached({ world, keys, seen }: Reached, request: IncomingMessage, text: string): Sent {
  const method = request.method ?? 'GET';
  const { pathname, search } = new URL(request.url ?? '/', 'http://stripe.invalid');
  if (pathname === '/' && method === 'GET') return whole(booksPage(world));
  const intent = /^\/3ds\/(\w+)$/.exec(pathname)?.[1];
  if (intent !== undefined) return whole(challenge(world, { method, id: intent, form: formOf(text) }));
  const account = accountOf(request.headers.authorization ?? '', method);
  if (typeof account !== 'string') return whole(account);
  const form = pathname === '/v1/files' ? [] : formOf(method === 'GET' ? search.slice(1) : text);
  const key = request.headers['idempotency-key'];
  const call = { method, path: pathname, account, form, text, key: typeof key === 'string' ? key : undefined };
  const sent = answer(world, keys, call);
  seen?.(call, sent);
  return sent;
}

/**
 * `sk_test_shop` and `rk_test_shop` are keys of the account `shop`. A key with `invalid` in it is unknown; a key with
 * `limited` in it may only read.
 */
function accountOf(authorization: string, method: string): string | Reply {
  const [scheme = '', given = ''] = authorization.split(' ');
  const basic = scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString().split(':')[0] : undefined;
  const account = /^[sr]k_(?:test|live)_(\w+)$/.exec(basic ?? given)?.[1];
  if (account === undefined || account.includes('invalid'))
    return refused(turnedAway(401, 'Invalid API Key provided.'));
  const may = method === 'GET' || !account.includes('limited');
  return may ? account : refused(turnedAway(403, 'The provided key does not have the required permissions.'));
}
