// A merchant's server that takes notifications: it answers as it is told, and keeps what came.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { undescribedEvent } from '../described.ts';

export type Got = {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * A status to answer; 'hang': nothing is ever answered; 'late': taken, and the answer comes when nobody waits for it.
 */
export type Mood = number | 'hang' | 'late' | 'cut';

export type Receiver = AsyncDisposable & {
  readonly url: string;
  /** Everything that came, in order, also what was not answered well. */
  readonly got: readonly Got[];
  /** What was answered with 2xx. */
  readonly taken: readonly Got[];
  mood: (got: Got) => Mood;
  /** Headers of its answers. */
  headers: Readonly<Record<string, string>>;
  /** Connections open now, and the most there ever were. */
  readonly connections: { now: number; most: number };
  until(fits: (taken: readonly Got[]) => boolean): Promise<readonly Got[]>;
};

/** Longer than the deadline of the tests that have late answers. */
const LATE_MS = 600;

/** Accounts whose events no order stands behind: their bodies have no order in them. */
export const MADE_UP = new Set<unknown>();

/** Its end fails where a body was not as openapi.json describes it. */
export async function receiver(mood: (got: Got) => Mood = () => 200): Promise<Receiver> {
  const got: Got[] = [];
  const taken: Got[] = [];
  const connections = { now: 0, most: 0 };
  const waiting = new Set<() => void>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = await read(request);
    got.push(one);
    const wanted = self.mood(one);
    if (wanted === 'cut') request.socket.destroy();
    if (wanted === 'hang' || wanted === 'cut') return;
    const status = wanted === 'late' ? 200 : wanted;
    if (status >= 200 && status < 300) taken.push(one);
    if (wanted === 'late') setTimeout(() => answer(response, status, self.headers), LATE_MS).unref();
    else answer(response, status, self.headers);
    for (const look of waiting) look();
  };
  const server = createServer((request, response) => {
    void take(request, response);
  });
  server.on('connection', (socket) => {
    connections.now++;
    connections.most = Math.max(connections.most, connections.now);
    socket.on('close', () => connections.now--);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const port = listeningPort(server);
  const self: Receiver = {
    url: `http://127.0.0.1:${port}/florin?shop=1`,
    got,
    taken,
    mood,
    headers: {},
    connections,
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          if (!fits(taken)) return;
          waiting.delete(look);
          resolve(taken);
        };
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      const wrong = new Set(
        got.flatMap(({ body }) => (MADE_UP.has(body['merchant_account']) ? [] : undescribedEvent(body))),
      );
      if (wrong.size > 0) throw new Error(`told, and not as openapi.json has it: ${[...wrong].slice(0, 5).join(', ')}`);
    },
  };
  return self;
}

function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, headers);
  response.end('{}');
}

async function read(request: IncomingMessage): Promise<Got> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) as Got['body'] };
}
