// Every way in which a connection can end, as bytes over a plain socket: what a client sends and how it leaves.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type Socket, connect } from 'node:net';

/** A request that one host answers, in the parts a form puts together in its own way. */
export type Target = {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Done when the client is gone; `came` is awaited between the last byte and the end. */
type Play = (target: Target, came: Promise<void>) => Promise<void>;

/** `left`: it can end while the host still works for it. */
export type Form = { readonly name: string; readonly left?: true; readonly play: Play };

const lines = ({ method, path, headers }: Target, more: Readonly<Record<string, string>>) =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: new URL('http://127.0.0.1').host, ...headers, ...more }).map(([n, v]) => `${n}: ${v}`),
    '',
    '',
  ].join('\r\n');
const head = (target: Target, more: Readonly<Record<string, string>> = {}) =>
  lines(target, { 'content-length': String(Buffer.byteLength(target.body)), ...more });
/** The request as it should be. */
export const whole = (target: Target) => head(target) + target.body;
const half = ({ body }: Target) => body.slice(0, body.length / 2);

export async function open({ url }: Target): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  // a host that ends the connection first is what some forms are about
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const sent = (socket: Socket, bytes: string) =>
  new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
  });
/** Reads until something came, or the host closed. */
const firstBytes = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once('data', () => resolve()).once('close', () => resolve());
  });
const closed = async (socket: Socket) => {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
};

type End = (socket: Socket) => Promise<void>;
const reset: End = async (socket) => {
  socket.resetAndDestroy();
  await closed(socket);
};
const destroy: End = async (socket) => {
  socket.destroy();
  await closed(socket);
};
/** Ends its own half; what still comes is read to its end, whenever that is. */
const halfClose: End = (socket) =>
  new Promise((resolve) => {
    socket.once('close', () => resolve()).once('end', () => socket.destroy());
    socket.resume();
    socket.end(() => resolve());
  });
const untilClosed: End = async (socket) => {
  socket.once('end', () => socket.end());
  await closed(socket);
};

const ENDS: readonly (readonly [string, End])[] = [
  ['a reset', reset],
  ['an end', destroy],
  ['a half close', halfClose],
];

/** The bytes, and then each of the three ends. */
const three = (name: string, bytes: (target: Target) => string, left?: true): Form[] =>
  ENDS.map(([end_name, end]) => ({
    name: `${name}, then ${end_name}`,
    ...(left && { left }),
    play: async (target, came) => {
      const socket = await open(target);
      await sent(socket, bytes(target));
      await came;
      await end(socket);
    },
  }));

/** The bytes; the host closes the connection. */
const hostCloses = (name: string, bytes: (target: Target) => string): Form => ({
  name: `${name}: the host closes`,
  play: async (target) => {
    const socket = await open(target);
    await sent(socket, bytes(target));
    await untilClosed(socket);
  },
});

const chunked = (target: Target, chunks: string) => lines(target, { 'transfer-encoding': 'chunked' }) + chunks;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

async function keepAlive(target: Target, end: End): Promise<void> {
  const socket = await open(target);
  for (let i = 0; i < 3; i++) {
    const came = firstBytes(socket);
    await sent(socket, whole(target));
    await came;
  }
  await end(socket);
}

/** By Node's own client: `act` says what is done with the request. */
function byNode(target: Target, method: string, act: (request: ReturnType<typeof httpRequest>) => void): Promise<void> {
  return new Promise((resolve) => {
    const request = httpRequest(target.url + target.path, {
      method,
      headers: { ...target.headers },
      agent: false,
    });
    request.on('response', (response) => response.on('error', () => undefined).resume());
    request.on('error', () => undefined).on('close', () => resolve());
    act(request);
  });
}

const BEHIND = 'x x';

