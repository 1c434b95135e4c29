// Order, gaps and loss under a receiver that misbehaves. The test is the worker; the clock is the database's.
import { expect, test, vi } from 'vitest';
import { findQueueFigures } from '../../src/payment/metrics/metrics-store.ts';
import { claimDue } from '../../src/payment/notification/dispatcher.ts';
import { makeDispatcher, post } from '../../src/payment/notification/dispatcher.ts';
import { sizeOf } from '../sizes.ts';
import { type World, idleWorld } from '../world.ts';
import { SECRET, account, count, endpoint, event, events, later, laterWhenIdle, roomOf, worker } from './queue.ts';
import { type Got, type Mood, receiver } from './receiver.ts';
import { seeded } from '../seeded.ts';

const EVENTS = sizeOf('FLORIN_TEST_EVENTS', { usual: 1000, full: 5000 });
// says that something hangs, and promises no time
vi.setConfig({ testTimeout: Math.max(180_000, EVENTS * 120) });

/** One step after the other, each as the worker of the service would do it. */
async function step(world: World): Promise<void> {
  const dispatcher = makeDispatcher(world.service.tools, { ended: () => undefined });
  await dispatcher.look();
  await dispatcher.drain();
}

/** Until nothing is due by the clock as it stands. */
async function settle(world: World): Promise<void> {
  for (let due = true; due;) {
    await step(world);
    const [row] = await world.sql<{ due: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM payment.notifications x WHERE state = 'waiting' AND due_at <= payment.now()) AS due`,
    );
    due = row?.due === true;
  }
}

const subjectOf = new WeakMap<Got, string>();

test(`${EVENTS} events reach two endpoints in order and without a gap, whatever one of them answers`, async () => {
  const seed = Number(process.env['FLORIN_TEST_SEED'] ?? process.pid);
  console.log(`seed of the receiver: ${seed}`);
  const lot = seeded(seed);
  await using world = await idleWorld();
  Object.assign(world.service.tools.outside, { deadline_ms: 400 });
  const moods = (): Mood => {
    const drawn = lot();
    if (drawn < 0.08) return 500;
    if (drawn < 0.082) return 'hang';
    if (drawn < 0.09) return 'late';
    return drawn < 0.095 ? 'cut' : 204;
  };
  await using all = await receiver(moods);
  await using some = await receiver();
  const shop = await account(world);
  const [a, b] = [
    await endpoint(world, shop, { url: all.url }),
    await endpoint(world, shop, { url: some.url, events: ['refund_successful'] }),
  ];
  const each = 10;
  await events(world, shop, { orders: Math.ceil(EVENTS / 2 / each), each });
  const workers = [worker(world), worker(world)];
  await events(world, shop, { orders: Math.ceil(EVENTS / 2 / each), each });
  while ((await count(world, 'waiting')) > 0) {
    await world.service.tools.clock.sleep(50);
    await laterWhenIdle(world);
  }
  await Promise.all(workers.map(({ stop }) => stop()));
  expect(await count(world, 'parked')).toBe(0);
  const rows = await world.sql<{ id: string; subject: string; endpoint: string; tries: number }>(
    `SELECT encode(id, 'hex') AS id, encode(subject_id, 'hex') AS subject, encode(endpoint_id, 'hex') AS endpoint, tries FROM payment.notifications`,
  );
  const subjects = new Map(rows.map(({ id, subject }) => [id, subject]));
  for (const got of [...all.got, ...some.got]) subjectOf.set(got, subjects.get(got.id) ?? '');
  expect(new Set(all.taken.map(({ id }) => id)).size).toBe(rows.filter((row) => row.endpoint === a).length);
  expect(new Set(some.taken.map(({ id }) => id)).size).toBe(rows.filter((row) => row.endpoint === b).length);
  expect(all.got.length).toBeGreaterThan(all.taken.length);
  const told = (which: readonly Got[]) => Map.groupBy(which, (got) => subjectOf.get(got) ?? '');
  for (const [, of_order] of told(all.got)) {
    const numbers = of_order.map(({ body }) => Number(body['sequence']));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect([...new Set(numbers)]).toEqual(Array.from({ length: each }, (_, i) => i + 1));
    // every try of one has the same bytes
    for (const tries of Map.groupBy(of_order, ({ id }) => id).values())
      expect(new Set(tries.map(({ text }) => text)).size).toBe(1);
  }
  // nothing is sent again that was not counted as failed: on a machine that stands still for a moment an answer may
  // come too late
  const tries = new Map(rows.map((row) => [row.id, row.tries]));
  for (const [id, again] of Map.groupBy(some.got, (got) => got.id))
    expect(again.length).toBeLessThanOrEqual(tries.get(id) ?? 0);
  for (const [, all_tries] of told(some.taken)) {
    const of_order = [...Map.groupBy(all_tries, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
    expect(of_order.map(({ body }) => body['sequence'])).toEqual([3, 6, 9]);
    expect(of_order.map(({ body }) => body['previous_sequence'])).toEqual([null, 3, 6]);
  }
});

test('a receiver that is back after an hour hears at once, and of everything; workers that were killed lose nothing', async () => {
  await using world = await idleWorld();
  const { tools } = world.service;
  await using shop_server = await receiver(() => 503);
  const shop = await account(world);
  await endpoint(world, shop, { url: shop_server.url });
  await events(world, shop, { orders: 40, each: 3 });
  for (let minute = 0; minute < 60; minute++) {
    await settle(world);
    // a worker that dies right after it has taken some, and another one that had sent them
    const dead = await claimDue(tools.db, { room: roomOf(3), lease_s: 0.001 });
    const [sent] = dead;
    if (sent?.body && minute % 7 === 0) await post(tools, { ...sent, body: sent.body, secrets: [SECRET] });
    await later(world, 60);
  }
  expect(await count(world, 'delivered')).toBe(0);
  const figures = await findQueueFigures(tools.db);
  const figure = (name: string) => figures.find(({ queue }) => queue === name);
  expect([figure('notifications')?.waiting, figure('failing endpoints')?.waiting]).toEqual([120n, 1n]);
  for (const name of ['notifications', 'failing endpoints'])
    expect(figure(name)?.oldest_s).toBeGreaterThanOrEqual(3600);
  shop_server.mood = () => 200;
  const heard = () => shop_server.taken.length;
  for (let second = 0; second < 60 && heard() === 0; second += 5) {
    await step(world);
    if (heard() === 0) await later(world, 5);
  }
  expect(heard()).toBeGreaterThan(0);
  // and now all of them, without another move of the clock
  const drain = worker(world);
  await shop_server.until((taken) => new Set(taken.map(({ id }) => id)).size === 120);
  await drain.stop();
  expect(await count(world, 'delivered')).toBe(120);
});

test('an endpoint that never answers well gets ten tries over 75.6 hours, and probes in the first day; then the next goes out', async () => {
  await using world = await idleWorld();
  await using shop_server = await receiver(() => 500);
  const shop = await account(world);
  await endpoint(world, shop, { url: shop_server.url });
  const subject = world.service.tools.chance.id();
  await event(world, shop, { subject, seq: 1 });
  await event(world, shop, { subject, seq: 2 });
  const tries: number[] = [];
  let hours = 0;
  for (; (await count(world, 'parked')) === 0 && hours < 100; hours += 1 / 12) {
    const before = shop_server.got.length;
    await step(world);
    const [row] = await world.sql<{ tries: number }>(`SELECT tries FROM payment.notifications WHERE sequence = 1`);
    if (row && row.tries > tries.length) tries.push(hours);
    expect(shop_server.got.length - before).toBeLessThanOrEqual(1);
    await later(world, 300);
  }
  expect(tries.length).toBe(10);
  expect(tries.at(-1)).toBeGreaterThanOrEqual(75.5);
  expect(tries.at(-1)).toBeLessThan(77);
  // every five minutes of the first day, which is as often as this test looks; then by the schedule alone
  expect(shop_server.got.length).toBeGreaterThan(280);
  expect(shop_server.got.length).toBeLessThan(310);
  expect(shop_server.got.every(({ body }) => body['sequence'] === 1)).toBe(true);
  shop_server.mood = () => 200;
  await step(world);
  expect(shop_server.taken.map(({ body }) => body['sequence'])).toEqual([2]);
});

test('an event that commits late is delivered too, though later numbers were seen before', async () => {
  await using world = await idleWorld();
  const { tools } = world.service;
  await using shop_server = await receiver();
  const shop = await account(world);
  await endpoint(world, shop, { url: shop_server.url });
  const busy = worker(world);
  const lot = seeded(7);
  const subjects = Array.from({ length: 60 }, () => tools.chance.id());
  await Promise.all(
    subjects.map((subject) =>
      tools.db.begin(shop, async (tx) => {
        await tx.run(
          'late_event',
          `INSERT INTO payment.events (subject_id, seq, merchant_account_id, type, order_version) VALUES (:subject, 1, :shop, 'capture_successful', 1)`,
          { subject: `\\x${subject}`, shop: `\\x${shop}` },
        );
        await tools.clock.sleep(lot() * 50);
      }),
    ),
  );
  await shop_server.until(({ length }) => length === subjects.length);
  await busy.stop();
  expect(new Set(shop_server.taken.map(({ id }) => id)).size).toBe(subjects.length);
});

test('an endpoint that hangs has four connections and no more, whoever claims, and another one never waits for it', async () => {
  await using world = await idleWorld();
  Object.assign(world.service.tools.outside, { deadline_ms: 600_000 });
  await using slow = await receiver(() => 'hang');
  await using quick = await receiver();
  const shop = await account(world);
  await endpoint(world, shop, { url: slow.url });
  const other = await account(world);
  await endpoint(world, other, { url: quick.url });
  await events(world, shop, { orders: 200, each: 1 });
  const workers = Array.from({ length: 20 }, () => worker(world));
  await events(world, other, { orders: 200, each: 1 });
  await quick.until(({ length }) => length === 200);
  await expect.poll(() => slow.got.length).toBe(4);
  expect(slow.connections.most).toBe(4);
  expect(quick.connections.most).toBeLessThanOrEqual(4 * workers.length);
  // their deadline is far away: the test ends them
  const stopping = Promise.all(workers.map(({ stop }) => stop()));
  await world.service.tools.outside.destroy();
  await stopping;
});

test('twenty claims at one moment take four of an endpoint, not more', async () => {
  await using world = await idleWorld();
  const { tools } = world.service;
  const shop = await account(world);
  await endpoint(world, shop, { url: 'http://127.0.0.1:9/' });
  await events(world, shop, { orders: 300, each: 1 });
  const claim = () => claimDue(tools.db, { room: roomOf(20), lease_s: 30 });
  for (let round = 0; round < 15; round++) {
    const claimed = (await Promise.all(Array.from({ length: 20 }, claim))).flat();
    expect([round, claimed.length]).toEqual([round, 4]);
    await world.sql(`UPDATE payment.notifications SET leased_until = NULL`);
  }
});

test('410 switches an endpoint off: nothing more goes there, and what waited is kept to be seen', async () => {
  await using world = await idleWorld();
  await using shop_server = await receiver(() => 410);
  const shop = await account(world);
  await endpoint(world, shop, { url: shop_server.url });
  await events(world, shop, { orders: 3, each: 2 });
  const busy = worker(world);
  while ((await count(world, 'waiting')) > 0) await world.service.tools.clock.sleep(10);
  await events(world, shop, { orders: 3, each: 2 });
  await busy.stop();
  expect(await count(world, 'parked')).toBe(6);
  expect(shop_server.got.length).toBeLessThanOrEqual(3);
});

test('Retry-After makes the next try later, never earlier', async () => {
  await using world = await idleWorld();
  await using shop_server = await receiver(() => 503);
  shop_server.headers = { 'retry-after': '7200' };
  const shop = await account(world);
  await endpoint(world, shop, { url: shop_server.url });
  await events(world, shop, { orders: 1, each: 1 });
  await step(world);
  for (const minutes of [1, 58, 60]) {
    await later(world, minutes * 60);
    await step(world);
  }
  expect(shop_server.got.length).toBe(1);
  await later(world, 120);
  shop_server.headers = { 'retry-after': '1' };
  await step(world);
  expect(shop_server.got.length).toBe(2);
  const [row] = await world.sql<{ wait: number }>(
    `SELECT extract(epoch FROM next_at - payment.now())::float8 AS wait FROM payment.notifications`,
  );
  // five minutes, less what a slow machine took since
  expect(row?.wait).toBeGreaterThan(200);
});
