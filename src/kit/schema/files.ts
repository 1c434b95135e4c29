// Reads a zone's schema folder: migrations/ with numbered files, each run once; functions/ with one file for each
// function, run again when it has changed; and the functions that a migration names.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { sha256 } from '../crypto.ts';

export type Migration = { readonly name: string; readonly steps: readonly Step[]; readonly checksum: string };
/** SQL to run, or a function whose file comes next. */
export type Step = { readonly sql: string } | { readonly needs: string };
/** The function, how its file is called in the ledger of functions, and what makes it. */
export type FunctionFile = { readonly name: string; readonly text: string; readonly checksum: string };

export function migrationsIn(folder: URL): readonly Migration[] {
  const migrations = new URL('migrations/', folder);
  return sqlFilesIn(migrations).map((name) => {
    const steps = stepsOf(new URL(name, migrations));
    // A function may change later: a migration that needs it stays the same.
    const checksum = sha256(steps.map((step) => ('sql' in step ? step.sql : step.needs)).join(''));
    return { name, steps, checksum };
  });
}

export function functionsIn(folder: URL): readonly FunctionFile[] {
  const functions = new URL('functions/', folder);
  if (!existsSync(functions)) return [];
  return sqlFilesIn(functions).map((file) => {
    const text = readFileSync(new URL(file, functions), 'utf8');
    return { name: file.slice(0, -'.sql'.length), text, checksum: sha256(text) };
  });
}

/** A file in steps. As in psql, a line `\ir FILE` stands for that file, found from the one that names it. */
export function stepsOf(file: URL): readonly Step[] {
  const lines = readFileSync(file, 'utf8').split(/(?<=\n)/);
  return lines.reduce<readonly Step[]>((steps, line) => {
    const [, path] = /^\\ir (\S+)\n?$/.exec(line) ?? [];
    if (path === undefined) return withLine(steps, line);
    const [, needs] = /(?:^|\/)functions\/(\w+)\.sql$/.exec(path) ?? [];
    return needs === undefined ? [...steps, ...stepsOf(new URL(path, file))] : [...steps, { needs }];
  }, []);
}

function withLine(steps: readonly Step[], line: string): readonly Step[] {
  const last = steps.at(-1);
  return last && 'sql' in last ? [...steps.slice(0, -1), { sql: last.sql + line }] : [...steps, { sql: line }];
}

function sqlFilesIn(folder: URL): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
}
