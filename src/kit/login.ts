// Looking at a database before it is used: who we are there, how new it is, and whether it exists.
import pg from 'pg';

export type Login = {
  readonly name: string;
  /** As PostgreSQL counts: 150000 is 15. */
  readonly version: number;
  /** May create roles and schemas, so may migrate. */
  readonly owner: boolean;
};

export async function inspectLogin(client: pg.Client): Promise<Login | undefined> {
  const found = await client.query<Login>(
    `SELECT current_user AS name, current_setting('server_version_num')::int AS version, rolsuper OR rolcreaterole AS owner
     FROM pg_roles WHERE rolname = current_user`,
  );
  return found.rows[0];
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
