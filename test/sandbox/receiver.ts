// Our side, as the messages of the simulated provider meet it: an address that keeps what comes and checks the
// signature.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../src/provider/simulator/proof.ts';

export type Message = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly reference: string;
  readonly kind: string;
  readonly status: string;
};

export type Receiver = AsyncDisposable & {
  readonly url: string;
  readonly secret: string;
  readonly messages: Message[];
  /** How many came whose signature was not theirs. */
  forged: number;
  /** The messages about one operation, as `kind status`. */
  about(reference: string): string[];
  /** Done when so many have come. */
  came(count: number): Promise<void>;
  /** What is answered; by default 200. */
  answer: (response: ServerResponse, message: Message) => void;
};

export async function startReceiver(): Promise<Receiver> {
  const secret = 'a secret that both sides know';
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const timestamp = String(request.headers[TIMESTAMP_HEADER]);
      const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
      if (request.headers[SIGNATURE_HEADER] !== expected) receiver.forged += 1;
      const message: Message = JSON.parse(body);
      receiver.messages.push(message);
      receiver.answer(response, message);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    secret,
    messages: [],
    forged: 0,
    about: (reference) =>
      receiver.messages
        .filter((message) => message.reference === reference)
        .map(({ kind, status }) => `${kind} ${status}`),
    came: async (count) => {
      while (receiver.messages.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      waiting = [];
    },
    answer: (response) => response.end('{}'),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}
