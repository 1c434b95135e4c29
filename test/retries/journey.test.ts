// Later tries over HTTP: who may ask for them, when they are made, and every way in which they end. The clock is the
// sandbox's own.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_S, HOUR_S } from '../../src/core/durations.ts';
import { parseJson } from '../../src/core/json.ts';
import { changeSettings } from '../../src/payment/merchant/change-settings.ts';
import { draftRoutes, publishRoutes, rollBackRoutes } from '../../src/payment/routing/publish.ts';
import { tryRoutes } from '../../src/payment/routing/try.ts';
import { cardDigest } from '../../src/payment/card-digest.ts';
import { withRetries } from '../../src/payment/order/accept/with-retries.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { type Reply, textAt, until } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';

/** Not enough funds: for ever; from the third day on there are; advice 25, and a day later there are. */
const POOR = '4000000000009995';
const PAID_LATER = '4000009908000048';
const ADVISED = '5300000000000105';
const OVER_ITS_LIMIT = '4000000000006975';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());
beforeEach(async () => {
  await w.sql('DELETE FROM payment.declines');
  await w.shop.api('/sandbox/scenario', { method: 'DELETE' });
});

const POLICY = { payment_channel: 'recurring', retry_policy: 'default' };
const alone = (card_number: string, fields: object = {}) =>
  w.shop.pay({ card_number, token_type: 'recurring' }, { ...POLICY, ...fields });
const advance = async (seconds: number) => {
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds } });
  expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
};
const read = (reply: Reply) => w.shop.read(textAt(reply, 'order_id'));
const retryOf = async (reply: Reply) => {
  const now = await read(reply);
  return [now.at('retry.state'), now.at('retry.reason'), now.at('retry.tries')];
};
const triesOf = async (reply: Reply) => ((await read(reply)).at('transactions') as readonly object[]).length;
const stop = (reply: Reply) => w.shop.api(`/payment/order/${textAt(reply, 'order_id')}/retry`, { method: 'DELETE' });

describe('who may ask for later tries', () => {
  test.each([
    ['a payment whose payer is there', { payment_channel: 'e-commerce' }],
    ['a payment by telephone', { payment_channel: 'moto' }],
  ])('%s is refused a retry_policy', async (_, fields) => {
    const reply = await alone(POOR, fields);
    expect([reply.status, reply.code, reply.at('errors.0.field')]).toEqual([400, '111012', 'retry_policy']);
  });

  test('a name that is no policy is refused', async () => {
    const reply = await alone(POOR, { retry_policy: 'often' });
    expect([reply.status, reply.code]).toEqual([400, '111012']);
  });

  test('without a policy nothing is planned, and the answer says nothing of it', async () => {
    const reply = await w.shop.pay({ card_number: POOR, token_type: 'recurring' }, { payment_channel: 'recurring' });
    expect([reply.code, reply.at('retry')]).toEqual(['420100', undefined]);
    expect(await w.sql('SELECT 1 FROM payment.retries')).toEqual([]);
  });

  test("the account's own default holds where the request says nothing, and none where it says none", async () => {
    await changeSettings(w.service.tools, w.account, { default_retry_policy: 'default' });
    const recurring = { payment_channel: 'recurring' };
    const pay = (fields: object) =>
      w.shop.pay({ card_number: POOR, token_type: 'recurring' }, { ...recurring, ...fields });
    const planned = await until(async () => {
      const reply = await pay({});
      return reply.at('retry') === undefined ? undefined : reply;
    });
    expect(planned.at('retry.policy')).toBe('default');
    expect((await pay({ retry_policy: 'none' })).at('retry')).toBeUndefined();
    const here = await w.shop.pay({ card_number: POOR });
    expect([here.code, here.at('retry')]).toEqual(['420100', undefined]);
    await stop(planned);
    await changeSettings(w.service.tools, w.account, { default_retry_policy: 'none' });
  });
});

