// A listener of the simulated provider's process: reads a request with its body and lets leave what it is answered
// with. Bare node:http: it shares its cores with what is measured, so nothing is logged a request.
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Reply } from './call/answer.ts';
import { type Leaving, PROMPT, deliver } from './call/deliver.ts';
import { TOO_LARGE } from './call/routes.ts';

export type Received = { readonly request: IncomingMessage; readonly bytes: Buffer };
export type Leave = (reply: Reply, leaving?: Leaving) => void;

export type Listening = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Plain calls are answered before this returns; what waits for something is a promise. */
  answer(received: Received, leave: Leave): Promise<void> | undefined;
  /** Gets what fails, never what was asked. */
  readonly say: ((line: string) => void) | undefined;
};

export type Listener = { readonly port: number; close(): Promise<void> };

export async function listen(server: Server, { host, port, answer, say }: Listening): Promise<Listener> {
  server.on('request', (request, response) => {
    response.sendDate = false;
    readBody(request, (bytes) => {
      const leave: Leave = (reply, leaving = PROMPT) => {
        // A line kept alive would hold our end back, and what is left of a body that is too large is not read.
        if (!server.listening || bytes === undefined) response.shouldKeepAlive = false;
        deliver(response, reply, leaving);
      };
      const failed = (error: unknown) => {
        say?.(`simulator: ${error instanceof Error ? error.message : 'failed'}`);
        leave({ status: 500, body: { status: 'failed' } });
      };
      try {
        if (bytes === undefined) leave(TOO_LARGE);
        else answer({ request, bytes }, leave)?.catch(failed);
      } catch (error) {
        failed(error);
      }
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    // A client that began a request and never ends it must not hold us for ever.
    const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    await closed;
    clearTimeout(impatient);
  };
  return { port: typeof address === 'object' && address !== null ? address.port : port, close };
}

const CLOSE_MS = 2_000;
const LARGEST_BODY = 64 * 1024;

/** Undefined: more than we read. */
function readBody(request: IncomingMessage, then: (bytes: Buffer | undefined) => void): void {
  const pieces: Buffer[] = [];
  let length = 0;
  request.on('data', (piece: Buffer) => {
    const before = length;
    length += piece.length;
    if (length <= LARGEST_BODY) pieces.push(piece);
    else if (before <= LARGEST_BODY) then(undefined);
  });
  request.on('end', () => {
    if (length <= LARGEST_BODY)
      then(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
  });
}
