// deploy/haproxy/database.cfg before PostgreSQLs that fail over, with a Florin behind it that merchants pay at. Who is
// primary says a manager, as Patroni does: by its answer to OPTIONS /primary, over TLS.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listeningPort } from '../../../src/kit/listening-port.ts';
import { type Cluster, type Node, openCluster, promoteOneOf } from '../../failover/nodes.ts';
import { findPrograms } from '../../failover/server.ts';
import { type Shop, openShop } from '../../failover/shop.ts';
import { until } from '../../client.ts';
import { newAuthority } from '../../hosts/going-live.ts';
import { gone, kill, treeOf } from '../../start/processes.ts';
import { ownPort } from '../../ports.ts';
import { newFolder } from '../../start/child.ts';
import { deployText, hasProgram, has_places, startIn } from '../place.ts';

const able = has_places && hasProgram('haproxy') && findPrograms() !== undefined;

const folder = newFolder('florin-proxy-');
const put = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

describe.skipIf(!able)(
  'the proxy to the database (skipped without root, haproxy or a PostgreSQL with pg_basebackup)',
  () => {
    let cluster: Cluster;
    let primary: Node;
    /** Whose manager says that it is the primary. */
    let leads: Node | undefined;
    let shop: Shop;
    let port = 0;
    let replica_port = 0;
    const opened = new AsyncDisposableStack();
    opened.use(folder);
    beforeAll(async () => {
      cluster = opened.use(await openCluster(mkdtempSync(join(tmpdir(), 'florin-nodes-')), ['a', 'b', 'c']));
      primary = nodeOf(cluster, 0);
      leads = primary;
      const managers = await Promise.all(cluster.nodes.map((node) => Manager.open(() => node === leads)));
      for (const manager of managers) opened.defer(() => manager.close());
      port = await ownPort();
      replica_port = await ownPort();
      const proxy = startProxy(configOf(cluster.nodes, managers, { port, replica_port }));
      opened.defer(async () => {
        const tree = treeOf(proxy.child.pid ?? 0);
        kill(tree, 'SIGKILL');
        await gone(tree);
      });
      // until it has asked it takes every one for the primary; what it asks for the third time it has judged
      await until(() => managers.slice(1).every(({ refusals }) => refusals >= 3) || undefined).catch(() => {
        throw new Error(proxy.out());
      });
      // one address, behind which the primary is
      const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
      shop = opened.use(await openShop({ ...cluster, url }));
    });
    afterAll(() => opened.disposeAsync());

    /** One of the standbys is promoted, and its manager says so from then on. */
    async function failOver(): Promise<void> {
      primary = await promoteOneOf(cluster.nodes.filter((node) => node !== primary));
      leads = primary;
    }

    test('leads to the primary, and to a standby where reports may be old', async () => {
      expect(await reached(port)).toEqual({ port: primary.port, is_standby: false });
      const replica = await until(() => reached(replica_port));
      expect(replica.is_standby).toBe(true);
      await shop.paid(10);
    });

    test('a primary that dies is left for the next one, and nothing that was acknowledged is lost', async () => {
      const old = primary;
      await old.kill();
      await shop.refused(3);
      await failOver();
      await shop.paid(10);
      expect(await shop.lost(primary)).toEqual([]);
      // the proxy may not have judged the dead one yet, and tries it in its turn
      const found = await until(() => reached(port));
      expect(found).toEqual({ port: primary.port, is_standby: false });
      old.copy(primary);
      await old.start();
    });

    test('sessions to a machine that is primary no longer are cut, though it lives and takes writes', async () => {
      const old = primary;
      const session = client(port);
      const cut = new Promise((resolve) => session.once('end', resolve));
      session.on('error', () => undefined);
      await session.connect();
      // first it leads no more, then another one does: so nothing is written that the next one has not
      leads = undefined;
      await cut;
      // what it still writes for sessions that are gone reaches no standby: one that has more than the next primary
      // could not follow it
      old.cut();
      await failOver();
      expect(await old.look('SELECT pg_is_in_recovery() AS is_standby')).toEqual([{ is_standby: false }]);
      await shop.paid(10);
      await old.kill();
      old.heal();
      old.copy(primary);
      await old.start();
      expect(await shop.lost(primary)).toEqual([]);
      expect(shop.wrong()).toEqual([]);
      expect(shop.failures).toEqual([]);
      expect(await shop.settled(primary)).toEqual([]);
    });
  },
);

/** What Patroni's REST API says of its node, as far as the proxy asks. */
class Manager {
  readonly port: number;
  /** How often it has said that its node is not the primary. */
  refusals = 0;
  private readonly server: Server;

  private constructor(server: Server, isPrimary: () => boolean) {
    this.server = server;
    this.port = listeningPort(server);
    server.on('request', ({ url }, response) => {
      const asks_primary = url === '/primary';
      const says = asks_primary === isPrimary();
      if (asks_primary && !says) this.refusals++;
      response.writeHead(says ? 200 : 503).end();
    });
  }

  static async open(isPrimary: () => boolean): Promise<Manager> {
    const server = createServer(authority.issue('database.shop.example'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Manager(server, isPrimary);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const authority = newAuthority('deploy');

type Ports = { readonly port: number; readonly replica_port: number };

/** The file as it stands, but for where things are. */
function configOf(nodes: readonly Node[], managers: readonly Manager[], { port, replica_port }: Ports): string {
  const servers = nodes.map(({ place }, i) => `server database${i + 1} ${place} port ${managers[i]?.port}`);
  return deployText('haproxy', 'database.cfg')
    .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:5433', `bind 127.0.0.1:${replica_port}`)
    .replace('bind 127.0.0.1:8405', 'bind unix@/run/haproxy-metrics.sock')
    .replaceAll(/server database(\d) \S+/g, (_, number: string) => servers[Number(number) - 1] ?? '');
}

function startProxy(config: string): ReturnType<typeof startIn> {
  const sees = {
    '/etc/haproxy/florin.cfg': put('database.cfg', config),
    '/etc/haproxy/tls/database-ca.pem': put('ca.pem', authority.pem),
  };
  return startIn({ sees }, ['haproxy', '-db', '-f', '/etc/haproxy/florin.cfg']);
}

function nodeOf({ nodes }: Cluster, i: number): Node {
  const node = nodes[i];
  if (!node) throw new Error('there are three nodes');
  return node;
}

function client(port: number): pg.Client {
  return new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
}

/** Which server answers there; undefined: none does. */
async function reached(port: number): Promise<{ port: number; is_standby: boolean } | undefined> {
  const one = client(port);
  one.on('error', () => undefined);
  try {
    await one.connect();
    const { rows } = await one.query<{ port: number; is_standby: boolean }>(
      'SELECT inet_server_port() AS port, pg_is_in_recovery() AS is_standby',
    );
    return rows[0];
  } catch {
    return undefined;
  } finally {
    await one.end().catch(() => undefined);
  }
}
