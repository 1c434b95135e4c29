// The files of a schema that ran in a database. schema.migrations has the migrations by name. schema.functions has
// every text of a function that ever ran, so that an older process does not bring an older text back.
import type pg from 'pg';
import { StartError } from '../start-error.ts';
import { type FunctionFile, type Migration, functionsIn, migrationsIn } from './files.ts';

type Place = { readonly schema: string; readonly folder: URL };

export async function makeLedgers(client: pg.Client, schema: string): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (
      name text PRIMARY KEY,
      checksum text NOT NULL,
      ran_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE TABLE IF NOT EXISTS ${schema}.functions (
      name text NOT NULL,
      checksum text NOT NULL,
      ran_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (name, checksum)
    )`);
}

/** Lets the zone's own login see what ran. */
export async function showLedgers(client: pg.Client, schema: string, app: string): Promise<void> {
  for (const ledger of ['migrations', 'functions'])
    await client.query(`DO $$ BEGIN
      IF NOT has_table_privilege('${app}', '${schema}.${ledger}', 'SELECT') THEN
        GRANT SELECT ON ${schema}.${ledger} TO ${app};
      END IF;
    END $$`);
}

type Ran = { readonly name: string; readonly checksum: string };

/** The migrations that ran, in the order of their names. */
export async function migrationsRun(client: pg.Client, schema: string): Promise<readonly Ran[]> {
  return (await client.query<Ran>(`SELECT name, checksum FROM ${schema}.migrations ORDER BY name COLLATE "C"`)).rows;
}

export async function recordMigration(client: pg.Client, schema: string, { name, checksum }: Ran): Promise<void> {
  await client.query(`INSERT INTO ${schema}.migrations (name, checksum) VALUES ($1, $2)`, [name, checksum]);
}

export async function recordFunction(client: pg.Client, schema: string, { name, checksum }: Ran): Promise<void> {
  await client.query(`INSERT INTO ${schema}.functions (name, checksum) VALUES ($1, $2)`, [name, checksum]);
}

export type Compared = {
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
  /** A file that ran here and is not of this version: a newer Florin has migrated the database. */
  readonly newer: string | undefined;
};

/** Which files of this version did not run here. */
export async function compareFiles(client: pg.Client, place: Place): Promise<Compared> {
  const [migrations, functions] = [await compareMigrations(client, place), await compareFunctions(client, place)];
  const newer = migrations.newer ?? functions.newer;
  return { migrations: migrations.missing, functions: functions.missing, newer };
}

async function compareMigrations(client: pg.Client, { schema, folder }: Place) {
  const done = new Map((await migrationsRun(client, schema)).map((row) => [row.name, row.checksum]));
  const files = migrationsIn(folder);
  const names = new Set(files.map(({ name }) => name));
  const unknown = [...done.keys()].find((name) => !names.has(name));
  const missing = files.filter(({ name, checksum }) => {
    const known = done.get(name);
    if (known !== undefined && known !== checksum)
      throw new StartError(
        `Migration ${schema}/${name} was changed after it ran. Restore the file, and put the change into a new one.`,
      );
    return known === undefined;
  });
  return { missing, newer: unknown && `${schema}/${unknown}` };
}

async function compareFunctions(client: pg.Client, { schema, folder }: Place) {
  const { rows } = await client.query<Ran & { is_last: boolean }>(
    `SELECT name, checksum, ran_at = max(ran_at) OVER (PARTITION BY name) AS is_last
     FROM ${schema}.functions`,
  );
  const rowOf = (file: FunctionFile) => rows.find((row) => row.name === file.name && row.checksum === file.checksum);
  const files = functionsIn(folder);
  const replaced = files.find((file) => rowOf(file)?.is_last === false);
  return {
    missing: files.filter((file) => !rowOf(file)),
    newer: replaced && `${schema}/functions/${replaced.name}.sql`,
  };
}

/** Forgets functions that have no file any more, so that one of the same name and text is made again. */
export async function forgetFunctions(client: pg.Client, { schema, folder }: Place): Promise<void> {
  const names = functionsIn(folder).map(({ name }) => name);
  await client.query(`DELETE FROM ${schema}.functions WHERE name <> ALL ($1)`, [names]);
}
