// A merchant's server and a payer's page, over HTTP: what tests speak to Florin with.

import { undescribed } from './described.ts';

export type Keys = { readonly private_key: string; readonly public_key: string };

/** A JSON value a test looks into; `at` walks it, and says so when the way is not there. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
  /** The member at a path such as `checkout.amount` or `errors.0.field`; undefined where there is none. */
  at(path: string): Json | undefined;
  /** result.code. */
  readonly code: Json | undefined;
};

export type Request = {
  readonly method?: string;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: no key. */
  readonly key?: string | null;
};

export const GOOD_CARD = {
  card_number: '4242424242424242',
  card_validity_month: '12',
  card_validity_year: '2034',
  cvc: '123',
};
export const CHECKOUT = {
  type: 'api',
  operation_type: 'authorize',
  amount: '42.50',
  currency: 'EUR',
  order_merchant_id: 'cart-1881',
};

export class Client {
  readonly addresses: { readonly base_url: string; readonly vault_url: string };
  readonly keys: Keys;
  private count = 0;

  constructor(addresses: { readonly base_url: string; readonly vault_url: string }, keys: Keys) {
    this.addresses = addresses;
    this.keys = keys;
  }

  api(path: string, request: Request = {}): Promise<Reply> {
    return send(this.addresses.base_url + path, { key: this.keys.private_key, ...request });
  }

  vault(path: string, request: Request = {}): Promise<Reply> {
    return send(this.addresses.vault_url + path, { key: this.keys.public_key, ...request });
  }

  /** Creates a checkout; answers its id. */
  async checkout(fields: object = {}): Promise<string> {
    const reply = await this.api('/payment/checkout', { body: { ...CHECKOUT, ...fields } });
    return textAt(reply, 'checkout.checkout_id');
  }

  /** Tokenizes a card; answers the token. */
  async token(fields: object = {}): Promise<string> {
    return textAt(await this.vault('/token', { body: { ...GOOD_CARD, ...fields } }), 'token');
  }

  order(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.api('/payment/order', { body, headers });
  }

  /** Pays without a checkout, each time under a new reference, and waits for the outcome. */
  async pay(card: object = {}, fields: object = {}): Promise<Reply> {
    const token = await this.token(card);
    const order = {
      operation_type: 'direct_capture',
      amount: '25.00',
      currency: 'EUR',
      order_merchant_id: `order-${process.pid}-${this.count++}`,
    };
    return this.order({ token, ...order, ...fields }, { prefer: 'wait=10' });
  }

  read(order_id: string): Promise<Reply> {
    return this.api(`/payment/order/${order_id}`);
  }

  /** Reads the order until it left authorization_requested. */
  async decided(order_id: string): Promise<Reply> {
    return until(async () => {
      const reply = await this.read(order_id);
      return reply.at('status') === 'authorization_requested' ? undefined : reply;
    });
  }
}

/** Runs of the same tests over the client library (vitest.config.ts, mode client). */
const LIBRARY =
  process.env['FLORIN_TEST_CLIENT'] === undefined ? undefined : await import('./client-library/over-it.ts');

export async function send(url: string, request: Request): Promise<Reply> {
  const answered = (await LIBRARY?.sendByLibrary(url, request)) ?? (await sendPlainly(url, request));
  const { response, text } = answered;
  const parsed = parse(text);
  const wrong = undescribed(url, { method: methodOf(request), status: response.status, body: parsed });
  if (wrong.length > 0) throw new Error(`not as docs/openapi.json has it: ${wrong.slice(0, 5).join(', ')} in ${text}`);
  const at = (path: string) => walk(parsed, path);
  return { status: response.status, headers: response.headers, body: parsed, text, at, code: at('result.code') };
}

const methodOf = ({ method, body }: Request) => method ?? (body === undefined ? 'GET' : 'POST');

async function sendPlainly(url: string, request: Request) {
  const { body, headers = {}, key = null } = request;
  const response = await fetch(url, {
    method: methodOf(request),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== null && { 'x-api-key': key }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { response, text: await response.text() };
}

function parse(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}

function walk(value: Json, path: string): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Object.entries(here).find(([name]) => name === step)?.[1];
  }
  return here;
}

/** A member that must be a text; the whole answer is shown when it is not. */
export function textAt(reply: Reply, path: string): string {
  const value = reply.at(path);
  if (typeof value !== 'string') throw new Error(`no text at ${path} in ${reply.status} ${reply.text}`);
  return value;
}

/** Says that something hangs, and promises no time: as the limits in vitest.config.ts. */
const HANGS_S = 60;
export const HANGS_MS = HANGS_S * 1000;

/** Asks again and again, a moment apart, until something comes; gives up after `seconds`. */
export async function until<T>(ask: () => Promise<T | undefined> | T | undefined, seconds = HANGS_S): Promise<T> {
  const give_up_at = performance.now() + seconds * 1000;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > give_up_at) throw new Error(`nothing came within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
