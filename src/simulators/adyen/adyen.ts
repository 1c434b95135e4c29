// A simulated Adyen: Checkout v72 over HTTP, with its own books, the page of the payer's bank, and signed messages.
// Modifications and messages wait until a control asks for them, unless the simulator is `automatic`. It shares nothing
// with the product but the wire format.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { open, shut } from '../line.ts';
import { type AccountRow, Books } from './books.ts';
import { addAccount, steer } from './control.ts';
import { type Fault, leave, takeFault, write } from './faults.ts';
import { deliver } from './messages.ts';
import { work } from './modifications.ts';
import { bankPage, booksPage } from './pages.ts';
import { settlementReport } from './report.ts';
import { answerTo, isLong, operationOf } from './routes.ts';
import { parse } from '../said.ts';

export type AdyenSettings = {
  readonly host?: string;
  /** 0 asks for any free port. */
  readonly port: number;
  readonly control_port?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly accounts?: readonly AccountRow[];
  /** The address for a payer's browser; absent: the address on which the API listens. */
  readonly public_url?: string;
  /** Processes modifications and sends messages after each call, for a person who clicks through a payment. */
  readonly automatic?: boolean;
};

export type Adyen = {
  readonly port: number;
  /** The address that stands in for Adyen's API; people see the books at `/`. */
  readonly url: string;
  /** Its own port, so that it answers while the API's port refuses connections. */
  readonly control_url: string;
  close(): Promise<void>;
};

type World = {
  readonly books: Books;
  readonly faults: Fault[];
  readonly automatic: boolean;
  public_url: string;
  /** Says whether the API's port takes connections; false also cuts the open ones. */
  listen(is_open: boolean): Promise<void>;
};

export async function openAdyen(settings: AdyenSettings): Promise<Adyen> {
  const { host = '127.0.0.1', now, accounts = [], automatic = false, public_url = '' } = settings;
  const chance = systemChance(systemClock());
  const books = new Books({ now, bytes: (length) => chance.bytes(length) });
  for (const account of accounts) addAccount(books, account);
  let port = settings.port;
  const listen = async (is_open: boolean) => {
    if (!is_open) await shut(api);
    else if (!api.listening) port = await open(api, port, host);
  };
  const world: World = { books, faults: [], automatic, public_url, listen };
  const api = createServer((request, response) => {
    hear(world, request, response).catch(() => response.destroy());
  });
  const controller = createServer((request, response) => {
    steered(world, request, response).catch(() => response.destroy());
  });
  await listen(true);
  const control_port = await open(controller, settings.control_port ?? 0, host);
  const url = `http://${host}:${port}`;
  world.public_url ||= url;
  const close = async () => {
    await Promise.all([shut(api), shut(controller)]);
  };
  return { port, url, control_url: `http://${host}:${control_port}`, close };
}

const LARGEST_BODY = 262_144;
const LARGEST_LONG_BODY = 8 * 1024 * 1024;

/** Undefined if the body is longer than the limit. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  const most = isLong(urlOf(request).pathname) ? LARGEST_LONG_BODY : LARGEST_BODY;
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const urlOf = ({ url }: IncomingMessage): URL => new URL(url ?? '/', 'http://adyen');

async function hear(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return void response.destroy();
  const { pathname } = urlOf(request);
  if (pathname === '/') return html(response, booksPage(world.books));
  if (pathname.startsWith('/redirect/')) return payerAt(world, { request, response, pathname, body });
  await called(world, { request, response, pathname, body });
}

async function steered(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = urlOf(request);
  const said = parse((await bodyOf(request)) || '{}') ?? {};
  if (pathname === '/control/settlement')
    return void response.end(settlementReport(world.books, searchParams.get('merchant_account') ?? ''));
  const { status, said: answer } = await steer(world, pathname, said);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
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
  // messages wait until an account has an address for them
  if (!books.held && [...books.accounts.values()].some(({ webhook_url }) => webhook_url !== null)) await deliver(books);
}

function html(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(text);
}

/** The payer's browser at the bank's page. It comes by an address or by a form, and its answer counts once. */
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
