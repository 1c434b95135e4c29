// The simulated provider: an own process (main.ts) behind a real socket, with its own books. One server is both providers:
// /simulator/… and /simulator_b/…; everything else is its control (control/routes.ts). Bare node:http: it shares its cores
// with what is measured, so a payment costs one parse, one line of the journal and one answer, and nothing is logged a request.
import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { systemChance, systemClock } from '../kit/clock.ts';
import type { Reply } from './call/answer.ts';
import { type Leaving, PROMPT, deliver } from './call/deliver.ts';
import { TOO_LARGE, callOf, parse } from './call/routes.ts';
import type { Performed } from './call/perform.ts';
import { control } from './control/routes.ts';
import { openJournal } from './journal.ts';
import { threeDsOf } from './three-ds/routes.ts';
import { World } from './world.ts';

export type SimulatorSettings = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Null: the books live in memory only. */
  readonly journal_file: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where a browser finds the simulated bank; null or absent: where our side found it. */
  readonly public_url?: string | null;
  /** Hears what fails, never what was asked. */
  readonly say?: (line: string) => void;
};

export type Simulator = { readonly port: number; close(): Promise<void> };

export async function startSimulator(settings: SimulatorSettings): Promise<Simulator> {
  const { host, port, journal_file, now, public_url = null, say } = settings;
  const world = new World(now, systemChance(systemClock()));
  world.public_url = public_url;
  if (journal_file !== null) world.journal = openJournal(journal_file, (line) => world.restore(line));
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS });
  server.on('request', (request, response) => {
    response.sendDate = false;
    readBody(request, (bytes) => {
      const leave = (reply: Reply, leaving: Leaving = PROMPT) => {
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
        else answer(world, { request, bytes }, leave)?.catch(failed);
      } catch (error) {
        failed(error);
      }
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    await world.close();
    throw error;
  }
  const address = server.address();
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    // Who began a request and never ends it may not hold us for ever.
    const impatient = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    await closed;
    clearTimeout(impatient);
    await world.close();
  };
  return { port: typeof address === 'object' && address !== null ? address.port : port, close };
}

const KEEP_ALIVE_MS = 60_000;
const REQUEST_MS = 10_000;
const CLOSE_MS = 2_000;
const LARGEST_BODY = 64 * 1024;

type Received = { readonly request: IncomingMessage; readonly bytes: Buffer };
type Leave = (reply: Reply, leaving?: Leaving) => void;

/** Plain calls are answered before this returns; what waits for something is a promise. */
function answer(world: World, { request, bytes }: Received, leave: Leave): Promise<void> | undefined {
  const performed = threeDsOf(world, request, bytes) ?? callOf(request, bytes, world);
  if (performed instanceof Promise) return performed.then(({ reply, leaving }) => leave(reply, leaving));
  if (performed === undefined) {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const body = bytes.length === 0 ? undefined : parse(bytes);
    const told = control(world, { method: request.method ?? '', path, query: new URLSearchParams(query), body });
    if (told instanceof Promise) return told.then((reply) => leave(reply));
    leave(told);
    return undefined;
  }
  const { reply, leaving, before, after } = performed;
  if (before.length + after.length > 0) return withMessages(world, performed, leave);
  leave(reply, leaving);
  return undefined;
}

async function withMessages(world: World, performed: Performed, leave: Leave): Promise<void> {
  const { reply, leaving, before, after } = performed;
  for (const news of before) await world.messenger.send(news);
  leave(reply, leaving);
  for (const news of after) await world.messenger.send(news);
}

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
