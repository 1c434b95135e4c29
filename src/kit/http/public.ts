// Pages and files that need no key, as data: a zone says what is at a path, the host serves it.
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { clientIp } from './callers/proxies.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type PublicAnswer = {
  /** 200 where it is absent. */
  readonly status?: number;
  /** With an `etag`, a browser that has it already is answered 304. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The same body compressed, for clients that accept that. */
  readonly gzip?: Buffer;
};

/** What a page may know of the visitor. */
export type PublicRequest = {
  readonly request_id: string;
  readonly client_ip: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
};

type Found = PublicAnswer | undefined;

export type PublicPath = {
  readonly path: string;
  /** GET where it is absent. */
  readonly method?: 'GET' | 'POST';
  /** `params` are the path's parameters, decoded. Undefined: there is nothing, 404. */
  answer(params: Readonly<Record<string, string>>, request: PublicRequest): Found | Promise<Found>;
};

/** A file: the same for every client. */
export type PublicFile = Omit<PublicPath, 'answer'> & {
  answer(params: Readonly<Record<string, string>>): Found;
};

/** Serves the paths; what is not there is the host's own 404. */
export function servePublic(app: FastifyInstance, paths: readonly PublicPath[]): void {
  for (const { path, method = 'GET', answer } of paths)
    app.route<{ Params: Record<string, string> }>({
      method,
      url: path,
      handler: async (request, reply) => {
        const body = method === 'POST' ? await bodyOf(request) : NOTHING;
        const found = await answer(request.params, { ...asked(request, reply), body });
        return found ? send(found, request.headers, reply) : reply.callNotFound();
      },
    });
}

/** The path of the table that these decoded segments are, with its parameters; undefined: there is none. */
export function findPublic(
  paths: readonly PublicPath[],
  method: 'GET' | 'POST',
  segments: readonly string[],
): { readonly path: PublicPath; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const path of paths) {
    const own = path.path.split('/').slice(1);
    const open = own.at(-1) === '*' && own.length <= segments.length;
    if (open) own.splice(-1, 1);
    if ((path.method ?? 'GET') !== method || (!open && own.length !== segments.length)) continue;
    if (!own.every((part, at) => part.startsWith(':') || part === segments[at])) continue;
    const named = own.map((part, at) => [part, segments[at] ?? ''] as const).filter(([part]) => part.startsWith(':'));
    const rest = open ? [['*', segments.slice(own.length).join('/')] as const] : [];
    return { path, params: Object.fromEntries([...named.map(([part, text]) => [part.slice(1), text]), ...rest]) };
  }
  return undefined;
}

const WORTH_BYTES = 2048;

/**
 * A page that was made for one look. What such a page holds is never an echo of what was asked, so its length tells
 * nothing.
 */
function packPage(type: string | undefined, body: string | Buffer): Buffer | undefined {
  return type?.startsWith('text/html') === true && body.length > WORTH_BYTES ? gzipSync(body) : undefined;
}

function send(
  { status = 200, headers, body, gzip }: PublicAnswer,
  wanted: FastifyRequest['headers'],
  reply: FastifyReply,
): FastifyReply {
  reply.code(status).headers(headers);
  if (headers['etag'] !== undefined && wanted['if-none-match'] === headers['etag']) return reply.code(304).send();
  const packed = gzip ?? packPage(headers['content-type'], body);
  if (!packed) return reply.send(body);
  reply.header('vary', 'accept-encoding');
  const takes = (wanted['accept-encoding'] ?? '').includes('gzip');
  return takes ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(body);
}

const HEADERS = ['accept', 'accept-language', 'content-type', 'origin', 'user-agent'] as const;

const NOTHING = Buffer.alloc(0);
/** A form of ours is far smaller. */
const MOST_BYTES = 8192;

/** The body that was sent; empty if it is larger than any form of ours. */
async function bodyOf({ body, raw }: Pick<FastifyRequest, 'body' | 'raw'>): Promise<Buffer> {
  if (Buffer.isBuffer(body) || raw.readableEnded) return Buffer.isBuffer(body) ? body : NOTHING;
  const chunks: Buffer[] = [];
  let length = 0;
  raw.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MOST_BYTES) chunks.push(chunk);
  });
  await finished(raw);
  return length <= MOST_BYTES ? Buffer.concat(chunks) : NOTHING;
}

function asked(
  request: FastifyRequest<{ Params: Record<string, string> }>,
  reply: FastifyReply,
): Omit<PublicRequest, 'body'> {
  const { query } = request;
  return {
    request_id: String(reply.getHeader('x-request-id') ?? ''),
    client_ip: clientIp(request),
    headers: Object.fromEntries(HEADERS.map((name) => [name, request.headers[name]])),
    query: typeof query === 'object' && query !== null ? { ...query } : {},
  };
}
