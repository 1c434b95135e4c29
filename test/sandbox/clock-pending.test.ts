// What waits for long (contract 15.4), at a provider or for an endpoint that fails: the clock passes it in few steps,
// however many wait, and each of them ends at its own moment.
import { expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { jobsOf } from '../../src/worker/jobs.ts';
import { makeTestClock } from '../../src/worker/test-clock.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { HANGS_MS, textAt, until } from '../client.ts';
import { receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';

const CAPTURE_PENDING = '4000009902000036';
const REFUND_PENDING = '4000009903000043';
const DISPUTED = '4000000000000259';
const NOT_WAITING = { prefer: 'wait=0' };

async function capturePending(w: World): Promise<string> {
  const paid = await w.shop.pay({ card_number: CAPTURE_PENDING }, { operation_type: 'authorize' });
  const order_id = textAt(paid, 'order_id');
  const asked = await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: NOT_WAITING });
  expect([asked.status, asked.code], asked.text).toEqual([200, '521080']);
  return order_id;
}

async function refundPending(w: World): Promise<string> {
  const order_id = textAt(await w.shop.pay({ card_number: REFUND_PENDING }), 'order_id');
  const asked = await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: {}, headers: NOT_WAITING });
  expect([asked.status, asked.code], asked.text).toEqual([200, '621080']);
  return order_id;
}

/** The same tools, and how often a clock was moved with them. */
function counting(tools: Tools): { readonly tools: Tools; steps(): number } {
  let steps = 0;
  const sandbox: Tools['sandbox'] = async (call) => {
    if (call.method === 'POST' && call.path === '/clock') steps++;
    return tools.sandbox?.(call);
  };
  return { tools: { ...tools, sandbox }, steps: () => steps };
}

/** Moves the clock so far, as the service's own test_clock does, and answers in how many steps. */
async function stepsOf(w: World, seconds: number): Promise<number> {
  const counted = counting(w.service.tools);
  const keeper = makeTestClock(counted.tools, jobsOf(counted.tools));
  await w.sql(`UPDATE payment.clock SET goal = make_interval(secs => $1)`, [seconds]);
  expect(await keeper.reach(seconds * 1000, HANGS_MS)).toBe(true);
  return counted.steps();
}

test.each([1, 12])(
  'a day with pending captures takes few steps, with one of them and with twelve (%i)',
  async (count) => {
    await using w = await world();
    for (let n = 0; n < count; n++) await capturePending(w);
    expect(await stepsOf(w, DAY_S - 3600)).toBeLessThan(90);
    const open = await w.sql(`SELECT 1 FROM payment.operations WHERE kind = 'capture' AND state = 'requested'`);
    expect(open).toHaveLength(count);
  },
);

test('captures, refunds and disputes of a day arrive in one call, each in its time', async () => {
  await using w = await world();
  const captures = await Promise.all([1, 2, 3, 4].map(() => capturePending(w)));
  const refunds = await Promise.all([1, 2, 3, 4].map(() => refundPending(w)));
  const disputed = await Promise.all([1, 2].map(() => w.shop.pay({ card_number: DISPUTED })));
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds: DAY_S + 3600 } });
  expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  for (const [ids, status] of [
    [captures, 'capture_successful'],
    [refunds, 'refund_successful'],
    [disputed.map((reply) => textAt(reply, 'order_id')), 'capture_successful'],
  ] as const)
    for (const id of ids) expect((await w.shop.read(id)).at('status')).toBe(status);
  const ended = await w.sql<{ s: number }>(
    `SELECT extract(epoch FROM settled_at - created_at)::float8 AS s FROM payment.operations
     WHERE order_id = ANY (SELECT decode(x, 'hex') FROM unnest($1::text[]) x) AND kind <> 'authorize' AND target_id IS NULL`,
    [captures],
  );
  expect(ended).toHaveLength(4);
  for (const { s } of ended) expect(Math.abs(s - DAY_S)).toBeLessThan(60);
  const disputes = await w.sql(`SELECT 1 FROM payment.disputes`);
  expect(disputes).toHaveLength(2);
});

