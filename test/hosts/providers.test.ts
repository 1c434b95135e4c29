// Hosts apart: the payment host itself looks how providers are, since it chooses among them and calls them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../client.ts';
import { type World, worldOfProcesses } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await worldOfProcesses();
});
afterAll(() => w[Symbol.asyncDispose]());

const partner = async () => (await w.shop.pay()).at('payin_partner');

test('a provider that is held gets nothing from a payment host, its calls are counted there, and it comes back', async () => {
  expect(await partner()).toBe('simulator');
  const counted = await until(async () => {
    const [row] = await w.sql<{ seen: number }>(
      `SELECT sum(seen)::int AS seen FROM payment.health_counts WHERE provider = 'simulator'`,
    );
    return row?.seen ?? undefined;
  });
  expect(counted).toBeGreaterThan(0);
  await w.sql(`INSERT INTO payment.providers (name, held) VALUES ('simulator', 'open')
    ON CONFLICT (name) DO UPDATE SET held = 'open'`);
  await until(async () => (await partner()) === 'simulator_b' || undefined);
  await w.sql(`UPDATE payment.providers SET held = NULL`);
  await until(async () => (await partner()) === 'simulator' || undefined);
});
