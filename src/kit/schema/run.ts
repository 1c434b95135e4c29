// Runs migrations, then functions; a function that a migration names is made before the part that needs it.
import type pg from 'pg';
import type { FunctionFile, Migration } from './files.ts';

type Running = {
  readonly schema: string;
  /** Roles that functions are given to: who gets one must be allowed to make one, for as long as this runs. */
  readonly makers: readonly string[];
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
  run(sql: string): Promise<unknown>;
  ranMigration?(migration: Migration): Promise<void>;
  ranFunction?(file: FunctionFile): Promise<void>;
};

export async function runFiles(client: pg.Client, running: Running): Promise<void> {
  const { schema, makers, migrations, functions, run, ranMigration, ranFunction } = running;
  const waiting = new Map(functions.map((file) => [file.name, file]));
  const make = async (file: FunctionFile) => {
    waiting.delete(file.name);
    await run(file.text);
    await ranFunction?.(file);
  };
  // functions and tables name each other
  await client.query('SET LOCAL check_function_bodies = off');
  if (makers.length > 0) await client.query(`GRANT CREATE ON SCHEMA ${schema} TO ${makers.join(', ')}`);
  for (const migration of migrations) {
    for (const step of migration.steps) {
      const needed = 'needs' in step ? waiting.get(step.needs) : undefined;
      if ('sql' in step) await run(step.sql);
      else if (needed) await make(needed);
    }
    await ranMigration?.(migration);
  }
  for (const file of waiting.values()) await make(file);
  if (makers.length > 0) await client.query(`REVOKE CREATE ON SCHEMA ${schema} FROM ${makers.join(', ')}`);
}