export const FORMS: readonly Form[] = [
  ...three('the whole request', whole, true),
  ...three('bytes behind the body', (t) => whole(t) + BEHIND, true),
  ...three('two requests at once', (t) => whole(t) + whole(t), true),
  ...three('three requests at once and bytes behind them', (t) => whole(t).repeat(3) + BEHIND, true),
  ...three('a request and half of the next', (t) => whole(t) + head(t) + half(t), true),
  ...three('a request and the head of the next', (t) => whole(t) + head(t), true),
  ...three('a body in chunks', (t) => chunked(t, `${chunk(t.body)}0\r\n\r\n`), true),
  ...three('a body in chunks and bytes behind it', (t) => chunked(t, `${chunk(t.body)}0\r\n\r\n${BEHIND}`), true),
  ...three('half of a chunk', (t) => chunked(t, chunk(t.body).slice(0, 12))),
  ...three('half of the request line', ({ method }) => `${method} /pay`),
  ...three('half of the head', (t) => head(t).slice(0, 60)),
  ...three('the head alone', head),
  ...three('half of the body', (t) => head(t) + half(t)),
  ...three('a request without a body and without its length', (t) => lines(t, {})),
  ...three('a body without its length', (t) => lines(t, {}) + t.body),
  ...three('an upgrade', (t) => head(t, { connection: 'upgrade', upgrade: 'websocket' }) + t.body),
  ...three('an unknown route with a body', (t) => whole({ ...t, path: '/nothing' }) + BEHIND),
  ...three('another content type', (t) => whole({ ...t, headers: { ...t.headers, 'content-type': 'a/b' } }) + BEHIND),
  ...three('an unknown key', (t) => whole({ ...t, headers: { ...t.headers, 'x-api-key': 'wrong' } }) + BEHIND),
  ...three('a body that is no JSON', (t) => whole({ ...t, body: '{' }) + BEHIND),
  ...three('a method the path does not take', (t) => whole({ ...t, method: 'PUT' }) + BEHIND),
  hostCloses('bytes behind the body', (t) => whole(t) + BEHIND),
  hostCloses('a chunk of no size', (t) => chunked(t, 'zz\r\n')),
  hostCloses('a length and chunks', (t) => head(t, { 'transfer-encoding': 'chunked' }) + t.body),
  hostCloses('two lengths', (t) => head(t).replace('\r\n\r\n', '\r\ncontent-length: 1\r\n\r\n') + t.body),
  hostCloses('a head that is too large', (t) => head(t, { 'x-large': 'x'.repeat(9000) })),
  hostCloses('a header that is no header', (t) => head(t).replace('\r\n\r\n', '\r\n: x\r\n\r\n') + t.body),
  hostCloses('connection: close', (t) => head(t, { connection: 'close' }) + t.body),
  hostCloses('HTTP/1.0', (t) => whole(t).replace('HTTP/1.1', 'HTTP/1.0')),
  hostCloses('too many headers', (t) => head(t, many()) + t.body),
  hostCloses('CONNECT', ({ url }) => `CONNECT ${new URL(url).host} HTTP/1.1\r\nhost: x\r\n\r\n`),
  { name: 'three requests, one after the other, then a reset', play: (target) => keepAlive(target, reset) },
  { name: 'three requests, one after the other, then a half close', play: (target) => keepAlive(target, halfClose) },
  {
    name: 'a body byte by byte',
    play: async (target) => {
      const socket = await open(target);
      socket.setNoDelay(true);
      await sent(socket, head(target));
      const came = firstBytes(socket);
      for (const letter of target.body) await sent(socket, letter);
      await came;
      await destroy(socket);
    },
  },
  ...ENDS.map(([name, end]) => ({
    name: `expect: 100-continue, and after the 100 ${name}`,
    play: async (target: Target) => {
      const socket = await open(target);
      const came = firstBytes(socket);
      await sent(socket, head(target, { expect: '100-continue' }));
      await came;
      await end(socket);
    },
  })),
  {
    name: 'expect: 100-continue, the body, then a reset',
    play: async (target) => {
      const socket = await open(target);
      const came = firstBytes(socket);
      await sent(socket, head(target, { expect: '100-continue' }));
      await came;
      await sent(socket, target.body);
      await reset(socket);
    },
  },
  hostCloses('expect: something else', (t) => head(t, { expect: 'x', connection: 'close' }) + t.body),
  {
    name: 'an answer that is left at its first byte',
    play: async (target) => {
      const socket = await open(target);
      const came = firstBytes(socket);
      await sent(socket, whole(target));
      await came;
      await reset(socket);
    },
  },
  {
    name: 'answers that nobody reads, then a reset',
    play: async (target) => {
      const socket = await open(target);
      await sent(socket, whole(target).repeat(20));
      await reset(socket);
    },
  },
  {
    name: "DELETE with a body and no length, by Node's client",
    play: (target) =>
      byNode(target, 'DELETE', (request) => {
        request.write(target.body);
        request.end();
      }),
  },
  {
    name: "a request that Node's client destroys before its body",
    play: (target) => byNode(target, target.method, (request) => request.flushHeaders() ?? request.destroy()),
  },
  {
    name: "a request that Node's client destroys behind its body",
    left: true,
    play: (target, came) =>
      byNode(target, target.method, (request) => {
        request.setHeader('content-length', Buffer.byteLength(target.body));
        request.end(target.body, () => void came.then(() => request.destroy()));
      }),
  },
];

function many(): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`x-${n}`, 'x']));
}

/** Answered at once; the host reads on for a while, so that the answer arrives, and closes then. */
export const LARGE_FORMS: readonly Form[] = [
  hostCloses('a body above the limit', (t) => head(t, { 'content-length': '900000' }) + 'x'.repeat(200_000)),
  hostCloses('a body above the limit in chunks', (t) => chunked(t, chunk('x'.repeat(70_000)).repeat(3))),
];

/** What the host itself gives up after its time limits, or a while after its answer: played together, for they last. */
export const SLOW_FORMS: readonly Form[] = [
  ...LARGE_FORMS,
  hostCloses('a head that never ends', (t) => head(t).slice(0, 60)),
  hostCloses('a body that never ends', (t) => head(t) + half(t)),
  hostCloses('a body in chunks that never ends', (t) => chunked(t, chunk('{'))),
  hostCloses('a request and a body that never ends', (t) => whole(t) + head(t) + half(t)),
  hostCloses('a request and then silence', whole),
];
