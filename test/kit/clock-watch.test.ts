// How far the database's clock was set forward, by looks at it that take their time.
import { expect, test } from 'vitest';
import { ClockWatch, REMEMBERED_MS } from '../../src/kit/clock.ts';

/** A database whose clock is set by the test, and that takes `there_ms` to hear and `back_ms` to be heard. */
function stage() {
  let ticks = 5000;
  let ahead_ms = 1_700_000_000_000;
  let [there_ms, back_ms] = [1, 1];
  const read = async () => {
    ticks += there_ms;
    const now_ms = ticks + ahead_ms;
    ticks += back_ms;
    return now_ms;
  };
  const watch = new ClockWatch(() => ticks);
  return {
    /** Looks after so long. */
    look: async (after_ms: number, took: readonly [there_ms: number, back_ms: number] = [1, 1]) => {
      ticks += after_ms;
      [there_ms, back_ms] = took;
      await watch.look(read);
      return watch.setForward_ms();
    },
    set: (by_ms: number) => (ahead_ms += by_ms),
    watch,
  };
}

test('a clock that goes on as ours does is not set forward, however long a look takes, and which way', async () => {
  const { look, watch } = stage();
  expect(watch.setForward_ms()).toBe(0);
  for (const took of [
    [1, 1],
    [900, 0],
    [0, 4000],
    [3, 3],
    [2500, 2500],
    [0, 0],
  ] as const)
    expect(await look(1000, took)).toBe(0);
});

test('what it was set forward by is known with the next look, but for the time that the looks took', async () => {
  const { look, set } = stage();
  await look(1000);
  set(3_600_000);
  expect(await look(250)).toBe(3_600_000 - 2);
  expect(await look(1000, [0, 700])).toBe(3_600_000 - 701);
  set(60_000);
  expect(await look(1000)).toBe(3_660_000 - 2);
});

test('what it was set back by is kept until it is done with; seconds are nothing', async () => {
  const { look, set, watch } = stage();
  await look(1000);
  set(-50_000);
  await look(1000);
  expect(watch.setBack_ms()).toBe(0);
  set(-3_600_000);
  await look(1000);
  set(-600_000);
  await look(1000, [0, 700]);
  const by_ms = watch.setBack_ms();
  expect(by_ms).toBe(4_200_000 - 2 - 1);
  await look(1000);
  expect(watch.setBack_ms()).toBe(by_ms);
  watch.doneWithSetBack(by_ms);
  expect(watch.setBack_ms()).toBe(0);
});

test('a look that began before and ends after another one says nothing more', async () => {
  let ticks = 0;
  const watch = new ClockWatch(() => ticks++);
  await watch.look(async () => ticks);
  const slow = Promise.withResolvers<number>();
  const overtaken = watch.look(() => slow.promise);
  await watch.look(async () => ticks + 3_600_000);
  slow.resolve(ticks);
  await overtaken;
  expect(watch.setForward_ms()).toBeGreaterThan(3_599_000);
});

test('it is remembered for as long as a call can be on its way, and then forgotten', async () => {
  const { look, set } = stage();
  await look(1000);
  set(3_600_000);
  expect(await look(1000)).toBeGreaterThan(3_599_000);
  for (let passed = 0; passed < REMEMBERED_MS; passed += 1000) expect(await look(998)).toBeGreaterThan(3_599_000);
  expect(await look(1000)).toBe(0);
});

test('what was so before no look was possible is remembered from the first look on', async () => {
  const { look, set } = stage();
  await look(1000);
  set(3_600_000);
  expect(await look(2 * REMEMBERED_MS)).toBeGreaterThan(3_599_000);
  expect(await look(REMEMBERED_MS - 1000)).toBeGreaterThan(3_599_000);
  expect(await look(2000)).toBe(0);
});

test('a clock that is set back is not set forward; what is set right again counts, as what was written meanwhile is younger', async () => {
  const { look, set } = stage();
  await look(1000);
  set(-3_600_000);
  expect(await look(1000)).toBe(0);
  set(3_600_000);
  expect(await look(1000)).toBeGreaterThan(3_599_000);
});
