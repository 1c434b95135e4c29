// A proxy before several payment hosts, as deploy/haproxy/api.cfg has it: it asks each for /ready, takes one out after
// two bad looks, and tries again elsewhere only what could not be sent.
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { systemClock } from '../../src/kit/clock.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';

const LOOK_MS = 200;
const FALL = 2;

export type Balancer = AsyncDisposable & {
  readonly url: string;
  isReady(port: number): boolean;
};

type Host = { readonly port: number; readonly agent: Agent; failures: number };

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const clock = systemClock();
  const hosts = ports.map((port): Host => ({ port, agent: new Agent({ keepAlive: true }), failures: FALL }));
  const ending = new AbortController();
  const looking = hosts.map(async (host) => {
    while (!ending.signal.aborted) {
      host.failures = (await isReady(host.port)) ? 0 : host.failures + 1;
      await clock.sleep(LOOK_MS, ending.signal);
    }
  });
  let turn = 0;
  const choose = async (): Promise<Host> => {
    for (;;) {
      const ready = hosts.filter(({ failures }) => failures < FALL);
      const host = ready[turn++ % Math.max(1, ready.length)];
      if (host) return host;
      // a busy machine makes hosts late, which is not what is looked at
      await clock.sleep(LOOK_MS);
    }
  };
  const server = createServer((asked, answer) => void carry(asked, answer, choose));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    isReady: (port) => hosts.some((host) => host.port === port && host.failures < FALL),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await Promise.all(looking);
      for (const { agent } of hosts) agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/ready`).then(
    async (reply) => {
      await reply.arrayBuffer();
      return reply.ok;
    },
    () => false,
  );
}

/** 502 where it was sent and no answer came: the proxy cannot know what became of it. */
async function carry(asked: IncomingMessage, answer: ServerResponse, choose: () => Promise<Host>): Promise<void> {
  const body = Buffer.concat(await asked.toArray());
  for (;;) {
    const host = await choose();
    const sending = request({
      host: '127.0.0.1',
      port: host.port,
      agent: host.agent,
      method: asked.method,
      path: asked.url,
      headers: asked.headers,
    });
    const came = await answerOf(sending.end(body));
    if (came === 'not sent') {
      host.failures++;
      continue;
    }
    if (came === 'lost') {
      answer.writeHead(502).end();
      return;
    }
    answer.writeHead(came.statusCode ?? 502, { ...came.headers, connection: 'keep-alive' });
    came.pipe(answer);
    return;
  }
}

async function answerOf(sending: ClientRequest): Promise<IncomingMessage | 'not sent' | 'lost'> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | 'not sent' | 'lost'>();
  sending.on('response', resolve);
  sending.on('error', (error) => resolve(/ECONNREFUSED/.test(String(error)) ? 'not sent' : 'lost'));
  return promise;
}
