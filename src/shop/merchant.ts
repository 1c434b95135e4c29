// The shop's server side, as any merchant's would be: carts, and the three calls it makes with its private key.
import type { Chance } from '../kit/clock.ts';
import type { Egress } from '../kit/egress.ts';

export type Way = 'elements' | 'page-inputs' | 'hosted';

export type Cart = {
  readonly id: string;
  readonly way: Way;
  readonly amount: string;
  readonly lang: string;
  readonly checkout_id: string;
  readonly redirect_url: string;
  /** The checkout's payment_methods, as answered: the element is given them. */
  readonly payment_methods: unknown;
  order_id: string;
  /** The payment that was sent and not answered: it may have been taken. Undefined: there is none. */
  unanswered: Payment | undefined;
};

export type Payment = { readonly token: string; readonly token_type: string; readonly browser: Json };

export type Keys = { readonly private_key: string; readonly public_key: string };

export type MerchantOptions = {
  readonly api_url: string;
  /** The account of each way to pay: card inputs in the page are an account's choice (page_inputs). */
  readonly keys: Readonly<Record<Way, Keys>>;
  readonly egress: Egress;
  readonly chance: Chance;
  /** Where payers come back to; known when the shop listens. */
  shop_url(): string;
};

export type Json = Readonly<Record<string, unknown>>;
/** `unknown`: it may have arrived and been carried out. `not_sent`: it did not leave. */
type Reply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Json }
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'unknown' };
/** What became of a payment; `redirect_url`: where the payer must go to finish it, "" if nowhere. */
export type Outcome = { readonly is: 'accepted' | 'refused' | 'unknown'; readonly redirect_url: string };

const DEADLINE_MS = 30_000;
const LONGEST_ANSWER = 500_000;
const MOST_CARTS = 1000;
const CUSTOMER = 'demo-customer';

export class Merchant {
  private readonly options: MerchantOptions;
  private readonly carts = new Map<string, Cart>();

  constructor(options: MerchantOptions) {
    this.options = options;
  }

  find(id: string): Cart | undefined {
    return this.carts.get(id);
  }

  /** A new cart with its checkout; a text instead when the API refused it. */
  async open(way: Way, amount: string, lang: string): Promise<Cart | string> {
    const id = this.options.chance.bytes(8).toString('hex');
    const back = (outcome: string) => `${this.options.shop_url()}/result/${id}?came=${outcome}`;
    const reply = await this.call(way, '/payment/checkout', {
      type: way === 'hosted' ? 'hosted_page' : 'api',
      operation_type: 'direct_capture',
      amount,
      currency: 'EUR',
      order_merchant_id: `shop-${id}`,
      customer_id: CUSTOMER,
      customer_email: 'ada@shop.example',
      locale: lang,
      ...Object.fromEntries(OUTCOMES.map((outcome) => [`${outcome}_url`, back(outcome)])),
    });
    const body = reply.kind === 'answered' ? reply.body : {};
    const { checkout_id } = jsonAt(body, 'checkout');
    if (typeof checkout_id !== 'string')
      return reply.kind === 'answered'
        ? `The payment API answered ${reply.status}.`
        : 'The payment API does not answer.';
    const cart: Cart = {
      id,
      way,
      amount,
      lang,
      checkout_id,
      order_id: '',
      unanswered: undefined,
      redirect_url: textOf(body['redirect_url']),
      payment_methods: body['payment_methods'] ?? {},
    };
    this.carts.set(id, cart);
    if (this.carts.size > MOST_CARTS) this.carts.delete(this.carts.keys().next().value ?? '');
    return cart;
  }

  /**
   * Pays the cart with a token; a second request with the same token gets the same order. While nobody knows what
   * became of a payment, no other one is begun.
   */
  async pay(cart: Cart, given: Payment): Promise<Outcome> {
    if (cart.unanswered && cart.unanswered.token !== given.token) return UNKNOWN;
    const reply = await this.call(cart.way, '/payment/order', {
      ...given.browser,
      token: given.token,
      checkout_id: cart.checkout_id,
      // "save this card" of the payer
      ...(given.token_type === 'recurring' && { token_type: 'recurring' }),
    });
    if (reply.kind === 'not_sent') return cart.unanswered ? UNKNOWN : REFUSED;
    // behind a 5xx the order may have been made all the same
    if (reply.kind === 'unknown' || reply.status >= 500) {
      cart.unanswered = given;
      return UNKNOWN;
    }
    const { status, body } = reply;
    // a refusal of the caller says nothing of the request before it
    if (cart.unanswered && OF_THE_CALLER.includes(status)) return UNKNOWN;
    cart.unanswered = undefined;
    const { order_id } = body;
    if (typeof order_id === 'string') cart.order_id = order_id;
    // 409: there is an order already
    return status === 200 || status === 409 ? { is: 'accepted', redirect_url: textOf(body['redirect_url']) } : REFUSED;
  }

  /** Asks again what became of a payment that was not answered. */
  async askAgain(cart: Cart): Promise<void> {
    if (cart.unanswered) await this.pay(cart, cart.unanswered);
  }

  /** What has become of it: the checkout with its orders. Undefined: the API does not say now. */
  async look(cart: Cart): Promise<Json | undefined> {
    const said = await this.read(cart.way, `/payment/checkout/${cart.checkout_id}`);
    return said && jsonAt(said, 'checkout');
  }

  /** Undefined: the API does not say now. */
  async order(cart: Cart, order_id: string): Promise<Json | undefined> {
    return this.read(cart.way, `/payment/order/${order_id}`);
  }

  private async read(way: Way, path: string): Promise<Json | undefined> {
    const reply = await this.call(way, path);
    return reply.kind === 'answered' && reply.status === 200 ? reply.body : undefined;
  }

  private async call(way: Way, path: string, body?: Json): Promise<Reply> {
    const exchange = await this.options.egress.exchange({
      method: body ? 'POST' : 'GET',
      origin: this.options.api_url,
      path,
      headers: { 'x-api-key': this.options.keys[way].private_key, 'content-type': 'application/json' },
      body: body ? Buffer.from(JSON.stringify(body)) : null,
      deadline_ms: DEADLINE_MS,
      max_answer_bytes: LONGEST_ANSWER,
    });
    if (exchange.kind === 'not_sent') return { kind: 'not_sent' };
    if (exchange.kind === 'unknown') return { kind: 'unknown' };
    const answer = readJson(exchange.body);
    return answer === undefined ? { kind: 'unknown' } : { kind: 'answered', status: exchange.status, body: answer };
  }
}

const UNKNOWN: Outcome = { is: 'unknown', redirect_url: '' };
const REFUSED: Outcome = { is: 'refused', redirect_url: '' };
/** Its key, or its number of requests. */
const OF_THE_CALLER = [401, 403, 429];

/** Undefined: it is no JSON object, and so no answer of the API, whoever sent it. */
function readJson(body: Buffer): Json | undefined {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'));
    return isJson(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const OUTCOMES = ['accept', 'decline', 'cancel', 'pending', 'exception'];

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function jsonAt(body: Json, name: string): Json {
  const value = body[name];
  return isJson(value) ? value : {};
}
