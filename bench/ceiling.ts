// The ceiling of anything on Node: a bare node:http server that reads the body, parses it, and answers what the service
// answered once. No key, no check, no database. A process of its own, as the service is.
import { createServer } from 'node:http';
import { listeningPort } from '../src/kit/listening-port.ts';

/** Path to answer; GET is answered by the one of its folder. */
export type Answers = Readonly<Record<string, string>>;

let answers: Answers = {};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'POST') JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const path = request.method === 'POST' ? (request.url ?? '') : '/payment/order/';
    const body = answers[path] ?? '{}';
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});

process.on('message', (given: Answers) => {
  answers = given;
  server.listen(0, '127.0.0.1', () => process.send?.(listeningPort(server)));
});
process.on('disconnect', () => process.exit());
