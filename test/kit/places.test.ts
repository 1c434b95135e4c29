// Places that are shared by name: nobody takes more than half of what the others leave free.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makePlaces } from '../../src/kit/places.ts';

const never = new Promise<never>(() => undefined);
const takeAll = (places: ReturnType<typeof makePlaces>, name: string): number => {
  let count = 0;
  for (; places.left(name) > 0; count++) places.hold(name, never);
  return count;
};

test('a lone user takes half, and each greedy user after it half of the rest', () => {
  const places = makePlaces(64);
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => takeAll(places, name))).toEqual([32, 16, 8, 4, 2, 1]);
  expect([places.free(), places.left('new'), places.left('a')]).toEqual([1, 1, 0]);
});

test('an ended one makes room, told at once, and however it ended', async () => {
  const told: string[] = [];
  const places = makePlaces(2, () => told.push('ended'));
  const failing = Promise.withResolvers<void>();
  places.hold('a', failing.promise);
  expect([places.left('a'), places.crowded(), places.room()]).toEqual([0, ['a'], 1]);
  failing.reject(new Error('lost'));
  await places.freed();
  expect([places.left('a'), places.crowded(), places.free(), told]).toEqual([1, [], 2, ['ended']]);
  await places.drain();
});

test('whatever was taken: no more than there are, and what may be taken unseen is left to all who are not crowded', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (most, takers) => {
      const places = makePlaces(most);
      for (const name of takers) if (places.left(name) > 0) places.hold(name, never);
      expect(places.free()).toBeGreaterThanOrEqual(0);
      // a newcomer waits for nobody as long as a place is free
      expect(places.left('new') > 0).toBe(places.free() > 0);
      const others = ['a', 'b', 'c', 'd', 'new'].filter((name) => !places.crowded().includes(name));
      for (const name of others)
        expect(places.left(name)).toBeGreaterThanOrEqual(Math.min(places.room(), places.free()));
      expect(places.room() > 0).toBe(places.free() > 0);
    }),
  );
});