describe('a declined payment is tried again', () => {
  test('on a later day, as its answer says at once; approved, it ends', async () => {
    const reply = await alone(PAID_LATER);
    expect([reply.code, reply.at('retry.state'), reply.at('retry.reason'), reply.at('retry.tries_left')]).toEqual([
      '420100',
      'waiting',
      'funds',
      4,
    ]);
    const planned = Date.parse(textAt(reply, 'retry.next_try_date'));
    expect(planned).toBeGreaterThan(Date.parse(textAt(await read(reply), 'createdAt')) + 2 * DAY_S * 1000);
    await advance(2 * DAY_S);
    expect(await triesOf(reply)).toBe(1);
    await advance(4 * DAY_S);
    const now = await read(reply);
    expect([now.at('status'), now.at('retry.reason'), now.at('retry.tries')]).toEqual([
      'capture_successful',
      'approved',
      1,
    ]);
    expect(now.at('attempts_remaining'), "the merchant's own attempts are not used up").toBe(2);
    await advance(40 * DAY_S);
    expect(await triesOf(reply)).toBe(2);
  });

  test('exactly when its scheme advised, and not before', async () => {
    const reply = await alone(ADVISED);
    expect([reply.at('retry.reason'), reply.at('retry.state')]).toEqual(['advice', 'waiting']);
    await advance(DAY_S - 60);
    expect(await triesOf(reply)).toBe(1);
    await advance(Math.ceil(DAY_S * 0.1) + 61);
    expect((await read(reply)).at('status')).toBe('capture_successful');
    expect(await retryOf(reply)).toEqual(['ended', 'approved', 1]);
  });

  test('after trouble of its provider within hours', async () => {
    const reply = await alone('4000000000000119');
    expect([reply.at('retry.reason'), reply.at('retry.state')]).toEqual(['technical', 'waiting']);
    await advance(2 * HOUR_S);
    expect((await retryOf(reply))[2]).toBe(1);
    await stop(reply);
  });
});

type Tried = { readonly merchant_contract: string; readonly routing: object };

describe('beside routing rules', () => {
  test('it goes where the try before was, by a choice that is made again from what is stored', async () => {
    const split = [
      ['simulator', 5000],
      ['simulator_b', 5000],
    ];
    const document = parseJson(JSON.stringify({ rules: [{ name: 'split', then: { split } }] }));
    const { tools } = w.service;
    const { draft } = await draftRoutes(tools, w.account, document);
    await publishRoutes(tools, w.account, { draft, by: 'ada' });
    await inForce(w);
    const orders = await Promise.all(Array.from({ length: 6 }, () => alone(OVER_ITS_LIMIT)));
    // three days, and up to two more to the next pay day
    await advance(6 * DAY_S);
    const tried = await Promise.all(
      orders.map(async (order) => (await read(order)).at('transactions') as readonly Tried[]),
    );
    for (const [first, later] of tried) {
      expect(later?.routing).toMatchObject({ because: 'named' });
      expect(later?.merchant_contract).toBe(first?.merchant_contract);
    }
    expect((await tryRoutes(tools, w.account, { draft })).defects).toBe(0);
    await rollBackRoutes(tools, w.account, { to: 0, by: 'ada' });
    await inForce(w);
  });
});

