// The limits that a host sets to the other side of a connection (docs/hardening.md), and the checks that make them act
// in time.
import type { Server } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import { networkOf } from '../person/few-at-once.ts';
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

/** Limits that are no options: how many connections there may be, in all and from one address, and how many headers. */
export function limitConnections(server: Server, { exempt, proxies }: ConnectionRules): void {
  server.maxConnections = LIMITS.connections;
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
    if (count > LIMITS.connections_per_address) socket.destroy();
  });
}

/** A proxy on this machine speaks for many. */
function isOurOwn(address: string): boolean {
  return /^(?:::ffff:)?127\./.test(address) || address === '::1' || address === '';
}
