// Contract 5.2: what a checkout is when its time ends, and that one which was paid takes no second order.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireCheckouts } from '../../src/payment/order/expiry/expiry-store.ts';
import { textAt, until } from '../client.ts';
import { waitsForOurs } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const advance = (seconds: number) => w.shop.api('/sandbox/clock/advance', { body: { seconds } });
const state = async (checkout_id: string) => {
  const reply = await w.shop.api(`/payment/checkout/${checkout_id}`);
  return [reply.at('checkout.status'), reply.code];
};
const expired = async (checkout_id: string) => {
  const rows = await w.sql(
    `SELECT 1 FROM payment.events WHERE subject_id = decode($1, 'hex') AND type = 'checkout.expired'`,
    [checkout_id],
  );
  return rows.length;
};
const pay = async (checkout_id: string, card: object = {}, wait_s = 10) =>
  w.shop.order({ checkout_id, token: await w.shop.token(card) }, { prefer: `wait=${wait_s}` });

test('a paid checkout takes no second order once the first is cancelled, and the vault binds no token to it', async () => {
  const checkout_id = await w.shop.checkout({ operation_type: 'authorize' });
  const paid = await pay(checkout_id);
  const order_id = textAt(paid, 'order_id');
  await w.shop.api(`/payment/maintenance/cancel/${order_id}`, { body: {}, headers: { prefer: 'wait=10' } });
  expect((await w.shop.read(order_id)).at('status')).toBe('authorization_cancelled');
  expect(await state(checkout_id)).toEqual(['completed', '977777']);
  const again = await pay(checkout_id);
  expect([again.status, again.code, again.at('order_id')]).toEqual([409, '111035', order_id]);
  const bound = await w.shop.vault('/token', {
    body: {
      card_number: '4242424242424242',
      card_validity_month: '12',
      card_validity_year: '2034',
      cvc: '123',
      checkout_id,
    },
  });
  expect([bound.status, bound.at('errors.0.field')]).toEqual([400, 'checkout_id']);
});

test('declined stays declined, completed stays completed; what nobody paid expires, once, with an event', async () => {
  const declined = await w.shop.checkout({ max_attempts: 1 });
  await pay(declined, { card_number: '4000000000009995' });
  const cancelled = await w.shop.checkout({ operation_type: 'authorize' });
  const order = await pay(cancelled);
  await w.shop.api(`/payment/maintenance/cancel/${textAt(order, 'order_id')}`, {
    body: {},
    headers: { prefer: 'wait=10' },
  });
  const unpaid = await w.shop.checkout();
  const once_declined = await w.shop.checkout();
  await pay(once_declined, { card_number: '4000000000009995' });
  await advance(3600);
  expect(await state(declined)).toEqual(['declined', '420100']);
  expect(await state(cancelled)).toEqual(['completed', '977777']);
  expect(await state(unpaid)).toEqual(['expired', '161000']);
  expect(await state(once_declined)).toEqual(['expired', '161000']);
  for (const [checkout_id, events] of [
    [declined, 0],
    [cancelled, 0],
    [unpaid, 1],
    [once_declined, 1],
  ] as const)
    expect([checkout_id, await expired(checkout_id)]).toEqual([checkout_id, events]);
});

test('a checkout that is being paid when its time ends expires when its order has failed, however much later', async () => {
  const late = await w.shop.checkout();
  const failed = await pay(late, { card_number: '4000009901000128' }, 0);
  expect(failed.at('status')).toBe('authorization_requested');
  const paid_late = await w.shop.checkout({ order_merchant_id: 'cart-1882' });
  const good = await pay(paid_late, { card_number: '4000009901000110' }, 0);
  // their end comes before the bank has said a word
  await w.sql(
    `UPDATE payment.checkouts SET expires_at = payment.now() WHERE id = ANY (ARRAY[decode($1, 'hex'), decode($2, 'hex')])`,
    [late, paid_late],
  );
  // two looks of the worker, five seconds apart
  await until(async () => (await w.sql('SELECT 1 FROM payment.late_checkouts')).length === 2 || undefined);
  expect(await state(late)).toEqual(['processing', '011111']);
  await advance(4 * 3600);
  await w.shop.decided(textAt(failed, 'order_id'));
  await w.shop.decided(textAt(good, 'order_id'));
  await until(async () => (await expired(late)) === 1 || undefined);
  expect(await state(late)).toEqual(['expired', '161000']);
  expect((await state(paid_late))[0]).toBe('completed');
  expect(await expired(paid_late)).toBe(0);
  expect(await w.sql('SELECT 1 FROM payment.late_checkouts')).toEqual([]);
});

