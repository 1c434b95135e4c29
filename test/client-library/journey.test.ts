// A merchant's day with the client library, at a real Florin: every group of methods, a payer at the bank, and
// notifications.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromMinorUnits, isRefusal, toMinorUnits } from '../../client/src/florin.ts';
import { type Seen, inOrder, verify } from '../../client/src/notifications.ts';
import { actAt, toBank } from '../authentication/payer.ts';
import { GOOD_CARD, until } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { type Merchant, SALE, cart, merchantAt, orderOf } from './merchant.ts';

let w: World;
let florin: Merchant['florin'];
let vault: Merchant['vault'];
let pay: Merchant['pay'];
beforeAll(async () => {
  w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  ({ florin, vault, pay } = merchantAt(w));
});
afterAll(() => w[Symbol.asyncDispose]());

const CHALLENGE = '4000002760003184';

test('a checkout is paid, waited for, captured in parts and refunded', async () => {
  const { checkout } = await florin.checkouts.create({ type: 'api', ...SALE, operation_type: 'authorize', ...cart() });
  const { checkout_id } = checkout;
  const { token } = await vault.tokenize({ ...GOOD_CARD, checkout_id });
  const first = await florin.orders.create({ token, checkout_id });
  expect(first).toMatchObject({ kind: 'pending', code: '421080' });
  const decided = await florin.orders.waitUntilDecided(first);
  expect(decided).toMatchObject({ kind: 'approved', captured: false });
  const order_id = orderOf(decided);
  expect((await florin.checkouts.read(checkout_id)).checkout.status).toBe('completed');

  const part = await florin.orders.capture(order_id, { amount: fromMinorUnits(1250n, 'EUR') });
  expect(part).toMatchObject({ kind: 'done', answer: { captured_amount: 12.5, capturable_amount: 30 } });
  const rest = await florin.orders.capture(order_id, { final: true });
  if (rest.kind !== 'done') throw new Error(rest.kind);
  expect(toMinorUnits(rest.answer.captured_amount, rest.answer.order_currency)).toBe(4250n);
  const above = await florin.orders.refund(order_id, { amount: '42.51' }).catch((error: unknown) => error);
  expect(isRefusal(above, 'refund_above_captured')).toBe(true);
  expect(above).toMatchObject({ status: 422, slug: 'amount-exceeded', order_id, errors: [{ field: 'amount' }] });
  const capture_id = part.kind === 'done' ? part.answer.capture_id : '';
  expect(await florin.orders.refund(order_id, { amount: '10', capture_id })).toMatchObject({
    kind: 'done',
    answer: { refunded_amount: 10 },
  });

  const entries = [];
  for await (const entry of florin.sandbox.books({ order_id, limit: 2 })) entries.push(entry);
  expect(entries.map(({ kind, amount, effects }) => [kind, String(amount), effects].join(' ')).toSorted()).toEqual([
    'authorize 42.5 1',
    'capture 12.5 1',
    'capture 30 1',
    'refund 10 1',
  ]);
});

test('a payment that is held is cancelled', async () => {
  const order_id = orderOf(await pay(undefined, { operation_type: 'authorize' }));
  expect(await florin.orders.cancel(order_id)).toMatchObject({
    kind: 'done',
    answer: { cancellation_result: 'success' },
  });
  expect(await florin.orders.outcome(order_id)).toMatchObject({ kind: 'declined', reason: 'cancel_successful' });
  await expect(florin.orders.cancel(order_id)).rejects.toMatchObject({ reason: 'cancel_already_done' });
});

test('a refund that the bank refuses names what it is about: the order as it stands, and the refund', async () => {
  const order_id = orderOf(await pay('4000009903000019'));
  const refused = await florin.orders.refund(order_id);
  if (refused.kind !== 'declined') throw new Error(refused.kind);
  const { transactions } = await florin.orders.read(order_id);
  const [transaction] = transactions;
  expect(refused.refusal).toMatchObject({
    order_id,
    transaction_id: transaction?.id,
    order_status: 'refund_declined',
    refund_id: transaction?.refunds[0]?.refund_id,
    capture_id: undefined,
  });
  expect(refused.refusal.refund_id).toMatch(/^[0-9a-f]{24}$/);
});

test('a payer whose bank asks is sent there, and comes back paid', async () => {
  const asked = await pay(CHALLENGE, { authentication_indicator: 'ask_3ds', accept_url: 'https://shop.example/back' });
  if (asked.kind !== 'payer_must_act') throw new Error(asked.kind);
  expect(await florin.orders.waitUntilDecided(asked)).toMatchObject({ kind: 'payer_must_act' });
  await actAt(await toBank(asked.redirect_url), { code: '1234' });
  expect(await florin.orders.waitUntilDecided(asked.order_id)).toMatchObject({ kind: 'approved', captured: true });
});

