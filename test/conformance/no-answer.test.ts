// No answer, or one that proves nothing, at each step of each operation: nothing is done twice, all of it ends, and the books agree.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { textAt } from '../client.ts';
import { sizeOf } from '../sizes.ts';
import type { Trouble, Work } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { type Stand, doing, openStand } from './stand.ts';

vi.setConfig({ testTimeout: 60_000 });
let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

describe.each(PROVIDERS)('$name', (at) => {
  const works = Object.entries(at.steps) as [Work, readonly string[]][];
  const stories = works.flatMap(([work, steps]) =>
    steps.flatMap((step) => at.troubles.map((trouble): [Work, string, Trouble] => [work, step, trouble])),
  );

  const part = stories.filter((_, i) => i % sizeOf('FLORIN_TEST_LOST', { usual: 12, full: 1 }) === 0);
  test.each(part)('39, 40, 42, 43, 45, 46, 47, 48 a %s whose %s is %s is healed', async (work, step, trouble) => {
    const bench = stand.bench(at);
    await bench.drive.hold(true);
    const order_id = await doing(bench, work, () => bench.drive.arm(trouble, step));
    await stand.heal(order_id);
    await bench.drive.clear();
    expect(await stand.differences(order_id)).toEqual([]);
    await bench.drive.hold(false);
  });

  test.each(at.refuses ? [at] : [])('38 where no connection to $name is had, another provider is paid at', async () => {
    const bench = stand.bench(at);
    await bench.drive.listen(false);
    const reply = await bench.pay();
    await bench.drive.listen(true);
    expect(reply.code).toBe('944444');
    expect(reply.at('payin_partner')).not.toBe(at.name);
    expect(await stand.differences(textAt(reply, 'order_id'))).toEqual([]);
  });

  const undone = at.undoes.flatMap((step) => at.troubles.map((trouble) => [step, trouble] as const));
  test.each(undone)('48 what is unknown is undone, and the %s of that is %s', async (step, trouble) => {
    const bench = stand.bench(at);
    await bench.drive.hold(true);
    const order_id = await doing(bench, step === 'undo' ? 'sale' : 'authorize', async () => {
      await bench.drive.arm('other_amount', at.steps.authorize.at(-1) ?? '');
      await bench.drive.arm(trouble, step);
    });
    await stand.heal(order_id);
    await bench.drive.clear();
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_declined');
    expect(await stand.differences(order_id)).toEqual([]);
  });
});
