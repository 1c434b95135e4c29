// Refused, or not what was asked for: the merchant is told why, and nothing stands at the provider.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import type { Work } from './at/contract.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, doing, openStand } from './stand.ts';

const NUMBERS = { other_amount: '50', other_currency: '51', other_reference: '52' } as const;

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand[Symbol.asyncDispose]());

describe.each(PROVIDERS)('$name', (at) => {
  let bench: Bench;
  beforeAll(() => {
    bench = stand.bench(at);
  });

  test.each(Object.entries(at.cards.declined))('19 the card %s is declined with %s', async (card, code) => {
    const reply = await bench.pay({}, card);
    expect([reply.code, reply.at('status')]).toEqual([code, 'authorization_declined']);
    await stand.heal(textAt(reply, 'order_id'));
    expect(await stand.differences(textAt(reply, 'order_id'))).toEqual([]);
  });

  const twists = at.twists.map((twist) => [NUMBERS[twist], twist] as const);
  test.each(twists)('%s an authorization that is answered with %s is undone', async (_, twist) => {
    await bench.drive.arm(twist, at.steps.authorize.at(-1) ?? '');
    // a message that comes before the answer says what was asked for
    await bench.drive.hold(true);
    const order_id = textAt(await bench.pay(), 'order_id');
    await bench.drive.hold(false);
    await bench.drive.tellWaiting();
    await stand.heal(order_id);
    await bench.drive.clear();
    const read = await stand.w.shop.read(order_id);
    expect([read.code, read.at('status')]).toEqual(['420410', 'authorization_declined']);
    expect(await stand.differences(order_id)).toEqual([]);
  });

  test.each(twists)('%s a capture that is answered with %s waits for a proof', async (_, twist) => {
    const order_id = textAt(await bench.pay(), 'order_id');
    await bench.drive.arm(twist, at.steps.capture.at(-1) ?? '');
    await bench.maintain('capture', order_id);
    await stand.heal(order_id);
    await bench.drive.clear();
    expect((await stand.w.shop.read(order_id)).at('status')).toBe('capture_successful');
    expect(await stand.differences(order_id)).toEqual([]);
  });

  const steps = Object.entries(at.steps).flatMap(([work, names]) => names.map((step) => [work as Work, step] as const));
  const away = at.turned_away.flatMap((why) =>
    steps.map(([work, step]) => [why === 'credentials' ? '25' : '26', work, step, why] as const),
  );
  test.each(away)(
    '%s a %s whose %s is turned away for its %s ends, and the books agree',
    async (_, work, step, why) => {
      const order_id = await doing(bench, work, () => bench.drive.arm(why, step));
      await stand.heal(order_id);
      await bench.drive.clear();
      expect(await stand.differences(order_id)).toEqual([]);
    },
  );
});
