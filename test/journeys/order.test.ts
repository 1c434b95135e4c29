import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const URLS = {
  accept_url: 'https://shop.example/a?x=1',
  decline_url: 'https://shop.example/d',
  cancel_url: 'https://shop.example/c',
  pending_url: 'https://shop.example/p',
};
const SALE = { operation_type: 'direct_capture', amount: 10, currency: 'EUR', order_merchant_id: 'o' };

test('the three smallest requests seen in the field pass', async () => {
  const checkout_id = await w.shop.checkout();
  const first = await w.shop.order({ token: await w.shop.token(), checkout_id, ...URLS });
  expect([first.status, first.code, first.at('order_merchant_id'), first.at('accept_url')]).toEqual([
    200,
    '421080',
    'cart-1881',
    URLS.accept_url,
  ]);
  await w.shop.decided(textAt(first, 'order_id'));
  const second = await w.shop.order({
    operation_type: 'direct_capture',
    token: await w.shop.token(),
    checkout_id: await w.shop.checkout(),
    amount: '42.5',
    currency: 'EUR',
    payment_channel: 'e-commerce',
    payment_method_name: 'visa',
    order_availability: true,
  });
  expect([second.status, second.code]).toEqual([200, '955555']);
  const third = await w.shop.order(
    {
      operation_type: 'direct_capture',
      token: await w.shop.token(),
      merchant_contract: '5f00aa00bb00cc00dd00ee00',
      payment_method_name: 'visa',
      amount: 12.3,
      currency: 'EUR',
      order_merchant_id: 'third',
      payment_channel: 'e-commerce',
      website_url: 'http://shop.example',
      customer_id: 77,
      customer_first_name: null,
      customer_email: 'a@b.example',
      authentication_indicator: 'ask_3ds',
      ...URLS,
    },
    { version: '1.0.0' },
  );
  expect([
    third.status,
    third.code,
    third.at('customer_id'),
    third.at('customer_first_name'),
    third.headers.get('version'),
  ]).toEqual([200, '955555', '77', '', '1.0.0']);
});

test('an order takes from its checkout what it does not say itself', async () => {
  const checkout_id = await w.shop.checkout({
    operation_type: 'direct_capture',
    customer_email: 'ada@shop.example',
    order_description: 'from the checkout',
    ...URLS,
  });
  const order = await w.shop.order({ token: await w.shop.token(), checkout_id, order_description: 'from the order' });
  expect([order.code, order.at('customer_email'), order.at('order_description'), order.at('decline_url')]).toEqual([
    '955555',
    'ada@shop.example',
    'from the order',
    URLS.decline_url,
  ]);
  const read = await w.shop.read(textAt(order, 'order_id'));
  expect([read.at('type'), read.at('amount'), read.at('customer_email')]).toEqual([
    'direct_capture',
    42.5,
    'ada@shop.example',
  ]);
});

test('amount and currency that are not the checkout’s are refused, both at once', async () => {
  const checkout_id = await w.shop.checkout();
  const token = await w.shop.token();
  for (const [fields, wrong] of [
    [{ amount: 42.51 }, ['amount']],
    [{ currency: 'USD' }, ['currency']],
    [{ amount: '42.505' }, ['amount']],
    [{ amount: '42.50', currency: 'USD' }, ['currency']],
    [{ amount: '42.51', currency: 'USD' }, ['currency', 'amount']],
    // as many minor units as the checkout has, and as many decimals as its own currency allows
    [{ amount: '4250', currency: 'JPY' }, ['currency', 'amount']],
    [{ amount: '42.505', currency: 'KWD' }, ['currency', 'amount']],
  ] as const) {
    const reply = await w.shop.order({ token, checkout_id, ...fields });
    expect([reply.status, reply.code]).toEqual([400, '111012']);
    const errors = reply.at('errors');
    expect(Array.isArray(errors) && errors.map((e: { readonly field?: unknown }) => e.field)).toEqual(wrong);
  }
  const right = await w.shop.order({ token, checkout_id, amount: '42.50', currency: 'eur' });
  expect(right.status).toBe(200);
});

test('decimals that the currency of the checkout, or of the order, does not have are named beside other problems', async () => {
  const declined = textAt(await w.shop.pay({ card_number: '4000000000000002' }), 'order_id');
  const wrong = { amount: '42.505', shipping_tax: '1.234', payment_channel: 'post' };
  const checkout_id = await w.shop.checkout();
  for (const [method, path, named] of [
    ['POST', '/payment/order', { checkout_id }],
    ['PUT', `/payment/order/${declined}`, {}],
  ] as const) {
    const reply = await w.shop.api(path, { method, body: { ...wrong, ...named } });
    const fields = Object(reply.body).errors.map((one: { readonly field: string }) => one.field);
    expect([reply.status, fields]).toEqual([400, ['payment_channel', 'amount', 'shipping_tax']]);
  }
  // another checkout's currency is not known, and nothing is said of it
  const unknown = await w.shop.order({ ...wrong, checkout_id: '0'.repeat(24) });
  expect(unknown.at('errors')).toMatchObject([{ field: 'payment_channel' }]);
});

