// The demo shop where an answer of the API is lost: it says what it knows, and never that nothing was charged.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ORDER_STATUSES } from '../../src/core/states.ts';
import { type Egress, type Exchange, type Sending, openEgress } from '../../src/kit/egress.ts';
import { resultPage } from '../../src/shop/pages.ts';
import type { Shop } from '../../src/shop/shop.ts';
import { type World, world } from '../world.ts';
import { CART, openShop } from './opened.ts';

let w: World;
let shop: Shop;
const egress = openEgress();
/** What becomes of an answer on its way to the shop. */
let onItsWay: (sending: Sending, said: Exchange) => Exchange = (_, said) => said;
let orders_sent = 0;

const lossy: Egress = {
  ...egress,
  exchange: async (sending) => {
    if (isOrder(sending)) orders_sent += 1;
    return onItsWay(sending, await egress.exchange(sending));
  },
};
const isOrder = ({ method, path }: Sending) => method === 'POST' && path === '/payment/order';
const LOST: Exchange = { kind: 'unknown', why: 'timeout' };
const AWAY: Exchange = { kind: 'not_sent' };
const BEHIND_A_COMMIT: Exchange = { kind: 'answered', status: 503, body: Buffer.from('{}') };
const NO_JSON: Exchange = { kind: 'answered', status: 502, body: Buffer.from('<h1>Bad Gateway</h1>') };

beforeAll(async () => {
  w = await world();
  shop = await openShop(w, lossy);
});
afterAll(async () => {
  await shop.close();
  await egress.close();
  await w[Symbol.asyncDispose]();
});

async function buy(): Promise<string> {
  onItsWay = (_, said) => said;
  const body = new URLSearchParams({ way: 'elements', amount: '42.50', lang: 'en' });
  const answer = await fetch(`${shop.url}/buy`, { method: 'POST', redirect: 'manual', body });
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

async function pay(cart: string, token: string): Promise<unknown> {
  const answer = await fetch(`${shop.url}/pay/${cart}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, token_type: 'oneshot' }),
  });
  return answer.json();
}

const shown = async (cart: string) => (await fetch(`${shop.url}/result/${cart}`)).text();
const ordersOf = async (cart: string) =>
  Number(
    (
      await w.sql<{ n: string }>('SELECT count(*) AS n FROM payment.orders WHERE order_merchant_id = $1', [
        `shop-${cart}`,
      ])
    )[0]?.n,
  );

test.each([
  ['that never comes', LOST],
  ['that cannot say whether its commit was done', BEHIND_A_COMMIT],
  ['of a proxy, which is no JSON', NO_JSON],
])('an answer to a payment %s is not called a refusal, and the shop asks again until it knows', async (_, lost) => {
  const cart = await buy();
  const token = await w.shop.token();
  onItsWay = (sending, said) => (isOrder(sending) ? lost : said);
  expect(await pay(cart, token)).toEqual({ next: `/result/${cart}` });
  onItsWay = () => lost;
  const unknown = await shown(cart);
  expect(unknown).toContain('<h1>Confirming your payment</h1>');
  expect(unknown).toContain('do not pay again');
  expect(unknown).not.toContain('Nothing was charged');
  onItsWay = (_sending, said) => said;
  await expect.poll(() => shown(cart)).toContain('<h1>Thank you</h1>');
  expect(await ordersOf(cart)).toBe(1);
});

test('a request that was lost before it arrived is sent again with the same token', async () => {
  const cart = await buy();
  const token = await w.shop.token();
  const before = orders_sent;
  const { exchange } = egress;
  egress.exchange = async (sending) => (isOrder(sending) ? LOST : exchange(sending));
  await pay(cart, token);
  egress.exchange = exchange;
  expect(await ordersOf(cart)).toBe(0);
  await expect.poll(() => shown(cart)).toContain('<h1>Thank you</h1>');
  expect(orders_sent - before).toBeGreaterThan(1);
  expect(await ordersOf(cart)).toBe(1);
});

test('what was surely not sent, or refused, is said so', async () => {
  const cart = await buy();
  onItsWay = () => AWAY;
  expect(await pay(cart, '0'.repeat(64))).toHaveProperty('message');
  onItsWay = (_, said) => said;
  expect(await pay(cart, 'no token')).toHaveProperty('message');
  expect(await shown(cart)).toContain('Not paid yet');
});

test('a checkout that cannot be looked at is neither paid nor unpaid', async () => {
  const cart = await buy();
  onItsWay = () => LOST;
  const page = await shown(cart);
  expect(page).not.toContain('Nothing was charged');
  expect(page).toContain('http-equiv="refresh"');
});

test('an order that may still hold or take money is never said to be uncharged, cancelled or declined', () => {
  for (const [status, { live }] of Object.entries(ORDER_STATUSES)) {
    const page = resultPage(CART, {}, [{ status }]);
    if (live) expect(page, status).not.toMatch(/Nothing was charged|was cancelled|declined/);
    for (const in_doubt of [[{ status, is_in_doubt: true }], [{ status }, { status, is_in_doubt: true }]])
      expect(resultPage(CART, {}, in_doubt), status).not.toContain('Nothing was charged');
  }
});
