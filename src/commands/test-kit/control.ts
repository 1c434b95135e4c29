// By this port tests and their sandbox know of each other: a connection asks for one merchant account, and its end,
// however it comes, is the end of a test. Loopback only, and only with the secret that is in the sandbox's folder.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { createInterface } from 'node:readline';

export type Answer = Readonly<Record<string, string>>;

type ControlOptions = {
  /** A merchant account of its own for each who asks. */
  account(): Promise<Answer>;
  /** Who knows it may come. */
  readonly secret: string;
  /** How long it waits while no test is connected. */
  readonly grace_ms: number;
  left(): void;
};

export type Control = {
  readonly port: number;
  /** Takes no more connections. */
  stop(): void;
  /** Ends the connections of those who wait for the end of the sandbox. */
  end(): Promise<void>;
};

/** The process that started it has connected by then, or was killed. */
const FIRST_MS = 30_000;

export async function openControl({ account, secret, grace_ms, left }: ControlOptions): Promise<Control> {
  const open = new Set<Socket>();
  const tests = new Set<Socket>();
  // who comes when the end has begun is not answered, and starts another one
  let ending = false;
  const end = () => {
    ending = true;
    left();
  };
  let timer = setTimeout(end, FIRST_MS);
  const gone = (socket: Socket) => {
    if (!tests.delete(socket) || tests.size > 0) return;
    clearTimeout(timer);
    timer = setTimeout(end, grace_ms);
  };
  // a test that ends may wait until the sandbox has ended as well
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => gone(socket));
    socket.on('close', () => {
      open.delete(socket);
      gone(socket);
    });
    createInterface({ input: socket }).once('line', (line) => {
      if (ending || !isSame(line, secret)) return void socket.destroy();
      clearTimeout(timer);
      tests.add(socket);
      account().then(
        (said) => socket.write(`${JSON.stringify(said)}\n`),
        (error: unknown) => (ending ? socket.destroy() : socket.end(`${JSON.stringify({ error: String(error) })}\n`)),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('a listening server has an address');
  return {
    port: address.port,
    stop: () => {
      ending = true;
      clearTimeout(timer);
      server.close();
    },
    end: async () => {
      await Promise.all([...open].map((socket) => new Promise<void>((done) => socket.end(() => done()))));
    },
  };
}

function isSame(said: string, secret: string): boolean {
  return said.length === secret.length && timingSafeEqual(Buffer.from(said), Buffer.from(secret));
}