test('an order without a checkout has everything that is missing named at once', async () => {
  const reply = await w.shop.order({});
  expect([reply.status, reply.code]).toEqual([400, '111011']);
  const errors = reply.at('errors');
  expect(
    Array.isArray(errors) &&
      errors.map((e: { readonly field?: unknown }) => String(e.field)).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['amount', 'currency', 'operation_type', 'order_merchant_id', 'token']);
});

test('a checkout_id that is none hides no missing token: no checkout could have given it', async () => {
  const reply = await w.shop.order({ checkout_id: 'cart-1881' });
  expect([
    reply.status,
    reply.code,
    reply.at('errors.0.field'),
    reply.at('errors.1.field'),
    reply.at('errors.2'),
  ]).toEqual([400, '111011', 'token', 'checkout_id', undefined]);
});

test('the caller decides how long it waits', async () => {
  const pay = async (prefer: string | undefined, operation_type: string) =>
    w.shop.order(
      { token: await w.shop.token(), ...SALE, operation_type, order_merchant_id: `wait-${prefer}-${operation_type}` },
      prefer === undefined ? {} : { prefer },
    );
  const waited = await pay('wait=5', 'authorize');
  expect([waited.code, waited.headers.get('preference-applied')]).toEqual(['944444', 'wait=5']);
  const not = await pay('respond-async', 'direct_capture');
  expect([not.code, not.at('status'), not.headers.get('preference-applied')]).toEqual([
    '421080',
    'authorization_requested',
    'respond-async',
  ]);
  const plain = await pay(undefined, 'authorize');
  expect([plain.code, plain.headers.get('preference-applied')]).toEqual(['421080', null]);
  const read = await w.shop.decided(textAt(not, 'order_id'));
  expect(read.code).toBe('955555');
});

test('a read shows the transaction, its operations and how it got there', async () => {
  const order = await w.shop.pay({}, { merchant_data: [{ key: 'a', value: 5 }] });
  const read = await w.shop.read(textAt(order, 'order_id'));
  expect(read.body).toMatchObject({
    result: { code: '955555' },
    type: 'direct_capture',
    is_in_doubt: false,
    order_version: 4,
    merchant_data: [{ key: 'a', type: 'string', value: '5', is_personal_data: false }],
    transactions: [
      {
        id: order.at('transaction_id'),
        status: 'capture_successful',
        is_captured: true,
        is_refundable: true,
        is_capturable: false,
        captured_amount: 25,
        refundable_amount: 25,
        token: null,
        psp_token: null,
        card_6_digits: '424242',
        card_4_digits: '4242',
        card_validity_month: '12',
        card_validity_year: '34',
        captures: [{ amount: 25, refunded_amount: 0, state: 'successful' }],
        refunds: [],
        status_history: [
          { status: 'created', code: '421080' },
          { status: 'authorization_requested', code: '421080' },
          { status: 'authorization_successful', code: '944444' },
          { status: 'capture_successful', code: '955555' },
        ],
        operations: [
          { type: 'authorization', state: 'successful', result_status: 'success' },
          { type: 'capture', state: 'successful' },
        ],
      },
    ],
  });
});

test('a contract that is not the account’s is ignored, or refused where the account wants that', async () => {
  const { updateSettings } = await import('../../src/payment/merchant/store.ts');
  const account = w.service.tools.db.tenant(w.account);
  await updateSettings(account, { strict_contract: true });
  const refused = await until(async () => {
    const reply = await w.shop.pay({}, { merchant_contract: 'nobody' });
    return reply.status === 400 ? reply : undefined;
  });
  expect([refused.code, refused.at('errors.0.field')]).toEqual(['151043', 'merchant_contract']);
  const named = await w.shop.pay({}, { merchant_contract: 'simulator_b' });
  expect([named.code, named.at('payin_partner')]).toEqual(['955555', 'simulator_b']);
  await updateSettings(account, { strict_contract: false });
});

test('the old path makes orders too', async () => {
  const reply = await w.shop.api('/order/create', {
    body: { token: await w.shop.token(), ...SALE, order_merchant_id: 'old-path' },
  });
  expect(reply.code).toBe('955555');
});

test('books, counters and ledger of an order agree', async () => {
  const order = await w.shop.pay({}, { amount: 7, currency: 'JPY' });
  const order_id = textAt(order, 'order_id');
  const lines = await w.sql<{ debit: string; credit: string; amount: string; currency: string }>(
    `SELECT debit, credit, amount_minor::text AS amount, currency FROM payment.ledger_entries WHERE order_id = decode($1, 'hex') ORDER BY source_id, line`,
    [order_id],
  );
  expect(lines).toEqual([{ debit: 'provider_receivable', credit: 'merchant_payable', amount: '7', currency: 'JPY' }]);
  expect(order.at('order_amount')).toBe(7);
  const held = await w.shop.pay({}, { operation_type: 'authorize', amount: 3.5 });
  const hold = await w.sql(
    `SELECT debit, credit, amount_minor::text AS amount FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')`,
    [textAt(held, 'order_id')],
  );
  expect(hold).toEqual([{ debit: 'authorized_hold', credit: 'authorized_contra', amount: '350' }]);
});