test('a pending payment whose message never comes is found out by an inquiry, late by a quarter of its age at most', async () => {
  await using w = await world();
  const order_id = await capturePending(w);
  const { sandbox } = w.service.tools;
  await sandbox?.({ method: 'POST', path: '/control', body: { callbacks: 'none' } });
  const moved = await w.shop.api('/sandbox/clock/advance', { body: { seconds: 2 * DAY_S } });
  expect([moved.status, moved.at('settled')], moved.text).toEqual([200, true]);
  const [capture] = await w.sql<{ state: string; s: number }>(
    `SELECT state, extract(epoch FROM settled_at - created_at)::float8 AS s FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'capture'`,
    [order_id],
  );
  expect(capture?.state).toBe('successful');
  expect(capture?.s).toBeGreaterThan(DAY_S);
  expect(capture?.s).toBeLessThan(1.3 * DAY_S);
});

test('at the moment the clock was moved to, what is pending has been asked about', async () => {
  await using w = await world();
  await capturePending(w);
  await stepsOf(w, 10_000);
  const due = await w.sql(
    `SELECT 1 FROM payment.operations WHERE state IN ('requested','in_doubt','review') AND due_at <= payment.now()`,
  );
  expect(due).toEqual([]);
});

test('notifications that wait behind one that failed do not hold the clock up', async () => {
  await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
  await using shop = await receiver(() => 500);
  const events = ['authorization_successful', 'capture_successful'];
  await w.shop.api('/notification/endpoint', { body: { url: shop.url, events } });
  const paid = await w.shop.pay({}, { operation_type: 'authorize' });
  await until(() => shop.got[0]);
  const path = `/payment/maintenance/capture/${textAt(paid, 'order_id')}`;
  expect((await w.shop.api(path, { body: {} })).code).toBe('955555');
  // tried again after 5 s, then after 5 and 30 min, and probed by the minute in between
  expect(await stepsOf(w, 600)).toBeLessThan(30);
});

test('what the bank tells by its own clock, while ours stands still, is of that moment and not of the goal', async () => {
  await using w = await world();
  const pay = async () => textAt(await w.shop.pay({ card_number: DISPUTED }), 'order_id');
  const first = await pay();
  expect((await w.shop.api('/sandbox/clock/advance', { body: { seconds: 60 } })).at('settled')).toBe(true);
  const second = await pay();
  const { tools } = w.service;
  const shift_ms = tools.clock.shift_ms();
  const disputes = async () => (await w.sql('SELECT 1 FROM payment.disputes')).length;
  let telling: Promise<unknown> | undefined;
  const sandbox: Tools['sandbox'] = async (call) => {
    if (call.method === 'POST' && telling) await w.sql('COMMIT');
    const said = await tools.sandbox?.(call);
    if (call.method === 'POST' || telling || (await disputes()) === 0) return said;
    // its clock has come to the second dispute, and what it tells is on its way
    await w.sql('BEGIN; LOCK TABLE payment.provider_events IN ACCESS EXCLUSIVE MODE');
    const body = { shift_ms: shift_ms + (DAY_S + 120) * 1000 };
    telling = tools.sandbox?.({ method: 'POST', path: '/clock', body });
    return until(async () => {
      const now = await tools.sandbox?.(call);
      return now?.body['next_due'] === null ? now : undefined;
    });
  };
  const keeper = makeTestClock({ ...tools, sandbox }, jobsOf({ ...tools, sandbox }));
  const goal_ms = shift_ms + 10 * DAY_S * 1000;
  await w.sql(`UPDATE payment.clock SET goal = make_interval(secs => $1)`, [goal_ms / 1000]);
  expect(await keeper.reach(goal_ms, HANGS_MS)).toBe(true);
  await telling;
  const told = await w.sql<{ days: number }>(
    `SELECT extract(epoch FROM e.at - o.created_at)::float8 / 86400 AS days
     FROM payment.events e JOIN payment.orders o ON o.id = e.subject_id
     WHERE e.type = 'dispute.opened' AND o.id = ANY (SELECT decode(x, 'hex') FROM unnest($1::text[]) x)`,
    [[first, second]],
  );
  expect(told.map(({ days }) => Math.round(days))).toEqual([1, 1]);
});
