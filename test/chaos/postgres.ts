// The database of a run: the embedded PostgreSQL with the settings it ships with, crashed and started again.
import { chmodSync, cpSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { readServerState } from '../../src/kit/embedded/old-server.ts';
import { migrate } from '../../src/kit/migrate.ts';
import { PAYMENT_ZONE } from '../../src/payment/zone.ts';
import { VAULT_ZONE } from '../../src/vault/zone.ts';

export type Postgres = {
  /** The address as a setting of Florin. */
  readonly url: string;
  /**
   * A crash as by a power cut, without the loss of files: workers end at once, nothing is written; then it recovers.
   */
  crash(): Promise<void>;
  /** Runs a statement as the superuser; undefined where the server is not there. */
  look<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly R[] | undefined>;
  /** As `look`, but waits for the server. */
  sql<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly R[]>;
  /** The process of a connection of a service, one at work if there is any. */
  busyBackend(): Promise<number | undefined>;
  /** From now on every write to this table fails as on a full disk; until there is room again. */
  fill(table: string): Promise<void>;
  makeRoom(table: string): Promise<void>;
  stop(): Promise<void>;
};

/** The gate's own connections. */
const GATE = 'chaos gate';
const BACKENDS = `
  SELECT pid
  FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND datname = current_database() AND application_name <> $1
  ORDER BY state = 'active' DESC, state = 'idle in transaction' DESC, state_change DESC
  LIMIT 1`;
const FULL_DISK = `
  CREATE OR REPLACE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full';
  END $$`;

const DATABASE = 'florin';
const PATIENCE_MS = 30_000;
const AGAIN_MS = 50;
const LOOK_MS = 10_000;

/**
 * Makes database files once, so that not every run has to; answers their folder, or an empty text where they cannot be
 * copied. `migrated`: at the schema of this product.
 */
export async function makeTemplate(folder: string, { migrated }: { readonly migrated: boolean }): Promise<string> {
  const server = await startEmbedded({ data_dir: folder });
  await createDatabase(server);
  if (migrated) await migrateDatabase(server);
  await server.stop();
  const files = join(folder, 'postgres');
  // as another account's they would not be its own any more
  return lstatSync(files).isDirectory() && lstatSync(files).uid === process.getuid?.() ? files : '';
}

/** `template`: database files to begin with; empty: they are made. */
export async function startPostgres(data_dir: string, template: string): Promise<Postgres> {
  if (template !== '') {
    mkdirSync(data_dir, { mode: 0o711 });
    cpSync(template, join(data_dir, 'postgres'), { recursive: true });
    chmodSync(join(data_dir, 'postgres'), 0o700);
  }
  // two services, the gate, and what is left of killed ones for a moment
  const start = () => startEmbedded({ data_dir, settings: { max_connections: '160' } });
  let server: Embedded = await start();
  const { socket_dir, user } = server;
  if (template === '') await createDatabase(server);
  const pool = new pg.Pool({
    host: socket_dir,
    user,
    database: DATABASE,
    application_name: GATE,
    max: 4,
    connectionTimeoutMillis: 2000,
    query_timeout: LOOK_MS,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const run = async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query<R>(text, [...values]);
    return rows;
  };
  const look: Postgres['look'] = (text, values) => run<never>(text, values).catch(wasAway);
  const sql: Postgres['sql'] = async (text, values) => {
    const give_up_at = performance.now() + PATIENCE_MS;
    for (;;) {
      const rows = await look<never>(text, values);
      if (rows !== undefined) return rows;
      if (performance.now() > give_up_at) throw new Error('the database did not come back');
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };
  return {
    url: `postgres://${user}@/${DATABASE}?host=${encodeURIComponent(socket_dir)}`,
    look,
    sql,
    busyBackend: async () => (await look<{ pid: number }>(BACKENDS, [GATE]))?.[0]?.pid,
    fill: async (table) => {
      await sql(FULL_DISK);
      await sql(
        `CREATE OR REPLACE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION public.full_disk()`,
      );
    },
    makeRoom: async (table) => {
      await sql(`DROP TRIGGER IF EXISTS full_disk ON ${table}`);
    },
    crash: async () => {
      const pid = readServerState(join(data_dir, 'postgres'))?.pid;
      if (pid === undefined) throw new Error('there is no database server to crash');
      process.kill(pid, 'SIGQUIT');
      await server.ended;
      server = await start();
      if (server.socket_dir !== socket_dir) throw new Error('the database came back at another place');
    },
    stop: async () => {
      await pool.end();
      await server.stop();
    },
  };
}

async function createDatabase({ socket_dir, user, database }: Embedded): Promise<void> {
  const client = new pg.Client({ host: socket_dir, user, database });
  await client.connect();
  await client.query(`CREATE DATABASE ${DATABASE}`);
  await client.end();
}

async function migrateDatabase({ socket_dir, user }: Embedded): Promise<void> {
  const client = new pg.Client({ host: socket_dir, user, database: DATABASE });
  await client.connect();
  await migrate(client, PAYMENT_ZONE);
  await migrate(client, VAULT_ZONE);
  await client.end();
}

/** A server that is not there is no failure of the run; a wrong statement is. */
function wasAway(error: unknown): undefined {
  if (error instanceof pg.DatabaseError && !/^(?:57P0|08|53300)/.test(error.code ?? '')) throw error;
  return undefined;
}
