// No answer, or one that proves nothing, at each step of each operation: nothing is done twice, all of it ends, and the books agree.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { textAt } from '../client.ts';
import type { Trouble, Work } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

vi.setConfig({ testTimeout: 60_000 });
let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

/** What is done before a work, and the work itself. */
async function doing(bench: Bench, work: Work, arm: () => Promise<void>): Promise<string> {
  if (work === 'authorize' || work === 'sale') {
    await arm();
    const operation_type = work === 'sale' ? 'direct_capture' : 'authorize';
    return textAt(await bench.pay({ operation_type }), 'order_id');
  }
  const operation_type = work === 'refund' ? 'direct_capture' : 'authorize';
  const order_id = textAt(await bench.pay({ operation_type }), 'order_id');
  await arm();
  await bench.maintain(work, order_id);
  return order_id;
}

describe.each(PROVIDERS)('$name', (at) => {
  const works = Object.entries(at.steps) as [Work, readonly string[]][];
  const stories = works.flatMap(([work, steps]) =>
    steps.flatMap((step) => at.troubles.map((trouble): [Work, string, Trouble] => [work, step, trouble])),
  );

  test.each(stories)('a %s whose %s is %s is healed', async (work, step, trouble) => {
    const bench = stand.bench(at);
    await bench.drive.hold(true);
    const order_id = await doing(bench, work, () => bench.drive.arm(trouble, step));
    await stand.heal(order_id);
    await bench.drive.clear();
    expect(await stand.differences(order_id)).toEqual([]);
    await bench.drive.hold(false);
  });
});
