// A receiver of notifications on this machine: it makes an endpoint for itself, checks each notification, prints a line
// about it, forwards it, and removes the endpoint at its end.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { CURRENCIES, moneyText, toMinor } from '../../core/money.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Egress } from '../../kit/egress.ts';
import { listeningPort } from '../../kit/listening-port.ts';
import { StartError } from '../../kit/start-error.ts';
import { EVENTS } from '../../payment/notification/events.ts';
import { brandSignature, webhookSignature } from '../../payment/notification/sign.ts';

export type ListeningOptions = {
  readonly api_url: string;
  readonly private_key: string;
  readonly brand: string;
  /** The address for forwarded notifications; its answer becomes ours. Undefined: they are not forwarded. */
  readonly to: string | undefined;
  readonly clock: Clock;
  readonly egress: Egress;
  say(line: string): void;
};

export type Listening = { readonly secret: string; close(): Promise<void> };

type Json = Readonly<Record<string, unknown>>;

const DESCRIPTION = 'florin listen';
const MOST_BYTES = 65_536;
const TOLERANCE_S = 300;
const DEADLINE_MS = 15_000;
const ASK_MS = 2000;
const STILL_LISTENS = 405;

export async function startListening(options: ListeningOptions): Promise<Listening> {
  let secret = '';
  const server = createServer((request, response) => {
    // another one asks whether this one still listens
    if (request.method === 'GET') return void response.writeHead(STILL_LISTENS).end();
    take(options, { request, response, secret }).catch((error: unknown) => {
      options.say(`  ! ${String(error)}`);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  await removeLeftovers(options);
  const url = `http://127.0.0.1:${listeningPort(server)}/`;
  const made = await call(options, {
    method: 'POST',
    path: '/notification/endpoint',
    body: { url, events: EVENTS, description: DESCRIPTION },
  });
  const endpoint = recordOf(made['endpoint']);
  secret = String(endpoint['secret']);
  return {
    secret,
    close: async () => {
      // Florin may have ended before, or the endpoint is gone: that is told, and is no failure of the end
      await remove(options, endpoint).catch((error: unknown) => options.say(`  ! ${messageOf(error)}`));
      server.closeAllConnections();
      server.close();
      await options.egress.close();
    },
  };
}

/** The endpoints of earlier runs that were killed; one that still listens keeps its own. */
async function removeLeftovers(options: ListeningOptions): Promise<void> {
  for (const endpoint of await endpointsOf(options))
    if (endpoint['description'] === DESCRIPTION && !(await stillListens(options, wordOf(endpoint['url']))))
      await remove(options, endpoint);
}

async function stillListens({ egress }: ListeningOptions, url: string): Promise<boolean> {
  const asked = { method: 'GET', origin: new URL(url).origin, path: '/', headers: {}, body: null } as const;
  const exchange = await egress.exchange({ ...asked, deadline_ms: ASK_MS, max_answer_bytes: MOST_BYTES });
  return exchange.kind === 'answered' && exchange.status === STILL_LISTENS;
}

async function remove(options: ListeningOptions, { _id }: Json): Promise<void> {
  await call(options, { method: 'DELETE', path: `/notification/endpoint/${String(_id)}` });
}

async function endpointsOf(options: ListeningOptions): Promise<readonly Json[]> {
  const { endpoints } = await call(options, { method: 'GET', path: '/notification/endpoint' });
  return Array.isArray(endpoints) ? endpoints.map(recordOf) : [];
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Taking = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly secret: string };

async function take(options: ListeningOptions, { request, response, secret }: Taking): Promise<void> {
  const text = await readText(request);
  const problem = problemOf(options, { headers: request.headers, secret, text });
  if (problem !== undefined) {
    options.say(`  ! something came that is not signed by Florin: ${problem}`);
    response.writeHead(401).end();
    return;
  }
  const status = options.to === undefined ? 200 : await handOn(options, { to: options.to, request, text });
  options.say(lineOf(options, text, status));
  response.writeHead(status).end();
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MOST_BYTES) throw new Error('something too large came');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

type Signed = { readonly headers: IncomingMessage['headers']; readonly secret: string; readonly text: string };

/** The checks that a receiver should make: both signatures, and a timestamp near its own clock. */
function problemOf({ brand, clock }: ListeningOptions, { headers, secret, text }: Signed): string | undefined {
  const header = (name: string) => String(headers[name] ?? '');
  const signed = { id: header('webhook-id'), timestamp: header('webhook-timestamp'), body: text };
  if (
    !header('webhook-signature')
      .split(' ')
      .includes(webhookSignature([secret], signed))
  )
    return 'webhook-signature';
  if (header(`${brand}-signature`) !== brandSignature(secret, { ...signed, timestamp: header(`${brand}-timestamp`) }))
    return `${brand}-signature`;
  const age_s = Math.abs(clock.now().getTime() / 1000 - Number(signed.timestamp));
  return age_s <= TOLERANCE_S ? undefined : 'an old timestamp';
}

type Handing = { readonly to: string; readonly request: IncomingMessage; readonly text: string };

/** Forwards the same body and the headers of the notification; returns the status, or 502 without an answer. */
async function handOn({ egress, brand }: ListeningOptions, { to, request, text }: Handing): Promise<number> {
  const { origin, pathname, search } = new URL(to);
  const kept = Object.entries(request.headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('webhook-') || name.startsWith(`${brand}-`),
  );
  const exchange = await egress.exchange({
    method: 'POST',
    origin,
    path: pathname + search,
    body: Buffer.from(text),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    deadline_ms: DEADLINE_MS,
    max_answer_bytes: MOST_BYTES,
    status_is_enough: true,
  });
  return exchange.kind === 'answered' ? exchange.status : 502;
}

function lineOf({ clock }: ListeningOptions, text: string, status: number): string {
  const body = recordOf(JSON.parse(text));
  const { event, order_id, checkout_id, customer_id, sequence, amount, currency, result } = body;
  const subject = [order_id, checkout_id, customer_id].map(wordOf).find((id) => id !== '') ?? '';
  const said = [
    clock.now().toISOString().slice(11, 19),
    wordOf(event),
    `${subject} #${wordOf(sequence)}`.trim(),
    moneyOf(wordOf(amount), wordOf(currency)),
    wordOf(recordOf(result)['code']),
    `-> ${status}`,
  ];
  return said.filter((part) => part !== '').join('  ');
}

/** With all decimals of its currency, as elsewhere in a terminal. */
function moneyOf(decimal: string, currency: string): string {
  const read = CURRENCIES.has(currency) && decimal !== '' ? toMinor(decimal, currency) : undefined;
  const amount = read && 'minor' in read ? moneyText(read.minor, currency) : decimal;
  return `${amount} ${currency}`.trim();
}

function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

type Asking = { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly body?: object };

async function call({ api_url, private_key, egress }: ListeningOptions, { method, path, body }: Asking): Promise<Json> {
  const exchange = await egress.exchange({
    method,
    origin: api_url,
    path,
    deadline_ms: DEADLINE_MS,
    max_answer_bytes: 1_048_576,
    headers: { 'x-api-key': private_key, ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
  });
  if (exchange.kind !== 'answered')
    throw new StartError(`Nothing answers at ${api_url}. Start Florin first (npm start), and leave it running.`);
  const said = recordOf(JSON.parse(exchange.body.toString('utf8')));
  if (exchange.status === 200) return said;
  const hint = exchange.status === 400 ? '\nSet FLORIN_NOTIFICATION_PRIVATE_TARGETS=yes where Florin runs.' : '';
  throw new StartError(`Florin refuses it: ${String(said['detail'])}${hint}`);
}

function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
