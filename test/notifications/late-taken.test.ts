// Several tries may be under way at an endpoint when the answer of one parks what waits there. What the receiver says
// to the others still counts: what it took is delivered.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDue } from '../../src/payment/notification/dispatcher.ts';
import type { Claimed } from '../../src/payment/notification/queue-store.ts';
import { endDelivered, switchOff } from '../../src/payment/notification/try-store.ts';
import { type World, idleWorld } from '../world.ts';
import { account, endpoint, events, roomOf } from './queue.ts';

let w: World;
beforeAll(async () => {
  w = await idleWorld();
});
afterAll(() => w[Symbol.asyncDispose]());

test('what the receiver took is delivered, though the answer of another try has parked it meanwhile', async () => {
  const { db } = w.service.tools;
  const merchant = await account(w);
  await endpoint(w, merchant, { url: 'https://shop.example/' });
  await events(w, merchant, { orders: 3, each: 1 });
  const [first, second] = await claimDue(db, { room: roomOf(8), lease_s: 20 });
  if (!first || !second) throw new Error('two are sent at once');
  const endedOf = ({ id, endpoint_id, subject_id, sequence }: Claimed, status: number) => {
    return { id, endpoint_id, subject_id, sequence, status, duration_ms: 0 };
  };
  await switchOff(db.tenant(merchant), endedOf(first, 410));
  await endDelivered(db.tenant(merchant), endedOf(second, 200));
  const rows = await w.sql(
    `SELECT encode(id, 'hex') AS id, state, last_status, last_error FROM payment.notifications ORDER BY id`,
  );
  expect(rows).toHaveLength(3);
  const parked = { state: 'parked', last_error: 'the endpoint is switched off' };
  for (const row of rows)
    expect(row).toMatchObject(
      row['id'] === second.id ? { state: 'delivered', last_status: 200, last_error: null } : parked,
    );
  expect(await w.sql('SELECT state FROM payment.endpoints')).toEqual([{ state: 'off' }]);
});
