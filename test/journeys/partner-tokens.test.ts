// Orders paid with a partner's token (contract 6.4): they go to that partner only, which is told the token by the
// vault.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { type Reply, textAt } from '../client.ts';
import { hashOf } from '../vault/asked.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

async function tokenOf(partner: string, fields: object = {}): Promise<string> {
  const body = { token_kind: 'psp_token', psp_token: 'tok_1881', partner, payment_method_name: 'visa', ...fields };
  return textAt(await w.shop.vault('/token', { body, key: w.keys.private_key }), 'token');
}

let count = 0;
async function pay(token: string, fields: object = {}): Promise<Reply> {
  const order = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', token };
  return w.shop.order({ ...order, order_merchant_id: `partner-${++count}`, ...fields }, { prefer: 'wait=10' });
}

const transaction = async (order: Reply, name: string) =>
  (await w.shop.read(textAt(order, 'order_id'))).at(`transactions.0.${name}`);

describe('a token of a partner pays', () => {
  test.each(['simulator', 'simulator_b'])('at %s, whose it is, as often as it is wanted', async (partner) => {
    const token = await tokenOf(partner, { psp_customer_id: 'cus_"1"\\ é', cardholder_name: 'Zoë' });
    for (let n = 0; n < 2; n++) {
      const order = await pay(token);
      expect([order.status, order.code, order.at('payin_partner')]).toEqual([200, '955555', partner]);
      expect((await w.shop.read(textAt(order, 'order_id'))).at('transactions.1'), 'nobody else').toBeUndefined();
    }
  });

  test('with what is known of its card, and nothing else', async () => {
    const known = await pay(await tokenOf('simulator', { card_4_digits: '1881', card_6_digits: '424242' }));
    expect([await transaction(known, 'card_6_digits'), await transaction(known, 'card_4_digits')]).toEqual([
      '424242',
      '1881',
    ]);
    const unknown = await pay(await tokenOf('simulator'));
    expect([await transaction(unknown, 'card_6_digits'), await transaction(unknown, 'card_validity_month')]).toEqual([
      null,
      null,
    ]);
  });

  test('and is captured, refunded and listed like any other order', async () => {
    const held = await pay(await tokenOf('simulator'), { operation_type: 'authorize' });
    expect(held.code).toBe('944444');
    const maintain = (kind: string, amount: string) =>
      w.shop.api(`/payment/maintenance/${kind}/${textAt(held, 'order_id')}`, {
        body: { amount },
        headers: { prefer: 'wait=10' },
      });
    expect((await maintain('capture', '20.00')).code).toBe('955555');
    expect((await maintain('refund', '5.00')).code).toBe('966666');
    const listed = await w.shop.api('/payment/order?payin_partner=simulator&limit=1');
    expect(listed.at('orders.0.order_id')).toBe(textAt(held, 'order_id'));
  });

  test('without a cvc, which it has none of, also where saved cards want one', async () => {
    const settings = (require_cvc_for_saved_cards: boolean) =>
      changeSettings(w.service.tools, w.account, { require_cvc_for_saved_cards });
    await settings(true);
    await expect.poll(async () => (await pay(await tokenOf('simulator'))).code).toBe('955555');
    await settings(false);
  });

  test('and is not saved as a card of its customer', async () => {
    const customer_id = 'partner-customer';
    const order = await pay(await tokenOf('simulator'), { customer_id, token_type: 'recurring' });
    expect(order.code).toBe('955555');
    const information = await w.shop.api(`/payment/information/${customer_id}`);
    expect(information.at('payment_methods_saved')).toEqual([]);
  });
});

describe('its subscription_id', () => {
  const later = { payment_channel: 'recurring' };
  const brought = async (partner: string, psp_token = 'tok_1881') => {
    const body = { token_kind: 'psp_token', psp_token, partner, payment_method_name: 'visa' };
    const reply = await w.shop.vault('/token', { body, key: w.keys.private_key });
    return { token: textAt(reply, 'token'), subscription_id: textAt(reply, 'subscription_id') };
  };

  test('is known to orders with that token, under both names', async () => {
    const { token, subscription_id } = await brought('simulator');
    const order = await pay(token, { subscription_id, ...later });
    expect([order.status, order.code, order.at('subscription_id')]).toEqual([200, '955555', subscription_id]);
    const synonym = await pay(token, { subscription_first_id: subscription_id, ...later });
    expect([synonym.code, synonym.at('subscription_id')]).toEqual(['955555', subscription_id]);
  });

  test('is unknown to orders with another token, or with a card', async () => {
    const { subscription_id } = await brought('simulator');
    const other = await brought('simulator');
    for (const token of [other.token, await w.shop.token({ token_type: 'recurring' })]) {
      const order = await pay(token, { subscription_id, ...later });
      expect([order.status, order.code, order.at('errors.0.field')]).toEqual([400, '111012', 'subscription_id']);
    }
  });

  test('stays with an order that is tried again with a card, which does not know it', async () => {
    const { token, subscription_id } = await brought('simulator', 'refused_1');
    const declined = await pay(token, { subscription_id, ...later });
    expect(declined.at('status')).toBe('authorization_declined');
    const again = await w.shop.api(`/payment/order/${textAt(declined, 'order_id')}`, {
      method: 'PUT',
      body: { token: await w.shop.token({ token_type: 'recurring' }) },
      headers: { prefer: 'wait=10' },
    });
    expect([again.status, again.code, again.at('subscription_id')]).toEqual([200, '955555', subscription_id]);
  });
});

