// The port that connects tests with their sandbox: each connection asks for one merchant account, and the end of the
// connection, however it comes, is the end of a test. It is open on loopback only, and only for the secret in the
// sandbox's folder.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { listeningPort } from '../../kit/listening-port.ts';

export type Answer = Readonly<Record<string, string>>;

type ControlOptions = {
  /** Makes a merchant account of its own for each connection. */
  account(): Promise<Answer>;
  /** A test must send this secret. */
  readonly secret: string;
  /** How long the sandbox waits while no test is connected. */
  readonly grace_ms: number;
  left(): void;
};

export type Control = {
  readonly port: number;
  /** Accepts no more connections. */
  stop(): void;
  /** Closes the connections of tests that wait for the end of the sandbox. */
  end(): Promise<void>;
};

/** By then the process that started the sandbox has connected, or was killed. */
const FIRST_MS = 30_000;

export async function openControl({ account, secret, grace_ms, left }: ControlOptions): Promise<Control> {
  const open = new Set<Socket>();
  const tests = new Set<Socket>();
  // true: a new test gets no answer, and starts another sandbox
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
  // half-open: a test that has ended may wait until the sandbox has ended too
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
  return {
    port: listeningPort(server),
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
