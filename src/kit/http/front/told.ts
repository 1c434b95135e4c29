// The report of a host about an answered request of a known caller, for the request log. It is passed on unchanged; the
// log takes out at once what may be stored.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../../core/json.ts';
import type { Log } from '../../log.ts';
import type { Answer, Caller } from '../route.ts';
import { EMPTY, paramsOf, textsOf } from './parts.ts';

type Texts = Readonly<Record<string, string>>;

export type Told<C> = {
  readonly caller: C;
  readonly request_id: string;
  readonly method: string;
  /** The path as the table of routes has it. */
  readonly path: string;
  asked(): { readonly params: Texts; readonly query: Texts };
  readonly headers: IncomingHttpHeaders;
  /** Empty where there was none, or none that could be read. */
  readonly object: JsonObject;
  readonly status: number;
  readonly answer: Answer['body'];
  answerHeader(name: string): unknown;
  readonly ms: number;
};

type Telling<C> = {
  told?(exchange: Told<C>): void;
  readonly log: Log;
};
type About<C> = {
  readonly caller?: C;
  readonly request_id: string;
  readonly object?: JsonObject;
  readonly answer: Answer['body'];
};

/** Reports it, if there is a request log and the caller is known. The answer goes out, also if that fails. */
export function tellOf<C extends Caller>(
  { told, log }: Telling<C>,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { caller, request_id, object = EMPTY, answer }: About<C>,
): void {
  if (!told || !caller) return;
  try {
    told({
      caller,
      request_id,
      method: request.method,
      path: request.routeOptions.url ?? '',
      asked: () => ({ params: paramsOf(request), query: textsOf(request.query) }),
      headers: request.headers,
      object,
      status: reply.statusCode,
      answer,
      answerHeader: (name) => reply.getHeader(name),
      ms: reply.elapsedTime,
    });
  } catch (error) {
    log.warn({ request_id, error: String(error) }, 'a request could not be told of');
  }
}
