// Every request of a host is counted by its route, never by its path: paths hold ids.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenOver } from '../http/front/over.ts';
import type { Log } from '../log.ts';
import { tellSpan } from '../trace/spans.ts';
import { gauge, histogram } from './registry.ts';

const seconds = histogram('florin_http_request_seconds', 'Requests by host, route and status, and how long they took');
const running = gauge('florin_http_requests_running', 'Requests that are not answered yet');

/** Before the routes are added. Answers what ends it. */
export function watchRequests(
  app: FastifyInstance,
  { name: host, log }: { readonly name: string; readonly log: Log },
): () => void {
  let open = 0;
  app.addHook('onRequest', (request, reply, done) => {
    open++;
    whenOver(request.raw, reply.raw, () => open--);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { host, method: methodOf(request), route: routeOf(request), status: String(reply.statusCode) };
    seconds.observe(labels, reply.elapsedTime / 1000);
    const request_id = String(reply.getHeader('x-request-id') ?? '');
    const attributes = {
      'http.request.method': labels.method,
      'http.route': labels.route,
      'http.response.status_code': reply.statusCode,
    };
    const name = `${labels.method} ${labels.route}`;
    tellSpan({ name, kind: 'server', request_id, ms: reply.elapsedTime, attributes, failed: reply.statusCode >= 500 });
    log.debug({ request_id, ...labels, ms: reply.elapsedTime }, 'answered');
    done();
  });
  return running.from(() => [[{ host }, open]]);
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
}

const KNOWN = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function methodOf({ method }: FastifyRequest): string {
  return KNOWN.has(method) ? method : 'other';
}