test('a checkout whose order is accepted in the moment in which it expires goes on', async () => {
  const [ending, other] = [
    await w.shop.checkout({ order_merchant_id: 'ending' }),
    await w.shop.checkout({ order_merchant_id: 'other' }),
  ];
  const order = await pay(other, { card_number: '4000009901000110' }, 0);
  // longer ago than the worker looks back: only this test looks at it
  await w.sql(
    `UPDATE payment.checkouts SET expires_at = payment.now() - interval '10 minutes' WHERE id = decode($1, 'hex')`,
    [ending],
  );
  await w.sql('BEGIN');
  await w.sql(`UPDATE payment.checkouts SET attempts = attempts + 1 WHERE id = decode($1, 'hex')`, [ending]);
  await w.sql(
    `UPDATE payment.orders SET checkout_id = decode($1, 'hex'), version = version + 1 WHERE id = decode($2, 'hex')`,
    [ending, textAt(order, 'order_id')],
  );
  const [moment] = await w.sql<{ now: Date }>('SELECT payment.now() AS now');
  const all = { after: new Date(0), behind: '00', room: 1000 };
  const expiring = expireCheckouts(w.service.tools.db, { ...all, until: moment?.now ?? new Date(0) });
  await until(async () => (await waitsForOurs(w)) > 0 || undefined);
  await w.sql('COMMIT');
  await expiring;
  expect(await state(ending)).toEqual(['processing', '011111']);
  expect(await expired(ending)).toBe(0);
});

test('a key that is used already makes no customer', async () => {
  const body = {
    type: 'api',
    operation_type: 'authorize',
    amount: '1.00',
    currency: 'EUR',
    order_merchant_id: 'keyed',
  };
  const ask = (customer_id: string) =>
    w.shop.api('/payment/checkout', { body: { ...body, customer_id }, headers: { 'idempotency-key': 'one-customer' } });
  expect((await ask('first-of-key')).status).toBe(200);
  const other = await ask('second-of-key');
  expect([other.status, other.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
  expect((await w.shop.api('/payment/information/first-of-key')).status).toBe(200);
  expect((await w.shop.api('/payment/information/second-of-key')).status).toBe(404);
});

test('keys of orders made by the old path are kept as long as those of the new one', async () => {
  for (const path of ['/payment/order', '/order/create'])
    await w.shop.api(path, {
      body: {
        token: await w.shop.token(),
        operation_type: 'direct_capture',
        amount: '3.00',
        currency: 'EUR',
        order_merchant_id: `kept${path}`,
      },
      headers: { 'idempotency-key': `kept${path}` },
    });
  await w.sql(`UPDATE payment.idempotency_keys SET created_at = created_at - interval '4 days'`);
  await w.sql(`SELECT payment.forget_keys('-infinity', payment.now() - interval '72 hours', false)`);
  await w.sql(`SELECT payment.forget_keys('-infinity', payment.now() - interval '30 days', true)`);
  const left = await w.sql<{ route: string }>(`SELECT route FROM payment.idempotency_keys ORDER BY route`);
  expect(left.map(({ route }) => route)).toEqual(['POST /order/create', 'POST /payment/order']);
});

test('a clock that was ahead for a while and was set back hides no end of a checkout', async () => {
  // where the worker had come under the clock that was ahead
  await w.sql(`
    INSERT INTO payment.jobs (name, at) VALUES ('expire checkouts', payment.now() + interval '2 hours')
    ON CONFLICT (name) DO UPDATE SET at = excluded.at`);
  const checkout_id = await w.shop.checkout();
  await advance(20 * 60);
  await until(async () => (await expired(checkout_id)) || undefined);
  expect((await state(checkout_id))[0]).toBe('expired');
});
