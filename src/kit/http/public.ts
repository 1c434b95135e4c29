// Pages and files that need no key, as data: a zone says what is at a path, the host serves it.
import type { FastifyInstance } from 'fastify';

export type PublicAnswer = {
  /** With an `etag`, a browser that has it already is answered 304. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The same body compressed, for those who take it. */
  readonly gzip?: Buffer;
};

type Found = PublicAnswer | undefined;

export type PublicPath = {
  readonly path: string;
  /** `params` are the path's parameters, decoded. Undefined: there is nothing, 404. */
  answer(params: Readonly<Record<string, string>>): Found | Promise<Found>;
};

/** Serves the paths; what is not there is the host's own 404. */
export function servePublic(app: FastifyInstance, paths: readonly PublicPath[]): void {
  for (const { path, answer } of paths)
    app.get<{ Params: Record<string, string> }>(path, async (request, reply) => {
      const found = await answer(request.params);
      if (!found) return reply.callNotFound();
      const { headers, body, gzip } = found;
      reply.headers(headers);
      if (headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag'])
        return reply.code(304).send();
      if (!gzip) return reply.send(body);
      reply.header('vary', 'accept-encoding');
      const takes = (request.headers['accept-encoding'] ?? '').includes('gzip');
      return takes ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(body);
    });
}
