// florin demo: makes a payment at the running service, as a merchant's server and a payer's page would, and prints it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../settings/config.ts';
import { demoAccount } from '../hosts/demo-account.ts';
import { hostUrl } from '../hosts/ports.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { demoRouting } from './routing/play.ts';
import { StartError, helpIfWanted, notInDataFolder } from '../kit/start-error.ts';
import type { DemoKeys } from '../payment/merchant/demo.ts';
import { type Json, isJson } from './sandbox/session.ts';

const USAGE = 'Usage: florin demo [routing]';

export async function demoCommand(args: readonly string[]): Promise<void> {
  helpIfWanted(args, USAGE);
  const [what, ...rest] = args;
  if (what === undefined) return demo();
  if (what !== 'routing' || rest.length > 0) throw new StartError(USAGE);
  return demoRouting();
}

async function demo(): Promise<void> {
  const config = readConfig();
  if (!existsSync(join(config.data_dir, 'demo-account.json')))
    throw notInDataFolder(config.data_dir, 'There is no demo account');
  const keys = demoAccount(config, systemChance(systemClock()));
  const base_url = hostUrl(config, 'api');
  const vault_url = hostUrl(config, 'vault');
  await playDemo({ base_url, vault_url }, keys);
}

/** Asks as a shop should: `florin check` has nothing to say about how it asks. */
export async function playDemo({ base_url, vault_url }: Hosts, keys: DemoKeys): Promise<void> {
  const shop = new Shop(base_url, keys.private_key);
  const page = new Shop(vault_url, keys.public_key);
  const reference = `demo-${systemClock().now().getTime().toString(36)}`;

  title('A card is authorized');
  const checkout = await shop.post('The shop creates a checkout', '/payment/checkout', {
    type: 'api',
    operation_type: 'authorize',
    amount: '42.50',
    currency: 'EUR',
    order_merchant_id: reference,
    customer_email: 'ada@shop.example',
  });
  const checkout_id = textAt(checkout, 'checkout', 'checkout_id');
  const token = await page.post(
    'The payer types a card; the page tokenizes it at the vault',
    '/token',
    card('4242424242424242', checkout_id),
  );
  const order = await shop.pay('The shop pays with the token, and does not wait', reference, {
    token: textAt(token, 'token'),
    checkout_id,
  });
  await shop.untilDecided('The shop reads the order', textAt(order, 'order_id'));

  title('A card is charged at once');
  const sale = {
    operation_type: 'direct_capture',
    amount: '19.90',
    currency: 'EUR',
    order_merchant_id: `${reference}-2`,
  };
  const second = await page.post('Another payer, without a checkout', '/token', card('5555555555554444'));
  await shop.pay('The shop charges the card and waits for the outcome', sale.order_merchant_id, {
    token: textAt(second, 'token'),
    ...sale,
  });

  title('A card is declined');
  const third = await page.post('A payer without enough funds', '/token', card('4000000000009995'));
  await shop.pay('The bank says no; the shop gets the reason', `${reference}-3`, {
    token: textAt(third, 'token'),
    ...sale,
    order_merchant_id: `${reference}-3`,
  });

  title('A request is wrong');
  await shop.post('Every problem is named at once', '/payment/checkout', {
    type: 'letter',
    amount: '11.305',
    currency: 'EUR',
  });
  console.log(`\nThe reference of all calls: ${base_url}/docs`);
}

type Sent = {
  readonly says: string;
  readonly path: string;
  readonly body: Json;
  /** Headers beside the usual ones. */
  readonly more: Readonly<Record<string, string>>;
};

class Shop {
  private readonly url: string;
  private readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  async post(says: string, path: string, body: Json): Promise<Json> {
    return this.send({ says, path, body, more: {} });
  }

  /** Pays with a key of its own, so that a repeat of the request pays nothing twice. */
  async pay(says: string, idempotency_key: string, body: Json): Promise<Json> {
    return this.send({ says, path: '/payment/order', body, more: { 'idempotency-key': idempotency_key } });
  }

