// The connections of a pool: how each is opened, and which are kept. With a door, they go to the server that it lets
// in.
import pg from 'pg';
import type { DatabaseOptions } from '../database.ts';
import { gauge } from '../metrics/registry.ts';
import type { Door } from './door.ts';
import { hearNotices } from './notices.ts';
import { addressesOf } from './places.ts';
import { cut, startProbe } from './probe.ts';

export type OpenedPool = { readonly pool: pg.Pool; close(): Promise<void> };

/** `reads`: nothing can be written by its connections, and they are cut where no server can be worked with. */
export type PoolOptions = DatabaseOptions & { readonly reads?: true };

const connections = gauge(
  'florin_database_connections',
  'Connections of a pool: busy, idle, and requests that wait for one',
);

export function openPool(options: PoolOptions): OpenedPool {
  const pool = new pg.Pool(poolOptions(options));
  // A connection that is lost while it is in use tells the client, not the pool: without a listener it would end the
  // process. What was under way is rejected by itself, and the release drops the client.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    hearNotices(client);
    // behind the door, which writes down a new history
    if (options.reads) client.query(READ_ONLY).catch(() => cut(client));
  });
  pool.on('error', (error) => {
    if (!pool.ending)
      options.log.warn({ database: options.name, error: error.message }, 'idle database connection lost');
  });
  const { door } = options;
  const stopWatching = door && watchServer(pool, { ...options, door });
  const unwatch = connections.from(() => [
    [{ database: options.name, state: 'busy' }, pool.totalCount - pool.idleCount],
    [{ database: options.name, state: 'idle' }, pool.idleCount],
    [{ database: options.name, state: 'waited for' }, pool.waitingCount],
  ]);
  const close = async () => {
    unwatch();
    await stopWatching?.();
    await pool.end();
  };
  return { pool, close };
}

const READ_ONLY = 'SET default_transaction_read_only = on';

type Watched = PoolOptions & { readonly door: Door };

/** Keeps the pool at the server that the door lets in. Answers what ends it. */
function watchServer(pool: pg.Pool, options: Watched): () => Promise<void> {
  const { at, door } = options;
  const addresses = 'url' in at ? addressesOf(at.url) : [];
  const open = new Set<pg.ClientBase>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  const cutOld = () => {
    for (const client of open) if (!door.isOurs(client)) cut(client);
  };
  const follow = () => {
    const url = addresses[door.place];
    if (url !== undefined) pool.options.connectionString = url;
  };
  const cutReads = () => {
    if (options.reads) for (const client of open) cut(client);
  };
  door.onNewHistory.add(cutOld);
  door.onClosed.add(cutReads);
  door.onPlace.add(follow);
  // one for all pools of a door
  const stopProbe = options.relaxed || options.reads ? undefined : probeOf(options, addresses);
  return async () => {
    door.onNewHistory.delete(cutOld);
    door.onClosed.delete(cutReads);
    door.onPlace.delete(follow);
    await stopProbe?.();
  };
}

function probeOf(options: Watched, addresses: readonly string[]): () => Promise<void> {
  const { door } = options;
  return startProbe({
    door,
    places: Math.max(1, addresses.length),
    client: (place) => {
      const url = addresses[place];
      return new pg.Client(poolOptions({ ...options, ...(url !== undefined && { at: { url } }) }));
    },
  });
}

/** Between two statements of a transaction: what it has locked is held no longer by a process that stands still. */
export const STILL_MS = 5000;

/**
 * Every statement goes by key, so one plan is right for all values: it is made once a connection and kept. None reads a
 * whole table, however small a table was when its plan was made.
 */
function poolOptions(options: PoolOptions): pg.PoolConfig {
  const { at, door } = options;
  return {
    ...('url' in at
      ? { connectionString: addressesOf(at.url)[door?.place ?? 0] ?? at.url }
      : { host: at.socket_dir, user: at.user, database: at.database }),
    max: options.max,
    application_name: options.name,
    options: [
      ...(options.role ? [`-c role=${options.role}`] : []),
      '-c TimeZone=UTC -c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=' +
        STILL_MS +
        ' -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off -c synchronous_commit=' +
        (options.relaxed ? 'off' : 'on'),
    ].join(' '),
    connectionTimeoutMillis: 2000,
    query_timeout: 8000,
    idleTimeoutMillis: 0,
    keepAlive: true,
    ...(door && hookOf(door)),
  };
}

/** The pool waits for it, which the driver's types do not say. */
function hookOf(door: Door): object {
  return { onConnect: (client: pg.ClientBase) => letIn(door, client) };
}

async function letIn(door: Door, client: pg.ClientBase): Promise<void> {
  try {
    await door.admit(client);
  } catch (error) {
    // the pool would wait until the server has read that it ends
    cut(client);
    throw error;
  }
}
