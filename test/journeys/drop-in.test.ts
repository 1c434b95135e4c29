// Contract 16: what public integrations of this family of APIs do, with their brand and only the addresses changed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_BRAND: 'norbr', FLORIN_KEY_LETTERS: 'NB' });
});
afterAll(() => w[Symbol.asyncDispose]());

const URLS = {
  accept_url: 'https://shop.example/back?status=accept&n=1',
  decline_url: 'https://shop.example/back?status=decline',
  pending_url: 'https://shop.example/back?status=pending',
  exception_url: 'https://shop.example/back?status=exception',
};
/** A client that sends every value as a text, empty ones too, and an old version. */
const AS_TEXT = {
  type: 'api',
  operation_type: 'direct_capture',
  amount: '11.30',
  currency: 'EUR',
  order_merchant_id: 'text-1',
  payment_channel: 'e-commerce',
  token_type: 'oneshot',
  customer_id: '',
  merchant_contract: '',
  payment_method_name: '',
  customer_first_name: null,
};
const OLD = { version: '1.0.0', prefer: 'wait=10' };

test('every value as a text, empty ids and names: checkout, token, order with four addresses only, refund', async () => {
  const checkout = await w.shop.api('/payment/checkout', { body: AS_TEXT, headers: OLD });
  expect([checkout.status, checkout.code, checkout.at('checkout.amount')]).toEqual([200, '011111', 11.3]);
  const checkout_id = textAt(checkout, 'checkout.checkout_id');
  const token = await w.shop.token({ checkout_id });
  const order = await w.shop.order({ token, checkout_id, ...URLS }, OLD);
  expect([order.status, order.code, order.at('redirect_url')]).toEqual([200, '955555', undefined]);
  expect([order.at('accept_url'), order.at('order_amount')]).toEqual([URLS.accept_url, 11.3]);
  const order_id = textAt(order, 'order_id');
  const read = await w.shop.read(order_id);
  expect([read.at('transactions.0.status'), read.at('transactions.0.id')]).toEqual([
    'capture_successful',
    order.at('transaction_id'),
  ]);
  const refund = await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '11.30' } });
  expect([refund.status, refund.code]).toEqual([200, '966666']);
});

test('a token before its checkout, which names no address', async () => {
  const token = await w.shop.token();
  const checkout_id = await w.shop.checkout({ order_merchant_id: 'late', amount: 25, operation_type: 'authorize' });
  const order = await w.shop.order({ token, checkout_id }, OLD);
  expect([order.status, order.code]).toEqual([200, '944444']);
  const capture = await w.shop.api(`/payment/maintenance/capture/${textAt(order, 'order_id')}`, { body: {} });
  expect([capture.status, capture.code]).toEqual([200, '955555']);
});

test('PUT on a declined order with another card', async () => {
  const declined = await w.shop.pay({ card_number: '4000000000009995' }, { order_merchant_id: 'again' });
  expect([declined.status, declined.code]).toEqual([200, '420100']);
  const order_id = textAt(declined, 'order_id');
  const put = await w.shop.api(`/payment/order/${order_id}`, {
    method: 'PUT',
    body: { token: await w.shop.token(), checkout_id: '', amount: '25.00', currency: 'EUR' },
    headers: OLD,
  });
  expect([put.status, put.code, put.at('order_id')]).toEqual([200, '955555', order_id]);
});

test('an empty order id, a refund of too much and a cancel with an amount are answered in JSON', async () => {
  const paid = await w.shop.pay({}, { operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  const empty = await w.shop.api('/payment/maintenance/refund/', { body: { amount: '11.30' } });
  expect([empty.status, empty.code, empty.at('status')]).toEqual([404, '404000', 404]);
  const much = await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: { amount: '99.00' } });
  expect([much.status, much.code, much.at('status'), much.at('order_status')]).toEqual([
    422,
    '511031',
    422,
    'authorization_successful',
  ]);
  const cancel = await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { body: { amount: '25.00' } });
  expect([cancel.status, cancel.code, cancel.headers.get('x-ignored-fields')]).toEqual([200, '977777', 'amount']);
});

test('the script has the name of the brand at every version that pages in the field load', async () => {
  for (const version of ['0.2', '1.9', '2.3', 'x.x']) {
    const script = await fetch(`${w.service.addresses.vault_url}/javascript/${version}/norbr-client.min.js`);
    expect([version, script.status, (await script.text()).includes('norbr')]).toEqual([version, 200, true]);
  }
});
