// Databases that were made by the numbered files of before the baseline: the last of those states is upgraded to it,
// once.
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { sha256 } from '../crypto.ts';
import { StartError } from '../start-error.ts';
import { dumpSchema } from './dump.ts';
import { functionsIn, migrationsIn } from './files.ts';
import { migrationsRun, recordMigration } from './ledger.ts';
import { runFiles } from './run.ts';

export type Numbered = {
  /** The last of the files, and the SHA-256 of all: their names and checksums as the ledger has them. */
  readonly last: string;
  readonly digest: string;
  /** The changes that bring such a database to the baseline: names of constraints, and things that no longer exist. */
  readonly upgrade: URL;
};

/** The last commit with the numbered files. */
const LAST_NUMBERED = '8eb38fd';

type Adopting = {
  readonly schema: string;
  readonly folder: URL;
  readonly owner: string;
  readonly makers: readonly string[];
  readonly numbered: Numbered;
};

/**
 * Writes the baseline into the ledger of a database that ran all numbered files, when its schema is the baseline's:
 * that one is made beside it, both are dumped on this server, and it is dropped again. Does nothing to any other
 * database. Gives what it wrote.
 */
export async function adoptNumbered(
  client: pg.Client,
  { schema, folder, owner, makers, numbered }: Adopting,
): Promise<readonly string[]> {
  const [baseline] = migrationsIn(folder);
  const ran = await migrationsRun(client, schema);
  if (!baseline || ran.length === 0 || ran.some(({ name }) => name === baseline.name)) return [];
  if (sha256(ran.map(({ name, checksum }) => `${name} ${checksum}\n`).join('')) !== numbered.digest)
    throw new StartError(
      `The database was made by another state of Florin 0.1.0 (${schema}/${ran.at(-1)?.name}). Start commit ${LAST_NUMBERED} on it once, which brings it to ${numbered.last}; then start this version.`,
    );
  await client.query(readFileSync(numbered.upgrade, 'utf8'));
  const found = withoutFunctions(await dumpSchema(client, schema));
  const made = withoutFunctions(await dumpBeside(client, { schema, folder, owner, makers }));
  if (found !== made) throw differs(schema, found, made);
  await client.query(`DELETE FROM ${schema}.migrations`);
  await recordMigration(client, schema, baseline);
  return [baseline.name];
}

/** The dump of the baseline, made in a schema of another name. */
async function dumpBeside(
  client: pg.Client,
  { schema, folder, owner, makers }: Omit<Adopting, 'numbered'>,
): Promise<string> {
  const beside = `${schema}_baseline`;
  const migrations = migrationsIn(folder).slice(0, 1);
  const needed = new Set(migrations.flatMap(({ steps }) => steps.map((step) => ('needs' in step ? step.needs : ''))));
  const name = new RegExp(String.raw`\b${schema}\b`, 'g');
  await client.query(`RESET ROLE; CREATE SCHEMA ${beside} AUTHORIZATION ${owner}; SET LOCAL ROLE ${owner}`);
  await runFiles(client, {
    schema: beside,
    makers,
    migrations,
    functions: functionsIn(folder).filter((file) => needed.has(file.name)),
    run: (sql) => client.query(sql.replaceAll(name, beside)),
  });
  const dump = await dumpSchema(client, beside);
  await client.query(`DROP SCHEMA ${beside} CASCADE`);
  return dump.replaceAll(beside, schema);
}

/** Functions are made anew from their files, whatever was there. */
function withoutFunctions(dump: string): string {
  return dump.replaceAll(/^\\ir functions\/.*\n\n?/gm, '');
}

function differs(schema: string, found: string, made: string): StartError {
  const ours = made.split('\n');
  const theirs = found.split('\n');
  const at = theirs.findIndex((line, n) => line !== ours[n]);
  return new StartError(
    `The schema ${schema} is not the one that its migrations made: it has "${theirs[at] ?? ''}" where Florin has "${ours[at] ?? ''}". Undo what was changed by hand, then start again. Nothing was done to it.`,
  );
}
