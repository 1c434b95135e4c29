// A receiver that says that it is gone switches its endpoint off. Several tries may be under way then: what it says to
// the others says nothing any more once somebody has switched the endpoint on again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDue } from '../../src/payment/notification/dispatcher.ts';
import { switchEndpointOn } from '../../src/payment/notification/endpoint/store.ts';
import { replayNotification } from '../../src/payment/notification/history/store.ts';
import type { Claimed } from '../../src/payment/notification/queue-store.ts';
import { LEASE_S } from '../../src/payment/notification/schedule.ts';
import { switchOff } from '../../src/payment/notification/try-store.ts';
import { type World, idleWorld } from '../world.ts';
import { account, endpoint, events, roomOf } from './queue.ts';

let w: World;
beforeAll(async () => {
  w = await idleWorld();
});
afterAll(() => w[Symbol.asyncDispose]());

test('an answer 410 to a try of before does not switch off an endpoint that was switched on since', async () => {
  const { db } = w.service.tools;
  const merchant = await account(w);
  const id = await endpoint(w, merchant, { url: 'https://shop.example/' });
  const gone = ({ id: one, endpoint_id, subject_id, sequence }: Claimed) =>
    switchOff(db.tenant(merchant), { id: one, endpoint_id, subject_id, sequence, status: 410, duration_ms: 0 });
  const standing = async () => {
    const rows = await w.sql<{ state: string; waiting: number }>(
      `SELECT state, (
         SELECT count(*)::int FROM payment.notifications n WHERE n.endpoint_id = e.id AND n.state = 'waiting') AS waiting
       FROM payment.endpoints e WHERE id = decode($1, 'hex')`,
      [id],
    );
    return rows[0];
  };
  await events(w, merchant, { orders: 2, each: 1 });
  const [first, second] = await claimDue(db, { room: roomOf(8), lease_s: LEASE_S });
  if (!first || !second) throw new Error('two are sent at once');
  await gone(first);
  expect(await standing()).toEqual({ state: 'off', waiting: 0 });
  expect(await switchEndpointOn(db.tenant(merchant), id)).toBe(true);
  await events(w, merchant, { orders: 1, each: 1 });
  await gone(second);
  expect(await standing()).toEqual({ state: 'on', waiting: 1 });
  // what is sent from now on counts
  const [third] = await claimDue(db, { room: roomOf(8), lease_s: LEASE_S });
  if (!third) throw new Error('one waits');
  await gone(third);
  expect(await standing()).toEqual({ state: 'off', waiting: 0 });
});

test.each(['waits', 'is being sent'])(
  'nor does one to a try of before whose notification was asked for again since, and %s',
  async (how) => {
    const { db } = w.service.tools;
    const merchant = await account(w);
    const id = await endpoint(w, merchant, { url: 'https://shop.example/' });
    const claimed = async () => {
      const all = await claimDue(db, { room: roomOf(8), lease_s: LEASE_S });
      return all.filter(({ merchant_account_id }) => merchant_account_id === merchant);
    };
    const gone = ({ id: one, endpoint_id, subject_id, sequence }: Claimed, duration_ms: number) =>
      switchOff(db.tenant(merchant), { id: one, endpoint_id, subject_id, sequence, status: 410, duration_ms });
    const state = async () =>
      (await w.sql(`SELECT state FROM payment.endpoints WHERE id = decode($1, 'hex')`, [id]))[0];
    await events(w, merchant, { orders: 2, each: 1 });
    const [first, second] = await claimed();
    if (!first || !second) throw new Error('two are sent at once');
    await gone(first, 0);
    expect(await switchEndpointOn(db.tenant(merchant), id)).toBe(true);
    await replayNotification(db.tenant(merchant), second.id);
    const again = how === 'waits' ? undefined : (await claimed())[0];
    // it began seconds ago, and what has the notification now began since
    await gone(second, 10_000);
    expect(await state()).toEqual({ state: 'on' });
    if (!again) return;
    await gone(again, 0);
    expect(await state()).toEqual({ state: 'off' });
  },
);
