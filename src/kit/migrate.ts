// Brings a database to the schema of this version: roles, schemas, numbered .sql files. Forward only, each file in the
// ledger with its checksum, one process at a time (advisory lock), all in one transaction.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { isLockTimeout } from './database.ts';
import { sha256 } from './crypto.ts';
import { StartError } from './start-error.ts';

const LOCK = 714_001;
const LOCK_TIMEOUT_S = 10;

export type Zone = {
  /** Its tables keep merchants apart by row-level security. */
  readonly guarded?: true;
  readonly schema: string;
  /** Folder with the numbered files. */
  readonly folder: URL;
  /** Roles of the cluster this zone needs; the login role is the first. */
  readonly roles: readonly Role[];
};
/** `owned`: the owner of all objects is made a member, so that migrations can hand functions to it. */
export type Role = { readonly name: string; readonly login: boolean; readonly owned?: true };

const OWNER = 'florin_owner';

/** Runs what was not run yet, as the role that owns everything. The client's login must be allowed to create roles. */
export async function migrate(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  await client.query(`SET lock_timeout = '${LOCK_TIMEOUT_S}s'`);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]).catch((error: unknown) => {
    throw isLockTimeout(error) ? lockTimeout(zone, error) : error;
  });
  try {
    await ensureRoles(client, [{ name: OWNER, login: false }, ...zone.roles]);
    await client.query('BEGIN');
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${zone.schema} AUTHORIZATION ${OWNER}`);
    await client.query(`SET LOCAL ROLE ${OWNER}`);
    const ran = await runFiles(client, zone);
    await showToApp(client, zone);
    await client.query('COMMIT');
    return ran;
  } catch (error) {
    await client.query('ROLLBACK');
    throw isLockTimeout(error) ? lockTimeout(zone, error) : error;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}

async function runFiles(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${zone.schema}.migrations (name text PRIMARY KEY, checksum text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())`,
  );
  const ran: string[] = [];
  for (const { name, text, checksum } of await filesToRun(client, zone)) {
    await client.query(text);
    await client.query(`INSERT INTO ${zone.schema}.migrations (name, checksum) VALUES ($1, $2)`, [name, checksum]);
    ran.push(name);
  }
  return ran;
}

/** For a login that may not migrate: the database must be at the schema of this version. */
export async function requireMigrated(client: pg.Client, zone: Zone): Promise<void> {
  const missing = await filesToRun(client, zone).catch((error: unknown) => {
    if (isUnknownOrForbidden(error)) return undefined;
    throw error;
  });
  if (missing?.length !== 0)
    throw new StartError(
      `The schema ${zone.schema} is not there, or older than this Florin. Run florin migrate with an owner's address first.`,
    );
}

/** Names of the files that did not run yet; what requireMigrated refuses, as a list. */
export async function pendingMigrations(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  return (await filesToRun(client, zone)).map(({ name }) => name);
}

type File = { readonly name: string; readonly text: string; readonly checksum: string };

async function filesToRun(client: pg.Client, zone: Zone): Promise<readonly File[]> {
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
  return files.flatMap((name) => {
    const text = readFileSync(new URL(name, zone.folder), 'utf8');
    const checksum = sha256(text);
    const known = done.get(name);
    if (known !== undefined && known !== checksum)
      throw new StartError(
        `Migration ${zone.schema}/${name} was changed after it ran. Restore the file, and put the change into a new one.`,
      );
    return known === undefined ? { name, text, checksum } : [];
  });
}

/** Lets the zone's own login see which files ran (requireMigrated). */
async function showToApp(client: pg.Client, { schema, roles }: Zone): Promise<void> {
  const app = roles[0]?.name;
  await client.query(`DO $$ BEGIN
    IF NOT has_table_privilege('${app}', '${schema}.migrations', 'SELECT') THEN GRANT SELECT ON ${schema}.migrations TO ${app}; END IF; END $$`);
}

function isUnknownOrForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['3F000', '42P01', '42501'].includes(error.code ?? '');
}

function lockTimeout({ schema }: Zone, cause: unknown): StartError {
  return new StartError(
    `The migration of schema ${schema} waited ${LOCK_TIMEOUT_S} s for a lock of another connection. Start again when that one is done.`,
    { cause },
  );
}

/**
 * Roles belong to the cluster, not to the database: others may be making them at the same moment. Since PostgreSQL 16 who
 * makes a role may grant it, but not yet act as it.
 */
async function ensureRoles(client: pg.Client, roles: readonly Role[]): Promise<void> {
  for (const { name, login, owned } of roles) {
    await client.query(`DO $$ BEGIN
      CREATE ROLE ${name} ${login ? 'LOGIN' : 'NOLOGIN'} NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
    for (const member of owned ? ['current_user', `'${OWNER}'`] : ['current_user'])
      await client.query(`DO $$ BEGIN
        IF NOT pg_has_role(${member}, '${name}', CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN EXECUTE format('GRANT ${name} TO %I', ${member}); END IF;
      EXCEPTION WHEN unique_violation OR internal_error THEN NULL; END $$`);
  }
}
