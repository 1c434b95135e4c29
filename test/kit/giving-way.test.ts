// Long work beside payments: it rests where others had something to do in the turn that it gave them.
import { expect, test } from 'vitest';
import { givingWay } from '../../src/kit/process/giving-way.ts';

/** Uses so much of the processor, however little of it there is. */
function work(us: number): void {
  const began = process.threadCpuUsage();
  for (let spent = 0; spent < us;) {
    const { user, system } = process.threadCpuUsage(began);
    spent = user + system;
  }
}

test('it rests nine times as long as it worked if others had work, and goes on at once if nobody had', async () => {
  const rests: number[] = [];
  let now = 0;
  const way = givingWay({ ticks: () => now, sleep: async (ms) => void rests.push(ms) });
  for (let slice = 0; slice < 20; slice++) {
    work(1000);
    await way.give();
  }
  // the test's own process may have had something to do in one of them
  expect(rests.length).toBeLessThan(10);
  rests.length = 0;
  work(4000);
  setImmediate(() => work(3000));
  await way.give();
  expect(rests.length).toBe(1);
  expect(rests[0]).toBeGreaterThanOrEqual(36);
  // for each millisecond of a processor it has waited for more than one
  rests.length = 0;
  work(4000);
  now += 1000;
  await way.give();
  expect(rests.length).toBe(1);
});
