// Lines on real sockets to acquirers of a test, a log that can be read, and a proxy that cuts a line after so many
// bytes.
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { openSocket } from '../../src/kit/line-socket.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { DIALECT } from '../../src/provider/send/iso8583/dialect.ts';
import { type Lines, openLines } from '../../src/provider/send/iso8583/lines.ts';
import type { LineClock, LineTimes } from '../../src/provider/send/iso8583/outside.ts';

export type Said = { readonly text: string; readonly fields: Readonly<Record<string, string | number>> };

export type TestLines = Lines & { readonly log: Said[]; readonly states: string[] };

export function linesTo(
  ports: readonly number[],
  { clock, times }: { readonly clock: LineClock; readonly times?: Partial<LineTimes> },
): TestLines {
  const log: Said[] = [];
  const states: string[] = [];
  const note = (fields: Said['fields'], text: string) => void log.push({ fields, text });
  const addresses = ports.map((port) => ({ host: '127.0.0.1', port }));
  const destination = { addresses, dialect: DIALECT, ...(times && { times }) };
  const lines = openLines(new Map([['acquirer', destination]]), {
    clock,
    log: { debug: note, warn: note, error: note },
    connect: ({ host, port }, events) =>
      openSocket({ host, port, tls: null, reach: 'loopback', connect_ms: 2000 }, events),
    changed: (line, ready) => void states.push(`${line} ${ready ? 'ready' : 'not ready'}`),
  });
  return { ...lines, log, states };
}

export type Proxy = AsyncDisposable & {
  readonly port: number;
  /** Of the bytes towards the acquirer from now on, only so many pass; then the line is cut. */
  cutAfter(bytes: number): void;
  /** Nothing passes any more, in either direction, and nobody is told. */
  blackHole(): void;
  heal(): void;
};

export async function openProxy(to_port: number): Promise<Proxy> {
  let left = Infinity;
  let hole = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ port: to_port, host: '127.0.0.1' });
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    near.on('data', (chunk) => {
      if (hole) return;
      const passes = chunk.subarray(0, left);
      left -= passes.length;
      if (left > 0) far.write(passes);
      else far.write(passes, () => far.end(cut));
    });
    far.on('data', (chunk) => void (hole || near.write(chunk)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: listeningPort(server),
    cutAfter: (bytes) => {
      left = bytes;
    },
    blackHole: () => {
      hole = true;
    },
    heal: () => {
      left = Infinity;
      hole = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
