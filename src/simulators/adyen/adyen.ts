// A simulated Adyen: Checkout v72 over HTTP, with books of its own, the page of the payer's bank, and signed messages. It works on
// nothing and tells nothing before it is told to, unless it is `automatic`. It shares nothing with the product but the wire.
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { type AccountRow, Books } from './books.ts';
import { addAccount, steer } from './control.ts';
import { type Fault, leave, takeFault, write } from './faults.ts';
import { deliver } from './messages.ts';
import { work } from './modifications.ts';
import { bankPage, booksPage } from './pages.ts';
import { settlementReport } from './report.ts';
import { answerTo, operationOf } from './routes.ts';
import { parse } from './said.ts';

export type AdyenSettings = {
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly accounts?: readonly AccountRow[];
  /** Where a payer's browser finds it; absent: where it listens. */
  readonly public_url?: string;
  /** Works and delivers by itself after each call, as a person wants it who clicks through. */
  readonly automatic?: boolean;
};

export type Adyen = {
  readonly port: number;
  readonly url: string;
  /** No connection is taken until `take` is called; those that are open are cut. */
  refuse(): Promise<void>;
  take(): Promise<void>;
  close(): Promise<void>;
};

type World = {
  readonly books: Books;
  readonly faults: Fault[];
  readonly automatic: boolean;
  public_url: string;
  /** Stops listening for so long; without a time until `take` is called. */
  refuse(for_ms: number | undefined): Promise<void>;
};

export async function openAdyen(settings: AdyenSettings): Promise<Adyen> {
  const { host = '127.0.0.1', now, accounts = [], automatic = false } = settings;
  const chance = systemChance(systemClock());
  const books = new Books({ now, bytes: (length) => chance.bytes(length) });
  for (const account of accounts) addAccount(books, account);
  const refuse = () => stop(server);
  const refuseFor = async (for_ms: number | undefined) => {
    await refuse();
    if (for_ms !== undefined) setTimeout(() => server.listen(port, host), for_ms).unref();
  };
  const public_url = settings.public_url ?? '';
  const world: World = { books, faults: [], automatic, public_url, refuse: refuseFor };
  const server = createServer((request, response) => {
    hear(world, request, response).catch(() => response.destroy());
  });
  const take = async (port: number) => {
    server.listen(port, host);
    await once(server, 'listening');
  };
  await take(settings.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  world.public_url ||= `http://${host}:${port}`;
  return { port, url: `http://${host}:${port}`, refuse, take: () => take(port), close: refuse };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

const LARGEST_BODY = 262_144;

async function hear(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LARGEST_BODY) return void response.destroy();
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces).toString('utf8');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://adyen');
  if (pathname === '/') return html(response, booksPage(world.books));
  if (pathname.startsWith('/redirect/')) return payerAt(world, { request, response, pathname, body });
  if (pathname === '/control/settlement')
    return void response.end(settlementReport(world.books, searchParams.get('merchant_account') ?? ''));
  if (pathname === '/control/refuse') return refuseAll(world, response, body);
  if (pathname.startsWith('/control/')) {
    const { status, said } = await steer(world, pathname, parse(body || '{}') ?? {});
    return void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }
  await called(world, { request, response, pathname, body });
}

/** Answers first: the connection of who asks is one of those that are cut. */
function refuseAll({ refuse }: World, response: ServerResponse, body: string): Promise<void> {
  const for_ms = parse(body || '{}')?.['for_ms'];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  response.on('finish', () => {
    refuse(typeof for_ms === 'number' ? for_ms : undefined).then(resolve, reject);
  });
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}');
  return promise;
}

type Heard = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
  readonly body: string;
};

async function called(world: World, { request, response, pathname, body }: Heard): Promise<void> {
  const { books, faults, automatic, public_url } = world;
  const operation = operationOf(request.method ?? '', pathname);
  if (operation === undefined) {
    const said = { status: 404, errorCode: '000', message: 'Not Found', errorType: 'validation' };
    return write(response, { status: 404, said });
  }
  const fault = takeFault(faults, operation.name);
  const page = (id: string) => `${public_url}/redirect/${id}`;
  const heard = { operation, pathname, body, headers: request.headers, page };
  const reply = fault && !fault.effect ? { status: 200, said: {} } : answerTo(books, heard);
  leave({ request, response }, reply, fault?.how);
  if (!automatic) return;
  work(books);
  await deliver(books);
}

function html(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(text);
}

/** The payer's browser, at the page of the bank: reached by an address or by a form, and answered once. */
function payerAt({ books }: World, { request, response, pathname, body }: Heard): void {
  const [, , id = '', answer] = pathname.split('/');
  const payment = books.byRedirect(id);
  const redirect = payment?.redirect;
  const fields = new URLSearchParams(body);
  if (payment === undefined || redirect === undefined) return void response.writeHead(404).end('Not found');
  if (answer === undefined) {
    const is_ours = redirect.method === 'GET' || fields.get('MD') === id;
    if (request.method !== redirect.method || !is_ours) return void response.writeHead(400).end('Not as agreed');
    return html(response, bankPage(payment, `/redirect/${id}/answer`));
  }
  const said = (['passed', 'failed', 'left'] as const).find((one) => one === fields.get('said'));
  if (said === undefined) return void response.writeHead(400).end('Not understood');
  redirect.said ??= said;
  const back = new URL(redirect.return_url);
  back.searchParams.set('redirectResult', redirect.result);
  response.writeHead(303, { location: back.href }).end();
}
