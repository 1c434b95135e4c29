// The listener that Prometheus reads: a port of its own, on loopback unless the settings say otherwise. It knows two
// paths and takes no body.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Listening, listenProblem, urlAt } from '../http/listen.ts';
import { listeningPort } from '../listening-port.ts';
import { exposition } from './registry.ts';

export type MetricsListener = { readonly address: string; close(): Promise<void> };

/** Listens, or throws a StartError that names the setting. */
export async function openMetrics(at: Listening): Promise<MetricsListener> {
  const server = createServer(
    { requestTimeout: 5000, headersTimeout: 5000, maxHeaderSize: 8192 },
    (request, response) => {
      const answer = (status: number, type: string, body: string) =>
        response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
      const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
      if (path === '/health') return void answer(200, 'application/json', '{"status":"up"}');
      if (path !== '/metrics') return void answer(404, 'text/plain', 'GET /metrics\n');
      exposition().then(
        (text) => answer(200, 'text/plain; version=0.0.4; charset=utf-8', text),
        () => answer(500, 'text/plain', 'the metrics could not be read\n'),
      );
    },
  );
  server.listen(at.port, at.host);
  await once(server, 'listening').catch((error: Error) => {
    throw listenProblem(error, 'metrics', at);
  });
  const port = listeningPort(server);
  return {
    address: urlAt(at.host, port),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
