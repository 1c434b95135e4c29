// The database machine dies under load, in each way that was seen to lose orders; then what was told to merchants is
// compared with what the server that is left has. Skipped where there is no PostgreSQL with replication.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, type Node, findPrograms, openCluster } from './nodes.ts';
import { type Shop, openShop } from './shop.ts';

const HAS_PROGRAMS = findPrograms() !== undefined;
if (!HAS_PROGRAMS)
  console.warn('skipped: failover needs a PostgreSQL with pg_basebackup, as the package postgresql-15');

describe.skipIf(!HAS_PROGRAMS)('the primary is lost (skipped without a PostgreSQL that has pg_basebackup)', () => {
  let cluster: Cluster;
  let shop: Shop;
  let primary: Node;
  beforeAll(async () => {
    cluster = await openCluster(mkdtempSync(join(tmpdir(), 'florin-nodes-')), ['a', 'b', 'c']);
    shop = await openShop(cluster);
    primary = nodeAt(0);
  }, 120_000);
  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  }, 60_000);

  function nodeAt(i: number): Node {
    const node = cluster.nodes[i];
    if (!node) throw new Error('there are three nodes');
    return node;
  }

  const standbys = () => cluster.nodes.filter((node) => node !== primary);

  /** What a manager does: the standby that has more is promoted, the other follows it. Answers the old primary. */
  async function failOver(): Promise<Node> {
    const old = primary;
    const [one, two] = standbys();
    if (!one || !two) throw new Error('there are two standbys');
    const [next, other] = (await one.received()) >= (await two.received()) ? [one, two] : [two, one];
    await next.promote();
    await other.followNow(next);
    primary = next;
    return old;
  }

  async function rejoin(node: Node): Promise<void> {
    await node.kill();
    node.copy(primary);
    await node.start();
  }

  /** Nothing was lost, no answer was wrong, and it goes on. */
  async function expectSound(): Promise<void> {
    await shop.paid(20);
    expect(await shop.lost(primary)).toEqual([]);
    expect(shop.wrong()).toEqual([]);
    expect(shop.failures).toEqual([]);
  }

  test('it is killed, and the standby that has more is promoted', async () => {
    await shop.paid(20);
    await primary.kill();
    await shop.refused(3);
    const old = await failOver();
    await expectSound();
    await rejoin(old);
  }, 120_000);

  test('replication stalls, waits are cancelled by hand, and it dies', async () => {
    await shop.paid(10);
    for (const standby of standbys()) standby.freeze();
    // what was not sent is refused, and what only shows goes on
    await shop.refused(3);
    expect(await shop.reads()).toBe(200);
    // the commits that wait now are on this machine only
    await shop.unknown(1, () =>
      primary.look(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`),
    );
    await primary.kill();
    for (const standby of standbys()) standby.thaw();
    const old = await failOver();
    await expectSound();
    await rejoin(old);
  }, 120_000);

  test('it is frozen, and wakes up as a primary when there is another one', async () => {
    await shop.paid(10);
    primary.freeze();
    await shop.refused(3);
    const old = await failOver();
    await shop.paid(10);
    old.thaw();
    await expectSound();
    await rejoin(old);
  }, 120_000);

  test('it comes back with another history than was acknowledged from: nothing is taken from it', async () => {
    await shop.paid(10);
    await primary.kill();
    const old = await failOver();
    await shop.paid(10);
    // as it was, read-write; and nobody else is there
    await old.start();
    for (const node of cluster.nodes) if (node !== old) node.freeze();
    await shop.refused(10);
    expect(await old.look('SELECT pg_is_in_recovery() AS is_standby')).toEqual([{ is_standby: false }]);
    for (const node of cluster.nodes) if (node !== old) node.thaw();
    await rejoin(old);
    await expectSound();
  }, 120_000);

  test('all of it agrees in the end: orders, ledger, and what was told', async () => {
    expect(await shop.settled(primary)).toEqual([]);
    expect(await shop.lost(primary)).toEqual([]);
  }, 120_000);
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
