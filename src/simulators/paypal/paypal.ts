// A PayPal for tests that moves no money: the part of its API that src/provider/paypal uses, with its own books, in
// memory. It shares nothing with the product but the wire format. People see its books at `/`; payers are sent to
// `/checkoutnow/…`.
import type { IncomingMessage } from 'node:http';
import { systemChance, systemClock } from '../../kit/clock.ts';
import type { OpenSimulator } from '../contract.ts';
import { type Reply, type Sent, TOO_LARGE, open, serve, shut, whole } from '../line.ts';
import { type Keys, answer } from './api/answer.ts';
import { json, refused } from './api/reply.ts';
import type { Call } from './api/routes.ts';
import { openCertificateHost } from './certificates.ts';
import { control } from './control.ts';
import { Refusal, refusal } from './errors.ts';
import { openMessages } from './messages.ts';
import { bankPage, booksPage } from './pages.ts';
import { type Tokens, openTokens } from './tokens.ts';
import { openWorld, type World } from './world.ts';

export type PaypalSettings = {
  /** 0 asks for any free port. */
  readonly port: number;
  readonly control_port: number;
  readonly host?: string;
  /** The address of the pages for payers, if it is not the API's address. */
  readonly public_url?: string;
  /** The address of the certificate that messages name, if it is not the simulator's own certificate host. */
  readonly certificates_url?: string;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /**
   * Called with each call that has a valid token, and with its answer before it is sent, even if a fault breaks the
   * connection.
   */
  readonly seen?: (call: Call & Pick<IncomingMessage, 'headers'>, sent: Sent) => void;
};

export type OpenPaypal = OpenSimulator & Required<Pick<OpenSimulator, 'hosts'>>;

/** A form with files of evidence is read as bytes. */
const LONG = { at: /\/provide-evidence$/, most: 12 * 1024 * 1024, bytes_at: /\/provide-evidence$/ };

export async function openPaypal(settings: PaypalSettings): Promise<OpenPaypal> {
  const { host = '127.0.0.1', clock, seen } = settings;
  let [url, now_ms] = ['', clock];
  const chance = systemChance(systemClock());
  const certificates = await openCertificateHost(clock(), (length) => chance.bytes(length), settings.certificates_url);
  const messages = openMessages({ now_ms: () => now_ms(), id: () => chance.id() }, certificates);
  const world = openWorld(clock, () => settings.public_url ?? url, messages.tell);
  now_ms = world.now_ms;
  const tokens = openTokens(world.now_ms, () => chance.bytes(48).toString('base64url'));
  const serving = { world, keys: new Map() satisfies Keys, tokens, seen };

  const headers = { 'paypal-debug-id': 'simulated' };
  const hear = (request: IncomingMessage, text: string | undefined) =>
    text === undefined ? TOO_LARGE : reached(serving, request, text);
  const api = serve(hear, headers, LONG);
  const controller = serve(async (request, text = '') => {
    const verb = `${request.method ?? ''} ${request.url ?? ''}`;
    return whole(await control({ world, messages, tokens, listen }, verb, text));
  }, headers);

  let port = await open(api, settings.port, host);
  const control_port = await open(controller, settings.control_port, host);
  url = `http://${host}:${port}`;
  async function listen(is_open: boolean): Promise<void> {
    if (is_open === api.listening) return;
    if (is_open) port = await open(api, port, host);
    else await shut(api);
  }
  const close = async () => {
    messages.endpoints = [];
    await Promise.all([shut(api), shut(controller), certificates.close()]);
  };
  const { base_url, ca } = certificates;
  return { url, control_url: `http://${host}:${control_port}`, hosts: { certificates: { base_url, ca } }, close };
}

type Reached = {
  readonly world: World;
  readonly keys: Keys;
  readonly tokens: Tokens;
  readonly seen: PaypalSettings['seen'];
};

function reached({ world, keys, tokens, seen }: Reached, request: IncomingMessage, text: string): Sent {
  const { headers, method = 'GET' } = request;
  const { pathname } = new URL(request.url ?? '/', 'http://paypal.invalid');
  if (pathname === '/' && method === 'GET') return whole(booksPage(world));
  const order = /^\/checkoutnow\/(\w+)$/.exec(pathname)?.[1];
  if (order !== undefined) return whole(bankPage(world, { method, id: order, text }));
  const authorization = headers.authorization ?? '';
  if (pathname === '/v1/oauth2/token') return whole(tokenFor(tokens, authorization, text));
  const account = tokens.accountOf(authorization);
  if (account === undefined) return whole(refused(refusal(401)));
  if (account.includes('limited') && method !== 'GET') return whole(refused(refusal(403, 'PERMISSION_DENIED')));
  const key = headers['paypal-request-id'];
  const call = { method, path: pathname, account, text, key: typeof key === 'string' ? key : undefined };
  const sent = answer(world, keys, call);
  seen?.({ ...call, headers }, sent);
  return sent;
}

/** Errors have the format of RFC 6749, unlike all other errors of this API. */
function tokenFor(tokens: Tokens, authorization: string, text: string): Reply {
  try {
    return json(200, tokens.give(authorization, text));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status } = error;
    const said = status === 401 ? 'invalid_client' : 'unsupported_grant_type';
    return json(status, { error: said, error_description: 'Client Authentication failed' });
  }
}
