// A TCP proxy that cuts a connection after so many bytes, in either direction: what a broken link does.
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { listeningPort } from '../../src/kit/listening-port.ts';

export type Cut = { readonly direction: 'up' | 'down'; readonly after: number };

export type Cutter = AsyncDisposable & {
  readonly port: number;
  /** For the next connection; none: bytes pass. */
  cut: Cut | undefined;
  /** Bytes that passed in the last connection. */
  readonly passed: { up: number; down: number };
};

export async function startCutter(target_port: number): Promise<Cutter> {
  const open = new Set<Socket>();
  const passed = { up: 0, down: 0 };
  let cut: Cut | undefined;
  const server = createServer((caller) => {
    const own = cut;
    const target = connect(target_port, '127.0.0.1');
    Object.assign(passed, { up: 0, down: 0 });
    const end = () => {
      for (const socket of [caller, target]) {
        open.delete(socket);
        socket.destroy();
      }
    };
    const pass = (direction: Cut['direction'], from: Socket, to: Socket) => {
      open.add(from);
      from.on('error', end).on('close', end);
      from.on('data', (bytes: Buffer) => {
        const room = own?.direction === direction ? own.after - passed[direction] : Infinity;
        passed[direction] += Math.min(room, bytes.length);
        if (bytes.length < room) to.write(bytes);
        else to.write(bytes.subarray(0, room), end);
      });
    };
    pass('up', caller, target);
    pass('down', target, caller);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: listeningPort(server),
    passed,
    get cut() {
      return cut;
    },
    set cut(value) {
      cut = value;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
