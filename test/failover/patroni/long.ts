// npm run failover:patroni: deploy/'s Patroni, etcd and haproxy as they run, under faults of every kind in turn, drawn
// by a seed (FLORIN_TEST_SEED), so many as FLORIN_TEST_FAULTS says. It fails where an acknowledged order is lost, an
// answer is wrong, or ledger and books do not agree; how long merchants could not pay is printed, not asserted. On
// Debian 13, as root: apt-get install patroni etcd-server haproxy postgresql. Debian's Patroni before is too old.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chanceOf } from '../../chaos/chance.ts';
import { sizeOf } from '../../sizes.ts';
import type { Figures } from '../shop.ts';
import { tableOf } from '../table.ts';
import { Managed, missing } from './cluster.ts';
import { FAULTS } from './faults.ts';

const names = Object.keys(FAULTS);
const COUNT = sizeOf('FLORIN_TEST_FAULTS', { usual: names.length, full: names.length });
const SEED = process.env['FLORIN_TEST_SEED'] ?? 'patroni';
const MOST_MS = 300_000;

const chance = chanceOf(SEED, 'faults');
const drawn = Array.from({ length: Math.ceil(COUNT / names.length) }, () => chance.shuffled(names))
  .flat()
  .slice(0, COUNT);
const lacks = missing();

if (lacks !== undefined) console.warn(`skipped: there is no ${lacks}`);

describe.skipIf(lacks !== undefined)(`${COUNT} faults by the seed ${SEED} (skipped without Patroni 4)`, () => {
  const seen = new Map<string, Figures[]>();
  let managed: Managed;
  beforeAll(async () => {
    managed = await Managed.open();
  }, MOST_MS);
  afterAll(async () => {
    console.log(tableOf(seen, managed.shop.counts().acknowledged));
    await managed.close();
  }, MOST_MS);

  test.each(drawn.map((name, i) => [i + 1, name] as const))(
    '%i: %s',
    async (_, name) => {
      await managed.shop.paid(5);
      const began = managed.shop.now();
      await FAULTS[name]?.(managed);
      await managed.requireSound();
      seen.set(name, [...(seen.get(name) ?? []), managed.shop.since(began)]);
      await managed.whole();
    },
    MOST_MS,
  );

  test('all of it agrees in the end: orders, ledger, the provider’s books, and what was told', async () => {
    const primary = await managed.primary();
    expect(await managed.shop.settled(primary)).toEqual([]);
    expect(await managed.shop.lost(primary)).toEqual([]);
  });
});
