// What somebody gets wrong who has just come from another payment API: each answer names the field and says what to do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKOUT, GOOD_CARD, type Reply } from '../client.ts';
import { type World, world } from '../world.ts';
import { UNKNOWN_ID, member, visit } from './door.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const SALE = { operation_type: 'direct_capture', amount: '2', currency: 'EUR', order_merchant_id: 'newcomer' };
const checkout = (fields: object) => w.shop.api('/payment/checkout', { body: { ...CHECKOUT, ...fields } });
const order = async (fields: object, token?: string) =>
  w.shop.order({ token: token ?? (await w.shop.token()), ...fields });

const MISTAKES: readonly (readonly [string, () => Promise<Reply>, string, string])[] = [
  ['an amount as an object', () => checkout({ amount: { value: 4250 } }), 'amount', 'write digits with a point'],
  ['an amount with a comma', () => checkout({ amount: '42,50' }), 'amount', 'write digits with a point'],
  ['the name of a currency', () => checkout({ currency: 'euro' }), 'currency', 'such as EUR'],
  ['a card where a token belongs', () => order(SALE, GOOD_CARD.card_number), 'token', 'POST /token'],
  ['a card in an order', () => w.shop.order({ ...SALE, ...GOOD_CARD }), 'token', 'POST /token'],
  [
    'a one-shot token where there is no payer',
    () => order({ ...SALE, payment_channel: 'recurring' }),
    'token',
    'token_type recurring',
  ],
  [
    'an amount that is not the checkout’s',
    async () => order({ checkout_id: await w.shop.checkout(), amount: '1.00' }),
    'amount',
    'leave it out',
  ],
  ['a cursor of one’s own', () => w.shop.api('/payment/order?cursor=2'), 'cursor', 'next_cursor'],
  ['a yes where true belongs', () => w.shop.api('/payment/order?is_in_doubt=yes'), 'is_in_doubt', 'must be true'],
  [
    'one Idempotency-Key for everything',
    async () => {
      const headers = { 'idempotency-key': 'mine' };
      await w.shop.api('/payment/checkout', { body: CHECKOUT, headers });
      return w.shop.api('/payment/checkout', { body: { ...CHECKOUT, amount: '1.00' }, headers });
    },
    'Idempotency-Key',
    'a key of its own',
  ],
];

test.each(MISTAKES)('%s', async (_, ask, field, says) => {
  const reply = await ask();
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect([reply.at('errors.0.field'), reply.at('errors.1')]).toEqual([field, undefined]);
  expect(reply.at('errors.0.message')).toContain(says);
});

test.each([
  ['api', "{'type': 'api'}"],
  ['api', '{"type": "api",}'],
  ['vault', "{'card_number': '1'}"],
] as const)('%s: a body that is no JSON is called that: %s', async (host, body) => {
  const path = host === 'api' ? '/payment/checkout' : '/token';
  const reply = await (host === 'api' ? w.shop.api(path, { body }) : w.shop.vault(path, { body }));
  expect([reply.status, reply.at('detail')]).toEqual([
    400,
    expect.stringContaining('is not valid JSON (near character'),
  ]);
});

describe('a path of another API', () => {
  test.each([
    ['POST', '/payment/checkout/', 'without the slash at its end it is POST /payment/checkout'],
    ['GET', '/payment/order/', 'without the slash at its end it is GET /payment/order'],
    ['POST', '/v1/payment/checkout', 'mean POST /payment/checkout?'],
    ['POST', '/api/v2/payment/order', 'mean POST /payment/order?'],
    ['POST', `/payment/refund/${UNKNOWN_ID}`, 'mean POST /payment/maintenance/refund/{order_id}?'],
    ['POST', `/payment/order/${UNKNOWN_ID}/refund`, 'mean POST /payment/maintenance/refund/{order_id}?'],
    ['POST', `/v1/orders/${UNKNOWN_ID}/capture`, 'mean POST /payment/maintenance/capture/{order_id}?'],
    ['POST', `/payment/orders/${UNKNOWN_ID}/cancel`, 'mean POST /payment/maintenance/cancel/{order_id}?'],
    ['POST', `/refunds`, 'mean POST /payment/maintenance/refund/{order_id}?'],
  ])('%s %s', async (method, path, says) => {
    const answer = await visit(w, { host: 'api', method, path, body: method === 'GET' ? undefined : '{}' });
    expect([answer.status, member(answer.body, 'detail')]).toEqual([404, expect.stringContaining(says)]);
  });

  test('an id that is empty is told as such where the path without it is another route’s', async () => {
    const answer = await visit(w, { host: 'api', method: 'POST', path: '/payment/maintenance/refund/', body: '{}' });
    expect([answer.status, member(answer.body, 'detail')]).toEqual([404, 'the path ends where an id is expected']);
  });
});
