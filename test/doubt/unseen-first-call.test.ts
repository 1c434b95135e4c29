// What was done, and is not shown yet where we ask: the operation is sent once more under another key, and the provider
// says that it was done before. That may be our own first call.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDERS } from '../conformance/providers.ts';
import { type Stand, openStand } from '../conformance/stand.ts';
import { textAt, until } from '../client.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

/** The provider is asked, and does not show what it did, until the function that it gives is called. */
function blind(name: string): () => void {
  const { tools } = stand.w.service;
  const { providers } = tools;
  const one = providers.get(name);
  if (!one) throw new Error(`there is no ${name}`);
  const read: typeof one.read = (step, answer, facts, kept) =>
    facts.kind === 'inquiry' ? { kind: 'not_found' } : one.read(step, answer, facts, kept);
  Object.assign(tools, { providers: new Map([...providers, [name, { ...one, read }]]) });
  return () => void Object.assign(tools, { providers });
}

const keysOf = (order_id: string, kind: string) =>
  stand.w.sql<{ state: string; key_round: number; waits: boolean }>(
    `SELECT state, key_round, due_at > payment.now() AS waits
     FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = $2`,
    [order_id, kind],
  );

/** Recovery takes it up once. */
async function lookedAt(order_id: string, kind: string): Promise<void> {
  await stand.w.sql(
    `UPDATE payment.operations SET due_at = payment.now() WHERE order_id = decode($1, 'hex') AND kind = $2`,
    [order_id, kind],
  );
  stand.w.service.tools.wake_up.wake();
  await until(async () => {
    const [row] = await keysOf(order_id, kind);
    return (
      (stand.w.service.tools.running.find(order_id) === undefined && row?.key_round === 1 && row.waits) || undefined
    );
  });
}

const ASKED = PROVIDERS.filter(({ asks }) => asks !== undefined);

describe.each(ASKED)('$name', (at) => {
  test.each([
    ['capture', '25.00'],
    ['refund', '25.00'],
    ['refund', '15.00'],
  ] as const)(
    'a %s of %s that is done, and is not shown when it is asked for, is not called declined because it is done',
    async (work, amount) => {
      const bench = stand.bench(at);
      await bench.quiet(true);
      const operation_type = work === 'refund' ? 'direct_capture' : 'authorize';
      const order_id = textAt(await bench.pay({ operation_type }), 'order_id');
      await bench.drive.arm('error_after', at.steps[work].at(-1) ?? '');
      await bench.maintain(work, order_id, { amount }, { prefer: 'wait=0' });
      await stand.leave(order_id);
      await stand.aged(order_id);
      const shown = blind(at.name);
      await lookedAt(order_id, work);
      shown();
      expect(await keysOf(order_id, work)).toMatchObject([{ state: 'in_doubt' }]);
      await stand.heal(order_id);
      expect((await stand.w.shop.read(order_id)).at('status')).toBe(`${work}_successful`);
      expect(await stand.differences(order_id)).toEqual([]);
      await bench.quiet(false);
    },
  );
});
