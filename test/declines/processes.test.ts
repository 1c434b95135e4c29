// Whole processes on one database, which know nothing of each other but what stands there: with more than a hundred
// tries of one card at once they never pass a limit of its scheme. Products that do are in processes-mutants.ts.
import { expect, test } from 'vitest';
import { AT_ONCE, MOST, PROCESSES, race } from './race.ts';

test.each(Object.entries(MOST))(
  `of ${AT_ONCE} at once over ${PROCESSES} processes with %s, %i are begun`,
  async (card, most) => {
    const { begun, counted, sent } = await race([], card as keyof typeof MOST);
    expect(begun).toBeGreaterThanOrEqual(most);
    expect(counted).toBeLessThanOrEqual(most);
    expect(sent).toBeGreaterThan(most / 2);
    expect(sent).toBeLessThanOrEqual(most);
  },
);
