// florin shop: a small merchant's site on an origin of its own, which pays with both generations of the element and
// with the hosted page. It plays a merchant's host: a server of its own, and the API only as any merchant has it.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Chance } from '../kit/clock.ts';
import type { Egress } from '../kit/egress.ts';
import { urlAt } from '../kit/http/listen.ts';
import { CLOSED_FEATURES } from '../kit/http/page.ts';
import { listeningPort } from '../kit/listening-port.ts';
import { StartError } from '../kit/start-error.ts';
import { type Cart, type Json, type Keys, Merchant, type Way, isJson, textOf } from './merchant.ts';
import {
  type Names,
  PRICES,
  counter,
  elementsPage,
  isLanguage,
  pageInputsPage,
  plainPage,
  resultPage,
} from './pages.ts';
import { elementsScript, pageInputsScript } from './scripts.ts';
import { SHOP_STYLE } from './style.ts';

export type ShopOptions = {
  readonly host: string;
  readonly port: number;
  readonly api_url: string;
  readonly vault_url: string;
  readonly brand: string;
  readonly environment: string;
  readonly keys: Readonly<Record<Way, Keys>>;
  readonly egress: Egress;
  readonly chance: Chance;
};

export type Shop = { readonly url: string; close(): Promise<void> };

type Visit = {
  readonly method: string;
  readonly path: readonly string[];
  readonly form: URLSearchParams;
  readonly json: Json;
};
type Page = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

const LONGEST_BODY = 20_000;

/** Listens; a loopback address is called localhost, so that the shop is another site than the vault for the browser. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  let url = '';
  const merchant = new Merchant({ ...options, shop_url: () => url });
  const names: Names = { ...options, global: options.brand.charAt(0).toUpperCase() + options.brand.slice(1) };
  const server = createServer((request, response) => {
    serve({ options, names, merchant }, request)
      .catch(() =>
        html(plainPage('Something went wrong', 'Please go back to your order and look whether it is paid.'), 500),
      )
      .then((page) => send(response, page, options.vault_url))
      .catch(() => response.destroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: Error) => reject(listenProblem(error, options.port)));
  server.listen(options.port, options.host, resolve);
  await promise;
  const port = listeningPort(server);
  url = urlAt(options.host, port).replace(/127\.0\.0\.1|\[::1\]/, 'localhost');
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url, close };
}

function listenProblem(error: Error, port: number): Error {
  const taken = 'code' in error && error.code === 'EADDRINUSE';
  return taken
    ? new StartError(
        `Port ${port} (demo shop) is taken by another program. End it, or set FLORIN_SHOP_PORT to a free port.`,
      )
    : error;
}

type Running = { readonly options: ShopOptions; readonly names: Names; readonly merchant: Merchant };

async function serve(running: Running, request: IncomingMessage): Promise<Page> {
  const visit = await read(request);
  const [first = '', id = ''] = visit.path;
  const page = FILES[`${visit.method} /${visit.path.join('/')}`];
  if (page) return page(running.names);
  if (visit.method === 'POST' && first === 'buy') return buy(running, visit.form);
  const cart = running.merchant.find(id);
  if (!cart) return html(plainPage('Not found', 'There is no such page, or the shop was started anew since.'), 404);
  if (visit.method === 'POST' && first === 'pay') return pay(running, cart, visit);
  if (visit.method === 'GET' && first === 'checkout') return checkout(running, cart);
  if (visit.method === 'GET' && first === 'result') return result(running, cart);
  return html(plainPage('Not found', 'There is no such page.'), 404);
}

const FILES: Readonly<Record<string, (names: Names) => Page>> = {
  'GET /': () => html(counter()),
  'GET /shop.css': ({ brand }) => file('text/css', SHOP_STYLE.replaceAll('--florin-', `--${brand}-`)),
  'GET /elements.js': (names) => file('text/javascript', elementsScript(names)),
  'GET /page-inputs.js': (names) => file('text/javascript', pageInputsScript(names)),
};

async function buy({ merchant }: Running, form: URLSearchParams): Promise<Page> {
  const way = WAYS.find((known) => known === form.get('way')) ?? 'elements';
  const amount = PRICES.find((price) => price === form.get('amount')) ?? PRICES[0] ?? '';
  const lang = form.get('lang') ?? 'en';
  const cart = await merchant.open(way, amount, isLanguage(lang) ? lang : 'en');
  if (typeof cart === 'string') return html(plainPage('Not possible now', cart), 502);
  return goTo(way === 'hosted' ? cart.redirect_url : `/checkout/${cart.id}`);
}

const WAYS: readonly Way[] = ['elements', 'page-inputs', 'hosted'];

/** Looks first: a payer who comes back by the back button must not pay again what is paid, or may be. */
async function checkout({ merchant, names, options }: Running, cart: Cart): Promise<Page> {
  const seen = await merchant.look(cart);
  const orders = seen && (await ordersOf(merchant, cart, seen));
  const unproved = cart.unanswered || !orders || orders.some(({ is_in_doubt }) => is_in_doubt === true);
  if (unproved || seen['status'] !== 'created') return goTo(`/result/${cart.id}`);
  const { public_key } = options.keys[cart.way];
  return html(
    cart.way === 'elements' ? elementsPage(cart, names, public_key) : pageInputsPage(cart, names, public_key),
  );
}

