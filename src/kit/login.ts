// Looking at a database before it is used: who we are there, how new it is, and whether it exists.
import pg from 'pg';

export type Login = {
  readonly name: string;
  /** The version as PostgreSQL counts it: 150000 is 15. */
  readonly version: number;
  /** May create roles and schemas, so may migrate. */
  readonly owner: boolean;
};

export async function inspectLogin(client: pg.Client): Promise<Login | undefined> {
  const found = await client.query<Login>(
    `SELECT
       current_user AS name, current_setting('server_version_num')::int AS version,
       rolsuper OR rolcreaterole AS owner
     FROM pg_roles
     WHERE rolname = current_user`,
  );
  return found.rows[0];
}

/** A standby takes no writes. Throws where no answer comes in `most_ms`. */
export async function isStandby(client: pg.Client, most_ms: number): Promise<boolean> {
  const asked = { text: 'SELECT pg_is_in_recovery() AS is_standby', query_timeout: most_ms };
  const { rows } = await client.query<{ is_standby: boolean }>(asked);
  return rows[0]?.is_standby ?? false;
}

/** Creates the database where it is not there. `name` is ours, never a caller's. */
export async function ensureDatabase(at: pg.ClientConfig, name: string): Promise<void> {
  const client = new pg.Client(at);
  await client.connect();
  try {
    const there = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (there.rows.length === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** The conditions that a database must meet before money is stored in it. */
export type Soundness = {
  /** Settings under which an acknowledged commit may be lost. */
  readonly unsafe: readonly string[];
  readonly checksums: boolean;
  /** Why a role could pass the borders between merchants. */
  readonly powers: readonly string[];
  /** Tables with a merchant account whose row-level security is not enabled and forced. */
  readonly open_tables: readonly string[];
};

export async function inspectSoundness(client: pg.Client, role: string, schema: string): Promise<Soundness> {
  const found = await client.query<Soundness>(
    `SELECT
       ARRAY(
         SELECT name || ' = ' || setting
         FROM pg_settings
         WHERE (name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off')
           OR (name = 'synchronous_commit'
             AND setting IN ('local', 'remote_write')
             AND current_setting('synchronous_standby_names') <> '')
         ORDER BY name
       ) AS unsafe,
       current_setting('data_checksums') = 'on' AS checksums,
       ARRAY(
         SELECT w.what
         FROM pg_roles r
         CROSS JOIN LATERAL (
           VALUES
             (r.rolsuper, 'is a superuser'),
             (r.rolbypassrls, 'has BYPASSRLS'),
             (EXISTS (
               SELECT 1
               FROM pg_class c
               JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = $2
                 AND c.relowner = r.oid
             ), 'owns tables')
         ) AS w (so, what)
         WHERE r.rolname = $1
           AND w.so
       ) AS powers,
       ARRAY(
         SELECT c.relname::text
         FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'merchant_account_id'
         WHERE n.nspname = $2
           AND c.relkind IN ('r', 'p')
           AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
         ORDER BY 1
       ) AS open_tables`,
    [role, schema],
  );
  const [row] = found.rows;
  if (!row) throw new Error('the catalogue gives one row');
  return row;
}

/** Whether a transaction of this login may write, as the settings of server, database and login have it. */
export async function takesWrites(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ takes: boolean }>(
    `SELECT current_setting('transaction_read_only') = 'off' AS takes`,
  );
  return rows[0]?.takes ?? false;
}

/** The moment at the server: its own clock, whatever a sandbox adds to it. */
export async function inspectClock(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (!rows[0]) throw new Error('a clock gives one row');
  return rows[0].now;
}

/** Functions that act with more rights than their caller's, and that any role may call. */
export async function inspectDefiners(client: pg.Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.proname::text AS name
     FROM pg_proc p
     JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = $1
       AND p.prosecdef
       AND (p.proacl IS NULL
         OR EXISTS (
           SELECT
           FROM aclexplode(p.proacl) a
           WHERE a.grantee = 0
             AND a.privilege_type = 'EXECUTE'
         ))
     ORDER BY 1`,
    [schema],
  );
  return rows.map((row) => row.name);
}
