// Connections that are kept open: to whom they go, and what is told of their end.
import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { expect, test } from 'vitest';
import { type SocketTarget, openSocket } from '../../src/kit/line-socket.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import type { TlsPin } from '../../src/kit/tls/pinned.ts';
import { newCertificate } from '../vault/provider.ts';

type Listening = AsyncDisposable & { readonly port: number };

async function listening(server: ReturnType<typeof createServer>): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: listeningPort(server),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const LOOPBACK = { host: 'localhost', tls: null, reach: 'loopback', connect_ms: 2000 } as const;

/** Opens, says one word, and waits for it to come back and for the end. */
async function echoed(target: SocketTarget): Promise<string> {
  const ended = Promise.withResolvers<void>();
  let heard = '';
  const socket = await openSocket(target, {
    bytes: (chunk) => {
      heard += Buffer.from(chunk).toString();
      socket.destroy();
    },
    ended: () => ended.resolve(),
  });
  const written = Promise.withResolvers<void>();
  socket.write(Buffer.from('word'), () => written.resolve());
  await Promise.all([ended.promise, written.promise]);
  return heard;
}

test('bytes go both ways, in clear on loopback and under the pinned certificate', async () => {
  const { cert, key } = newCertificate('localhost');
  await using plain = await listening(createServer((socket) => void socket.pipe(socket)));
  await using safe = await listening(createTls({ cert, key }, (socket) => void socket.pipe(socket)));
  expect(await echoed({ ...LOOPBACK, port: plain.port })).toBe('word');
  const tls: TlsPin = { ca: cert, certificates: [], min: 'TLSv1.3' };
  expect(await echoed({ ...LOOPBACK, port: safe.port, tls })).toBe('word');
});

test('another certificate, another address, and what is not there are refused', async () => {
  const shown = newCertificate('localhost');
  await using safe = await listening(createTls(shown, (socket) => void socket.pipe(socket)));
  const other: TlsPin = { ca: newCertificate('localhost').cert, certificates: [], min: 'TLSv1.3' };
  const nobody = await listening(createServer());
  await nobody[Symbol.asyncDispose]();
  const events = { bytes: () => undefined, ended: () => undefined };
  const refused = [
    openSocket({ ...LOOPBACK, port: safe.port, tls: other }, events),
    openSocket({ ...LOOPBACK, port: nobody.port }, events),
    openSocket({ ...LOOPBACK, port: 1, host: '192.0.2.1' }, events),
    openSocket({ ...LOOPBACK, port: 1, host: '192.0.2.1', reach: 'public' }, events),
  ];
  const reasons = await Promise.all(refused.map((one) => one.then(() => 'open', String)));
  expect(reasons).toEqual([
    expect.stringContaining('certificate'),
    expect.stringContaining('ECONNREFUSED'),
    'Error: this address may not be reached',
    'Error: nothing goes to a public address in clear',
  ]);
});

test('the end of the other side is told once', async () => {
  await using plain = await listening(createServer((socket) => void socket.end('bye')));
  const heard: string[] = [];
  const ended = Promise.withResolvers<void>();
  await openSocket(
    { ...LOOPBACK, port: plain.port },
    {
      bytes: (chunk) => void heard.push(Buffer.from(chunk).toString()),
      ended: () => {
        heard.push('ended');
        ended.resolve();
      },
    },
  );
  await ended.promise;
  expect(heard).toEqual(['bye', 'ended']);
});
