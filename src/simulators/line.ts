// How a simulator listens and answers over node:http: with a whole answer, or with an answer that a fault changes.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '../kit/listening-port.ts';

export type Reply = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * `close`: the connection breaks before the first byte; `half`: it breaks in the middle of the answer; `silence`:
 * nothing is sent, and the connection stays open.
 */
export type Sent = { readonly reply: Reply; readonly way: 'whole' | 'close' | 'half' | 'silence' };

export const whole = (reply: Reply): Sent => ({ reply, way: 'whole' });

export const html = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  body,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
});

export const changed = (reply: Reply, what: RegExp, into: string): Reply => ({
  ...reply,
  body: reply.body.replace(what, into),
});

export const BAD_GATEWAY = html(502, '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>');
export const TOO_LARGE = whole(html(413, '<!doctype html><title>413</title>'));

const MOST_BYTES = 65_536;

/** `text` is undefined if the body is longer than the limit, or the caller went away before its end. */
type Serving = (request: IncomingMessage, text: string | undefined) => Sent | Promise<Sent>;

/**
 * The paths whose bodies may be longer than others, and the paths whose bodies are bytes: one character of the text is
 * then one byte.
 */
export type Long = { readonly at: RegExp; readonly most: number; readonly bytes_at: RegExp };

/** `headers` are sent with every answer. */
export function serve(serving: Serving, headers: Readonly<Record<string, string>>, long?: Long): Server {
  const failed = (error: unknown): Sent => {
    const body = JSON.stringify({ message: String(error) });
    return whole({ status: 500, body, headers: { 'content-type': 'application/json' } });
  };
  const answered = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      leave(response, await serving(request, await bodyOf(request, long)), headers);
    } catch (error) {
      leave(response, failed(error), headers);
    }
  };
  return createServer((request, response) => void answered(request, response));
}

async function bodyOf(request: IncomingMessage, long?: Long): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  const path = request.url ?? '';
  const most = long?.at.test(path) ? long.most : MOST_BYTES;
  const encoding = long?.bytes_at.test(path) ? 'latin1' : 'utf8';
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length <= most) pieces.push(piece);
    }
  } catch {
    // the caller went away before the end of the body, and waits for no answer
    return undefined;
  }
  return length <= most ? Buffer.concat(pieces).toString(encoding) : undefined;
}

function leave(response: ServerResponse, { reply, way }: Sent, headers: Readonly<Record<string, string>>): void {
  const bytes = Buffer.from(reply.body);
  if (way === 'silence') return;
  if (way === 'close') {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.length, ...headers });
  if (way === 'half') response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

/** Returns the port on which the server listens; 0 asks for any free port. */
export async function open(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return listeningPort(server);
}

export async function shut(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
