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

/** The thread of the test, as if nobody else wanted its processor. */
const UNCROWDED = {
  spent: () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  },
  waited: () => 0,
};

test('the work rests nine times as long as it ran if others had work, and goes on at once if nobody had', async () => {
  const rests: number[] = [];
  const clock = { ticks: () => 0, sleep: async (ms: number) => void rests.push(ms) };
  let way = givingWay(clock, { alone: true, thread: UNCROWDED });
  for (let slice = 0; slice < 20; slice++) {
    work(1000);
    await way.give();
  }
  expect(rests).toEqual([]);
  way = givingWay(clock);
  work(4000);
  setImmediate(() => work(3000));
  await way.give();
  expect(rests.length).toBe(1);
  expect(rests[0]).toBeGreaterThanOrEqual(36);
});

test('in a process of its own nothing is taken for the work of others', async () => {
  const rests: number[] = [];
  const way = givingWay(
    { ticks: () => 0, sleep: async (ms) => void rests.push(ms) },
    { alone: true, thread: UNCROWDED },
  );
  work(1000);
  setImmediate(() => work(3000));
  await way.give();
  expect(rests).toEqual([]);
});

test('if waiting grows the work rests more, and once nobody wants the processor it goes on within some slices', async () => {
  const rests: number[] = [];
  let [spent_us, waited_us] = [0, 0];
  const clock = { ticks: () => 0, sleep: async (ms: number) => void rests.push(ms) };
  const way = givingWay(clock, { alone: true, thread: { spent: () => spent_us, waited: () => waited_us } });
  const slice = async (waited_ms: number) => {
    spent_us += 4000;
    waited_us += waited_ms * 1000;
    await way.give();
  };
  // a tenth of its time: for a while nothing, then the more the longer it lasts
  for (let i = 0; i < 20; i++) await slice(0.6);
  const [first = 0] = rests;
  expect(rests.length).toBeLessThan(20);
  expect(rests.at(-1)).toBeGreaterThan(first);
  expect(rests.at(-1)).toBeLessThan(36);
  // another process takes the processor at once
  await slice(20);
  expect(rests.at(-1)).toBeCloseTo(36, 9);
  for (let i = 0; i < 40; i++) await slice(0);
  rests.length = 0;
  await slice(0);
  expect(rests).toEqual([]);
});

test('a read that takes longer than its best is rested for, with what it did in the database', async () => {
  const rests: number[] = [];
  let now = 0;
  const way = givingWay(
    { ticks: () => now, sleep: async (ms) => void rests.push(ms) },
    { alone: true, thread: UNCROWDED },
  );
  const read = async (ms: number) => {
    const reading = way.reading(
      Promise.resolve().then(() => {
        now += ms;
        return Array.from({ length: 250 }, () => 0);
      }),
    );
    await reading;
    way.begin();
    await way.give();
  };
  await read(4);
  await read(9);
  expect(rests).toEqual([]);
  await read(40);
  expect(rests.length).toBe(1);
  expect(rests[0]).toBeGreaterThanOrEqual(36);
});
