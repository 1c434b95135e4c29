// What the load generator sends, and what it must hear. An answer that is not the one expected is an error of the run.
import { Connection, type Reply } from './connection.ts';

export type Target = {
  readonly api_url: string;
  readonly vault_url: string;
  readonly private_key: string;
  readonly public_key: string;
};

export const KINDS = ['checkout', 'token', 'order', 'read', 'flow', 'authorize', 'prepare'] as const;
/**
 * `flow`: checkout, token and direct capture. `authorize`: the same, authorized only. `prepare`: what `order` will
 * spend.
 */
export type Kind = (typeof KINDS)[number];

/** What one worker keeps between its requests. */
export type Worker = { readonly target: Target; readonly api: Connection; readonly vault: Connection };

/** Shared by the workers of a process: checkouts with their tokens, and orders to read. */
export type Stock = { readonly paid: string[]; readonly payable: { checkout_id: string; token: string }[] };

export function openWorker(target: Target): Worker {
  return { target, api: new Connection(target.api_url), vault: new Connection(target.vault_url) };
}

/** Codes of the contract: what each request says when it went well. */
const CODE = { checkout: '011111', token: '999999', authorized: '944444', captured: '955555' };

/** One unit of a kind. False: there is nothing left to do it with. */
export async function play(kind: Kind, worker: Worker, stock: Stock): Promise<boolean> {
  switch (kind) {
    case 'checkout':
      await checkout(worker, 'direct_capture');
      return true;
    case 'token':
      await token(worker);
      return true;
    case 'prepare':
      stock.payable.push(await payable(worker, 'direct_capture'));
      return true;
    case 'order': {
      const next = stock.payable.pop();
      if (!next) return false;
      await order(worker, next, CODE.captured);
      return true;
    }
    case 'flow':
      keep(stock, await order(worker, await payable(worker, 'direct_capture'), CODE.captured));
      return true;
    case 'authorize':
      await order(worker, await payable(worker, 'authorize'), CODE.authorized);
      return true;
    case 'read':
      await read(worker, stock);
      return true;
  }
}

const KEPT = 2000;
let kept = 0;

function keep(stock: Stock, order_id: string): void {
  stock.paid[kept++ % KEPT] = order_id;
}

async function payable(worker: Worker, operation_type: string) {
  const checkout_id = await checkout(worker, operation_type);
  return { checkout_id, token: await token(worker, checkout_id) };
}

let references = 0;
const RUN = `${process.pid.toString(36)}${Math.floor(performance.timeOrigin).toString(36)}`;

async function checkout({ api, target }: Worker, operation_type: string): Promise<string> {
  const order_merchant_id = `${RUN}-${(references++).toString(36).padStart(6, '0')}`;
  const body = `{"type":"api","operation_type":"${operation_type}","amount":"42.50","currency":"EUR","order_merchant_id":"${order_merchant_id}","customer_email":"ada@shop.example"}`;
  const reply = await api.ask(post(api.host, '/payment/checkout', { key: target.private_key, body }));
  return member(checked(reply, CODE.checkout), 'checkout_id', 24);
}

/** Without a checkout the token is free to be used with any. */
async function token({ vault, target }: Worker, checkout_id?: string): Promise<string> {
  const bound = checkout_id === undefined ? '' : `,"checkout_id":"${checkout_id}"`;
  const body = `{"card_number":"${cardNumber()}","card_validity_month":"12","card_validity_year":"2034","cvc":"123"${bound}}`;
  const reply = await vault.ask(post(vault.host, '/token', { key: target.public_key, body }));
  return member(checked(reply, CODE.token), 'token', 64);
}

async function order(
  { api, target }: Worker,
  { checkout_id, token: paid_with }: { checkout_id: string; token: string },
  code: string,
): Promise<string> {
  const body = `{"token":"${paid_with}","checkout_id":"${checkout_id}"}`;
  // a plain authorize does not wait unless it is asked to
  const more = code === CODE.authorized ? 'prefer: wait=10\r\n' : '';
  const reply = await api.ask(post(api.host, '/payment/order', { key: target.private_key, body, more }));
  return member(checked(reply, code), 'order_id', 24);
}

async function read({ api, target }: Worker, stock: Stock): Promise<void> {
  const order_id = stock.paid[Math.floor(Math.random() * stock.paid.length)] ?? '';
  const reply = await api.ask(
    `GET /payment/order/${order_id} HTTP/1.1\r\nhost: ${api.host}\r\nx-api-key: ${target.private_key}\r\n\r\n`,
  );
  checked(reply, CODE.captured);
}

function post(
  host: string,
  path: string,
  { key, body, more = '' }: { key: string; body: string; more?: string },
): string {
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
}

function checked(reply: Reply, code: string): Reply {
  if (reply.status !== 200 || !reply.body.startsWith(`{"result":{"code":"${code}"`))
    throw new Error(`wanted ${code}, got ${reply.status} ${reply.body.slice(0, 200).replace(/[0-9a-f]{24,}/g, '…')}`);
  return reply;
}

function member({ body }: Reply, name: string, length: number): string {
  const at = body.indexOf(`"${name}":"`) + name.length + 4;
  const value = body.slice(at, at + length);
  if (!/^[0-9a-f]+$/.test(value) || value.length !== length) throw new Error(`no ${name} in ${body.slice(0, 200)}`);
  return value;
}

/** A card that was not used before, most likely: one card for all would queue every payer for the same row. */
function cardNumber(): string {
  const digits = `424242${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[i]) * (i % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
