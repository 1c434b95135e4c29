// What a success does for all that waits at its endpoint (contract 13.3: success frees the queue), and what it must not
// do.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDispatcher } from '../../src/payment/notification/dispatcher.ts';
import { replayNotification } from '../../src/payment/notification/history/store.ts';
import { type World, idleWorld } from '../world.ts';
import { account, endpoint, event, later } from './queue.ts';
import { type Got, type Receiver, receiver } from './receiver.ts';

let w: World;
beforeAll(async () => {
  w = await idleWorld();
});
afterAll(() => w[Symbol.asyncDispose]());

let server: Receiver;
let shop = '';
beforeEach(async () => {
  await w.sql('TRUNCATE payment.notifications');
  server = await receiver();
  shop = await account(w);
  await endpoint(w, shop, { url: server.url });
  return () => server[Symbol.asyncDispose]();
});

/** All that is due by the clock as it stands, also what becomes due by that. */
async function settle(): Promise<void> {
  for (let before = -1; before !== server.got.length;) {
    before = server.got.length;
    const dispatcher = makeDispatcher(w.service.tools, { ended: () => undefined });
    await dispatcher.look();
    await dispatcher.drain();
  }
}

/** Of each notification, what it is about. */
const subjects = new Map<string, string>();

async function written(subject: string, seq: number): Promise<void> {
  await event(w, shop, { subject, seq });
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.notifications WHERE subject_id = decode($1, 'hex') AND sequence = $2`,
    [subject, seq],
  );
  subjects.set(row?.id ?? '', subject);
}

async function happens(subject: string, seq = 1): Promise<void> {
  await written(subject, seq);
  await settle();
}

async function pass(seconds: number): Promise<void> {
  await later(w, seconds);
  await settle();
}

const newOrder = () => w.service.tools.chance.id();
const isOf = (subject: string) => (got: Got) => subjects.get(got.id) === subject;
const triesOf = (subject: string) => server.got.filter(isOf(subject));
const takenOf = (subject: string) => server.taken.filter(isOf(subject)).map(({ body }) => body['sequence']);

test('a receiver that failed twice within 30 s and is well again gets all that waits with its first success', async () => {
  const [first, second, other] = [newOrder(), newOrder(), newOrder()];
  server.mood = () => 500;
  await happens(first, 1);
  await written(first, 2);
  await happens(second);
  await pass(6);
  await pass(6);
  expect([triesOf(first).length, triesOf(second).length]).toEqual([2, 2]);
  server.mood = () => 200;
  await happens(other);
  expect([takenOf(other), takenOf(first), takenOf(second)]).toEqual([[1], [1, 2], [1]]);
  const [waiting] = await w.sql(`SELECT 1 FROM payment.notifications WHERE state = 'waiting'`);
  expect(waiting).toBeUndefined();
});

test('a notification that alone is refused is not sent with each success of the others', async () => {
  const refused = newOrder();
  server.mood = (got) => (isOf(refused)(got) ? 500 : 200);
  await happens(refused, 1);
  await written(refused, 2);
  for (let n = 0; n < 90; n++) {
    await later(w, 10);
    await happens(newOrder());
  }
  // by the schedule after 0 s, 5 s and 5 min; by a success after about 0, 1, 2, 4 and 8 min
  expect(triesOf(refused).length).toBeGreaterThanOrEqual(5);
  expect(triesOf(refused).length).toBeLessThanOrEqual(9);
  expect(server.taken).toHaveLength(90);
  server.mood = () => 200;
  await pass(30 * 60);
  await happens(newOrder());
  expect(takenOf(refused)).toEqual([1, 2]);
});

test('a notification that fails again when it is freed comes back after a minute, if others are taken', async () => {
  const unlucky = newOrder();
  server.mood = () => 500;
  await happens(unlucky);
  await pass(6);
  server.mood = (got) => (isOf(unlucky)(got) ? 500 : 200);
  await happens(newOrder());
  expect(triesOf(unlucky)).toHaveLength(3);
  server.mood = () => 200;
  await happens(newOrder());
  expect(takenOf(unlucky)).toEqual([]);
  await pass(61);
  expect(takenOf(unlucky)).toEqual([1]);
});

test('a notification that the receiver asked to have later is not brought forward', async () => {
  const asked = newOrder();
  server.headers = { 'retry-after': '600' };
  server.mood = (got) => (isOf(asked)(got) ? 429 : 200);
  await happens(asked);
  server.headers = {};
  server.mood = () => 200;
  await happens(newOrder());
  await pass(540);
  expect(triesOf(asked)).toHaveLength(1);
  await pass(70);
  expect(takenOf(asked)).toEqual([1]);
});

test('a notification that is asked for again during its last try is sent again, when that try has failed', async () => {
  const order = newOrder();
  await written(order, 1);
  await w.sql(`UPDATE payment.notifications SET tries = 9`);
  const [row] = await w.sql<{ id: string }>(`SELECT encode(id, 'hex') AS id FROM payment.notifications`);
  const replay = () =>
    w.service.tools.db.begin(shop, (tx) => replayNotification({ ...tx, merchant_account_id: shop }, row?.id ?? ''));
  const under_way = makeDispatcher(w.service.tools, {
    ended: () => undefined,
    faultOf: async () => replay().then(() => 'http_500_before'),
  });
  await under_way.look();
  await under_way.drain();
  await settle();
  expect(takenOf(order)).toEqual([1]);
});
