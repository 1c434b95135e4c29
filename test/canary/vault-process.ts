// A vault in a process of its own, and requests to it byte by byte: for tests that look into its memory.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { World } from '../world.ts';

export type VaultProcess = AsyncDisposable & {
  readonly pid: number;
  /** Sends these pieces one after the other over one kept connection, and gives the status of the answer. */
  ask(...pieces: readonly (string | Buffer)[]): Promise<number>;
  /** Sends the pieces over a connection of its own and goes away without waiting. */
  leave(...pieces: readonly (string | Buffer)[]): Promise<void>;
  /** What it logged. */
  log(): string;
};

const IDLE_MS = 1000;

type Form = {
  /** A folder with cert.pem and key.pem; the vault speaks TLS then. */
  readonly tls?: string;
  readonly cvc_store?: 'memory' | 'database';
};

export async function startVault(w: World, { tls = '', cvc_store = 'memory' }: Form = {}): Promise<VaultProcess> {
  const { socket_dir, user } = inject('server');
  const program = fileURLToPath(new URL('./vault-only.ts', import.meta.url));
  const child = spawn(process.execPath, [program, socket_dir, user, w.database, w.data_dir, tls, cvc_store]);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = new URL(line.trim());
  const at = { port: Number(url.port), host: url.hostname };
  const open = () => (tls === '' ? connect(at) : connectTls({ ...at, rejectUnauthorized: false }));
  let kept: Socket | undefined;
  let used_at = 0;
  const ask = async (...pieces: readonly (string | Buffer)[]): Promise<number> => {
    // the vault closes what is idle for 5 s, and a scan keeps us from hearing of it
    if (!kept?.writable || performance.now() - used_at > IDLE_MS) {
      kept?.destroy();
      kept = open();
    }
    const { status, closes } = await answerTo(kept, pieces);
    used_at = performance.now();
    if (closes) kept.destroy();
    return status;
  };
  const leave = async (...pieces: readonly (string | Buffer)[]) => {
    const socket = open();
    await once(socket, 'connect');
    for (const piece of pieces) await written(socket, piece);
    socket.destroy();
    await once(socket, 'close');
  };
  return {
    pid: child.pid ?? 0,
    ask,
    leave,
    log: () => log,
    [Symbol.asyncDispose]: () => stop(child, kept),
  };
}

async function stop(child: ChildProcessWithoutNullStreams, kept: Socket | undefined): Promise<void> {
  kept?.destroy();
  const ended = once(child, 'exit');
  child.stdin.end();
  await ended;
}

/** Each piece goes out alone: it is acknowledged by the system before the next one. */
function written(socket: Socket, piece: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setNoDelay(true).write(piece, (error) => (error ? reject(error) : setImmediate(resolve)));
  });
}

async function answerTo(socket: Socket, pieces: readonly (string | Buffer)[]) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; closes: boolean }>();
  let text = '';
  const hear = (data: Buffer) => {
    text += data.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (head < 0 || length === undefined || text.length < head + 4 + Number(length)) return;
    const closes = /\r\nconnection: close/i.test(text.slice(0, head));
    resolve({ status: Number(text.slice(9, 12)), closes });
  };
  const lost = () => reject(new Error(`the vault closed the connection: ${text}`));
  socket.on('data', hear).on('close', lost).on('error', lost);
  try {
    for (const piece of pieces) await written(socket, piece);
    return await promise;
  } finally {
    socket.off('data', hear).off('close', lost).off('error', lost);
  }
}
