// Every request of a host is counted by its route, never by its path: paths hold ids.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { whenOver } from '../http/front/over.ts';
import type { Log } from '../log.ts';
import { tellSpan } from '../trace/spans.ts';
import { gauge, histogram } from './registry.ts';

const seconds = histogram('florin_http_request_seconds', 'Requests by host, route and status, and how long they took');
const running = gauge('florin_http_requests_running', 'Requests that are not answered yet');

/** Call it before the routes are added; it answers a function that ends it. */
export function watchRequests(
  app: FastifyInstance,
  { name: host, log }: { readonly name: string; readonly log: Log },
): () => void {
  let open = 0;
  const known = new Map<string, (seconds: number) => void>();
  const seriesOf = (method: string, route: string, status: number) => {
    const name = `${method} ${status} ${route}`;
    const series = known.get(name) ?? seconds.series({ host, method, route, status: String(status) });
    known.set(name, series);
    return series;
  };
  app.addHook('onRequest', (request, reply, done) => {
    open++;
    whenOver(request.raw, reply.raw, () => open--);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const [method, route, status, ms] = [methodOf(request), routeOf(request), reply.statusCode, reply.elapsedTime];
    seriesOf(method, route, status)(ms / 1000);
    const request_id = String(reply.getHeader('x-request-id') ?? '');
    const attributes = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status };
    tellSpan({ name: `${method} ${route}`, kind: 'server', request_id, ms, attributes, failed: status >= 500 });
    log.debug({ request_id, host, method, route, status: String(status), ms }, 'answered');
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
