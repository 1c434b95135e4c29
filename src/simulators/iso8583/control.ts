// The control interface of the simulated acquirer, over HTTP on loopback: it arms faults, moves the clock, sets cards
// and reads the books.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAULT_KINDS, type Fault } from './faults.ts';
import type { World } from './world.ts';

const MOST_BYTES = 65_536;

type Given = Readonly<Record<string, unknown>>;
type Handler = (world: World, given: Given, lines: Lines) => unknown;

export type Lines = {
  drop(): void;
  /** The number of lines that are signed on. */
  signedOn(): number;
  /** Says whether new lines are accepted; false also drops the open ones. */
  listen(open: boolean): Promise<void>;
};

const TAKEN = { taken: true };

const ROUTES: Readonly<Record<string, Handler>> = {
  'POST /control/faults': (world, given) => {
    const fault = faultOf(given);
    if (fault) world.faults.arm(fault);
    return fault && TAKEN;
  },
  'DELETE /control/faults': (world) => {
    world.faults.clear();
    return TAKEN;
  },
  /** Starts a period in which every authorization gets the same code: 91 if the request names none. */
  'POST /control/outage': (world, { ms, code = '91' }) => {
    if (typeof ms !== 'number' || typeof code !== 'string' || !/^[0-9A-Z]{2}$/.test(code)) return undefined;
    world.faults.answerAll(code, world.now().getTime() + ms);
    return TAKEN;
  },
  'POST /control/clock': (world, { advance_ms }) => {
    if (typeof advance_ms !== 'number' || advance_ms < 0) return undefined;
    world.advance(advance_ms);
    return { now: world.now().toISOString() };
  },
  /** Amounts are texts in minor units. */
  'POST /control/cards': (world, { number, balance, limit }) => {
    if (typeof number !== 'string' || ![balance, limit].every(isAmount)) return undefined;
    const account = world.books.accountOf(number);
    if (typeof balance === 'string') account.balance = BigInt(balance);
    if (typeof limit === 'string') account.limit = BigInt(limit);
    return TAKEN;
  },
  'GET /control/lines': (_, __, lines) => ({ signed_on: lines.signedOn() }),
  'POST /control/lines/drop': (_, __, lines) => {
    lines.drop();
    return TAKEN;
  },
  'POST /control/lines/listen': async (_, { open }, lines) => {
    await lines.listen(open === true);
    return TAKEN;
  },
  'GET /control/books': (world) => ({
    entries: world.books.list().map(({ account, ...entry }) => ({ ...entry, balance: account.balance })),
  }),
  'GET /control/seen': (world) => world.seen,
};

const isAmount = (value: unknown) => value === undefined || (typeof value === 'string' && /^\d{1,15}$/.test(value));

const isCount = (value: unknown) => value === undefined || typeof value === 'number';
const isType = (value: unknown) => value === undefined || (typeof value === 'string' && /^0\d{3}$/.test(value));

function faultOf(given: Given): Fault | undefined {
  const { kind, type, times, ms } = given;
  const is_fault = FAULT_KINDS.some((one) => one === kind) && isType(type) && isCount(times) && isCount(ms);
  return is_fault ? (given as Fault) : undefined;
}

export async function control(
  { world, lines }: { readonly world: World; readonly lines: Lines },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const handler = ROUTES[`${request.method} ${request.url}`];
  const given = await bodyOf(request);
  const said: unknown = handler && given && (await handler(world, given, lines));
  response.statusCode = handler === undefined ? 404 : said === undefined ? 400 : 200;
  response.setHeader('content-type', 'application/json');
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  response.end(JSON.stringify(said ?? { taken: false }, text));
}

async function bodyOf(request: IncomingMessage): Promise<Given | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const given: unknown = size === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    return typeof given === 'object' && given !== null ? (given as Given) : undefined;
  } catch {
    return undefined;
  }
}
