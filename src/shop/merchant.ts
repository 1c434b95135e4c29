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
};

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
export type Reply = { readonly status: number; readonly body: Json };

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
    const { status, body } = await this.call(way, '/payment/checkout', {
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
    const { checkout_id } = jsonAt(body, 'checkout');
    if (typeof checkout_id !== 'string') return `The payment API answered ${status}.`;
    const cart: Cart = {
      id,
      way,
      amount,
      lang,
      checkout_id,
      order_id: '',
      redirect_url: textOf(body['redirect_url']),
      payment_methods: body['payment_methods'] ?? {},
    };
    this.carts.set(id, cart);
    if (this.carts.size > MOST_CARTS) this.carts.delete(this.carts.keys().next().value ?? '');
    return cart;
  }

  /** Pays the cart with a token; a second request with the same token gets the same order. */
  async pay(cart: Cart, given: { token: string; token_type: string; browser: Json }): Promise<Reply> {
    const reply = await this.call(cart.way, '/payment/order', {
      ...given.browser,
      token: given.token,
      checkout_id: cart.checkout_id,
      // "save this card" of the payer
      ...(given.token_type === 'recurring' && { token_type: 'recurring' }),
    });
    const { order_id } = reply.body;
    if (typeof order_id === 'string') cart.order_id = order_id;
    return reply;
  }

  /** What has become of it: the checkout with its orders. */
  async look(cart: Cart): Promise<Json> {
    return jsonAt((await this.call(cart.way, `/payment/checkout/${cart.checkout_id}`)).body, 'checkout');
  }

  async order(cart: Cart, order_id: string): Promise<Json> {
    return (await this.call(cart.way, `/payment/order/${order_id}`)).body;
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
    if (exchange.kind !== 'answered') return { status: 503, body: {} };
    const answer: unknown = JSON.parse(exchange.body.toString('utf8'));
    return { status: exchange.status, body: isJson(answer) ? answer : {} };
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