  private async send({ says, path, body, more }: Sent): Promise<Json> {
    console.log(`\n${says}\n  POST ${this.url}${path}`);
    for (const [name, value] of Object.entries(more)) console.log(`  > ${name}: ${value}`);
    show('>', path === '/token' ? { ...body, card_number: masked(body['card_number']), cvc: '***' } : body);
    const headers = { ...this.headers(), ...more };
    return this.answer(await this.call(path, { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  /** Reads the order until its call is answered, once a second as a shop may. */
  async untilDecided(says: string, order_id: string): Promise<void> {
    const path = `/payment/order/${order_id}`;
    for (let tries = 0; ; tries++) {
      const answer = await this.call(path, { headers: this.headers() });
      const body = await answer.json();
      if (tries < 10 && isJson(body) && body['status'] === 'authorization_requested') {
        await systemClock().sleep(1_000);
        continue;
      }
      console.log(`\n${says}\n  GET ${this.url}${path}`);
      return show('<', summary(body));
    }
  }

  private headers(): Record<string, string> {
    return { 'x-api-key': this.key, 'content-type': 'application/json' };
  }

  private async call(path: string, request: RequestInit): Promise<Response> {
    return fetch(this.url + path, request).catch((error: unknown) => {
      throw new StartError(
        `Nothing answers at ${this.url}. Start Florin first (npm start), and leave it running. (${String(error)})`,
      );
    });
  }

  private async answer(response: Response): Promise<Json> {
    const body: unknown = await response.json();
    console.log(`  ${response.status}`);
    show('<', summary(body));
    return isJson(body) ? body : {};
  }
}

function card(card_number: string, checkout_id?: string): Json {
  return {
    card_number,
    card_validity_month: '12',
    card_validity_year: '2034',
    cvc: '123',
    ...(checkout_id !== undefined && { checkout_id }),
  };
}

function masked(number: unknown): string {
  return String(number).replace(/^(\d{6})\d+(\d{4})$/, '$1******$2');
}

/** The members of an answer that are printed; the reference has the others. */
const TELLING = [
  'result',
  'errors',
  'checkout',
  'checkout_id',
  'order_id',
  'status',
  'expiration_date',
  'token',
  'token_type',
  'bin_scheme_name',
  'card_4_digits',
  'order_amount',
  'order_currency',
  'authorization_code',
  'is_captured',
  'capture_total_amount',
  'psp_result_code',
];

function summary(body: unknown): Json {
  if (!isJson(body)) return {};
  const kept = Object.entries(body).filter(([name, value]) => TELLING.includes(name) && value !== '' && value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'checkout' ? summary(value) : value]));
}

function show(mark: string, body: Json): void {
  for (const line of JSON.stringify(body, undefined, 1).split('\n').slice(1, -1)) console.log(`  ${mark}${line}`);
}

function title(text: string): void {
  console.log(`\n${'─'.repeat(72)}\n${text}\n${'─'.repeat(72)}`);
}

function textAt(body: Json, ...path: readonly string[]): string {
  let value: unknown = body;
  for (const name of path) value = isJson(value) ? value[name] : undefined;
  if (typeof value !== 'string') throw new StartError(`The answer has no ${path.join('.')}: see above.`);
  return value;
}

type Hosts = { readonly base_url: string; readonly vault_url: string };

/** Orders as a shop has them: most are paid, a few are not. */
const BASKET: readonly (readonly [number: string, operation_type: string, amount: string, currency: string])[] = [
  ['4242424242424242', 'direct_capture', '42.50', 'EUR'],
  ['5555555555554444', 'authorize', '19.90', 'EUR'],
  ['4000056655665556', 'direct_capture', '129.00', 'EUR'],
  ['4000000000009995', 'direct_capture', '64.20', 'EUR'],
  ['378282246310005', 'authorize', '310.00', 'USD'],
  ['4111111111111111', 'direct_capture', '8.75', 'EUR'],
  ['5105105105105100', 'direct_capture', '57.30', 'GBP'],
  ['4000000000009995', 'authorize', '240.00', 'EUR'],
];

/** Pays with test cards, as the demo account's own shop would, and returns the number of orders. */
export async function makeOrders(hosts: Hosts, keys: DemoKeys, count: number): Promise<number> {
  const post = async (address: string, headers: Readonly<Record<string, string>>, body: Json): Promise<Json> => {
    const all = { 'content-type': 'application/json', ...headers };
    const answer = await fetch(address, { method: 'POST', headers: all, body: JSON.stringify(body) });
    const said: unknown = await answer.json();
    return isJson(said) ? said : {};
  };
  const stamp = systemClock().now().getTime().toString(36);
  let made = 0;
  for (let i = 0; i < count; i++) {
    const [number, operation_type, amount, currency] = BASKET[i % BASKET.length] ?? [];
    const { token } = await post(`${hosts.vault_url}/token`, { 'x-api-key': keys.public_key }, card(number ?? ''));
    const customer = `guest-${(i % 5) + 1}`;
    const order_merchant_id = `sample-${stamp}-${i + 1}`;
    const headers = { 'x-api-key': keys.private_key, 'idempotency-key': order_merchant_id };
    const { order_id } = await post(`${hosts.base_url}/payment/order`, headers, {
      token,
      operation_type,
      amount,
      currency,
      order_merchant_id,
      customer_id: customer,
      customer_email: `${customer}@payer.example`,
    });
    if (typeof order_id === 'string') made++;
  }
  return made;
}
