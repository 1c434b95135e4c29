// What keeps a payment from happening twice, with and without an Idempotency-Key.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const SALE = { operation_type: 'direct_capture', amount: 10, currency: 'EUR' };
const times = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));

async function effectsOf(reference: string): Promise<number> {
  const [row] = await w.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM payment.operations p JOIN payment.orders o ON o.id = p.order_id WHERE o.order_merchant_id = $1 AND p.kind = 'authorize'`,
    [reference],
  );
  return row?.n ?? 0;
}

test('a one-shot token spent twenty times at once makes one order, and every caller is told of it', async () => {
  for (let round = 0; round < 10; round++) {
    const token = await w.shop.token();
    const body = { token, ...SALE, order_merchant_id: `race-${round}` };
    const replies = await times(20, () => w.shop.order(body));
    expect(new Set(replies.map((r) => r.at('order_id'))).size).toBe(1);
    expect(new Set(replies.map((r) => r.code))).toEqual(new Set(['955555']));
    expect(replies.filter((r) => r.headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
    expect(await effectsOf(`race-${round}`)).toBe(1);
  }
});

test('another request with a spent token is refused like an unknown token', async () => {
  const token = await w.shop.token();
  await w.shop.order({ token, ...SALE, order_merchant_id: 'spent-1' });
  const again = await w.shop.order({ token, ...SALE, order_merchant_id: 'spent-2' });
  const unknown = await w.shop.order({ token: 'ab'.repeat(32), ...SALE, order_merchant_id: 'spent-2' });
  expect([again.status, again.code]).toEqual([400, '241021']);
  expect([unknown.status, unknown.code]).toEqual([400, '241021']);
  expect(again.at('detail')).toBe(unknown.at('detail'));
  expect(again.at('errors.0.field')).toBe('token');
});

test('the same key and body give one order; member order and white space do not matter', async () => {
  const token = await w.shop.token();
  const headers = { 'idempotency-key': 'key-1' };
  const first = await w.shop.api('/payment/order', {
    body: `{"token":"${token}","operation_type":"direct_capture","amount":10,"currency":"EUR","order_merchant_id":"k-1"}`,
    headers,
  });
  const second = await w.shop.api('/payment/order', {
    body: `{ "order_merchant_id": "k-1", "currency": "EUR", "amount": 10,\n "operation_type": "direct_capture", "token": "${token}" }`,
    headers,
  });
  expect(second.at('order_id')).toBe(first.at('order_id'));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  const other = await w.shop.api('/payment/order', { body: { token, ...SALE, order_merchant_id: 'k-2' }, headers });
  expect([other.status, other.code, other.at('errors.0.field')]).toEqual([422, '111012', 'Idempotency-Key']);
});

test('fifty requests with one key at once have one effect and one answer', async () => {
  const token = await w.shop.token();
  const replies = await times(50, () =>
    w.shop.order({ token, ...SALE, order_merchant_id: 'key-race' }, { 'idempotency-key': 'race' }),
  );
  expect(new Set(replies.map((r) => r.at('order_id'))).size).toBe(1);
  expect(await effectsOf('key-race')).toBe(1);
});

test('a checkout is made once for one key', async () => {
  const headers = { 'idempotency-key': 'checkout-1' };
  const body = { type: 'api', operation_type: 'authorize', amount: 10, currency: 'EUR', order_merchant_id: 'c' };
  const replies = await times(20, () => w.shop.api('/payment/checkout', { body, headers }));
  expect(new Set(replies.map((r) => r.at('checkout.checkout_id'))).size).toBe(1);
  const other = await w.shop.api('/payment/checkout', { body: { ...body, amount: 11 }, headers });
  expect([other.status, other.code]).toEqual([422, '111012']);
});

test('a request that was refused leaves its key unused', async () => {
  const headers = { 'idempotency-key': 'refused-1' };
  const bad = await w.shop.api('/payment/order', {
    body: { token: 'cd'.repeat(32), ...SALE, order_merchant_id: 'r' },
    headers,
  });
  expect(bad.status).toBe(400);
  const good = await w.shop.api('/payment/order', {
    body: { token: await w.shop.token(), ...SALE, order_merchant_id: 'r' },
    headers,
  });
  expect(good.code).toBe('955555');
});

test('a checkout has one live order at a time; the other is told which', async () => {
  for (let round = 0; round < 5; round++) {
    const checkout_id = await w.shop.checkout({ order_merchant_id: `live-${round}` });
    const tokens = await times(6, () => w.shop.token());
    const replies = await Promise.all(tokens.map((token) => w.shop.order({ token, checkout_id })));
    const made = replies.filter((r) => r.status === 200);
    const refused = replies.filter((r) => r.status === 409);
    expect([made.length, refused.length]).toEqual([1, 5]);
    for (const reply of refused) {
      expect(reply.code).toBe('111035');
      expect(reply.at('order_id')).toBe(made[0]?.at('order_id'));
    }
    const [row] = await w.sql<{ attempts: number }>(
      `SELECT attempts FROM payment.checkouts WHERE id = decode($1, 'hex')`,
      [checkout_id],
    );
    expect(row?.attempts).toBe(1);
  }
});

test('a checkout takes as many attempts as it allows, then none', async () => {
  const checkout_id = await w.shop.checkout({ operation_type: 'direct_capture', max_attempts: 2 });
  for (const left of [1, 0]) {
    const reply = await w.shop.order({ token: await w.shop.token({ card_number: '4000000000009995' }), checkout_id });
    expect([reply.code, reply.at('attempts_remaining')]).toEqual(['420100', left]);
  }
  const third = await w.shop.order({ token: await w.shop.token(), checkout_id });
  expect([third.status, third.code]).toEqual([409, '111034']);
  const read = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect([read.at('checkout.status'), read.code, read.at('checkout.attempts_remaining')]).toEqual([
    'declined',
    '420100',
    0,
  ]);
});

test('an order_merchant_id that is at a provider cannot be used by another order', async () => {
  // an order whose call is under way: made by hand, since the bank answers at once
  const first = await w.shop.pay({}, { order_merchant_id: 'busy' });
  await w.sql(`ALTER TABLE payment.operations DISABLE TRIGGER forward_only`);
  await w.sql(
    `UPDATE payment.operations SET state = 'in_doubt', due_at = now() + interval '1 day' WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
    [textAt(first, 'order_id')],
  );
  await w.sql(`ALTER TABLE payment.operations ENABLE TRIGGER forward_only`);
  const second = await w.shop.pay({}, { order_merchant_id: 'busy' });
  expect([second.status, second.code, second.at('order_id')]).toEqual([409, '111035', first.at('order_id')]);
  const read = await w.shop.read(textAt(first, 'order_id'));
  expect(read.at('is_in_doubt')).toBe(true);
});

