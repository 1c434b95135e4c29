// What each well-known number means at the vault and for an order (contract 15.2, as far as it concerns authorization).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';
import { GOOD_CARD, type Reply, textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const APPROVED: Readonly<Record<string, readonly string[]>> = {
  visa: [
    '4242424242424242',
    '4111111111111111',
    '4000056655665556',
    '4543474002249996',
    '4658584090000001',
    '4917610000000000',
  ],
  mastercard: [
    '5555555555554444',
    '5454545454545454',
    '2223003122003222',
    '2223000010479399',
    '5200828282828210',
    '5105105105105100',
    '5436031030606378',
    '5199992312641465',
  ],
  amex: ['378282246310005', '371449635398431', '345678901234564'],
  diners: ['30123456789019', '30569309025904', '36227206271667', '3056930009020004'],
  discover: ['6011111111111117', '6011000990139424'],
  jcb: ['3530111333300000', '3566002020360505'],
  unionpay: ['6200000000000005', '6205500000000000004'],
  maestro: ['6759649826438453'],
  bancontact: ['6703444444444449'],
};

const DECLINED: Readonly<Record<string, string>> = {
  '4000000000000002': '420188',
  '4000000000000341': '420188',
  '4000000000009995': '420100',
  '4000000000006975': '421101',
  '4000000000009987': '421132',
  '4000000000009979': '421131',
  '4000000000000069': '421125',
  '4000000000000127': '241031',
  '4000000000000119': '420410',
};

for (const [scheme, numbers] of Object.entries(APPROVED))
  test(`every listed ${scheme} number is tokenized as ${scheme} and approved`, async () => {
    for (const card_number of numbers) {
      const cvc = scheme === 'amex' ? '1234' : '123';
      const token = await w.shop.vault('/token', {
        body: { card_number, cvc, card_validity_month: 1, card_validity_year: 34 },
      });
      expect(token.at('bin_scheme_name'), token.text).toBe(scheme);
      const order = await w.shop.order({
        token: textAt(token, 'token'),
        operation_type: 'direct_capture',
        amount: 3,
        currency: 'EUR',
        order_merchant_id: card_number.slice(-6),
      });
      expect([order.code, order.at('payment_method_name'), order.at('payin_partner')]).toEqual([
        '955555',
        scheme,
        'simulator',
      ]);
    }
  });

test('declined numbers end with their code, and nothing is captured', async () => {
  for (const [card_number, code] of Object.entries(DECLINED)) {
    const reply = await w.shop.pay({ card_number });
    expect([reply.status, reply.code, reply.at('status'), reply.at('is_captured')], card_number).toEqual([
      200,
      code,
      'authorization_declined',
      false,
    ]);
  }
});

test('a number whose issuer asks for authentication sends the payer to it, and nothing is captured before', async () => {
  const reply = await w.shop.pay({ card_number: '4000002760003184' });
  expect([reply.status, reply.code, reply.at('status'), reply.at('is_captured')]).toEqual([
    200,
    '420150',
    'authentication_requested',
    false,
  ]);
  expect(textAt(reply, 'redirect_url')).toMatch(/^http/);
});

test('risky numbers are approved and marked', async () => {
  for (const [card_number, score] of [
    ['4000000000004954', 95],
    ['4000000000009235', 65],
  ] as const) {
    const reply = await w.shop.pay({ card_number });
    expect([reply.code, reply.at('is_suspicious')]).toEqual(['955555', true]);
    const read = await w.shop.read(textAt(reply, 'order_id'));
    expect(read.at('transactions.0.risk_assessment_score')).toBe(score);
  }
});

test('numbers that risk refuses are refused before any provider is asked', async () => {
  for (const [card_number, code] of [
    ['4100000000000019', '131088'],
    ['4000009991310106', '131010'],
    ['4000009991310593', '131059'],
  ] as const) {
    const reply = await w.shop.pay({ card_number });
    expect([reply.code, reply.at('status'), reply.at('payin_partner')]).toEqual([code, 'risk_assessment_declined', '']);
    expect([reply.at('risk_assessment_result'), reply.at('risk_assessment_reason_code')]).toEqual(['refused', code]);
  }
});

test('co-badged cards carry the brand the payer chose; a brand they do not carry is replaced', async () => {
  const choose = async (card_number: string, customer_scheme_name?: string): Promise<Reply> =>
    w.shop.vault('/token', {
      body: {
        card_number,
        cvc: '123',
        card_validity_month: '01',
        card_validity_year: '2034',
        ...(customer_scheme_name !== undefined && { customer_scheme_name }),
      },
    });
  const plain = await choose('4000002500001001');
  expect([plain.at('bin_scheme_name'), plain.at('customer_scheme_name')]).toEqual(['visa', 'visa']);
  const cb = await choose('4000002500001001', 'cb');
  expect([cb.at('bin_scheme_name'), cb.at('customer_scheme_name')]).toEqual(['visa', 'cb']);
  const wrong = await choose('4242424242424242', 'amex');
  expect([wrong.status, wrong.at('customer_scheme_name')]).toEqual([200, 'visa']);
  const order = await w.shop.order({
    token: textAt(cb, 'token'),
    operation_type: 'direct_capture',
    amount: 3,
    currency: 'EUR',
    order_merchant_id: 'cb',
  });
  expect(order.at('payment_method_name')).toBe('cb');
  const again = await choose('5555552500001001', 'cb');
  const byOrder = await w.shop.order({
    token: textAt(again, 'token'),
    payment_method_name: 'mastercard',
    operation_type: 'direct_capture',
    amount: 3,
    currency: 'EUR',
    order_merchant_id: 'mc',
  });
  expect(byOrder.at('payment_method_name')).toBe('mastercard');
});

test('the same card has one card_unique_id within an account and another one elsewhere', async () => {
  const idOf = async (shop: World['shop']) =>
    textAt(
      await shop.vault('/token', {
        body: { card_number: '4111 1111-1111 1111', cvc: '123', card_validity_month: '1', card_validity_year: '34' },
      }),
      'card_unique_id',
    );
  const first = await idOf(w.shop);
  expect(await idOf(w.shop)).toBe(first);
  expect(await idOf(await w.otherShop())).not.toBe(first);
});

test('a token pays only its own account, its own checkout, and only for 15 minutes', async () => {
  const sale = { operation_type: 'direct_capture', amount: 3, currency: 'EUR', order_merchant_id: 'bound' };
  const other = await w.otherShop();
  const foreign = await other.order({ token: await w.shop.token(), ...sale });
  expect([foreign.status, foreign.code]).toEqual([400, '241021']);
  const bound = await w.shop.token({ checkout_id: await w.shop.checkout() });
  const elsewhere = await w.shop.order({ token: bound, checkout_id: await w.shop.checkout() });
  expect([elsewhere.status, elsewhere.code]).toEqual([400, '241021']);
  const old = await w.shop.token();
  await w.sql(`UPDATE vault.clock SET shift = interval '15 minutes 1 second'`);
  const late = await w.shop.order({ token: old, ...sale });
  expect([late.status, late.code]).toEqual([400, '241021']);
});

test('card data that cannot be are refused with their code, all at once', async () => {
  const refused = async (card: object, key?: string) => {
    const reply = await w.shop.vault('/token', {
      body: {
        card_number: '4242424242424242',
        card_validity_month: '12',
        card_validity_year: '34',
        cvc: '123',
        ...card,
      },
      ...(key !== undefined && { key }),
    });
    return [reply.status, reply.code, reply.at('errors.0.field')];
  };
  expect(await refused({ card_number: '4242424242424241' })).toEqual([400, '240021', 'card_number']);
  expect(await refused({ card_number: '9999999999999995' })).toEqual([400, '240021', 'card_number']);
  expect(await refused({ card_number: 4242424242424242 })).toEqual([400, '241031', 'card_number']);
  expect(await refused({ card_validity_year: '2020' })).toEqual([400, '240022', 'card_validity_year']);
  expect(await refused({ card_validity_year: '2060' })).toEqual([400, '241031', 'card_validity_year']);
  expect(await refused({ card_validity_month: '13' })).toEqual([400, '241031', 'card_validity_month']);
  expect(await refused({ cvc: '1234' })).toEqual([400, '241031', 'cvc']);
  expect(await refused({ cvc: 123 })).toEqual([400, '241031', 'cvc']);
  expect(await refused({ cardholder_name: 'Ada 4242 4242 4242' })).toEqual([400, '241031', 'cardholder_name']);
  // its own number, however it is written: it would leave for the provider as a name
  for (const cardholder_name of [
    '4242.4242.4242.4242',
    '4242/4242/4242/4242 Ada',
    '４２４２４２４２４２４２４２４２',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
  ])
    expect([cardholder_name, await refused({ cardholder_name })]).toEqual([
      cardholder_name,
      [400, '241031', 'cardholder_name'],
    ]);
  expect(await refused({ cvc: '' })).toEqual([400, '111011', 'cvc']);
  expect(await refused({ cvc: null }, w.keys.private_key)).toEqual([200, '999999', undefined]);
  expect(await refused({ card_number: '6759649826438453', cvc: '' })).toEqual([200, '999999', undefined]);
  const all = await w.shop.vault('/token', { body: { card_number: '1', card_validity_month: 'x', checkout_id: 'y' } });
  expect(Array.isArray(all.at('errors')) && JSON.stringify(all.at('errors'))).toContain('checkout_id');
  expect([all.at('errors.0.code'), all.at('errors.1.code')]).toEqual(['111011', '111011']);
});

test('a checkout that cannot take an order binds no token, and one that can takes ten', async () => {
  const unknown = await w.shop.vault('/token', {
    body: {
      card_number: '4242424242424242',
      cvc: '123',
      card_validity_month: '1',
      card_validity_year: '34',
      checkout_id: '6b0000000000000000000000',
    },
  });
  expect([unknown.status, unknown.code, unknown.at('errors.0.field')]).toEqual([400, '111012', 'checkout_id']);
  const checkout_id = await w.shop.checkout();
  for (let i = 0; i < 10; i++) await w.shop.token({ checkout_id });
  const eleventh = await w.shop.vault('/token', {
    body: {
      card_number: '4242424242424242',
      cvc: '123',
      card_validity_month: '1',
      card_validity_year: '34',
      checkout_id,
    },
  });
  expect([eleventh.status, eleventh.code]).toEqual([409, '111034']);
});

test("tokens that strangers bind to a checkout, while nobody says whose it is, use up none of its merchant's ten", async () => {
  const checkout_id = await w.shop.checkout();
  const stranger = await w.otherShop();
  for (let i = 0; i < 10; i++) {
    const token_hash = sha256(Buffer.from(await stranger.token(), 'hex'));
    await w.sql(`UPDATE vault.cards SET checkout_id = decode($1, 'hex') WHERE token_hash = decode($2, 'hex')`, [
      checkout_id,
      token_hash,
    ]);
  }
  const card = { ...GOOD_CARD, checkout_id };
  expect((await w.shop.vault('/token', { body: card })).status).toBe(200);
  const once = await w.shop.vault('/token', { body: card, headers: { 'idempotency-key': 'its-own-ten' } });
  expect(once.status).toBe(200);
});

test('a recurring token pays again and again', async () => {
  const token = await w.shop.token({ token_type: 'recurring' });
  for (const n of [1, 2, 3]) {
    const reply = await w.shop.order({
      token,
      operation_type: 'direct_capture',
      amount: n,
      currency: 'EUR',
      order_merchant_id: `again-${n}`,
    });
    expect(reply.code).toBe('955555');
  }
});
