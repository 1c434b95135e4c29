// One HTTP host: routes from a table behind the checks of front.ts, its own pages, health and readiness. Fastify
// carries the requests.
import { Server as HttpsServer } from 'node:https';
import Fastify from 'fastify';
import { Refusal, problemBody } from '../../core/refusals.ts';
import type { Chance, Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { PublicTls } from '../tls/public.ts';
import type { Apart, OwnNames } from './callers/names.ts';
import type { Counts } from './counts.ts';
import { HostFront } from './front.ts';
import type { Signpost } from './front/nearest.ts';
import type { Told } from './front/told.ts';
import type { GateLimits } from './key-gate.ts';
import { listenProblem } from './listen.ts';
import { type ConnectionRules, LIMITS, limitConnections, serverOptions, tellClosed } from './limits.ts';
import { type PublicPath, servePublic } from './public.ts';
import type { Caller, Route } from './route.ts';
import { watchRequests } from '../metrics/requests.ts';
import { overwriteLeft } from './body/left.ts';
import { openWash } from './body/wash.ts';

/** The addresses of the hosts as callers see them; filled in as the hosts open. */
export type Addresses = { base_url: string; vault_url: string; backoffice_url: string };

export type HostOptions<C extends Caller> = {
  readonly name: string;
  readonly routes: readonly Route<C>[];
  /** Routes of the other hosts, for callers who ask the wrong one. */
  elsewhere?(): readonly Signpost[];
  readonly addresses: Addresses;
  readonly production: boolean;
  readonly body_bytes: number;
  readonly limits: GateLimits;
  readonly counts: Counts;
  readonly connections: ConnectionRules;
  /** The names that the host answers to, beside its addresses. */
  readonly names: OwnNames;
  readonly tls: PublicTls | undefined;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Bodies hold card data: what Node keeps of them is overwritten too. */
  readonly card_data?: true;
  identify(digest: string): Promise<C | undefined>;
  /** Called with an address that presents one wrong key after the other. */
  suspect?(ip: string): void;
  /** Called with the SHA-256 of a private key that a browser sent. */
  inPage?(digest: string, merchant_account_id: string): void;
  /** Called with each request of a known caller as it is answered; it must not wait, and what it throws is logged. */
  told?(exchange: Told<C>): void;
  /** The values of /ready. Each must be true, or `ok`, or `away` (another host is away, and much works without it). */
  ready(): Promise<Readonly<Record<string, boolean | string>>>;
  /** Further notes of /ready, which do not make the host less ready. */
  notes?(): Readonly<Record<string, string>>;
  /** Pages and files that need no key. */
  readonly public: readonly PublicPath[];
  /** A name of this host with paths that are at no other, and where nothing else is. */
  readonly apart?: Apart | undefined;
};

export type Host = {
  readonly address: string;
  /** From now on /ready says no, and answers close their connections; everything is still answered. */
  leave(): void;
  close(): Promise<void>;
};

/** Of 1.2 only those with forward secrecy and authenticated encryption (docs/hardening.md). */
export const CIPHERS_OF_TLS_1_2 = 'ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL:!SHA1';

/** 1.3 chooses for itself. */
const TLS = {
  minVersion: 'TLSv1.2',
  ciphers: `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:${CIPHERS_OF_TLS_1_2}`,
  // SSL_OP_CLEANSE_PLAINTEXT, which Node has no name for: OpenSSL overwrites what it decrypted as soon as it is handed
  // on
  secureOptions: 2,
} as const;

/** Helpful words for the errors of Node's parser about bytes that are no request, by error code. */
const NOT_READABLE: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD:
    'no HTTP request begins like this: if it is the body of the request before it, that one lacks the header content-length or transfer-encoding',
  HPE_HEADER_OVERFLOW: `the headers are longer than ${LIMITS.header_bytes} bytes`,
  ERR_HTTP_REQUEST_TIMEOUT: `the request did not arrive whole within ${LIMITS.request_ms / 1000} s`,
};

/** Builds the host and listens. A taken port is a StartError that names the setting. */
export async function openHost<C extends Caller>(
  options: HostOptions<C>,
  at: { host: string; port: number; setting: string },
): Promise<Host> {
  const { http, ...plain } = serverOptions(options.connections);
  const app = Fastify({
    ...(!options.tls && { http }),
    logger: false,
    bodyLimit: options.body_bytes,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    ...plain,
    ...(options.tls && { https: { ...http, ...options.tls.current(), ...TLS } }),
    routerOptions: { maxParamLength: 1100, ignoreTrailingSlash: false },
    frameworkErrors: (_, request, reply) => door.lost(request, reply),
    clientErrorHandler({ code }, socket) {
      // browsers open connections ahead, and take what was written to one for the answer to its first request
      if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) {
        socket.destroy();
        return;
      }
      const request_id = options.chance.id();
      const body = JSON.stringify(
        problemBody(
          new Refusal('parameter_invalid', { detail: NOT_READABLE[code] ?? 'the request is not valid HTTP' }),
          options.addresses.base_url,
          request_id,
        ),
      );
      // not only ended: who is slow on purpose would never end its own half
      if (socket.writable)
        socket.write(
          `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nx-request-id: ${request_id}\r\ncache-control: no-store\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        );
      socket.destroySoon();
    },
  });
  const wash = options.card_data && (await openWash());
  if (options.tls) followRenewals(app.server, options.tls);
  overwriteLeft(app.server);
  limitConnections(app.server, options.connections, tellClosed(options));
  const unwatch = watchRequests(app, options);
  const door: HostFront<C> = new HostFront(app, options, () => wash?.soon());
  door.open();
  servePublic(app, options.public);
  const listening = await app.listen({ host: at.host, port: at.port }).catch((error: Error) => {
    wash?.close();
    unwatch();
    throw listenProblem(error, options.name, at);
  });
  // nobody is called by the address that stands for all of a machine
  const address = listening.replace('//[::]:', '//[::1]:');
  const close = async () => {
    door.leave();
    await app.close();
    unwatch();
    wash?.close();
  };
  return { address, leave: () => door.leave(), close };
}

/** Renewed certificates are taken over before the handshake of the next connection. */
function followRenewals(server: object, tls: PublicTls): void {
  if (!(server instanceof HttpsServer)) return;
  let shown = tls.current();
  server.prependListener('connection', () => {
    const now = tls.current();
    if (now !== shown) server.setSecureContext({ ...now, ...TLS });
    shown = now;
  });
}
