// One HTTP host: routes from a table behind a door (door.ts), its own pages, health and readiness. Fastify carries the requests.
import Fastify from 'fastify';
import { Refusal, problemBody } from '../../core/refusals.ts';
import type { Chance, Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Door } from './door.ts';
import type { GateLimits } from './gate.ts';
import { listenProblem } from './listen.ts';
import { type PublicPath, servePublic } from './public.ts';
import type { Caller, Route } from './route.ts';

/** Where the hosts are, as callers see them; filled in as they open. */
export type Addresses = { base_url: string; vault_url: string; backoffice_url: string };

export type HostOptions<C extends Caller> = {
  readonly name: string;
  readonly routes: readonly Route<C>[];
  readonly addresses: Addresses;
  readonly production: boolean;
  readonly body_bytes: number;
  readonly limits: GateLimits;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  identify(digest: string): Promise<C | undefined>;
  /** What /ready says; every value must be true, or the word ok. */
  ready(): Promise<Readonly<Record<string, boolean | string>>>;
  /** Pages and files that need no key. */
  readonly public: readonly PublicPath[];
};

export type Host = {
  readonly address: string;
  close(): Promise<void>;
};

/** Builds the host and listens. A taken port is a StartError that names the setting. */
export async function openHost<C extends Caller>(
  options: HostOptions<C>,
  at: { host: string; port: number; setting: string },
): Promise<Host> {
  const app = Fastify({
    logger: false,
    bodyLimit: options.body_bytes,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 70_000,
    requestTimeout: 15_000,
    http: { maxHeaderSize: 16_384, headersTimeout: 10_000, connectionsCheckingInterval: 2000 },
    ...(options.tls && { https: { ...options.tls, minVersion: 'TLSv1.2' } }),
    routerOptions: { maxParamLength: 1100, ignoreTrailingSlash: false },
    frameworkErrors: (_, request, reply) => door.lost(request, reply),
    clientErrorHandler(_, socket) {
      const request_id = options.chance.id();
      const body = JSON.stringify(
        problemBody(
          new Refusal('parameter_invalid', { detail: 'the request is not valid HTTP' }),
          options.addresses.base_url,
          request_id,
        ),
      );
      if (socket.writable)
        socket.end(
          `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\nx-request-id: ${request_id}\r\ncache-control: no-store\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
        );
    },
  });
  const door: Door<C> = new Door(app, options);
  door.open();
  servePublic(app, options.public);
  const address = await app.listen({ host: at.host, port: at.port }).catch((error: Error) => {
    throw listenProblem(error, options.name, at);
  });
  const close = () => {
    door.close();
    return app.close();
  };
  return { address, close };
}
