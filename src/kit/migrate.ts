// Brings a database to the schema of this version: roles, schemas, numbered .sql files. Forward only, each file in the
// ledger with its checksum, one process at a time (advisory lock), all in one transaction.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { sha256 } from './crypto.ts';
import { StartError } from './start-error.ts';

const LOCK = 714_001;

export type Zone = {
  readonly schema: string;
  /** Folder with the numbered files. */
  readonly folder: URL;
  /** Roles of the cluster this zone needs; the login role is the first. */
  readonly roles: readonly Role[];
};
/** `owned`: the owner of all objects is made a member, so that migrations can hand functions to it. */
export type Role = { readonly name: string; readonly login: boolean; readonly owned?: true };

export const OWNER = 'florin_owner';

/** Runs what was not run yet, as the role that owns everything. The client's login must be allowed to create roles. */
export async function migrate(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  await client.query("SET lock_timeout = '10s'");
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await ensureRoles(client, [{ name: OWNER, login: false }, ...zone.roles]);
    await client.query('BEGIN');
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${zone.schema} AUTHORIZATION ${OWNER}`);
    await client.query(`SET LOCAL ROLE ${OWNER}`);
    const ran = await runFiles(client, zone);
    await client.query('COMMIT');
    return ran;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}

async function runFiles(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${zone.schema}.migrations (name text PRIMARY KEY, checksum text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())`,
  );
  const rows = await client.query<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM ${zone.schema}.migrations`,
  );
  const done = new Map(rows.rows.map((row) => [row.name, row.checksum]));
  const files = readdirSync(zone.folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  for (const name of done.keys()) {
    if (!files.includes(name))
      throw new StartError(
        `The database was migrated by a newer Florin (${zone.schema}/${name}). Start that version, or use another database.`,
      );
  }
  const ran: string[] = [];
  for (const name of files) {
    const text = readFileSync(new URL(name, zone.folder), 'utf8');
    const checksum = sha256(text);
    const known = done.get(name);
    if (known !== undefined && known !== checksum)
      throw new StartError(
        `Migration ${zone.schema}/${name} was changed after it ran. Restore the file, and put the change into a new one.`,
      );
    if (known !== undefined) continue;
    await client.query(text);
    await client.query(`INSERT INTO ${zone.schema}.migrations (name, checksum) VALUES ($1, $2)`, [name, checksum]);
    ran.push(name);
  }
  return ran;
}

/** Roles belong to the cluster, not to the database: others may be making them at the same moment. */
async function ensureRoles(client: pg.Client, roles: readonly Role[]): Promise<void> {
  for (const { name, login, owned } of roles) {
    await client.query(`DO $$ BEGIN
      CREATE ROLE ${name} ${login ? 'LOGIN' : 'NOLOGIN'} NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
    for (const member of owned ? ['current_user', `'${OWNER}'`] : ['current_user'])
      await client.query(`DO $$ BEGIN
        IF NOT pg_has_role(${member}, '${name}', 'MEMBER') THEN EXECUTE format('GRANT ${name} TO %I', ${member}); END IF;
      EXCEPTION WHEN unique_violation OR internal_error THEN NULL; END $$`);
  }
}
