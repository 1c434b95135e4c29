// 24 hours without proof: the operation is in review by itself, the provider is still asked, once an hour, and its
// answer ends it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { idOf } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '3' });
});
afterAll(() => w[Symbol.asyncDispose]());

type Row = { readonly state: string; readonly next_s: number; readonly asked: number };

async function look(operation_id: string): Promise<Row> {
  const rows = await w.sql<Row>(
    `SELECT state, extract(epoch FROM due_at - payment.now())::float8 AS next_s,
       (SELECT count(*)::int FROM payment.observations b WHERE b.operation_id = p.id AND b.source = 'inquiry') AS asked
     FROM payment.operations p WHERE id = decode($1, 'hex')`,
    [operation_id],
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no operation ${operation_id}`);
  return row;
}

const shift = (text: string) => w.sql(`UPDATE payment.clock SET shift = '${text}'`);

test('an authorization in doubt for 24 h is in review, asked for hourly, and ends when the bank can tell', async () => {
  for (const scenario of [
    { operation: 'authorize', fault: 'http_500_after' },
    { operation: 'inquiry', fault: 'http_500_before', times: 100 },
  ])
    expect((await w.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
  const money = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id: 'old' };
  const order = await w.shop.order({ token: await w.shop.token(), ...money }, { prefer: 'wait=1' });
  const id = await idOf(w, textAt(order, 'order_id'), 'authorize');
  await until(async () => (await look(id)).state === 'in_doubt' || undefined);
  // still in doubt a little before, also when it was looked at again
  await shift('23 hours 50 minutes');
  const before = await look(id);
  await until(async () => (await look(id)).asked > before.asked || undefined);
  expect((await look(id)).state).toBe('in_doubt');
  await shift('24 hours 10 minutes');
  await until(async () => (await look(id)).state === 'review' || undefined);
  expect((await w.shop.read(textAt(order, 'order_id'))).at('is_in_doubt')).toBe(true);
  const first = await look(id);
  expect(first.next_s).toBeGreaterThan(3500);
  expect(first.next_s).toBeLessThanOrEqual(3600);
  await shift('25 hours 11 minutes');
  await until(async () => (await look(id)).asked > first.asked || undefined);
  expect((await look(id)).state).toBe('review');
  expect((await w.shop.api('/sandbox/scenario', { method: 'DELETE' })).status).toBe(200);
  await shift('26 hours 12 minutes');
  await until(async () => (await look(id)).state === 'successful' || undefined);
  expect((await w.shop.read(textAt(order, 'order_id'))).at('status')).toBe('authorization_successful');
});
