// A listener of the simulated provider's process: it reads a request with its body and sends the answer. It uses bare
// node:http and logs no requests, because it shares its cores with the processes that are measured.
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { listeningPort } from '../kit/listening-port.ts';
import type { Reply } from './call/answer.ts';
import { type Leaving, PROMPT, deliver } from './call/deliver.ts';
import { TOO_LARGE } from './call/routes.ts';

export type Received = { readonly request: IncomingMessage; readonly bytes: Buffer };
export type Leave = (reply: Reply, leaving?: Leaving) => void;

export type Listening = {
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
  /** Plain calls are answered before this returns; a call that has to wait returns a promise. */
  answer(received: Received, leave: Leave): Promise<void> | undefined;
  /** Called with errors, never with the content of a request. */
  readonly say: ((line: string) => void) | undefined;
};

export type Listener = { readonly port: number; close(): Promise<void> };

export async function listen(server: Server, { host, port, answer, say }: Listening): Promise<Listener> {
  server.on('request', (request, response) => {
    response.sendDate = false;
    readBody(request, (bytes) => {
      const leave: Leave = (reply, leaving = PROMPT) => {
        // a kept connection would delay the end of the process, and the rest of a body that is too large is not read
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
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    // a client that never finishes its request must not keep the process open
    const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    await closed;
    clearTimeout(impatient);
  };
  return { port: listeningPort(server), close };
}

const CLOSE_MS = 2_000;
const LARGEST_BODY = 64 * 1024;

/** Undefined if the body is longer than the limit. */
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