test('a decline says whether the card may be tried again, and another token pays the same order', async () => {
  const declined = await pay('4000000000009995');
  expect(declined).toMatchObject({ kind: 'declined', reason: 'funds_insufficient', same_card_may_be_tried: true });
  const { token } = await vault.tokenize(GOOD_CARD);
  const again = await florin.orders.retry(orderOf(declined), { token }, { wait_seconds: 10 });
  expect(again).toMatchObject({ kind: 'approved', order_id: declined.order_id });
  expect(await pay('4000000000000069')).toMatchObject({
    kind: 'declined',
    reason: 'card_expired',
    same_card_may_be_tried: false,
  });
});

test('a key that is stored with the cart pays once, however often the server crashes', async () => {
  const { token } = await vault.tokenize(GOOD_CARD);
  const request = { ...SALE, ...cart(), token };
  const all = await Promise.all(
    [1, 2, 3].map(() => florin.orders.create(request, { idempotency_key: 'stored', wait_seconds: 10 })),
  );
  expect(new Set(all.map((outcome) => [outcome.kind, outcome.order_id].join()))).toEqual(
    new Set([`approved,${all[0]?.order_id}`]),
  );
});

test('lists are read to their end, a page at a time', async () => {
  const customer_id = 'lister';
  for (let count = 0; count < 5; count++) await pay(undefined, { customer_id });
  const rows = [];
  for await (const order of florin.orders.list({ customer_id, limit: 2 })) rows.push(order.order_id);
  expect(new Set(rows).size).toBe(5);
  const sizes = [];
  for await (const page of florin.orders.list({ customer_id, limit: 2 }).pages()) sizes.push(page.rows.length);
  expect(sizes).toEqual([2, 2, 1]);
});

test('a customer’s saved card is listed, and removed', async () => {
  const { token } = await vault.tokenize({ ...GOOD_CARD, token_type: 'recurring' });
  const customer_id = 'Ada/5512';
  await florin.orders.create({ ...SALE, ...cart(), token, token_type: 'recurring', customer_id }, { wait_seconds: 10 });
  const saved = await florin.customers.read(customer_id);
  expect(saved.payment_methods_saved).toMatchObject([{ name: 'visa', token }]);
  expect((await florin.customers.removeSavedCards({ customer_id, token })).payment_methods_saved).toEqual([]);
  await expect(florin.customers.read('nobody')).rejects.toMatchObject({ status: 404, slug: 'unknown-object' });
});

test('notifications are believed and applied in order, also those that come again', async () => {
  await using server = await receiver();
  const made = await florin.endpoints.create({ url: server.url });
  const { _id, secret } = made.endpoint;
  expect((await florin.endpoints.test(_id)).http_status).toBe(200);
  const order_id = orderOf(await pay());
  await florin.orders.refund(order_id, { amount: '1.00' });
  const ours = () => server.taken.filter(({ body }) => body['order_id'] === order_id);
  await server.until(() => ours().length === 3);
  const rotated = await florin.endpoints.rotateSecret(_id);
  const rows = [];
  for await (const row of florin.notifications.list({ order_id })) rows.push(row);
  const [{ _id: notification_id } = { _id: '' }] = rows;
  await florin.notifications.replay(notification_id);
  // taken is not yet noted as delivered
  await until(async () => {
    const states = [];
    for await (const { state } of florin.notifications.list({ endpoint_id: _id })) states.push(state);
    return states.every((state) => state === 'delivered') ? states : undefined;
  });
  expect((await florin.notifications.replayRange({ endpoint_id: _id, state: 'delivered' })).replayed).toBe(3);
  await server.until(() => ours().length === 7);

  let seen: Seen | undefined;
  const applied = [];
  for (const { text, headers } of ours()) {
    const event = await verify({ body: text, headers, secrets: [rotated.endpoint.secret, secret] });
    const place = inOrder(event, seen);
    seen = place.seen;
    if (place.apply) applied.push(event.status);
  }
  expect(applied).toEqual(['authorization_successful', 'capture_successful', 'refund_successful']);
  expect((await florin.endpoints.activate(_id)).was_off).toBe(false);
  expect((await florin.endpoints.list()).endpoints.map(({ url }) => url)).toEqual([server.url]);
  await florin.endpoints.delete(_id);
  expect((await florin.endpoints.list()).endpoints).toEqual([]);
});

test('a sandbox is made to fail as a test wants it', async () => {
  await florin.sandbox.armScenario({ operation: 'direct_capture', fault: 'decline', code: '420100' });
  expect((await florin.sandbox.scenarios()).scenarios).toHaveLength(1);
  expect(await pay()).toMatchObject({ kind: 'declined', reason: 'funds_insufficient' });
  await florin.sandbox.removeScenarios();
  expect((await florin.sandbox.cards()).cards.length).toBeGreaterThan(50);
  expect(Date.parse((await florin.sandbox.clock()).now)).toBeGreaterThan(0);
});
