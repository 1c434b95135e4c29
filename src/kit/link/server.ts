// The listener of a link between our own hosts: HTTPS with TLS 1.3, a client certificate of our authority with one
// exact name, small JSON bodies, a fixed table of routes. It is never a public listener, and no body or answer is ever
// logged.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { DatabaseUnavailable } from '../database.ts';
import { type Listening, listenProblem } from '../http/listen.ts';
import { listeningPort } from '../listening-port.ts';
import type { Log } from '../log.ts';
import { type Identity, type Peer, peerOf } from '../tls/identity.ts';

export type LinkCall = {
  /** The parts of the path that the route leaves open, in order; each matches `LINK_PARAMETER`. */
  readonly parameters: readonly string[];
  /**
   * The parsed body; undefined where there is none. It was written by another host: it is checked before it is used.
   */
  readonly body: unknown;
};

export type LinkRoute = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** `/internal/cards/:`, where a colon stands for a parameter. */
  readonly path: string;
  readonly peers: readonly Peer[];
  /**
   * Runs a call; its result is sent as JSON. A `LinkRefusal` is answered as such, a lost database as 503, everything
   * else as 500.
   */
  run(call: LinkCall): Promise<unknown>;
};

/** The request is not as the link's language has it: nothing was done. */
export class LinkRefusal extends Error {}

export type LinkServerOptions = {
  /** How it is called in messages. */
  readonly name: string;
  readonly identity: Identity;
  readonly routes: readonly LinkRoute[];
  readonly log: Log;
};

export type LinkServer = {
  readonly port: number;
  /**
   * From now on answers close their connections: the next call of the other side opens a new one, to the process that
   * then listens.
   */
  leave(): void;
  close(): Promise<void>;
};

const LINK_PARAMETER = /^[A-Za-z0-9_-]{1,64}$/;
const BODY_BYTES = 262_144;
/** Longer than a caller keeps an idle connection, so that it is never the one who finds it closed. */
const KEEP_ALIVE_MS = 75_000;

/** Listens, or throws a StartError that names the setting. */
export async function openLinkServer(options: LinkServerOptions, at: Listening): Promise<LinkServer> {
  const { identity, log, name } = options;
  const server = createServer({
    ...secure(identity),
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
    handshakeTimeout: 5000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 10_000,
    requestTimeout: 10_000,
    maxHeaderSize: 8192,
    connectionsCheckingInterval: 2000,
  });
  let leaving = false;
  const leave = () => {
    leaving = true;
  };
  let shown = identity.current();
  // before the handshake of this very connection: renewed certificates are taken over without a restart
  server.prependListener('connection', () => {
    const now = identity.current();
    if (now !== shown) server.setSecureContext(secure(identity));
    shown = now;
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (peerOf(socket.getPeerCertificate())) return;
    log.error({ link: name }, 'a certificate of our authority with another name than a host of ours was refused');
    socket.destroy();
  });
  server.on('tlsClientError', (error: Error) => log.warn({ link: name, error: error.message }, 'a link was refused'));
  server.on('request', (request, response) => {
    // an answer that is still to go out ends its connection
    if (leaving) response.shouldKeepAlive = false;
    void serve(options, request, response);
  });
  server.listen(at.port, at.host);
  await once(server, 'listening').catch((error: Error) => {
    throw listenProblem(error, name, at);
  });
  const port = listeningPort(server);
  return {
    port,
    leave,
    close: () => {
      leave();
      return close(server);
    },
  };
}

function secure(identity: Identity) {
  const { ca, cert, key } = identity.current();
  return { ca, cert, key, minVersion: 'TLSv1.3' } as const;
}

/** Closes the server after the calls under way are answered. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}

async function serve(options: LinkServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { name: link, log } = options;
  const found = match(options.routes, request);
  const route = found?.route.path;
  try {
    if (!found) return answer(response, 404, { error: 'no such route' });
    const peer = peerOfSocket(request.socket);
    if (!peer || !found.route.peers.includes(peer)) {
      log.error({ link, peer, route }, 'a host asked for what is not its to ask');
      return answer(response, 403, { error: 'not for this host' });
    }
    const body = await readBody(request);
    if (body.kind === 'lost') return;
    answer(response, 200, await found.route.run({ parameters: found.parameters, body: body.value }));
  } catch (error) {
    const status = error instanceof LinkRefusal ? 400 : error instanceof DatabaseUnavailable ? 503 : 500;
    const said = error instanceof Error ? error.message : String(error);
    log.error({ link, route, error: said }, 'a call over the link failed');
    answer(response, status, { error: status === 400 ? said : 'failed' });
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  // what is left of a body that was refused is not read
  if (status !== 200) response.shouldKeepAlive = false;
  const text = Buffer.from(JSON.stringify(body ?? null));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}

function peerOfSocket(socket: Socket): Peer | undefined {
  return socket instanceof TLSSocket && socket.authorized ? peerOf(socket.getPeerCertificate()) : undefined;
}

function match(
  routes: readonly LinkRoute[],
  { method, url = '' }: IncomingMessage,
): { route: LinkRoute; parameters: readonly string[] } | undefined {
  const parts = url.split('/');
  for (const route of routes) {
    const own = route.path.split('/');
    if (route.method !== method || own.length !== parts.length) continue;
    const parameters = parts.filter((_, at) => own[at] === ':');
    const same = parts.every((part, at) => own[at] === ':' || own[at] === part);
    if (same && parameters.every((part) => LINK_PARAMETER.test(part))) return { route, parameters };
  }
  return undefined;
}

type Body = { readonly kind: 'read'; readonly value: unknown } | { readonly kind: 'lost' };

/** Lost: the caller went away before all of it was here; then nothing is done. */
async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) throw new LinkRefusal('the body is not bytes');
      size += chunk.length;
      if (size > BODY_BYTES) throw new LinkRefusal('the body is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof LinkRefusal) throw error;
    return { kind: 'lost' };
  }
  if (size === 0) return { kind: 'read', value: undefined };
  try {
    return { kind: 'read', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    throw new LinkRefusal('the body is not JSON');
  }
}
