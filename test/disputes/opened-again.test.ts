// A dispute that was lost, and that the provider opens again: an answer is due once more, and people are reminded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/durations.ts';
import { recordDispute } from '../../src/payment/dispute/record.ts';
import { findOrder } from '../../src/payment/order/facts/order-store.ts';
import type { Dispute } from '../../src/provider/notices.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

let w: World;
let ada: Person;
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const inDays = (days: number) => new Date(w.service.tools.clock.now().getTime() + days * DAY_MS).toISOString();
const told = (given: Partial<Dispute>): Dispute => ({
  kind: 'dispute',
  state: 'opened',
  amount_minor: 1000n,
  currency: 'EUR',
  reason: 'Fraud',
  reason_code: '10.4',
  reference: 'dp_again',
  at: inDays(-20),
  ...given,
});

async function tell(order_id: string, dispute: Dispute): Promise<void> {
  const { tools } = w.service;
  const order = await findOrder(tools.db.tenant(w.account), order_id);
  const operation = order?.operations.find(({ kind }) => kind === 'capture');
  if (!order || !operation) throw new Error('no captured order');
  expect(await recordDispute(tools, order, { operation, provider: 'simulator', dispute })).toBe(true);
}

/** A dispute that a person answered at the provider's own page, and that was lost. */
async function lost(order_merchant_id: string) {
  const fields = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id };
  const order_id = textAt(await w.shop.pay({}, fields), 'order_id');
  await w.shop.decided(order_id);
  await tell(order_id, told({ due_at: inDays(-5) }));
  const { id } = await until(async () => {
    const rows = ((await ada.get('/api/disputes')).at('disputes') ?? []) as readonly { id: string; order_id: string }[];
    return rows.find((one) => one.order_id === order_id);
  });
  const answered = await ada.post(`/api/disputes/${id}/answered`, { reason: 'answered by hand' });
  expect(answered.status).toBe(200);
  await tell(order_id, told({ state: 'lost', at: inDays(-4) }));
  expect((await ada.get(`/api/disputes/${id}`)).at('stage')).toBe('lost');
  return { order_id, id };
}

test.each([
  ['the day that the provider gives', 10],
  ['a day that is reckoned', undefined],
])('an answer is due once more, until %s, and takes no money again', async (name, days) => {
  const { order_id, id } = await lost(`again ${name}`);
  await tell(order_id, told({ at: inDays(-1), ...(days !== undefined && { due_at: inDays(days) }) }));
  const seen = await ada.get(`/api/disputes/${id}`);
  expect([seen.at('stage'), seen.at('answered_as'), seen.at('due_reckoned')]).toEqual([
    'needs_answer',
    null,
    days === undefined,
  ]);
  expect(new Date(seen.at('due_at') as string) > w.service.tools.clock.now()).toBe(true);
  const [row] = await w.sql<{ reminded: boolean; booked: number }>(
    `SELECT remind_at > payment.now() AS reminded, (
       SELECT count(*)::int FROM payment.ledger_entries WHERE source_id = d.id) AS booked
     FROM payment.disputes d WHERE id = decode($1, 'hex')`,
    [id],
  );
  expect(row).toEqual({ reminded: true, booked: 1 });
  expect((await ada.post(`/api/disputes/${id}/answered`, { reason: 'answered once more' })).status).toBe(200);
  expect((await ada.get(`/api/disputes/${id}`)).at('stage')).toBe('answered');
});
