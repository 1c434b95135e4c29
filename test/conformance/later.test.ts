// Days later: a hold that is over, and a capture that comes to nothing. The sandbox's clock is moved, and that of every
// simulator with it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_S } from '../../src/core/durations.ts';
import { textAt, until } from '../client.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, doing, openStand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

/** All that is due meanwhile is done, each at its time. */
const passes = async (seconds: number) => {
  const { status, text } = await stand.w.shop.api('/sandbox/clock/advance', { body: { seconds } });
  expect([status, text.slice(0, 200)]).toEqual([200, expect.anything()]);
};
const days = (count: number) => passes(count * DAY_S);

describe.each(PROVIDERS)('$name', (at) => {
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });
  const agrees = async (order_id: string) => {
    await stand.heal(order_id);
    expect(await stand.differences(order_id)).toEqual([]);
  };

  test('15 a hold that is over is neither captured nor cancelled', async () => {
    const order_id = textAt(await bench.pay(), 'order_id');
    await days(40);
    await agrees(order_id);
    for (const kind of ['capture', 'cancel'] as const)
      expect((await bench.maintain(kind, order_id)).status).not.toBe(200);
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('authorization_expired');
    await agrees(order_id);
    expect(await bench.drive.books(order_id)).toMatchObject([{ held: 0n, captured: 0n }]);
  });

  test('the end of a hold of which a part was captured leaves nothing in doubt', async () => {
    const order_id = textAt(await bench.pay(), 'order_id');
    expect((await bench.maintain('capture', order_id, { amount: '10.00' })).code).toBe('955555');
    await days(40);
    await agrees(order_id);
    const read = await stand.w.shop.read(order_id);
    expect([read.at('status'), read.at('is_in_doubt')]).toEqual(['capture_successful', false]);
    expect(await bench.drive.books(order_id)).toMatchObject([{ captured: 1000n }]);
  });

  test.each(at.troubles.includes('error_before') ? (['capture', 'refund', 'cancel'] as const) : [])(
    '45 a %s whose first call failed is done within five minutes, with the waits that there are',
    async (work) => {
      const order_id = await doing(bench, work, () => bench.drive.arm('error_before', at.steps[work].at(-1) ?? ''));
      await passes(5 * 60);
      await bench.drive.clear();
      const read = await stand.w.shop.read(order_id);
      expect(read.at('status')).toBe(work === 'cancel' ? 'authorization_cancelled' : `${work}_successful`);
      await agrees(order_id);
    },
  );

  const { failing_capture } = at.says;
  test.each(failing_capture ? [failing_capture] : [])(
    '68 a capture that fails days later is told, and taken back',
    async ({ card, tell }) => {
      const order_id = textAt(await bench.pay({}, card ?? {}), 'order_id');
      expect((await bench.maintain('capture', order_id)).code).toBe('955555');
      await days(4);
      await tell?.(stand.w, order_id);
      await until(async () => (await stand.w.shop.read(order_id)).at('status') === 'capture_declined' || undefined);
      await agrees(order_id);
      expect(await bench.drive.books(order_id)).toMatchObject([{ captured: 0n }]);
    },
  );
});
