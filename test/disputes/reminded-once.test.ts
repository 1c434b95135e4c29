// A reminder of a dispute is told once, whichever worker tells it: one that stood still for longer than its lease finds
// that another one was there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/durations.ts';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { remindOfDispute } from '../../src/payment/dispute/store.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const inDays = (days: number) => new Date(w.service.tools.clock.now().getTime() + days * DAY_MS);

type Disputed = { readonly id: string; readonly order_id: string };

/** An answer is due in two days; the reminder of today was told, and the next one is planned. */
async function disputed(order_merchant_id: string): Promise<Disputed> {
  const { tools } = w.service;
  const fields = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id };
  const order_id = textAt(await w.shop.pay({}, fields), 'order_id');
  await w.shop.decided(order_id);
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const operation = order?.operations.find(({ kind }) => kind === 'capture');
  if (!order || !operation) throw new Error('no captured order');
  const dispute = {
    kind: 'dispute',
    state: 'opened',
    amount_minor: 1000n,
    currency: 'EUR',
    reason: 'Fraud',
    reason_code: '10.4',
    at: inDays(-1).toISOString(),
    due_at: inDays(2).toISOString(),
  } as const;
  expect(await recordDispute(tools, order, { operation, provider: 'simulator', dispute })).toBe(true);
  const [row] = await w.sql<{ id: string }>(
    `SELECT encode(id, 'hex') AS id FROM payment.disputes WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  return { id: row?.id ?? '', order_id };
}

const reminders = async ({ order_id }: Disputed) =>
  (await w.sql(`SELECT FROM payment.events WHERE type = 'dispute.due' AND subject_id = decode($1, 'hex')`, [order_id]))
    .length;
const plannedOf = async ({ id }: Disputed) =>
  (await w.sql(`SELECT remind_at::text AS at FROM payment.disputes WHERE id = decode($1, 'hex')`, [id]))[0]?.['at'];
/** What a worker does with a reminder that it took. */
const remind = ({ id, order_id }: Disputed) =>
  remindOfDispute(w.service.tools.db.tenant(w.account), { id, order_id, next_at: inDays(1.5), amount: '10.00' });

test('a worker that wakes up after its lease tells nothing that another one has told', async () => {
  const one = await disputed('woken');
  await w.sql(`UPDATE payment.disputes SET remind_at = payment.now() WHERE id = decode($1, 'hex')`, [one.id]);
  await until(async () => (await reminders(one)) === 1 || undefined);
  const planned = await plannedOf(one);
  expect(await remind(one)).toBe(false);
  expect([await reminders(one), await plannedOf(one)]).toEqual([1, planned]);
});

test('several that come for it at once tell it once', async () => {
  const one = await disputed('at-once');
  await w.sql(`UPDATE payment.disputes SET remind_at = payment.now() WHERE id = decode($1, 'hex')`, [one.id]);
  await Promise.all(Array.from({ length: 6 }, () => remind(one)));
  expect(await reminders(one)).toBe(1);
});
