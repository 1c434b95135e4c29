// What the shops of the guides tell a payer who looks again: "Nothing was charged" only where it is proved.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOOD_CARD, textAt } from '../client.ts';
import { operationsOf, says } from '../doubt/said.ts';
import { pay as payHosted } from '../hosted-page/payer.ts';
import { type World, world } from '../world.ts';
import { has } from './merchant.ts';
import { type Program, startProgram } from './programs.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

type Paid = { readonly cart: string; readonly order_id: string };

const buy = async ({ url }: Program) =>
  (await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' })).headers.get('location') ?? '';

async function orderOf(cart: string): Promise<string> {
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.orders WHERE order_merchant_id = $1`,
    [cart],
  );
  return row?.id ?? '';
}

/** As the shop's page does, without a browser. */
async function payInNode(shop: Program, card_number: string): Promise<Paid> {
  const cart = (await buy(shop)).split('/').at(-1) ?? '';
  const page = await (await fetch(`${shop.url}/cart/${cart}`)).text();
  const checkout_id = /"checkoutId":"([0-9a-f]{24})"/.exec(page)?.[1];
  const made = await w.shop.vault('/token', {
    key: w.keys.public_key,
    body: { ...GOOD_CARD, card_number, checkout_id },
  });
  const body = JSON.stringify({ token: textAt(made, 'token'), browser: {} });
  await fetch(`${shop.url}/pay/${cart}`, { method: 'POST', body });
  return { cart, order_id: await orderOf(cart) };
}

async function payInPhp(shop: Program, card_number: string): Promise<Paid> {
  const page = await buy(shop);
  await payHosted(w.shop, page, { card_number });
  const [row] = await w.sql<{ cart: string }>(
    'SELECT order_merchant_id AS cart FROM payment.orders ORDER BY id DESC LIMIT 1',
  );
  const cart = row?.cart ?? '';
  return { cart, order_id: await orderOf(cart) };
}

const SHOPS = [
  { name: 'Elements in Node', command: ['node', 'examples/node/shop.mjs'], pays: payInNode },
  { name: 'the hosted page in PHP', command: ['php', '-S', '127.0.0.1:PORT', 'examples/php/shop.php'], pays: payInPhp },
];

describe.each(SHOPS)('$name', ({ command, pays }) => {
  const [program = ''] = command;

  test.skipIf(!has(program))(
    'a decline that the bank approves late is waited for, and not denied (skipped without its program)',
    async () => {
      await using shop = await startProgram(w, command);
      await w.shop.api('/sandbox/scenario', { body: { operation: 'cancel', fault: 'refuse_connection', times: 100 } });
      const { cart, order_id } = await pays(shop, '4000000000000002');
      expect(await told(shop, cart)).toEqual({ title: 'Not paid', denies: true });
      const [reference = ''] = await operationsOf(w, order_id, 'authorize');
      await says(w, { order_id, reference, kind: 'authorize', status: 'approved', code: '944444', amount: 4250 });
      expect((await w.shop.read(order_id)).at('is_in_doubt')).toBe(true);
      expect(await told(shop, cart)).toEqual({ title: 'Waiting for your bank', denies: false });
      await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
    },
  );

  test.skipIf(!has(program))(
    'a payment that is refunded was charged, and one whose refund is refused is paid (skipped without its program)',
    async () => {
      await using shop = await startProgram(w, command);
      const refund = async (order_id: string) =>
        (await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: {}, headers: { prefer: 'wait=10' } }))
          .code;
      const given_back = await pays(shop, GOOD_CARD.card_number);
      expect(await refund(given_back.order_id)).toBe('966666');
      expect(await told(shop, given_back.cart)).toEqual({ title: 'Refund', denies: false });
      const refused = await pays(shop, '4000009903000019');
      expect(await refund(refused.order_id)).toBe('621288');
      expect(await told(shop, refused.cart)).toEqual({ title: 'Thank you', denies: false });
    },
  );

  const told = async ({ url }: Program, cart: string) => {
    const page = await (await fetch(`${url}/back/${cart}`)).text();
    return { title: /<h1>([^<]*)</.exec(page)?.[1], denies: page.includes('Nothing was charged') };
  };
});
