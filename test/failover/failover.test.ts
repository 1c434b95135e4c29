// The database machine dies under load, in each way that was seen to lose orders; then what was told to merchants is
// compared with what the server that is left has. Skipped where there is no PostgreSQL with replication. A hundred of
// them in a row, with how long each took: npm run failover:long.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { openCluster } from './nodes.ts';
import { findPrograms } from './server.ts';
import { openShop } from './shop.ts';
import { Stage } from './stage.ts';

const HAS_PROGRAMS = findPrograms() !== undefined;
if (!HAS_PROGRAMS)
  console.warn('skipped: failover needs a PostgreSQL with pg_basebackup, as the package postgresql-15');

describe.skipIf(!HAS_PROGRAMS)('the primary is lost (skipped without a PostgreSQL that has pg_basebackup)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  test.each(Object.entries(FAULTS))('%s', async (_, fault) => {
    await stage.shop.paid(10);
    await fault(stage);
    await stage.requireSound();
  });

  test('all of it agrees in the end: orders, ledger, the provider’s books, and what was told', async () => {
    expect(await stage.shop.settled(stage.primary)).toEqual([]);
    expect(await stage.shop.lost(stage.primary)).toEqual([]);
  });
});

describe.skipIf(!HAS_PROGRAMS)('a manager that is wrong (skipped without a PostgreSQL that has pg_basebackup)', () => {
  test('the standby that has less is promoted: what merchants were told is missing, and it is seen; a base backup has no cvc', async () => {
    await using cluster = await openCluster(mkdtempSync(join(tmpdir(), 'florin-nodes-')), ['a', 'b', 'c']);
    await using shop = await openShop(cluster, { FLORIN_CVC_STORE: 'database' });
    const [primary, other, lagging] = cluster.nodes;
    if (!primary || !other || !lagging) throw new Error('there are three nodes');
    await shop.paid(5);
    // not frozen only: what is on its way to it would still come
    await lagging.kill();
    lagging.copy(primary);
    const unlogged = await primary.look<{ path: string; size: number }>(
      `SELECT pg_relation_filepath(oid) AS path, pg_relation_size(oid)::int AS size
       FROM pg_class
       WHERE relnamespace = 'vault'::regnamespace
         AND relname ~ '^cvc.*_[0-7]$'`,
      'florin',
    );
    // the primary has written cvcs to its disk; of those files a backup has the empty beginnings
    expect([unlogged.length, unlogged.some(({ size }) => size > 0)]).toEqual([16, true]);
    for (const { path } of unlogged)
      expect([lagging.holds(path), lagging.holds(`${path}_init`)]).toEqual([false, true]);
    await shop.paid(20);
    await primary.kill();
    await other.kill();
    await lagging.start();
    await lagging.promote();
    other.copy(lagging);
    await other.start();
    await shop.paid(5);
    expect((await shop.lost(lagging)).length).toBeGreaterThan(0);
  }, 120_000);
});
