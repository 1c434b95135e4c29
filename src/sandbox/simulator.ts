// The simulated provider: a process of its own (main.ts) behind a real socket, with its own books. One server is both
// providers, at /simulator/… and /simulator_b/…; all other paths are its control (control/routes.ts). A payment costs
// one parse, one line of the journal and one answer. If the bank's pages have a public address, a second listener
// serves those pages alone.
import { createServer } from 'node:http';
import { systemChance, systemClock } from '../kit/clock.ts';
import { LIMITS, limitConnections } from '../kit/http/limits.ts';
import { NO_PROXIES } from '../kit/http/callers/proxies.ts';
import { PROMPT } from './call/deliver.ts';
import { NO_ROUTE, callOf, parse } from './call/routes.ts';
import type { Performed } from './call/perform.ts';
import { control } from './control/routes.ts';
import { openJournal } from './journal.ts';
import { type Leave, type Listener, type Listening, type Received, listen } from './listen.ts';
import { isPage, threeDsOf } from './three-ds/routes.ts';
import { World } from './world.ts';

export type SimulatorSettings = {
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
  /** Null keeps the books in memory only. */
  readonly journal_file: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The address of the simulated bank for a browser; null or absent: the address that our side uses. */
  readonly public_url?: string | null;
  /** The address at which a proxy finds the bank's pages and nothing else; null or absent: none. */
  readonly pages?: Place | null;
  /** Called with errors, never with the content of a request. */
  readonly say?: (line: string) => void;
};

export type Place = { readonly host: string; readonly port: number };

export type Simulator = { readonly port: number; readonly pages_port: number | null; close(): Promise<void> };

export async function startSimulator(settings: SimulatorSettings): Promise<Simulator> {
  const { host, port, journal_file, now, public_url = null, pages = null, say } = settings;
  const world = new World(now, systemChance(systemClock()));
  world.public_url = public_url;
  if (journal_file !== null) world.journal = openJournal(journal_file, (line) => world.restore(line));
  const listeners: Listener[] = [];
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await world.close();
  };
  try {
    const whole = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS });
    const answer = (received: Received, leave: Leave) => answerAll(world, received, leave);
    const own = await listen(whole, { host, port, answer, say });
    listeners.push(own);
    const shown = pages && (await listenForPages(world, { ...pages, say }));
    if (shown) listeners.push(shown);
    return { port: own.port, pages_port: shown?.port ?? null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const KEEP_ALIVE_MS = 60_000;
const REQUEST_MS = 10_000;

/**
 * The server behind a proxy, open to any client: it has the limits of our own hosts, and no routes that control the
 * simulated provider.
 */
function listenForPages(world: World, at: Omit<Listening, 'answer'>): Promise<Listener> {
  const server = createServer({
    keepAliveTimeout: LIMITS.keep_alive_behind_proxy_ms,
    requestTimeout: LIMITS.request_ms,
    headersTimeout: LIMITS.headers_ms,
    connectionsCheckingInterval: LIMITS.checked_every_ms,
    maxHeaderSize: LIMITS.header_bytes,
  });
  server.maxRequestsPerSocket = LIMITS.requests_per_connection;
  limitConnections(server, { behind_proxy: true, proxies: NO_PROXIES, exempt: new Set() });
  const answer = ({ request, bytes }: Received, leave: Leave) => {
    const performed = isPage(request) ? threeDsOf(world, request, bytes) : undefined;
    return left(performed ?? NOWHERE, leave);
  };
  return listen(server, { ...at, answer });
}

const NOWHERE: Performed = { reply: NO_ROUTE, leaving: PROMPT, before: [], after: [] };

function left(performed: Performed | Promise<Performed>, leave: Leave): Promise<void> | undefined {
  if (performed instanceof Promise) return performed.then(({ reply, leaving }) => leave(reply, leaving));
  leave(performed.reply, performed.leaving);
  return undefined;
}

function answerAll(world: World, { request, bytes }: Received, leave: Leave): Promise<void> | undefined {
  world.agenda.catchUp();
  const performed = threeDsOf(world, request, bytes) ?? callOf(request, bytes, world);
  if (performed === undefined) {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const body = bytes.length === 0 ? undefined : parse(bytes);
    const told = control(world, { method: request.method ?? '', path, query: new URLSearchParams(query), body });
    if (told instanceof Promise) return told.then((reply) => leave(reply));
    leave(told);
    return undefined;
  }
  const has_messages = !(performed instanceof Promise) && performed.before.length + performed.after.length > 0;
  return has_messages ? withMessages(world, performed, leave) : left(performed, leave);
}

async function withMessages(world: World, performed: Performed, leave: Leave): Promise<void> {
  const { reply, leaving, before, after } = performed;
  for (const news of before) await world.messenger.send(news);
  leave(reply, leaving);
  for (const news of after) await world.messenger.send(news);
}
