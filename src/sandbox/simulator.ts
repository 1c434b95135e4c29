// The simulated provider: an own process (main.ts) behind a real socket, with its own books. One server is both providers:
// /simulator/… and /simulator_b/…. Bare node:http: it shares its cores with what is measured, so a payment costs one
// parse, one line of the journal and one answer, and nothing is logged a request.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { Books } from './books.ts';
import { readLine } from './entry.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Reply, TOO_LARGE, answerTo } from './routes.ts';

export type SimulatorSettings = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Null: the books live in memory only. */
  readonly journal_file: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Hears what fails, never what was asked. */
  readonly say?: (line: string) => void;
};

export type Simulator = { readonly port: number; close(): Promise<void> };

const PROVIDER_NAMES = ['simulator', 'simulator_b'] as const;

export async function startSimulator({ host, port, journal_file, now, say }: SimulatorSettings): Promise<Simulator> {
  const { books, journal } = openBooks(journal_file);
  const world = { books, now };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS });
  server.on('request', (request, response) => {
    response.sendDate = false;
    readBody(request, (bytes) => {
      try {
        send(response, bytes === undefined ? TOO_LARGE : answerTo(request, bytes, world), server.listening);
      } catch (error) {
        say?.(`simulator: ${error instanceof Error ? error.message : 'failed'}`);
        send(response, { status: 500, body: { status: 'failed' } }, server.listening);
      }
    });
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    journal?.close();
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
    journal?.close();
  };
  return { port: typeof address === 'object' && address !== null ? address.port : port, close };
}

const KEEP_ALIVE_MS = 60_000;
const REQUEST_MS = 10_000;
const CLOSE_MS = 2_000;
const LARGEST_BODY = 64 * 1024;

function openBooks(file: string | null): { books: Map<string, Books>; journal: Journal | undefined } {
  let journal: Journal | undefined;
  const append = (line: string) => journal?.append(line);
  const books = new Map(PROVIDER_NAMES.map((name): [string, Books] => [name, new Books(name, append)]));
  if (file === null) return { books, journal };
  journal = openJournal(file, (line) => {
    for (const entry of readLine(line)) books.get(entry.provider)?.restore(entry);
  });
  return { books, journal };
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

function send(response: ServerResponse, { status, body }: Reply, listening: boolean): void {
  // A line kept alive would hold our end back, and what is left of a body that is too large is not read.
  if (!listening || status === TOO_LARGE.status) response.shouldKeepAlive = false;
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length }).end(text);
}
