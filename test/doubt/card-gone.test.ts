// An authorization that is in doubt for longer than the vault keeps the card of one payment, and the provider's sealed
// answer: it is settled all the same, since nothing that settles it needs the card again.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { PROVIDERS } from '../conformance/providers.ts';
import { type Stand, openStand } from '../conformance/stand.ts';
import { deleteOld } from '../../src/vault/store.ts';

const AT_ONCE = { prefer: 'wait=0' };
const DAYS = 2;

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

/** All of it lies two days back: the operation, its call, the token, and what the vault kept of the answer. */
async function daysLater(order_id: string): Promise<void> {
  const { sql } = stand.w;
  await sql(
    `UPDATE payment.operations
     SET created_at = created_at - make_interval(days => $2), sent_at = sent_at - make_interval(days => $2)
     WHERE order_id = decode($1, 'hex')`,
    [order_id, DAYS],
  );
  await sql(
    `UPDATE vault.cards
     SET expires_at = expires_at - make_interval(days => $2), delete_after = delete_after - make_interval(days => $2)
     WHERE spent_order_id = decode($1, 'hex')`,
    [order_id, DAYS],
  );
  await sql(
    `UPDATE vault.forwards SET sent_at = sent_at - make_interval(days => $2) WHERE order_id = decode($1, 'hex')`,
    [order_id, DAYS],
  );
  await deleteOld({ run: async (_, text) => sql(text) });
  expect(await sql(`SELECT 1 FROM vault.cards WHERE spent_order_id = decode($1, 'hex')`, [order_id])).toEqual([]);
}

describe.each(PROVIDERS)('$name', (at) => {
  test.each([
    ['authorize', 'authorize'],
    ['direct_capture', 'sale'],
  ] as const)('an order of %s that was in doubt for two days is settled, and the books agree', async (type, work) => {
    const bench = stand.bench(at);
    await bench.quiet(true);
    const lost = at.troubles.includes('error_after') ? 'error_after' : 'silent_after';
    await bench.drive.arm(lost, at.steps[work].at(-1) ?? '');
    const order_id = textAt(await bench.pay({ operation_type: type }, undefined, AT_ONCE), 'order_id');
    await stand.leave(order_id);
    await daysLater(order_id);
    await stand.heal(order_id);
    const order = await stand.w.shop.read(order_id);
    expect([order.at('order.is_in_doubt') ?? order.at('is_in_doubt'), await stand.differences(order_id)]).toEqual([
      false,
      [],
    ]);
    await bench.quiet(false);
  });
});