test('unique_order_merchant_id refuses a reference that has succeeded', async () => {
  const { updateSettings } = await import('../../src/payment/merchant/store.ts');
  const { tools } = w.service;
  const account = tools.db.tenant(w.account);
  const first = await w.shop.pay({}, { order_merchant_id: 'once' });
  await updateSettings(account, { unique_order_merchant_id: true });
  await new Promise((resolve) => setTimeout(resolve, 0));
  const fresh = w.client(w.keys);
  const second = await untilRefused(() => fresh.pay({}, { order_merchant_id: 'once' }));
  expect([second.code, second.at('order_id')]).toEqual(['111035', first.at('order_id')]);
  await updateSettings(account, { unique_order_merchant_id: false });
});

/** A changed setting is seen within a second. */
async function untilRefused(pay: () => ReturnType<World['shop']['pay']>) {
  const { until } = await import('../client.ts');
  return until(async () => {
    const reply = await pay();
    return reply.status === 409 ? reply : undefined;
  });
}

test("tokens that another account bound to a checkout's id, while nobody said whose it is, take none of its own", async () => {
  const checkout_id = await w.shop.checkout();
  const stranger = await w.otherShop();
  const token = await stranger.token();
  await w.sql(
    `INSERT INTO vault.cards SELECT (jsonb_populate_record(c, jsonb_build_object('token_hash', sha256(c.token_hash || n::text::bytea), 'checkout_id', decode($2, 'hex')))).*
     FROM vault.cards c, generate_series(1, 10) n WHERE c.token_hash = sha256(decode($1, 'hex'))`,
    [token, checkout_id],
  );
  expect(await w.shop.token({ checkout_id })).toMatch(/^[0-9a-f]{64}$/);
});

test('a max_attempts that only the order names holds for the checkout too', async () => {
  const checkout_id = await w.shop.checkout({ operation_type: 'direct_capture' });
  const declined = async (fields: object) =>
    w.shop.order({ token: await w.shop.token({ card_number: '4000000000009995' }), checkout_id, ...fields });
  const first = await declined({ max_attempts: '5' });
  expect([first.status, first.code, first.at('attempts_remaining')]).toEqual([200, '420100', 4]);
  const read = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect(read.at('checkout.attempts_remaining')).toBe(4);
  for (const left of [3, 2, 1, 0]) expect((await declined({})).at('attempts_remaining')).toBe(left);
  const sixth = await declined({ max_attempts: '5' });
  expect([sixth.status, sixth.code, sixth.at('detail')]).toEqual([
    409,
    '111034',
    'all 5 attempts of the checkout are used: create a new checkout',
  ]);
});

test('a max_attempts that the checkout named may be lowered by an order and not raised', async () => {
  const checkout_id = await w.shop.checkout({ operation_type: 'direct_capture', max_attempts: 2 });
  const above = await w.shop.order({ token: await w.shop.token(), checkout_id, max_attempts: '3' });
  expect([above.status, above.code, above.at('errors.0.field')]).toEqual([400, '111012', 'max_attempts']);
  const both = await w.shop.order({ token: await w.shop.token(), checkout_id, max_attempts: '3', currency: 'USD' });
  expect([both.at('errors.0.field'), both.at('errors.1.field')]).toEqual(['currency', 'max_attempts']);
  const card_number = '4000000000009995';
  const lower = await w.shop.order({ token: await w.shop.token({ card_number }), checkout_id, max_attempts: '1' });
  expect([lower.status, lower.at('attempts_remaining')]).toEqual([200, 0]);
  const declined = await w.shop.order({ token: await w.shop.token(), checkout_id, max_attempts: '1' });
  expect([declined.status, declined.code]).toEqual([409, '111034']);
});

test('a refusal names the order that is in the way, how it stands, and what to do', async () => {
  const checkout_id = await w.shop.checkout({ operation_type: 'direct_capture' });
  const paid = await w.shop.order({ token: await w.shop.token(), checkout_id });
  const again = await w.shop.order({ token: await w.shop.token(), checkout_id });
  expect(again.body).toMatchObject({
    status: 409,
    order_id: paid.at('order_id'),
    transaction_id: paid.at('transaction_id'),
    order_status: 'capture_successful',
    detail: 'this checkout has a successful order (capture_successful): a new payment needs a new checkout',
  });
  const put = await w.shop.api(`/payment/order/${textAt(paid, 'order_id')}`, {
    method: 'PUT',
    body: { token: await w.shop.token() },
  });
  expect(put.body).toMatchObject({
    status: 409,
    order_status: 'capture_successful',
    detail: 'only a declined order can be tried again, and this one is capture_successful',
  });
});
