// placeholder while the shape is tried
import { expect, test } from 'vitest';
import { worldOfProcesses } from '../world.ts';

test('a payment over processes', async () => {
  const t = performance.now();
  await using w = await worldOfProcesses();
  console.log('started', performance.now() - t);
  const reply = await w.shop.pay();
  expect(reply.code).toBe('955555');
  console.log('paid', performance.now() - t);
});