describe('it ends', () => {
  test('when all tries are made', async () => {
    const reply = await alone(POOR);
    await advance(31 * DAY_S);
    expect(await retryOf(reply)).toEqual(['ended', 'tries_used_up', 4]);
    expect(await triesOf(reply)).toBe(5);
  });

  test('when the policy has no days left', async () => {
    const reply = await alone(POOR);
    await w.sql(`UPDATE payment.retries SET until = payment.now() + interval '1 day' WHERE state = 'waiting'`);
    await advance(6 * DAY_S);
    expect(await retryOf(reply)).toEqual(['ended', 'days_over', 0]);
  });

  test.each([
    ['its scheme says never again', '5300000000000204', 'stopped'],
    ['the card is stolen', '4000000000009979', 'stopped'],
    ['the card expired, says its bank', '4000000000000069', 'payer_needed'],
    ['the bank wants to see the payer', '4000000000003220', 'payer_needed'],
  ])('at once, where %s', async (_, card_number, reason) => {
    const reply = await alone(card_number);
    expect([reply.at('retry.state'), reply.at('retry.reason'), reply.at('retry.next_try_date')]).toEqual([
      'ended',
      reason,
      null,
    ]);
    await advance(31 * DAY_S);
    expect(await triesOf(reply)).toBe(1);
  });

  test("held back where a limit of the card's scheme is reached: nothing is sent, and the order says why", async () => {
    const reply = await alone(POOR);
    const card = await w.shop.vault('/token', {
      body: { card_number: POOR, card_validity_month: '12', card_validity_year: '2034', cvc: '123' },
    });
    const digest = cardDigest(w.service.tools.secret_key, w.account, textAt(card, 'card_unique_id').toLowerCase());
    await w.sql(
      `INSERT INTO payment.declines (merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor, currency, open)
       SELECT merchant_account_id, card, at + n * interval '1 second', substr(sha256(n::text::bytea), 1, 12), acceptor, 'm', scheme, 1, 'EUR', false
       FROM payment.declines, generate_series(1, 17) n WHERE card = decode($1, 'hex')`,
      [digest],
    );
    await advance(6 * DAY_S);
    expect(await retryOf(reply)).toEqual(['ended', 'limit_reached', 0]);
    expect(await triesOf(reply)).toBe(1);
    const [kept] = await w.sql<{ who: string }>(
      `SELECT held ->> 'who' AS who FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
      [textAt(reply, 'order_id')],
    );
    expect(kept?.who).toBe('later');
  });

  test('when the merchant tries the order again: that is theirs from then on', async () => {
    const reply = await alone(POOR);
    const put = (body: object) =>
      w.shop.api(`/payment/order/${textAt(reply, 'order_id')}`, {
        method: 'PUT',
        body,
        headers: { prefer: 'wait=10' },
      });
    const token = await w.shop.token({ card_number: POOR, token_type: 'recurring' });
    const refused = await put({ token, retry_policy: 'default' });
    expect([refused.status, refused.code]).toEqual([400, '111012']);
    await put({ token });
    expect(await retryOf(reply)).toEqual(['ended', 'tried_again', 0]);
    await advance(31 * DAY_S);
    expect(await triesOf(reply)).toBe(2);
  });

  test('when the merchant stops it; said twice it is the same, and of nothing it is 404', async () => {
    const reply = await alone(POOR);
    const stopped = await stop(reply);
    expect([stopped.status, stopped.code, stopped.at('retry.reason')]).toEqual([200, '911111', 'stopped_by_merchant']);
    expect((await stop(reply)).status).toBe(200);
    await advance(31 * DAY_S);
    expect(await triesOf(reply)).toBe(1);
    const none = await stop(await w.shop.pay({ card_number: POOR }));
    expect([none.status, none.code]).toEqual([404, '111012']);
    const unknown = await w.shop.api('/payment/order/000000000000000000000000/retry', { method: 'DELETE' });
    expect([unknown.status, unknown.code]).toEqual([404, '111012']);
  });

  test('when the merchant stops it under an Idempotency-Key: a repeat is marked, another body refused', async () => {
    const path = `/payment/order/${textAt(await alone(POOR), 'order_id')}/retry`;
    const headers = { 'idempotency-key': 'stop-once' };
    const first = await w.shop.api(path, { method: 'DELETE', headers });
    const again = await w.shop.api(path, { method: 'DELETE', headers });
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect([first.status, again.body]).toEqual([200, first.body]);
    const other = await w.shop.api(path, { method: 'DELETE', body: { reason: 'moved' }, headers });
    expect([other.status, other.at('errors.0.field')]).toEqual([422, 'Idempotency-Key']);
  });

  test('and an Idempotency-Key with which nothing could be stopped is free', async () => {
    const headers = { 'idempotency-key': 'nothing-yet' };
    const path = `/payment/order/${textAt(await w.shop.pay({ card_number: POOR }), 'order_id')}/retry`;
    expect((await w.shop.api(path, { method: 'DELETE', headers })).status).toBe(404);
    const other = await w.shop.api(path, { method: 'DELETE', body: { reason: 'moved' }, headers });
    expect([other.status, other.code]).toEqual([404, '111012']);
  });

  test('when a later order of the same purchase was paid', async () => {
    const order_merchant_id = 'rent-2026-11';
    const reply = await alone(POOR, { order_merchant_id });
    await w.shop.pay({}, { order_merchant_id });
    await advance(6 * DAY_S);
    expect(await retryOf(reply)).toEqual(['ended', 'paid_elsewhere', 0]);
  });

  test('when an earlier order of the same purchase was paid since: of two that are tried later one is paid', async () => {
    const fields = { order_merchant_id: 'bought-once-later' };
    const earlier = await alone(PAID_LATER, fields);
    const later = await alone(PAID_LATER, fields);
    for (const one of [earlier, later]) expect(await retryOf(one)).toEqual(['waiting', 'funds', 0]);
    // the other way round the earlier one has always seen the later one
    await w.sql(
      `UPDATE payment.retries SET next_at = next_at + interval '8 days', due_at = due_at + interval '8 days'
       WHERE order_id = decode($1, 'hex')`,
      [textAt(later, 'order_id')],
    );
    await advance(20 * DAY_S);
    const endings = [await retryOf(earlier), await retryOf(later)].map(([, ending]) => ending);
    expect(endings).toEqual(['approved', 'paid_elsewhere']);
    const captured = await w.sql(`SELECT 1 FROM payment.orders WHERE order_merchant_id = $1 AND captured_minor > 0`, [
      fields.order_merchant_id,
    ]);
    expect(captured).toHaveLength(1);
  });

  test('another order that is paid between the look and the commit is seen by the commit', async () => {
    const order_merchant_id = 'at-the-last-moment';
    const order_id = textAt(await alone(POOR, { order_merchant_id }), 'order_id');
    const due = `UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() + interval '1 year'
      WHERE order_id = decode($1, 'hex')`;
    await w.sql(due, [order_id]);
    const take = async () => {
      const merchant_account_id = w.account;
      const { version = 0 } = (await findOrder(w.service.tools.db.tenant(merchant_account_id), order_id)) ?? {};
      const next = { merchant_account_id, order_id, version, operation_id: order_id, request_id: null };
      const taking = w.service.tools.db.begin(merchant_account_id, (tx) =>
        withRetries(tx, { ...next, retries: 'takes' }, async () => 'begun'),
      );
      return taking.catch(({ begun }: { readonly begun: string }) => begun);
    };
    const paid = await w.shop.pay({}, { order_merchant_id });
    expect([paid.code, await take()]).toEqual(['955555', 'overtaken']);
    await w.sql(
      `UPDATE payment.orders SET order_merchant_id = 'another', version = version + 1 WHERE id = decode($1, 'hex')`,
      [textAt(paid, 'order_id')],
    );
    expect(await take()).toBe('begun');
  });

  test('when the saved card was removed', async () => {
    const customer_id = 'later-5512';
    const reply = await alone(POOR, { customer_id });
    await w.sql(
      `INSERT INTO payment.card_removals (merchant_account_id, token_hash, due_at)
       SELECT merchant_account_id, token_hash, 'infinity' FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
      [textAt(reply, 'order_id')],
    );
    await advance(6 * DAY_S);
    expect(await retryOf(reply)).toEqual(['ended', 'card_removed', 0]);
  });

  test('and is told once, with its reason', async () => {
    await using got = await receiver();
    await w.shop.api('/notification/endpoint', { body: { url: got.url, events: ['order.retries_ended'] } });
    const reply = await alone(POOR);
    await stop(reply);
    const [told] = await got.until((taken) => taken.length > 0);
    expect(told?.body).toMatchObject({
      event: 'order.retries_ended',
      order_id: textAt(reply, 'order_id'),
      status: 'authorization_declined',
      retry: { state: 'ended', reason: 'stopped_by_merchant', tries: 0 },
    });
  });
});
