// Access tokens (RFC 6749, 4.4; RFC 6750) that go with requests: had when the first is wanted, kept in the memory of
// this process alone, one asked for at a time, and had anew where the provider refuses the one before. Nothing else
// sees one: none is stored, logged, or given to what writes and reads (docs/decisions/0077).
import { DAY_S } from '../../core/durations.ts';
import { type JsonObject, JsonNumber, parseJson } from '../../core/json.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { Clock } from '../../kit/clock.ts';
import { BEGIN_MS, type Exchange } from '../../kit/egress.ts';
import type { Log } from '../../kit/log.ts';
import type { HttpRequest } from './call.ts';
import type { Body, Over } from './transport.ts';

type Sending = HttpRequest & Body;
type Wanting = Sending & { readonly access: NonNullable<HttpRequest['access']> };
type Tools = { readonly clock: Pick<Clock, 'ticks'>; readonly log: Log };

type Token = { readonly text: string; readonly until: number };
/** A token, or what the request came to that wanted one. */
type Granted = string | Exchange;

const NOT_SENT: Exchange = { kind: 'not_sent' };
const UNAUTHORIZED = 401;
/** The part of a request's time that getting its access token may take. */
const ASK_MS = 5000;
/** Not used in the last minute of its time: it must still hold when it arrives. */
const MARGIN_S = 60;
const MOST_S = DAY_S;
const MOST_KEPT = 10_000;

export function withAccess(requests: Over<HttpRequest>, { clock, log }: Tools): Over<HttpRequest> {
  const tokens = new Tokens(requests, { clock, log });
  return {
    send: (destination, sending) =>
      wantsToken(sending)
        ? sendWith({ requests, clock, tokens }, destination, sending)
        : requests.send(destination, sending),
    close: () => requests.close(),
  };
}

type With = Pick<Tools, 'clock'> & { readonly requests: Over<HttpRequest>; readonly tokens: Tokens };

async function sendWith(
  { requests, clock, tokens }: With,
  destination: string,
  { access, ...sending }: Wanting,
): Promise<Exchange> {
  const from = clock.ticks();
  const client = { destination, access, host: sending.host, until: from + sending.deadline_ms };
  const once = async (token: string): Promise<Exchange> => {
    const waited_ms = clock.ticks() - from;
    const deadline_ms = sending.deadline_ms - waited_ms;
    // its time to begin is that of any call: what waited for a token waits the less for a connection (decision 173)
    const begin_ms = Math.min(BEGIN_MS - waited_ms, deadline_ms);
    if (begin_ms <= 0) return NOT_SENT;
    const headers = { ...sending.headers, authorization: `Bearer ${token}` };
    return requests.send(destination, { ...sending, headers, deadline_ms, begin_ms });
  };
  const token = await tokens.of(client);
  if (typeof token !== 'string') return token;
  const first = await once(token);
  if (!isRefused(first)) return first;
  // turned away before it was looked at, so it may go once more
  tokens.forget(client, token);
  const renewed = await tokens.of(client);
  if (typeof renewed !== 'string') return first;
  const second = await once(renewed);
  if (isRefused(second)) tokens.forget(client, renewed);
  return second.kind === 'not_sent' ? first : second;
}

const isRefused = (exchange: Exchange): boolean => exchange.kind === 'answered' && exchange.status === UNAUTHORIZED;

class Tokens {
  private readonly kept = new Map<string, Token>();
  private readonly asking = new Map<string, Promise<Granted>>();
  private readonly requests: Over<HttpRequest>;
  private readonly tools: Tools;

  constructor(requests: Over<HttpRequest>, tools: Tools) {
    this.requests = requests;
    this.tools = tools;
  }

  /** Gets an access token. Callers that ask at the same time share one request and its result. */
  of(client: Client): Promise<Granted> {
    const key = keyOf(client);
    const known = this.kept.get(key);
    if (known && known.until > this.tools.clock.ticks()) return Promise.resolve(known.text);
    const under_way = this.asking.get(key);
    if (under_way) return under_way;
    const asked = this.ask(client).finally(() => this.asking.delete(key));
    this.asking.set(key, asked);
    return asked;
  }

  /** But not one that was had since. */
  forget(client: Client, token: string): void {
    const key = keyOf(client);
    if (this.kept.get(key)?.text === token) this.kept.delete(key);
  }

  private async ask(client: Client): Promise<Granted> {
    const { clock, log } = this.tools;
    const { destination } = client;
    const deadline_ms = Math.min(ASK_MS, client.until - clock.ticks());
    if (deadline_ms <= 0) return NOT_SENT;
    const said = await this.requests.send(destination, { ...asRequest(client), deadline_ms });
    if (said.kind !== 'answered') return NOT_SENT;
    const answer = objectOf(said.body);
    const token = said.status === 200 && answer ? tokenIn(answer, clock.ticks()) : undefined;
    // overwritten: it holds a token
    said.body.fill(0);
    if (token) {
      this.keep(keyOf(client), token);
      return token.text;
    }
    const refused = REFUSED.includes(said.status) && typeof answer?.get('error') === 'string';
    log.warn({ destination, status: said.status, refused }, 'no access token was had');
    // that the client is unknown is an answer to the request itself: it was turned away for its credentials
    return refused ? { kind: 'answered', status: UNAUTHORIZED, body: Buffer.from(NO_CLIENT) } : NOT_SENT;
  }

  private keep(key: string, token: Token): void {
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(key, token);
  }
}

function asRequest({ host, access: { path, id, secret } }: Client): Omit<Sending, 'deadline_ms'> {
  const client = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  const headers = {
    authorization: `Basic ${Buffer.from(client).toString('base64')}`,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  return { host, method: 'POST', path, headers, body: Buffer.from('grant_type=client_credentials') };
}

const wantsToken = (sending: Sending): sending is Wanting => sending.access !== undefined;

type Client = Pick<Wanting, 'access' | 'host'> & {
  readonly destination: string;
  /** The clock's ticks by which its request is over. */
  readonly until: number;
};

/** Other credentials are another client: a change needs no event. */
const keyOf = ({ destination, host, access: { path, id, secret } }: Client): string =>
  sha256(JSON.stringify([destination, host, path, id, secret]));

const REFUSED: readonly number[] = [400, 401, 403];
const NO_CLIENT = '{"error":"invalid_client"}';

function objectOf(bytes: Buffer): JsonObject | undefined {
  try {
    const value = parseJson(bytes.toString('utf8'));
    return value instanceof Map ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The form of an access token by RFC 6750: it fits into a header and contains nothing more. */
const TOKEN = /^[A-Za-z0-9._~+/-]{1,4096}=*$/;

function tokenIn(answer: JsonObject, now: number): Token | undefined {
  const [text, type, expires] = ['access_token', 'token_type', 'expires_in'].map((name) => answer.get(name));
  if (typeof text !== 'string' || !TOKEN.test(text)) return undefined;
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return undefined;
  const seconds = expires instanceof JsonNumber && /^\d{1,9}$/.test(expires.text) ? Number(expires.text) : 0;
  return { text, until: now + Math.max(0, Math.min(seconds, MOST_S) - MARGIN_S) * 1000 };
}
