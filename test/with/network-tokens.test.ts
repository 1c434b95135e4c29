// A network token goes to a provider that takes one, as one: routing asks before anything is sent.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_CARD, type Reply, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe,adyen' });
});
afterAll(() => w[Symbol.asyncDispose]());

const NETWORK_TOKEN = {
  token_kind: 'network_token',
  card_number: GOOD_CARD.card_number,
  card_validity_month: '12',
  card_validity_year: '2034',
  eci: '05',
};

async function payAt(merchant_contract: string): Promise<Reply> {
  const body = { ...NETWORK_TOKEN, cryptogram: randomBytes(20).toString('base64') };
  const made = await w.shop.vault('/token', { body, key: w.keys.private_key });
  const order = { operation_type: 'authorize', amount: '42.50', currency: 'EUR', order_merchant_id: merchant_contract };
  return w.shop.order({ token: textAt(made, 'token'), ...order, merchant_contract }, { prefer: 'wait=10' });
}

test('a network token is paid at Adyen, by the only step there that has a field for its cryptogram', async () => {
  const paid = await payAt('adyen');
  expect([paid.code, paid.at('payin_partner')], paid.text).toEqual(['944444', 'adyen']);
  const [sent] = await w.sql<{ network_token: boolean }>(
    `SELECT t.network_token FROM payment.transactions t WHERE encode(t.order_id, 'hex') = $1`,
    [textAt(paid, 'order_id')],
  );
  expect(sent?.network_token).toBe(true);
});

test('Stripe has no place for it: another contract that fits takes it', async () => {
  const paid = await payAt('stripe');
  expect(paid.code, paid.text).toBe('944444');
  expect(paid.at('payin_partner')).not.toBe('stripe');
});

test('if no contract has a field for the cryptogram, the order is declined before anything is sent', async () => {
  await w.sql(`UPDATE payment.contracts SET enabled = false WHERE provider <> 'stripe'`);
  // an account's contracts are known for a moment longer
  const paid = await until(async () => {
    const reply = await payAt('stripe');
    return reply.code === '944444' ? undefined : reply;
  });
  expect([paid.code, paid.at('status')], paid.text).toEqual(['151040', 'authorization_declined']);
  const read = await w.shop.read(textAt(paid, 'order_id'));
  expect(read.at('transactions.0.payin_partner')).toBe('');
});
