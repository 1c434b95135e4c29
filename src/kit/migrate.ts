// Brings a database to the schema of this version: roles, schemas, numbered files and functions. Forward only, each
// file in the ledger with its checksum, one process at a time (advisory lock), all in one transaction.
import pg from 'pg';
import { systemClock } from './clock.ts';
import { isLockTimeout } from './database.ts';
import { isConnectionLost, undone, withoutEffect } from './database/errors.ts';
import { type Numbered, adoptNumbered } from './schema/adopt.ts';
import {
  compareFiles,
  forgetFunctions,
  makeLedgers,
  recordFunction,
  recordMigration,
  showLedgers,
} from './schema/ledger.ts';
import { runFiles } from './schema/run.ts';
import { StartError } from './start-error.ts';

const LOCK = 714_001;
/** For another process that migrates. */
const LOCK_TIMEOUT_S = 10;
/**
 * For a lock of a table: whoever asks for the table meanwhile waits behind us, and a payment gives up after 2 s. So the
 * migration gives up first, lets all of them pass, and begins again.
 */
const TABLE_LOCK_MS = 1000;
const PAUSE_MS = 1000;
const TRIED_FOR_S = 30;

export type Zone = {
  /** Its tables keep merchants apart by row-level security. */
  readonly guarded?: true;
  readonly schema: string;
  /** Folder with migrations/ (numbered, each run once) and functions/ (one a file, run again when it has changed). */
  readonly folder: URL;
  /** Roles of the cluster this zone needs; the login role is the first. */
  readonly roles: readonly Role[];
  /** The numbered files that stood here before the baseline. */
  readonly numbered?: Numbered;
};
/** `owned`: the owner of all objects is made a member, so that functions can be handed to it. */
export type Role = { readonly name: string; readonly login: boolean; readonly owned?: true };

const OWNER = 'florin_owner';

/** Runs what was not run yet, as the role that owns everything. The client's login must be allowed to create roles. */
export async function migrate(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  await client.query(`SET lock_timeout = '${LOCK_TIMEOUT_S}s'`);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]).catch((error: unknown) => {
    throw isLockTimeout(error) ? lockTimeout(zone, LOCK_TIMEOUT_S, error) : error;
  });
  // a process that was killed leaves its statement, and with it all its locks, to a server that does not look; where
  // the system cannot be asked it stays as it is
  await client.query(`SET client_connection_check_interval = '1s'`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code === '22023')) throw error;
  });
  try {
    await ensureRoles(client, [{ name: OWNER, login: false }, ...zone.roles]);
    return await untilLocked(client, zone);
  } catch (error) {
    throw problemOf(zone, error);
  } finally {
    await undone(client.query('SELECT pg_advisory_unlock($1)', [LOCK]));
  }
}

async function untilLocked(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  const clock = systemClock();
  const until = clock.ticks() + TRIED_FOR_S * 1000;
  for (;;)
    try {
      return await migrateOnce(client, zone);
    } catch (error) {
      if (!isLockTimeout(error) || clock.ticks() >= until) throw error;
      await clock.sleep(PAUSE_MS);
    }
}

