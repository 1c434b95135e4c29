// "Not found" is no proof: a capture or a refund whose answer was lost is not sent again at the first inquiry that
// does not find it, because the first call may still be on its way; it is sent again once that cannot be any more, and
// done once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { looked, stall } from '../conformance/interrupt.ts';
import { type Kind, type Till, openTill } from '../maintenance/till.ts';
import { providers } from '../../src/provider/registry.ts';
import { textAt, until } from '../client.ts';
import { lostRefund } from './lost-refund.ts';
import { operationsOf } from './said.ts';

let till: Till;
beforeAll(async () => {
  till = await openTill();
});
afterAll(() => till[Symbol.asyncDispose]());

/** How often it was sent again, and how often its provider said that it does not know it. */
async function seen(operation_id: string): Promise<{ sent: number; not_found: number }> {
  const [row] = await till.w.sql<{ sent: number; not_found: number }>(
    `SELECT count(*) FILTER (WHERE outcome = 'sent')::int AS sent, count(*) FILTER (WHERE outcome = 'not_found')::int AS not_found
     FROM payment.observations WHERE operation_id = decode($1, 'hex')`,
    [operation_id],
  );
  return row ?? { sent: 0, not_found: 0 };
}

async function inFlight(operation_id: string, after_s: number): Promise<void> {
  await till.w.sql(
    `UPDATE payment.operations SET created_at = created_at - make_interval(secs => $2), due_at = payment.now() WHERE id = decode($1, 'hex')`,
    [operation_id, after_s],
  );
}

test.each(['capture', 'refund'] as const)(
  'a %s that is not found at first is not sent again before it cannot come any more',
  async (kind: Kind) => {
    const order_id = kind === 'capture' ? await till.authorize() : await till.sell();
    const scenario = { operation: kind, fault: 'http_500_before', times: 1 };
    expect((await till.shop.api('/sandbox/scenario', { body: scenario })).status).toBe(200);
    const reply = await till.maintain(kind, order_id, {}, { prefer: 'wait=1' });
    expect(textAt(reply, 'status')).toBe(`${kind}_requested`);
    const [operation_id = ''] = await operationsOf(till.w, order_id, kind);
    // again and again, while the first call may be on its way
    for (let times = 1; times <= 2; times++) {
      await inFlight(operation_id, 0);
      await until(async () => (await seen(operation_id)).not_found >= times || undefined);
      expect(await seen(operation_id)).toMatchObject({ sent: 0 });
    }
    // also where looks have become rare: the next is no later than the moment from which it proves something
    await till.w.sql(
      `UPDATE payment.operations
       SET tries = 9, created_at = payment.now() - interval '8 s', due_at = payment.now()
       WHERE id = decode($1, 'hex')`,
      [operation_id],
    );
    await until(async () => (await seen(operation_id)).not_found >= 3 || undefined);
    const [next] = await till.w.sql<{ after_s: number }>(
      `SELECT extract(epoch FROM due_at - created_at)::float8 AS after_s
       FROM payment.operations WHERE id = decode($1, 'hex')`,
      [operation_id],
    );
    const in_flight_s = providers().get('simulator')?.can.in_flight_s ?? 0;
    expect(next?.after_s).toBeLessThan(in_flight_s + 5);
    await inFlight(operation_id, 3600);
    await until(async () => (await till.shop.read(order_id)).at('status') === `${kind}_successful` || undefined);
    expect(await seen(operation_id)).toMatchObject({ sent: 1 });
    const books = await till.books(order_id);
    expect(books.filter((row) => row.kind === kind).map(({ effects }) => effects)).toEqual([1]);
  },
);

test('a process that stood still after its inquiry sends nothing once another has taken the refund up and sent it', async () => {
  const { order_id, operation_id } = await lostRefund(till);
  using still = stall(till.w, 'inquiry');
  const first = looked(till.w, order_id);
  await still.reached;
  // its lease is over
  await looked(till.w, order_id);
  expect((await till.shop.read(order_id)).at('status')).toBe('refund_successful');
  still.goOn();
  await first;
  const books = await till.books(order_id);
  expect(books.filter(({ kind }) => kind === 'refund').map(({ effects }) => effects)).toEqual([1]);
  expect(await seen(operation_id)).toMatchObject({ sent: 1 });
});

test('an inquiry that takes longer than its lease is followed by what it allows, if nobody was quicker', async () => {
  const { order_id, operation_id } = await lostRefund(till);
  using still = stall(till.w, 'inquiry');
  const only = looked(till.w, order_id);
  await still.reached;
  await till.w.sql(`UPDATE payment.operations SET tries = tries + 1 WHERE id = decode($1, 'hex')`, [operation_id]);
  still.goOn();
  await only;
  expect(await seen(operation_id)).toMatchObject({ sent: 1 });
  expect((await till.shop.read(order_id)).at('status')).toBe('refund_successful');
});