async function pay({ merchant, names }: Running, cart: Cart, { form, json }: Visit): Promise<Page> {
  const posted = form.get(`${names.brand}-token`);
  const token = posted ?? textOf(json['token']);
  const token_type = form.get(`${names.brand}-token_type`) ?? textOf(json['token_type']);
  const browser = isJson(json['browser']) ? json['browser'] : {};
  const { is, redirect_url } = await merchant.pay(cart, { token, token_type, browser });
  // the result page asks again for what is unknown
  const next = redirect_url || `/result/${cart.id}`;
  if (posted !== null) return goTo(next);
  const message = 'The payment was not accepted. Nothing was charged; please start again from the shop.';
  return {
    body: JSON.stringify(is === 'refused' ? { message } : { next }),
    headers: { 'content-type': 'application/json' },
  };
}

async function result({ merchant }: Running, cart: Cart): Promise<Page> {
  await merchant.askAgain(cart);
  const seen = await merchant.look(cart);
  return html(resultPage(cart, seen ?? {}, seen && (await ordersOf(merchant, cart, seen))));
}

/** The newest first. Undefined: there may be one, and the API does not say now. */
async function ordersOf(merchant: Merchant, cart: Cart, seen: Json): Promise<readonly Json[] | undefined> {
  const listed = Array.isArray(seen['orders']) ? seen['orders'].filter(isJson) : [];
  const ids = listed.map(({ order_id }) => textOf(order_id));
  const known = ids.length === 0 && cart.order_id !== '' ? [cart.order_id] : ids;
  if (known.length === 0) return cart.unanswered ? undefined : [];
  const orders = await Promise.all(known.map((order_id) => merchant.order(cart, order_id)));
  return orders.includes(undefined) ? undefined : orders.filter(isJson);
}

async function read(request: IncomingMessage): Promise<Visit> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LONGEST_BODY) throw new Error('the body is too large');
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const is_json = request.headers['content-type']?.startsWith('application/json') === true;
  const parsed: unknown = is_json ? JSON.parse(text) : {};
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  return {
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path: pathname.split('/').slice(1),
    form: new URLSearchParams(is_json ? '' : text),
    json: isJson(parsed) ? parsed : {},
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Page, vault_url: string): void {
  response.writeHead(status, {
    'content-security-policy': `default-src 'none'; script-src 'self' ${vault_url}; style-src 'self' ${vault_url}; img-src data: ${vault_url}; frame-src ${vault_url}; connect-src 'self' ${vault_url}; form-action 'self' ${vault_url}; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': CLOSED_FEATURES,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}

function html(body: string, status = 200): Page {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function file(type: string, body: string): Page {
  return { headers: { 'content-type': `${type}; charset=utf-8` }, body };
}

function goTo(location: string): Page {
  return { status: 303, headers: { location }, body: '' };
}
