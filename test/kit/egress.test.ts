// What a call to another host proves: real sockets that refuse, hang, break and answer.
import { type Socket, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type Exchange, openEgress } from '../../src/kit/egress.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';

/** A server that does as it is told with each connection; answers its address. */
async function peer(
  behave: (socket: Socket, data: string) => void,
): Promise<AsyncDisposable & { readonly origin: string; readonly got: string[] }> {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    socket.on('data', (data) => {
      got.push(data.toString());
      behave(socket, data.toString());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = listeningPort(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    got,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function call(
  origin: string,
  change: { deadline_ms?: number; begin_ms?: number; started?: () => void; max_answer_bytes?: number } = {},
) {
  return {
    method: 'POST',
    origin,
    pool: 'peer',
    path: '/x',
    headers: {},
    body: Buffer.from('{"a":1}'),
    deadline_ms: 60_000,
    max_answer_bytes: 1000,
    ...change,
  } as const;
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

test('an answer is handed on with its status and bytes', async () => {
  await using server = await peer((socket) => socket.write(ok('{"b":2}')));
  const egress = openEgress();
  let started = 0;
  const exchange = await egress.exchange(call(server.origin, { started: () => started++ }));
  expect(exchange).toEqual({ kind: 'answered', status: 200, body: Buffer.from('{"b":2}') });
  expect(started).toBe(1);
  await egress.close();
});

test('a refused connection proves that nothing was sent', async () => {
  const server = await peer(() => undefined);
  const { origin } = server;
  await server[Symbol.asyncDispose]();
  const egress = openEgress();
  let started = 0;
  expect(await egress.exchange(call(origin, { started: () => started++ }))).toEqual({ kind: 'not_sent' });
  expect(started).toBe(0);
  await egress.close();
});

test('a connection that breaks in the middle of an answer proves nothing', async () => {
  await using server = await peer((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"b"', () => socket.destroy()),
  );
  const egress = openEgress();
  expect(await egress.exchange(call(server.origin))).toEqual({ kind: 'unknown', why: 'closed' });
  await egress.close();
});

test('a connection that closes without an answer proves nothing, and the call is not sent again', async () => {
  await using server = await peer((socket) => socket.destroy());
  const egress = openEgress();
  expect(await egress.exchange(call(server.origin))).toEqual({ kind: 'unknown', why: 'closed' });
  expect(server.got).toHaveLength(1);
  await egress.close();
});

test('a peer that never answers is a timeout after the deadline', async () => {
  await using server = await peer(() => undefined);
  const egress = openEgress();
  expect(await egress.exchange(call(server.origin, { deadline_ms: 150 }))).toEqual({ kind: 'unknown', why: 'timeout' });
  await egress.close();
});

test('an answer that is too large is unreadable, and reading stops', async () => {
  await using server = await peer((socket) => socket.write(ok('x'.repeat(5000))));
  const egress = openEgress();
  expect(await egress.exchange(call(server.origin, { max_answer_bytes: 100 }))).toEqual({
    kind: 'unknown',
    why: 'unreadable',
  });
  await egress.close();
});

test('a kept connection that the peer has closed meanwhile is never mistaken for a call that was not sent twice', async () => {
  let calls = 0;
  await using server = await peer((socket) => {
    calls++;
    socket.write(ok('{}'), () => socket.end());
  });
  const egress = openEgress();
  for (let i = 0; i < 20; i++) {
    const before = calls;
    const exchange = await egress.exchange(call(server.origin));
    // whatever was told, the peer saw at most one copy, and none of a call that was "not sent"
    expect(calls - before).toBeLessThanOrEqual(1);
    if (exchange.kind === 'not_sent') expect(calls - before).toBe(0);
  }
  await egress.close();
});

/** Nothing of this process runs meanwhile, as where its machine was paused. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a call whose process stood still past its time is not sent, though its connection is there', async () => {
  await using server = await peer((socket) => socket.write(ok('{}')));
  const egress = openEgress();
  let started = 0;
  const exchange = await new Promise<Exchange>((resolve) => {
    // in a timer: the loop hears of the connection before it looks at the next timer, which is that of the deadline
    setTimeout(() => {
      resolve(egress.exchange(call(server.origin, { deadline_ms: 100, started: () => started++ })));
      standStill(200);
    });
  });
  expect(exchange).toEqual({ kind: 'not_sent' });
  expect(started).toBe(0);
  await egress.close();
  expect(server.got).toEqual([]);
});

test('a call that finds no connection free in time is not sent, then or later', async () => {
  const answer = Promise.withResolvers<void>();
  await using server = await peer((socket) => void answer.promise.then(() => socket.write(ok('{}'))));
  const egress = openEgress({ connections: 1 });
  const first = egress.exchange(call(server.origin));
  expect(await egress.exchange(call(server.origin, { begin_ms: 50 }))).toEqual({ kind: 'not_sent' });
  answer.resolve();
  expect(await first).toMatchObject({ kind: 'answered' });
  await egress.close();
  expect(server.got).toHaveLength(1);
});
