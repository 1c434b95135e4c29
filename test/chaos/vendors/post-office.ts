// The receiver of providers' messages: it takes each at once, and passes it to one service after the other until one
// takes it.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '../../../src/kit/listening-port.ts';
import { pause } from '../ask.ts';

export type PostOffice = {
  /** Reports something that must never happen: a message with a valid signature is refused. */
  violated(order_id: string, what: string): void;
  /** The address of a service that works just now. */
  ready(): string | undefined;
};

export type OpenPostOffice = { readonly url: string; close(): Promise<void> };

const AGAIN_MS = 200;
const ANSWER_MS = 10_000;

export async function openPostOffice({ violated, ready }: PostOffice): Promise<OpenPostOffice> {
  let open = true;
  const tell = async (path: string, headers: Readonly<Record<string, string>>, body: Buffer<ArrayBuffer>) => {
    while (open) {
      const status = await tellOnce(`${ready() ?? ''}${path}`, headers, body);
      if (status >= 200 && status < 300) return;
      if (status >= 400 && status < 500 && status !== 429) {
        violated('', `a message of a provider was refused: ${path} ${status}`);
        return;
      }
      await pause(AGAIN_MS);
    }
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bytesOf(request);
    response.writeHead(200, { 'content-type': 'text/plain' }).end('[accepted]');
    await tell(request.url ?? '', headersOf(request), body);
  };
  const server = createServer((request, response) => {
    void take(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    close: async () => {
      open = false;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) if (Buffer.isBuffer(piece)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** All but those of the connection. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(?:host|connection|content-length|transfer-encoding|keep-alive|expect)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, value = '']) => [name, String(value)]));
}

/** 0: nobody there. */
async function tellOnce(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer<ArrayBuffer>,
): Promise<number> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
