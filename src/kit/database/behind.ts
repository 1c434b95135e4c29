// The checks of a statement on its way to a connection and back: is there a connection, may it be used, and is the work
// committed?
import type pg from 'pg';
import { counter } from '../metrics/registry.ts';
import type { Backlog } from './backlog.ts';
import type { Door } from './door.ts';
import { DatabaseUnavailable, Unreplicated, isConnectionLost, unknownCommit, unlessItGaveUp } from './errors.ts';
import { requireReplicated } from './notices.ts';

const lost = counter('florin_database_unavailable_total', 'Times no connection could be had');

export type Behind = {
  readonly pool: pg.Pool;
  readonly door: Door | undefined;
  /** Refuses writes while commits do not end; absent: the connections only read. */
  readonly backlog?: Backlog;
};

export async function withClient<T>(behind: Behind, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(behind);
  try {
    const done = await work(client);
    requireStands(behind, client);
    client.release();
    return done;
  } catch (error) {
    client.release(isConnectionLost(error));
    throw unlessItGaveUp(error);
  }
}

/** Throws if what this connection committed may be lost. */
function requireStands({ door }: Behind, client: pg.PoolClient): void {
  requireReplicated(client);
  if (door && !door.isOurs(client)) throw new Unreplicated('another server is the primary since');
}

async function connect(behind: Behind): Promise<pg.PoolClient> {
  const { pool, door, backlog } = behind;
  backlog?.requireRoom();
  if (door?.closed !== undefined) throw new DatabaseUnavailable(door.closed);
  const client = await pool.connect().catch((error: unknown) => {
    lost.add({});
    const said = error instanceof DatabaseUnavailable ? error.message : 'the database is not reachable';
    throw new DatabaseUnavailable(said, { cause: error });
  });
  if (!door || door.isOurs(client)) return client;
  client.release(true);
  return connect(behind);
}

export async function transaction<T>(behind: Behind, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(behind);
  let broken = false;
  try {
    await client.query('BEGIN');
    const done = await work(client);
    const commit = () => client.query('COMMIT');
    await (behind.backlog?.commit(commit) ?? commit()).catch((error: Error) => {
      throw unknownCommit(error);
    });
    requireStands(behind, client);
    return done;
  } catch (error) {
    broken = isConnectionLost(error);
    if (!broken) await client.query('ROLLBACK');
    throw unlessItGaveUp(error);
  } finally {
    client.release(broken);
  }
}
