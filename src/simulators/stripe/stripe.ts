// A Stripe to pay at that takes no money: the part of its API that src/provider/stripe uses, with books of its own, in memory. Nothing
// is shared with the product but the wire. People see its books at `/`; payers authenticate at `/3ds/…`.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { answer } from './api/answer.ts';
import type { Keys } from './api/keys.ts';
import { type Reply, type Sent, html, json, refused } from './api/reply.ts';
import type { Call } from './api/routes.ts';
import { control } from './control/routes.ts';
import { turnedAway } from './errors.ts';
import { formOf } from './form.ts';
import { openMessages } from './messages.ts';
import { booksPage } from './pages/books.ts';
import { challenge } from './pages/challenge.ts';
import { type World, openWorld } from './world.ts';

export type StripeSettings = {
  /** 0: any free one. */
  readonly port: number;
  readonly control_port: number;
  readonly host?: string;
  /** Where payers reach the pages, if not where the API is. */
  readonly public_url?: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Sees each call and its answer before it leaves, whatever becomes of it on the line. */
  readonly seen?: (call: Pick<Call, 'method' | 'path' | 'form'>, sent: Sent) => void;
};

export type OpenStripe = {
  readonly url: string;
  readonly control_url: string;
  readonly close: () => Promise<void>;
};

const MOST_BYTES = 65_536;
/** A form with a file of evidence in it; all evidence of a dispute is long, too. */
const MOST_LONG_BYTES = 6 * 1024 * 1024;
const LONG = /^\/v1\/(?:files|disputes)/;

export async function openStripe(settings: StripeSettings): Promise<OpenStripe> {
  const { host = '127.0.0.1', clock, seen } = settings;
  const keys: Keys = new Map();
  let [url, now_s] = ['', () => 0];
  const messages = openMessages(() => now_s());
  const world = openWorld(clock, () => settings.public_url ?? url, messages.tell);
  now_s = world.now_s;

  const api = serve((request, text) => {
    return text === undefined ? TOO_LARGE : reached({ world, keys, seen }, request, text);
  });
  const controller = serve(async (request, text = '') => {
    const reply = await control({ world, messages, listen }, `${request.method ?? ''} ${request.url ?? ''}`, text);
    return { reply, way: 'whole' };
  });

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

type Serving = (request: IncomingMessage, text: string | undefined) => Sent | Promise<Sent>;

function serve(serving: Serving): Server {
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      leave(response, await serving(request, await bodyOf(request)));
    } catch (error) {
      leave(response, { reply: json(500, { message: String(error) }), way: 'whole' });
    }
  };
  return createServer((request, response) => void answered(request, response));
}

type Reached = { readonly world: World; readonly keys: Keys; readonly seen: StripeSettings['seen'] };

function reached({ world, keys, seen }: Reached, request: IncomingMessage, text: string): Sent {
  const method = request.method ?? 'GET';
  const { pathname, search } = new URL(request.url ?? '/', 'http://stripe.invalid');
  if (pathname === '/' && method === 'GET') return { reply: booksPage(world), way: 'whole' };
  const intent = /^\/3ds\/(\w+)$/.exec(pathname)?.[1];
  if (intent !== undefined)
    return { reply: challenge(world, { method, id: intent, form: formOf(text) }), way: 'whole' };
  const account = accountOf(request.headers.authorization ?? '', method);
  if (typeof account !== 'string') return { reply: account, way: 'whole' };
  const form = pathname === '/v1/files' ? [] : formOf(method === 'GET' ? search.slice(1) : text);
  const key = request.headers['idempotency-key'];
  const call = { method, path: pathname, account, form, text, key: typeof key === 'string' ? key : undefined };
  const sent = answer(world, keys, call);
  seen?.(call, sent);
  return sent;
}

/** `sk_test_shop` and `rk_test_shop` are keys of the account `shop`; one with `invalid` in it is none, one with `limited` may only read. */
function accountOf(authorization: string, method: string): string | Reply {
  const [scheme = '', given = ''] = authorization.split(' ');
  const basic = scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString().split(':')[0] : undefined;
  const account = /^[sr]k_(?:test|live)_(\w+)$/.exec(basic ?? given)?.[1];
  if (account === undefined || account.includes('invalid'))
    return refused(turnedAway(401, 'Invalid API Key provided.'));
  const may = method === 'GET' || !account.includes('limited');
  return may ? account : refused(turnedAway(403, 'The provided key does not have the required permissions.'));
}

const TOO_LARGE: Sent = { reply: html(413, '<!doctype html><title>413</title>'), way: 'whole' };

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  const path = request.url ?? '';
  const most = LONG.test(path) ? MOST_LONG_BYTES : MOST_BYTES;
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length <= most) pieces.push(piece);
    }
  } catch {
    // the caller went away in the middle of it: nobody waits for an answer
    return undefined;
  }
  const encoding = path.startsWith('/v1/files') ? 'latin1' : 'utf8';
  return length <= most ? Buffer.concat(pieces).toString(encoding) : undefined;
}

function leave(response: ServerResponse, { reply, way }: Sent): void {
  const bytes = Buffer.from(reply.body);
  if (way === 'silence') return;
  if (way === 'close') {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.length, 'request-id': 'req_Simulated' });
  if (way === 'half') response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

async function open(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

async function shut(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
