// What takes its time: an outcome that is found out, and a refund that is pending for a day.
import { expect, test } from 'vitest';
import { until } from '../../client.ts';
import { world } from '../../world.ts';
import { merchantAt, orderOf } from '../merchant.ts';

test('an unanswered payment is pending, then in doubt, and never a decline before that is proved', async () => {
  await using w = await world();
  const { florin, pay } = merchantAt(w);
  const pending = await pay('4000009901000029', {}, 1);
  expect(pending.kind).toBe('pending');
  const doubt = await until(async () => {
    const outcome = await florin.orders.outcome(orderOf(pending));
    return outcome.kind === 'in_doubt' ? outcome : undefined;
  }, 25);
  expect(doubt.order_id).toBe(pending.order_id);
  await florin.sandbox.advanceClock({ seconds: 86_400 });
  expect(await florin.orders.waitUntilDecided(pending)).toMatchObject({
    kind: 'declined',
    reason: 'provider_unreachable',
  });
});

test('a refund that is pending is asked for again under its key, and done later', async () => {
  await using w = await world();
  const { florin, pay } = merchantAt(w);
  const order_id = orderOf(await pay('4000009903000043'));
  const refund = await florin.orders.refund(order_id, { amount: '1.00' }, { wait_seconds: 1 });
  if (refund.kind !== 'pending') throw new Error(refund.kind);
  expect((await refund.repeat()).kind).toBe('pending');
  await florin.sandbox.advanceClock({ seconds: 90_000 });
  const done = await refund.repeat();
  expect(done).toMatchObject({ kind: 'done', answer: { refunded_amount: 1 } });
});
