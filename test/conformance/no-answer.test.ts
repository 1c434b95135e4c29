// No answer, or one that proves nothing, at each step of each operation: nothing is done twice, all of it ends, and the
// books agree.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt, until } from '../client.ts';
import { sizeOf } from '../sizes.ts';
import { SCENARIOS_OF, type Trouble, type Work } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { type Stand, doing, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

describe.each(PROVIDERS)('$name', (at) => {
  const works = Object.entries(at.steps) as [Work, readonly string[]][];
  // what follows an authorization is a story of 48, too
  const numbersOf = (work: Work, trouble: Trouble) =>
    `${SCENARIOS_OF[trouble]}${work === 'authorize' || work === 'sale' ? '' : ', 48'}`;
  const stories = works.flatMap(([work, steps]) =>
    steps.flatMap((step) =>
      at.troubles.map((trouble): [string, Work, string, Trouble] => [numbersOf(work, trouble), work, step, trouble]),
    ),
  );

  const partOf = <Story>(all: readonly Story[], usual: number) =>
    all.filter((_, i) => i % sizeOf('FLORIN_TEST_LOST', { usual, full: 1 }) === 0);
  test.each(partOf(stories, 24))('%s a %s whose %s is %s is healed', async (_, work, step, trouble) => {
    const bench = stand.bench(at);
    await bench.quiet(true);
    const order_id = await doing(bench, work, () => bench.drive.arm(trouble, step));
    await stand.heal(order_id);
    await bench.drive.clear();
    expect(await stand.differences(order_id)).toEqual([]);
    // it may have taken effect: nobody else is asked
    if (trouble.startsWith('silent') && step === at.steps[work].at(-1))
      expect(await stand.triedAt(order_id)).toEqual([at.name]);
    await bench.quiet(false);
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

  test.each(at.cuts ? [at] : [])('41 a line that was kept and is dead by now is replaced', async () => {
    const bench = stand.bench(at);
    await bench.pay();
    for (const kind of ['capture', 'cancel'] as const) {
      const order_id = textAt(await bench.pay(), 'order_id');
      await bench.drive.cutIdle?.();
      await bench.maintain(kind, order_id);
      await stand.heal(order_id);
      expect(await stand.differences(order_id)).toEqual([]);
    }
    await bench.drive.cutIdle?.();
    const order_id = textAt(await bench.pay(), 'order_id');
    await bench.drive.clear();
    await stand.heal(order_id);
    expect(await stand.differences(order_id)).toEqual([]);
  });

  const { late } = at.says;
  test.each(late ? [late] : [])('44 what is approved after it was undone is undone once more', async (how) => {
    const bench = stand.bench(at);
    await how.arm?.(stand.w);
    const order_id = textAt(await bench.pay({}, how.card ?? {}), 'order_id');
    await stand.heal(order_id);
    await bench.drive.clear();
    await how.comes?.(stand.w);
    // it is there, and nothing is held by it any more
    await until(async () => {
      const there = await bench.drive.books(order_id);
      return (there.length > 0 && there.every(({ held, captured }) => held + captured === 0n)) || undefined;
    }, 20).catch(() => undefined);
    await stand.heal(order_id);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_declined');
    expect(await stand.differences(order_id)).toEqual([]);
    expect(await bench.drive.books(order_id)).toMatchObject([{ held: 0n, captured: 0n }]);
  });

  test('43 an authorization that is not there yet is not given up while it may still come', async () => {
    const bench = stand.bench(at);
    await bench.drive.arm('silent_before', at.steps.authorize.at(-1) ?? '');
    const order_id = textAt(await bench.pay(), 'order_id');
    await stand.looked(order_id);
    const open = await stand.w.shop.read(order_id);
    await stand.heal(order_id);
    await bench.drive.clear();
    const ended = await stand.w.shop.read(order_id);
    expect([open.at('status'), ended.at('status')]).toEqual(['authorization_requested', 'authorization_declined']);
    expect(await stand.differences(order_id)).toEqual([]);
  });

  test('48 a capture that got lost before the last one takes nothing, and what it would have taken goes back', async () => {
    const bench = stand.bench(at);
    await bench.quiet(true);
    const order_id = textAt(await bench.pay(), 'order_id');
    await bench.drive.arm('closed_before', at.steps.capture.at(-1) ?? '');
    // a worker that is as quick as the merchant would repeat it before the last one, and it would be taken
    await bench.maintain('capture', order_id, { amount: '10.00' }, { prefer: 'wait=0' });
    await stand.leave(order_id);
    const last = await bench.maintain('capture', order_id, { amount: '5.00', final: true });
    await stand.heal(order_id);
    await bench.drive.clear();
    expect(await stand.differences(order_id)).toEqual([]);
    const { captures, rest_after_last_capture: rest } = bench.can;
    const read = await stand.w.shop.read(order_id);
    // a provider that takes one takes no last one; one that keeps the rest takes the lost one after all
    const captured = captures === 'one' ? 10 : rest === 'stays' ? 15 : 5;
    expect([last.status === 200, read.at('transactions.0.captured_amount')]).toEqual([captures !== 'one', captured]);
    expect(read.at('transactions.0.capturable_amount')).toBe(0);
    await bench.quiet(false);
  });

  const undone = at.undoes.flatMap((step) => at.troubles.map((trouble) => [step, trouble] as const));
  test.each(partOf(undone, 4))('48 what is unknown is undone, and the %s of that is %s', async (step, trouble) => {
    const bench = stand.bench(at);
    await bench.quiet(true);
    const work = step === 'undo' ? 'sale' : 'authorize';
    const order_id = await doing(bench, work, async () => {
      await bench.drive.arm('other_amount', at.steps[work].at(-1) ?? '');
      await bench.drive.arm(trouble, step);
    });
    await stand.heal(order_id);
    await bench.drive.clear();
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_declined');
    expect(await stand.differences(order_id)).toEqual([]);
  });
});