describe('it goes nowhere else', () => {
  test('another contract that is named is refused, one that is unknown ignored', async () => {
    const token = await tokenOf('simulator');
    const other = await pay(token, { merchant_contract: 'simulator_b' });
    expect([other.status, other.code, other.at('errors.0.field')]).toEqual([400, '151043', 'merchant_contract']);
    const own = await pay(token, { merchant_contract: 'simulator' });
    expect([own.code, own.at('payin_partner')]).toEqual(['955555', 'simulator']);
    expect((await pay(token, { merchant_contract: 'of an earlier account' })).code).toBe('955555');
  });

  test('a partner that refuses it ends the order, and no other one is asked', async () => {
    const order = await pay(await tokenOf('simulator', { psp_token: 'refused_1' }));
    expect([order.status, order.at('status'), order.code]).toEqual([200, 'authorization_declined', '221420']);
    expect(order.at('payin_partner')).toBe('simulator');
    expect((await w.shop.read(textAt(order, 'order_id'))).at('transactions.1')).toBeUndefined();
    const again = await w.shop.api(`/payment/order/${textAt(order, 'order_id')}`, {
      method: 'PUT',
      body: { token: await w.shop.token() },
      headers: { prefer: 'wait=10' },
    });
    expect(again.code).toBe('955555');
  });

  test('a partner that cannot be reached ends the order: there is no one else to try', async () => {
    const order_merchant_id = 'partner-down';
    const scenario = { operation: 'direct_capture', fault: 'refuse_connection', match: { order_merchant_id } };
    expect((await w.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
    const order = await pay(await tokenOf('simulator'), { order_merchant_id });
    expect([order.at('status'), order.code]).toEqual(['authorization_declined', '420410']);
  });

  test('nobody can be authenticated with it: asked for it pays, forced it does not', async () => {
    const token = await tokenOf('simulator');
    const asked = await pay(token, { authentication_indicator: 'ask_3ds', amount: '1500.00' });
    expect([asked.code, asked.at('redirect_url')]).toEqual(['955555', undefined]);
    const forced = await pay(token, { authentication_indicator: 'force_3ds' });
    expect([forced.at('status'), forced.code]).toEqual(['authentication_declined', '320120']);
  });
});

describe('the vault holds it to that, whatever it is asked', () => {
  const ask = async (token: string, asked: { destination: string; step: string; body: readonly unknown[] }) => {
    const { tools } = w.service;
    return tools.vault.forward({
      operation_id: tools.chance.id(),
      order_id: tools.chance.id(),
      request_id: null,
      contract_id: null,
      key: 'k',
      deadline_ms: 2000,
      checkout_id: null,
      merchant_account_id: w.account,
      token_hash: hashOf(token),
      destination: asked.destination,
      step: asked.step,
      values: {},
      body: asked.body as Parameters<typeof tools.vault.forward>[0]['body'],
    });
  };
  const TOKEN = ['{"token":{"id":', { slot: 'psp.token' }, ',"customer":', { slot: 'psp.customer?' }, '}}'];
  const CARD = [
    '{"card":{"number":',
    { slot: 'card.number' },
    ',"cvc":',
    { slot: 'card.cvc?' },
    ',"expiry_month":',
    { slot: 'card.expiry_month' },
    ',"expiry_year":',
    { slot: 'card.expiry_year' },
    ',"holder":',
    { slot: 'card.holder?' },
    '}}',
  ];
  const refused = { outcome: 'not_sent', reason: 'token' };

  test('not as the number of a card, not to another partner, and no card in its place', async () => {
    const token = await tokenOf('simulator');
    const card = await w.shop.token({ token_type: 'recurring' });
    expect(await ask(token, { destination: 'simulator', step: 'authorize', body: CARD })).toEqual(refused);
    expect(await ask(token, { destination: 'simulator_b', step: 'authorize_token', body: TOKEN })).toEqual(refused);
    for (const one of [card, await w.shop.token()])
      expect(await ask(one, { destination: 'simulator', step: 'authorize_token', body: TOKEN })).toEqual(refused);
    const sent = await ask(token, { destination: 'simulator', step: 'authorize_token', body: TOKEN });
    expect(sent.outcome).toBe('answered');
  });

  test('a slot that stands elsewhere is refused', async () => {
    const token = await tokenOf('simulator');
    const elsewhere = ['{"card":{"number":', { slot: 'psp.token' }, '}}'];
    for (const step of ['authorize', 'authorize_token'])
      expect(await ask(token, { destination: 'simulator', step, body: elsewhere })).toEqual({
        outcome: 'not_sent',
        reason: 'refused',
      });
  });
});
