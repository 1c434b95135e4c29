// Pages and files that need no key, as data: a zone says what is at a path, the host serves it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type PublicAnswer = {
  /** 200 where it is absent. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

/** What a page may know of who asks. */
export type PublicRequest = {
  readonly request_id: string;
  readonly client_ip: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
};

export type PublicPath = {
  readonly path: string;
  /** GET where it is absent. */
  readonly method?: 'GET' | 'POST';
  /** `params` are the path's parameters, decoded. Undefined: there is nothing, 404. */
  answer(
    params: Readonly<Record<string, string>>,
    request: PublicRequest,
  ): PublicAnswer | undefined | Promise<PublicAnswer | undefined>;
};

/** A file: the same for everybody who asks. */
export type PublicFile = Omit<PublicPath, 'answer'> & {
  answer(params: Readonly<Record<string, string>>): PublicAnswer | undefined;
};

/** Serves the paths; what is not there is the host's own 404. */
export function servePublic(app: FastifyInstance, paths: readonly PublicPath[]): void {
  for (const { path, method = 'GET', answer } of paths)
    app.route<{ Params: Record<string, string> }>({
      method,
      url: path,
      handler: async (request, reply) => {
        const found = await answer(request.params, asked(request, reply));
        if (!found) return reply.callNotFound();
        return reply
          .code(found.status ?? 200)
          .headers(found.headers)
          .send(found.body);
      },
    });
}

const HEADERS = ['accept', 'accept-language', 'content-type', 'origin', 'user-agent'] as const;

function asked(request: FastifyRequest<{ Params: Record<string, string> }>, reply: FastifyReply): PublicRequest {
  const { query, body } = request;
  return {
    request_id: String(reply.getHeader('x-request-id') ?? ''),
    client_ip: request.ip,
    headers: Object.fromEntries(HEADERS.map((name) => [name, request.headers[name]])),
    query: typeof query === 'object' && query !== null ? { ...query } : {},
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}
