// Overwrites the one buffer of this process that every HTTP request is read into. Node keeps it (64 KiB) for all
// connections and never clears it: a number that came late in a long request would stay until a longer one comes
// (measured: docs/hardening.md). That buffer is reached only by a request, so we send ourselves one that never ends, of
// nothing but spaces, and go on until a whole buffer of it has arrived.
import { once } from 'node:events';
import { type IncomingMessage, createServer as createHttpServer } from 'node:http';
import { type Socket, connect, createServer } from 'node:net';

export type Wash = {
  /** Card data came in: wash in a moment, once for all that came until then. */
  soon(): void;
  close(): void;
};

/** How much Node reads at once. */
const BUFFER_BYTES = 65_536;
const SPACES = Buffer.alloc(2 * BUFFER_BYTES, ' ');
/** Not more often than this; also how long a number may stay at most. */
const MOMENT_MS = 100;
const ENDLESS = `POST / HTTP/1.1\r\nhost: wash\r\ncontent-length: ${Number.MAX_SAFE_INTEGER}\r\n\r\n`;

export async function openWash(): Promise<Wash> {
  const { ours, theirs } = await socketPair();
  const server = createHttpServer({ requestTimeout: 0 });
  let timer: NodeJS.Timeout | undefined;
  let washing = false;
  const pour = () => {
    timer = undefined;
    if (ours.writable) ours.write(SPACES);
  };
  const begun = once(server, 'request');
  server.on('request', (request: IncomingMessage) => {
    // a shorter piece has left the end of the buffer as it was: once more
    let left = 0;
    request.on('data', (piece: Buffer) => {
      if (piece.length === BUFFER_BYTES) washing = false;
      left = (left + piece.length) % SPACES.length;
      if (left === 0 && washing) pour();
    });
  });
  server.emit('connection', theirs);
  ours.write(ENDLESS);
  await begun;
  for (const socket of [ours, theirs]) socket.on('error', () => undefined).unref();
  return {
    soon: () => {
      washing = true;
      timer ??= setTimeout(pour, MOMENT_MS).unref();
    },
    close: () => {
      clearTimeout(timer);
      ours.destroy();
      theirs.destroy();
    },
  };
}

/** A pair of sockets within this process: no other process can be at either end. */
async function socketPair(): Promise<{ ours: Socket; theirs: Socket }> {
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (typeof address !== 'object' || address === null) throw new Error('a listening socket has an address');
  const ours = connect(address.port, address.address);
  const theirs = await new Promise<Socket>((resolve, reject) => {
    ours.on('error', reject);
    listener.on('connection', (socket) => {
      // another connection that came at this moment is closed
      if (socket.remotePort === ours.localPort) resolve(socket);
      else socket.destroy();
    });
  });
  listener.close();
  return { ours, theirs };
}
