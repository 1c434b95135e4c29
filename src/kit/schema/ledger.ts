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

export async function migrationsToRun(client: pg.Client, { schema, folder }: Place): Promise<readonly Migration[]> {
  const done = new Map((await migrationsRun(client, schema)).map((row) => [row.name, row.checksum]));
  const files = migrationsIn(folder);
  const names = new Set(files.map(({ name }) => name));
  const unknown = [...done.keys()].find((name) => !names.has(name));
  if (unknown !== undefined) throw newer(`${schema}/${unknown}`);
  return files.filter(({ name, checksum }) => {
    const known = done.get(name);
    if (known !== undefined && known !== checksum)
      throw new StartError(
        `Migration ${schema}/${name} was changed after it ran. Restore the file, and put the change into a new one.`,
      );
    return known === undefined;
  });
}

export async function functionsToRun(client: pg.Client, { schema, folder }: Place): Promise<readonly FunctionFile[]> {
  const { rows } = await client.query<Ran & { is_last: boolean }>(
    `SELECT name, checksum, ran_at = max(ran_at) OVER (PARTITION BY name) AS is_last
     FROM ${schema}.functions`,
  );
  return functionsIn(folder).filter((file) => {
    const known = rows.find((row) => row.name === file.name && row.checksum === file.checksum);
    if (known && !known.is_last) throw newer(`${schema}/functions/${file.name}.sql`);
    return !known;
  });
}

/** Forgets functions that have no file any more, so that one of the same name and text is made again. */
export async function forgetFunctions(client: pg.Client, { schema, folder }: Place): Promise<void> {
  const names = functionsIn(folder).map(({ name }) => name);
  await client.query(`DELETE FROM ${schema}.functions WHERE name <> ALL ($1)`, [names]);
}

function newer(file: string): StartError {
  return new StartError(
    `The database was migrated by a newer Florin (${file}). Start that version, or use another database.`,
  );
}
