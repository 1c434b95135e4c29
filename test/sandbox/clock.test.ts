// The clock of a sandbox (contract 15.4) as a merchant moves it: everything that waits happens, in the order of time.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_S, HOUR_S } from '../../src/core/durations.ts';
import { followClock } from '../../src/kit/database/follow-clock.ts';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { jobsOf } from '../../src/worker/jobs.ts';
import { makeTestClock } from '../../src/worker/test-clock.ts';
import { CHECKOUT, HANGS_MS, type Json, type Reply, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const clock = () => w.shop.api('/sandbox/clock');
const advance = (body: object, headers: Record<string, string> = {}) =>
  w.shop.api('/sandbox/clock/advance', { body, headers });
const moment = (reply: Reply) => Date.parse(textAt(reply, 'now'));
async function pass(seconds: number): Promise<Reply> {
  const reply = await advance({ seconds });
  expect([reply.status, reply.at('settled')], reply.text).toEqual([200, true]);
  return reply;
}
/** What happened to an order, each with the moment. */
async function history(order_id: string): Promise<readonly (readonly [Json, number])[]> {
  const rows = await w.sql<{ type: string; at: Date }>(
    `SELECT type, at FROM payment.events WHERE subject_id = decode($1, 'hex') ORDER BY seq`,
    [order_id],
  );
  return rows.map(({ type, at }) => [type, at.getTime()] as const);
}

test('the sandbox’s clock goes as far as it is told, never back, and every date and id goes with it', async () => {
  const before = await clock();
  expect([before.status, before.code]).toEqual([200, '911111']);
  const offset = Number(before.at('offset_seconds'));
  const moved = await pass(3 * HOUR_S);
  expect(moved.at('offset_seconds')).toBe(offset + 3 * HOUR_S);
  expect(moment(moved) - moment(before)).toBeGreaterThanOrEqual(3 * HOUR_S * 1000);
  const to = new Date(moment(moved) + 2 * HOUR_S * 1000).toISOString();
  const reached = await advance({ to });
  expect(moment(reached)).toBeGreaterThanOrEqual(Date.parse(to));
  for (const body of [{ to }, { to: '2020-01-01' }, { seconds: 0 }, { seconds: 34_560_001 }, {}, { seconds: 1, to }]) {
    const refused = await advance(body);
    expect(refused.status, JSON.stringify(body)).toBe(400);
  }
  const paid = await w.shop.pay();
  const made = Number.parseInt(textAt(paid, 'order_id').slice(0, 8), 16) * 1000;
  expect(made).toBeGreaterThan(moment(reached) - 1000);
  const read = await w.shop.read(textAt(paid, 'order_id'));
  expect(Date.parse(textAt(read, 'createdAt'))).toBeGreaterThan(moment(reached) - 1000);
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(paid, 'order_id')}`);
  expect(Date.parse(textAt(books, 'entries.0.createdAt'))).toBeGreaterThan(moment(reached) - 1000);
  const checkout_id = await w.shop.checkout();
  const checkout = await w.shop.api(`/payment/checkout/${checkout_id}`);
  expect(Date.parse(textAt(checkout, 'checkout.expiration_date'))).toBeGreaterThan(moment(reached));
});

test('an Idempotency-Key moves it once', async () => {
  const headers = { 'idempotency-key': 'move-once' };
  const first = await advance({ seconds: 60 }, headers);
  const again = await advance({ seconds: 60 }, headers);
  expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
  expect(again.at('offset_seconds')).toBe(first.at('offset_seconds'));
  expect((await advance({ seconds: 61 }, headers)).status).toBe(422);
});

test('an Idempotency-Key moves it once to a moment too, also when that is past', async () => {
  const headers = { 'idempotency-key': 'move-to-once' };
  const to = new Date(moment(await clock()) + HOUR_S * 1000).toISOString();
  const first = await advance({ to }, headers);
  await pass(60);
  const again = await advance({ to }, headers);
  expect([first.status, again.status, again.at('settled')], again.text).toEqual([200, 200, true]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  // another body is no repeat, and is refused for what is wrong with it
  expect((await advance({ to: '2020-01-01T00:00:00Z' }, headers)).status).toBe(400);
  const later = new Date(moment(again) + HOUR_S * 1000).toISOString();
  expect((await advance({ to: later }, headers)).status).toBe(422);
});

describe('what waits on it', () => {
  test('a checkout expires, and next_due says when', async () => {
    const checkout_id = await w.shop.checkout();
    const { body } = await w.shop.api(`/payment/checkout/${checkout_id}`);
    const next = Date.parse(textAt(await clock(), 'next_due'));
    expect(next, JSON.stringify(body)).toBeLessThanOrEqual(moment(await clock()) + 2 * HOUR_S * 1000);
    await pass(2 * HOUR_S);
    expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.status')).toBe('expired');
    const [expired] = await history(checkout_id);
    expect(expired?.[0]).toBe('checkout.expired');
  });

  test('a token pays for 15 minutes, and no longer', async () => {
    const sale = { operation_type: 'direct_capture', amount: 3, currency: 'EUR' };
    const [young, old] = [await w.shop.token(), await w.shop.token()];
    await pass(14 * 60);
    expect((await w.shop.order({ token: young, ...sale, order_merchant_id: 'young' })).status).toBe(200);
    await pass(2 * 60);
    const late = await w.shop.order({ token: old, ...sale, order_merchant_id: 'old' });
    expect([late.status, late.code]).toEqual([400, '241021']);
  });

  test('a security code is gone after 15 minutes: the saved card pays without it', async () => {
    const token = await w.shop.token({ token_type: 'recurring' });
    await pass(16 * 60);
    const { sandbox } = w.service.tools;
    const info = await w.service.tools.vault.card({
      token_hash: await hashOf(token),
      merchant_account_id: w.account,
      checkout_id: null,
    });
    expect(sandbox).toBeDefined();
    expect(info?.has_cvc).toBe(false);
  });

  test('an authorization lapses after 30 days at that moment, and the hold at the bank with it', async () => {
    const paid = await w.shop.pay({}, { operation_type: 'authorize', order_merchant_id: 'lapses' });
    const order_id = textAt(paid, 'order_id');
    const authorized = (await history(order_id)).at(-1)?.[1] ?? 0;
    await pass(31 * DAY_S);
    const [type, at] = (await history(order_id)).at(-1) ?? [];
    expect(type).toBe('authorization_expired');
    expect(Math.abs((at ?? 0) - authorized - 30 * DAY_S * 1000)).toBeLessThan(60_000);
    expect((await w.shop.api(`/sandbox/provider/books?order_id=${order_id}`)).at('entries.0.state')).toBe('released');
  });

  test('what the bank decides later happens at its own moment, between what is due here', async () => {
    const sale = { operation_type: 'direct_capture', amount: 5, currency: 'EUR', order_merchant_id: 'slow-order' };
    const slow = await w.shop.order(
      { token: await w.shop.token({ card_number: '4000009901000128' }), ...sale },
      { prefer: 'wait=1' },
    );
    const sold = await w.shop.pay({ card_number: '4000000000007726' }, { order_merchant_id: 'slow-refund' });
    const [declined, refunded] = [textAt(slow, 'order_id'), textAt(sold, 'order_id')];
    const refund = { body: {}, headers: { prefer: 'wait=1' } };
    expect((await w.shop.api(`/payment/maintenance/refund/${refunded}`, refund)).code).toBe('621080');
    const asked = moment(await clock());
    await pass(2 * HOUR_S);
    const [first, second] = [(await history(declined)).at(-1), (await history(refunded)).at(-1)];
    expect([first?.[0], second?.[0]]).toEqual(['authorization_declined', 'refund_successful']);
    const after = (at = 0) => Math.round((at - asked) / 60_000);
    expect(after(first?.[1])).toBeLessThanOrEqual(1);
    expect(Math.abs(after(second?.[1]) - 60)).toBeLessThanOrEqual(1);
  });

  test('a repeat of a checkout is answered with it, also after its expiration_date', async () => {
    const headers = { 'idempotency-key': 'past-its-date' };
    const expiration_date = new Date(moment(await clock()) + 120_000).toISOString();
    const make = (more: object = {}) =>
      w.shop.api('/payment/checkout', { body: { ...CHECKOUT, expiration_date, ...more }, headers });
    const first = await make();
    for (const seconds of [90, 90]) {
      await pass(seconds);
      const again = await make();
      expect([again.status, again.at('checkout.checkout_id')], again.text).toEqual([
        200,
        first.at('checkout.checkout_id'),
      ]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    const other = await make({ amount: '1.00' });
    expect([other.status, other.at('errors.0.field')]).toEqual([400, 'expiration_date']);
  });

  test('an Idempotency-Key of a checkout is kept 72 hours', async () => {
    const headers = { 'idempotency-key': 'kept-72' };
    const make = () =>
      w.shop.api('/payment/checkout', {
        body: { type: 'api', operation_type: 'authorize', amount: '1.00', currency: 'EUR', order_merchant_id: 'k' },
        headers,
      });
    const first = textAt(await make(), 'checkout.checkout_id');
    await pass(71 * HOUR_S);
    expect((await make()).at('checkout.checkout_id')).toBe(first);
    await pass(2 * HOUR_S);
    expect((await make()).at('checkout.checkout_id')).not.toBe(first);
  });
});

test('a clock that another process moved is known here within a second', async () => {
  await w.sql(`UPDATE payment.clock SET shift = shift + interval '1 hour'`);
  await w.sql(`UPDATE vault.clock SET shift = shift + interval '1 hour'`);
  const known = Date.now() + Number((await clock()).at('offset_seconds')) * 1000;
  // at the next move alone it would never be
  await until(() => w.service.tools.clock.now().getTime() >= known || undefined);
});

test('a move whose process died on the way is finished by another one', async () => {
  const checkout_id = await w.shop.checkout();
  const from = Number((await clock()).at('offset_seconds'));
  await w.sql(`UPDATE payment.clock SET goal = shift + interval '3 hours'`);
  await until(async () => Number((await clock()).at('offset_seconds')) === from + 3 * HOUR_S || undefined);
  expect((await w.shop.api(`/payment/checkout/${checkout_id}`)).at('checkout.status')).toBe('expired');
  const [books] = await w.sql<{ shift_s: number }>(
    `SELECT extract(epoch FROM shift)::float8 AS shift_s FROM vault.clock`,
  );
  expect(books?.shift_s).toBe(from + 3 * HOUR_S);
});

test('a move that takes longer than somebody waits goes on without them', async () => {
  const { test_clock } = w.service.tools;
  const { shift_ms } = await test_clock.look();
  const goal_ms = shift_ms + HOUR_S * 1000;
  await w.sql(`UPDATE payment.clock SET goal = shift + interval '1 hour'`);
  expect(await test_clock.reach(goal_ms, 0)).toBe(false);
  expect(await test_clock.reach(goal_ms, HANGS_MS)).toBe(true);
});

test('a part with a moment of its own is stepped to, and does its work there', async () => {
  const { tools } = w.service;
  const { shift_ms } = await tools.test_clock.look();
  const wanted = tools.clock.now().getTime() + HOUR_S * 1000;
  const did: number[] = [];
  const job = {
    name: 'of a later part',
    every_ms: 1000,
    due: [],
    next: async () => [0, wanted - tools.clock.now().getTime()][did.length],
    run: async () => {
      // the first time: only who holds the clock already sees a goal, so that nobody else goes there
      if (did.length === 0) await w.sql(`UPDATE payment.clock SET goal = shift + interval '3 hours'`);
      did.push(tools.clock.now().getTime());
      return false;
    },
  };
  const keeping = makeTestClock(tools, [...jobsOf(tools), job]);
  expect(await keeping.reach(shift_ms + 3 * HOUR_S * 1000, HANGS_MS)).toBe(true);
  expect(did).toHaveLength(2);
  expect(Math.abs((did[1] ?? 0) - wanted)).toBeLessThan(60_000);
});

test('the databases refuse a clock that goes back, and production one that was moved', async () => {
  for (const zone of ['payment', 'vault'])
    await expect(w.sql(`UPDATE ${zone}.clock SET shift = shift - interval '1 second'`)).rejects.toThrow('back');
  const { log } = w.service.tools;
  const following = { clock: systemClock(), log, read: async () => 1000, moved: async () => undefined };
  await expect(followClock({ ...following, environment: 'production' })).rejects.toThrow('it belonged to a sandbox');
  const real = { ...following, read: async () => 0 };
  await (
    await followClock({ ...real, environment: 'production' })
  )();
});

test('the same seed waits as long for the same, another seed does not', () => {
  const waits = (seed: string) => {
    const chance = systemChance(systemClock(), seed);
    return Array.from({ length: 8 }, (_, n) => chance.share(`cart-1881 capture ${n}`));
  };
  expect(waits('a')).toEqual(waits('a'));
  expect(waits('a')).not.toEqual(waits('b'));
  expect(waits('')).not.toEqual(waits(''));
  for (const share of [...waits('a'), ...waits('')]) expect(share >= 0 && share <= 1).toBe(true);
});

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(token, 'hex'));
  return Buffer.from(digest).toString('hex');
}
