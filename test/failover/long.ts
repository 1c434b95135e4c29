// npm run failover:long: faults of every kind in a row, drawn by a seed (FLORIN_TEST_SEED), so many as
// FLORIN_TEST_FAULTS says. It fails where an acknowledged order is lost, an answer is wrong, or ledger and books do not
// agree; how long merchants could not pay and how long refusals took is printed, not asserted: machines differ.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chanceOf } from '../chaos/chance.ts';
import { sizeOf } from '../sizes.ts';
import { FAULTS } from './faults.ts';
import { findPrograms } from './server.ts';
import type { Figures } from './shop.ts';
import { Stage } from './stage.ts';
import { tableOf } from './table.ts';

const COUNT = sizeOf('FLORIN_TEST_FAULTS', { usual: 100, full: 100 });
const SEED = process.env['FLORIN_TEST_SEED'] ?? 'failover';
/** Of each fault, where the machine has much else to do. */
const MOST_MS = 180_000;

const chance = chanceOf(SEED, 'faults');
const names = Object.keys(FAULTS);
/** Each kind as often as the others, in an order of chance. */
const drawn = Array.from({ length: COUNT }, (_, i) => i)
  .flatMap((i) => (i % names.length === 0 ? chance.shuffled(names) : []))
  .slice(0, COUNT);

describe.skipIf(findPrograms() === undefined)(
  `${COUNT} faults by the seed ${SEED} (skipped without a PostgreSQL that has pg_basebackup)`,
  () => {
    const seen = new Map<string, Figures[]>();
    let stage: Stage;
    beforeAll(async () => {
      stage = await Stage.open();
    });
    afterAll(async () => {
      console.log(tableOf(seen, stage.shop.counts().acknowledged));
      await stage.close();
    });

    test.each(drawn.map((name, i) => [i + 1, name] as const))(
      '%i: %s',
      async (_, name) => {
        await stage.shop.paid(5);
        const began = stage.shop.now();
        await FAULTS[name]?.(stage);
        await stage.requireSound();
        seen.set(name, [...(seen.get(name) ?? []), stage.shop.since(began)]);
      },
      MOST_MS,
    );

    test('all of it agrees in the end: orders, ledger, the provider’s books, and what was told', async () => {
      expect(await stage.shop.settled(stage.primary)).toEqual([]);
      expect(await stage.shop.lost(stage.primary)).toEqual([]);
    });
  },
);
