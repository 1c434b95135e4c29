// A provider that answers just before its deadline, or not at all, keeps its share of the recovery's places, and none
// of the others'.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../client.ts';
import { holdRecovery } from '../undecided.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  // long enough that they hang until this test is over, on a slow machine too
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '25' });
});
afterAll(() => w[Symbol.asyncDispose]());

const PENDING = { card_number: '4000009901000110' };
/** More than there are places. */
const HANGING = 80;
/** Paid at once: what hosts do with eighty new connections is not looked at here. */
const AT_ONCE = 8;
let next = 0;
const HANGING_AMOUNT = '33.00';

/** Providers whose inquiries ended, the first one first. */
const inquired = async (): Promise<readonly string[]> => {
  const rows = await w.sql<{ provider: string }>(
    `SELECT o.provider
     FROM payment.observations s
     JOIN payment.operations o ON o.id = s.operation_id
     WHERE s.source = 'inquiry'
     GROUP BY o.provider
     ORDER BY min(s.at)`,
  );
  return rows.map(({ provider }) => provider);
};

test('an order at another provider is asked about while eighty inquiries hang', async () => {
  const letGo = await holdRecovery(w);
  const pay = async (fields: object) => {
    const order = {
      operation_type: 'authorize',
      amount: '25.00',
      currency: 'EUR',
      order_merchant_id: `slow-${next++}`,
    };
    const token = await w.shop.token(PENDING);
    const paid = await w.shop.order({ token, ...order, ...fields }, { prefer: 'wait=0' });
    expect(paid.code, paid.text).toBe('421080');
  };
  const at_a = { amount: HANGING_AMOUNT, merchant_contract: 'simulator' };
  for (let n = 0; n < HANGING; n += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, () => pay(at_a)));
  await pay({ merchant_contract: 'simulator_b' });
  // each has been answered that it is pending
  await until(async () => {
    const [row] = await w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM payment.operations WHERE waits_for = 'provider'`,
    );
    return row?.n === HANGING + 1 ? true : undefined;
  });
  const fault = { operation: 'inquiry', fault: 'timeout_taken', times: HANGING };
  const armed = await w.shop.api('/sandbox/scenario', {
    body: { ...fault, match: { amount: Number(HANGING_AMOUNT) } },
  });
  expect(armed.status, armed.text).toBe(200);
  await letGo();
  // those that will hang have waited longer
  await w.sql(
    `UPDATE payment.operations
     SET due_at = payment.now() - CASE provider WHEN 'simulator' THEN interval '10 s' ELSE interval '1 s' END`,
  );
  const first = await until(async () => {
    const ended = await inquired();
    return ended.includes('simulator_b') ? ended[0] : undefined;
  });
  expect(first).toBe('simulator_b');
});
