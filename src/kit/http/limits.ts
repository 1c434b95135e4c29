// The limits that a host sets to the other side of a connection (docs/hardening.md), and the checks that make them act
// in time.
import type { Server } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { counter } from '../metrics/registry.ts';
import { networkOf } from '../person/few-at-once.ts';
import { tellerOf } from '../teller.ts';
import { NO_PROXIES, type Proxies } from './callers/proxies.ts';

/** Changing a value means changing docs/hardening.md. */
export const LIMITS = {
  headers_ms: 5000,
  request_ms: 10_000,
  /** Node's own 30 s would let both of the above act up to 30 s late. */
  checked_every_ms: 500,
  /** Must outlive the proxy's own, which is 60 s with most. */
  keep_alive_behind_proxy_ms: 65_000,
  keep_alive_ms: 5000,
  /** Longer than any answer takes to be made. Whoever takes nothing of it is closed then, or at the next look. */
  stalled_ms: 60_000,
  requests_per_connection: 1000,
  connections: 2000,
  connections_per_address: 50,
  header_bytes: 8192,
  headers: 64,
  /** No answer takes longer (contract 2.8). */
  answer_ms: 28_000,
} as const;

export type ConnectionRules = {
  readonly behind_proxy: boolean;
  /** Their connections carry many clients, and the client addresses that they name are trusted. */
  readonly proxies: Proxies;
  /** Addresses without a limit of their own, besides those of this machine. */
  readonly exempt: ReadonlySet<string>;
};

/** The options of the server that hold these limits. */
export function serverOptions({ behind_proxy, proxies }: ConnectionRules) {
  return {
    trustProxy: proxies === NO_PROXIES ? false : proxies,
    keepAliveTimeout: behind_proxy ? LIMITS.keep_alive_behind_proxy_ms : LIMITS.keep_alive_ms,
    requestTimeout: LIMITS.request_ms,
    connectionTimeout: LIMITS.stalled_ms,
    maxRequestsPerSocket: LIMITS.requests_per_connection,
    http: {
      maxHeaderSize: LIMITS.header_bytes,
      headersTimeout: LIMITS.headers_ms,
      connectionsCheckingInterval: LIMITS.checked_every_ms,
      insecureHTTPParser: false,
      // asked for by the door, which answers as it always does (front/named.ts)
      requireHostHeader: false,
    },
  } as const satisfies FastifyServerOptions & { http: object };
}

/**
 * Gives up waiting for an answer when no caller may wait longer; the work goes on, and its outcome is seen by asking
 * again. (Fastify's own handlerTimeout makes and aborts a signal for every request: a tenth of what a token costs.)
 */
export function within<T>(work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), LIMITS.answer_ms);
    const stop = () => clearTimeout(timer);
    work.then(stop, stop);
    work.then(resolve, reject);
  });
}

/**
 * Files and connections that a process may want at once: three hosts in it with all their connections, and as much
 * again for databases, links, providers and files.
 */
export const DESCRIPTORS_WANTED = 4 * LIMITS.connections;

const closed = counter(
  'florin_connections_closed_total',
  'Connections closed before their answer was out, by the limit that they met',
);

export type Closed = (limit: 'all' | 'address' | 'stalled') => void;

/** Counts the connections of a host that are closed unanswered, and says when it has all that it takes. */
export function tellClosed(tools: {
  readonly name: string;
  readonly clock: Pick<Clock, 'ticks'>;
  readonly log: Log;
}): Closed {
  const { name: host } = tools;
  const teller = tellerOf(tools, { about: { host }, trouble: 'connections are closed unanswered', over: '' });
  return (limit) => {
    closed.add({ host, limit });
    if (limit === 'stalled')
      tools.log.info({ host }, 'a caller took nothing of its answer for a minute or longer: closed');
    if (limit === 'all') teller.troubled(`the host has ${LIMITS.connections} already, and takes no more`);
  };
}

/** Limits that are no options: how many connections there may be, in all and from one address, and how many headers. */
export function limitConnections(
  server: Server,
  { exempt, proxies }: ConnectionRules,
  told: Closed = () => undefined,
): void {
  server.maxConnections = LIMITS.connections;
  // idle connections come here as well: nothing waits to be taken there
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) told('stalled');
    socket.destroy();
  });
  // Node closes it without a word
  server.on('drop', () => told('all'));
  // one more than is taken: Node would leave out the rest without a word
  server.maxHeadersCount = LIMITS.headers + 1;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (isOurOwn(address) || exempt.has(address.replace(/^::ffff:/, '')) || proxies(address)) return;
    // of IPv6 one customer has as many addresses as they like
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count <= LIMITS.connections_per_address) return;
    told('address');
    socket.destroy();
  });
}

/** A proxy on this machine speaks for many. */
function isOurOwn(address: string): boolean {
  return /^(?:::ffff:)?127\./.test(address) || address === '::1' || address === '';
}
