// Pages and files that need no key, as data: a zone says what is at a path, the host serves it.
import type { FastifyInstance } from 'fastify';

export type PublicAnswer = { readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer };

export type PublicPath = {
  readonly path: string;
  /** `params` are the path's parameters, decoded. Undefined: there is nothing, 404. */
  answer(params: Readonly<Record<string, string>>): PublicAnswer | undefined;
};

/** Serves the paths; what is not there is the host's own 404. */
export function servePublic(app: FastifyInstance, paths: readonly PublicPath[]): void {
  for (const { path, answer } of paths)
    app.get<{ Params: Record<string, string> }>(path, (request, reply) => {
      const found = answer(request.params);
      return found ? reply.headers(found.headers).send(found.body) : reply.callNotFound();
    });
}