async function migrateOnce(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${zone.schema} AUTHORIZATION ${OWNER}`);
    await client.query(`SET LOCAL ROLE ${OWNER}`);
    const ran = await runNew(client, zone);
    await showLedgers(client, zone.schema, zone.roles[0]?.name ?? '');
    await client.query('COMMIT');
    return ran;
  } catch (error) {
    await undone(client.query('ROLLBACK'));
    throw error;
  }
}

async function runNew(client: pg.Client, zone: Zone): Promise<readonly string[]> {
  const { schema, numbered } = zone;
  const makers = zone.roles.filter(({ owned }) => owned).map(({ name }) => name);
  await makeLedgers(client, schema);
  const adopted = numbered ? await adoptNumbered(client, { ...zone, numbered, makers, owner: OWNER }) : [];
  const { migrations, functions, newer } = await compareFiles(client, zone);
  if (newer !== undefined) throw ofNewer(newer);
  if (migrations.length === 0 && functions.length === 0) return [];
  await runFiles(client, {
    schema,
    makers,
    migrations,
    functions,
    run: (sql) => client.query(sql),
    ranMigration: (migration) => recordMigration(client, schema, migration),
    ranFunction: (file) => recordFunction(client, schema, file),
  });
  await forgetFunctions(client, zone);
  return [...adopted, ...migrations.map(({ name }) => name)];
}

/**
 * For a login that may not migrate: the database must be at the schema of this version, or at that of a newer one: the
 * version before runs on it, while hosts are brought to the new one and after it was taken back (decision 194). Gives
 * the file that a newer Florin ran, if one did.
 */
export async function requireMigrated(client: pg.Client, zone: Zone): Promise<string | undefined> {
  const found = await pendingMigrations(client, zone).catch((error: unknown) => {
    if (isUnknownOrForbidden(error)) return undefined;
    throw error;
  });
  if (found?.pending.length !== 0)
    throw new StartError(
      `The schema ${zone.schema} is not there, or older than this Florin. Run florin migrate with an owner's address first.`,
    );
  return found.newer;
}

/** As requireMigrated, and at no newer schema: for a command that changes tables. */
export async function requireOwnSchema(client: pg.Client, zone: Zone): Promise<void> {
  const newer = await requireMigrated(client, zone);
  if (newer !== undefined) throw ofNewer(newer);
}

function ofNewer(file: string): StartError {
  return new StartError(
    `The database was migrated by a newer Florin (${file}). Start that version, or use another database.`,
  );
}

export type Pending = {
  /** Names of the files that did not run yet; what requireMigrated refuses, as a list. */
  readonly pending: readonly string[];
  readonly newer: string | undefined;
};

export async function pendingMigrations(client: pg.Client, zone: Zone): Promise<Pending> {
  const { migrations, functions, newer } = await compareFiles(client, zone);
  // a newer version forgets the functions that it has no file for
  const lacking = newer === undefined ? functions.map(({ name }) => `functions/${name}.sql`) : [];
  return { pending: [...migrations.map(({ name }) => name), ...lacking], newer };
}

function isUnknownOrForbidden(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['3F000', '42P01', '42501'].includes(error.code ?? '');
}

/** What to do, where the database and no file is the cause. */
function problemOf(zone: Zone, error: unknown): unknown {
  if (isLockTimeout(error)) return lockTimeout(zone, TRIED_FOR_S, error);
  if (!(error instanceof Error)) return error;
  if (isConnectionLost(error))
    return new StartError(
      `The connection to the database ended during the migration of schema ${zone.schema} (${error.message}). A migration is done as a whole or not at all: run it again when the database is back.`,
      { cause: error },
    );
  if (withoutEffect(error) !== error)
    return new StartError(
      `The database cannot do the migration of schema ${zone.schema}: ${error.message}. Nothing of it was done. Make room there, then run it again.`,
      { cause: error },
    );
  return error;
}

function lockTimeout({ schema }: Zone, seconds: number, cause: unknown): StartError {
  return new StartError(
    `The migration of schema ${schema} waited ${seconds} s for a lock of another connection. Start again when that one is done.`,
    { cause },
  );
}

/**
 * Roles belong to the cluster, not to the database: others may be making them at the same moment. Since PostgreSQL 16
 * who makes a role may grant it, but not yet act as it.
 */
async function ensureRoles(client: pg.Client, roles: readonly Role[]): Promise<void> {
  for (const { name, login, owned } of roles) {
    await client.query(`DO $$ BEGIN
      CREATE ROLE ${name} ${login ? 'LOGIN' : 'NOLOGIN'}
        NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
    for (const member of owned ? ['current_user', `'${OWNER}'`] : ['current_user'])
      await client.query(`DO $$ BEGIN
        IF NOT pg_has_role(${member}, '${name}', CASE
          WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER'
          ELSE 'SET'
        END) THEN
          EXECUTE format('GRANT ${name} TO %I', ${member});
        END IF;
      EXCEPTION WHEN unique_violation OR internal_error THEN NULL; END $$`);
  }
}
