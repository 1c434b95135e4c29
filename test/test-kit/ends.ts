// A sandbox of florin/test with a clock of its own, and that nothing is left of any, however its test ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Kit from '../../test-kit/florin.d.cts';
import { until } from '../client.ts';
import { leftIn, sandboxesIn, temporary } from './places.ts';

const KIT = fileURLToPath(new URL('../../test-kit/florin.mjs', import.meta.url));
const { startFlorin, cards }: typeof Kit = await import(KIT);
const cache = temporary('florin-kit-');

beforeAll(() => void vi.stubEnv('XDG_CACHE_HOME', cache.path));
afterAll(() => {
  vi.unstubAllEnvs();
  cache.remove();
});

test('a sandbox with a clock of its own goes on in time, and ends with its test', async () => {
  const alone = await startFlorin({ own_clock: true });
  const before = await alone.clock.now();
  const waits = await alone.pay({ card: cards.refund_pending_done_after_1_day });
  await alone.ask(`/payment/maintenance/refund/${waits.order_id}`, { body: {}, headers: { prefer: 'wait=0' } });
  const after = await alone.clock.advance('1d1h');
  expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(25 * 3_600_000);
  await alone.notifications.next({ event: 'refund_successful', order: waits });
  await expect(alone.clock.advance('1y')).rejects.toThrow('is no span');
  await alone.close();
  await expect(alone.ask('/sandbox/clock')).rejects.toThrow('ECONNREFUSED');
});

test.each([
  ['with a sandbox alone', true],
  ['with the shared one', false],
])('a test that is killed leaves no process and no folder, %s', async (_, own_clock) => {
  const own = temporary('florin-killed-');
  const script = `const kit = await import(${JSON.stringify(KIT)});
    const florin = await kit.startFlorin({ own_clock: ${own_clock} });
    console.log(florin.api_url);
    await florin.notifications.next({}, { within: 600_000 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: own.path,
    env: { ...process.env, TMPDIR: own.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const left = () => [...leftIn(own.path), ...sandboxesIn(cache.path, own.path)];
  expect(left()).toContainEqual(expect.stringMatching(/florin-sandbox-\w{6}$/));
  expect(left().filter((one) => one.includes('postgres')).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until(() => (left().length === 0 ? true : undefined));
  await expect(fetch(String(line).trim())).rejects.toThrow('fetch failed');
  own.remove();
});
