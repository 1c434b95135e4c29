// A bad line between a merchant and the API: a proxy that loses requests and answers, cuts answers off, is late,
// answers as gateways do, and sends a request twice. The same seed, the same troubles in the same order; each once
// before one comes again.
import { type IncomingMessage, type ServerResponse, createServer, request as ask } from 'node:http';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { seeded } from '../seeded.ts';

export type Trouble = 'none' | 'lost_request' | 'lost_answer' | 'half_answer' | 'late' | 'gateway' | 'twice' | 'busy';

export type NoisyLine = AsyncDisposable & {
  readonly origin: string;
  /** How often each happened. */
  readonly seen: Readonly<Record<Trouble, number>>;
};

const TROUBLES: readonly Trouble[] = ['lost_request', 'lost_answer', 'half_answer', 'late', 'gateway', 'twice', 'busy'];
const LATE_MS = 30;

type LineOptions = {
  readonly target: string;
  readonly seed: number;
  /** Of ten requests, how many have trouble. */
  readonly bad?: number;
};

export async function openNoisyLine({ target, seed, bad = 6 }: LineOptions): Promise<NoisyLine> {
  const random = seeded(seed);
  let left: readonly Trouble[] = [];
  const next = (): Trouble => {
    if (left.length === 0) left = TROUBLES;
    const drawn = left[Math.floor(random() * left.length)] ?? 'none';
    left = left.filter((trouble) => trouble !== drawn);
    return drawn;
  };
  const seen = { none: 0, lost_request: 0, lost_answer: 0, half_answer: 0, late: 0, gateway: 0, twice: 0, busy: 0 };
  const server = createServer((request, response) => {
    const trouble = random() * 10 < bad ? next() : 'none';
    seen[trouble] += 1;
    pass({ target, trouble }, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  return {
    origin: `http://127.0.0.1:${listeningPort(server)}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

type Passing = { readonly target: string; readonly trouble: Trouble };

async function pass({ target, trouble }: Passing, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  if (trouble === 'lost_request') return void request.socket.destroy();
  if (trouble === 'busy') return void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>busy</h1>');
  // twice at once: both are under way together
  const copies = await Promise.all(
    Array.from({ length: trouble === 'twice' ? 2 : 1 }, () => forward({ target, request, body })),
  );
  const answer = copies.at(-1);
  if (answer === undefined || trouble === 'lost_answer') return void request.socket.destroy();
  if (trouble === 'gateway') return void response.writeHead(504, { 'content-type': 'text/html' }).end('<h1>late</h1>');
  if (trouble === 'late') await new Promise((done) => setTimeout(done, LATE_MS));
  response.writeHead(answer.status, answer.headers);
  if (trouble !== 'half_answer') return void response.end(answer.body);
  response.write(answer.body.subarray(0, answer.body.length / 2), () => request.socket.destroy());
}

type Forwarded = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer };
type Sent = { readonly target: string; readonly request: IncomingMessage; readonly body: Buffer };

function forward({ target, request, body }: Sent): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const { connection: _, ...headers } = request.headers;
    const sent = ask(
      `${target}${request.url ?? ''}`,
      { method: request.method ?? 'GET', headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const { connection: _gone, 'transfer-encoding': _coding, ...rest } = answer.headers;
          resolve({ status: answer.statusCode ?? 502, headers: rest, body: Buffer.concat(chunks) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
