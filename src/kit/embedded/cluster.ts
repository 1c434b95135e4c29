// The database files: made at the first start, checked at every later one.
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepNames } from '../kept-file.ts';
import { StartError } from '../start-error.ts';
import type { Account } from './account.ts';
import { runGuarded } from './guard.ts';
import { giveTo, type Home } from './home.ts';
import type { Programs } from './programs.ts';

export type ClusterOptions = {
  readonly home: Home;
  readonly account: Account;
  readonly programs: Programs;
  readonly say: (line: string) => void;
};

/** Makes the database files if there are none; otherwise looks whether this PostgreSQL can use them. */
export async function prepareCluster(options: ClusterOptions): Promise<void> {
  const { home, account, programs, say } = options;
  removeLeftovers(home.dir);
  if (!existsSync(home.cluster) || readdirSync(home.cluster).length === 0) {
    say(`creating the database files in ${home.cluster} (first start only)`);
    await makeCluster(options);
    return;
  }
  checkMajor(home.cluster, programs.major);
  // A copied or unpacked folder is often open to others, and PostgreSQL refuses that.
  chmodSync(home.cluster, 0o700);
  const { uid } = account.ids;
  // Made by root under user namespaces, and these are closed now.
  if (uid !== undefined && lstatSync(home.cluster).uid !== uid) giveTo(home.cluster, account);
}

/** Made aside and renamed, so that a first start that is killed half-way leaves nothing that looks like a database. */
async function makeCluster({ home, account, programs }: ClusterOptions): Promise<void> {
  const begun = mkdtempSync(join(home.dir, 'postgres.new-'));
  giveTo(begun, account);
  const files = ['-D', begun, '--encoding=UTF8', '--data-checksums'];
  // The same order of texts on every machine, whatever its languages.
  const locale = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=florin', '--auth=trust', '--no-instructions'];
  const { code, output } = await runGuarded(account, [programs.initdb, ...files, ...locale, ...access]);
  if (code !== 0) {
    rmSync(begun, { recursive: true, force: true });
    throw new Error(`initdb failed:\n${output}`);
  }
  renameSync(begun, home.cluster);
  keepNames(home.dir);
}

function checkMajor(cluster: string, major: string): void {
  const version_file = join(cluster, 'PG_VERSION');
  if (!existsSync(version_file)) {
    throw new StartError(
      `"${cluster}" holds files but no PostgreSQL database. Move it away, or use another data folder.`,
    );
  }
  const found = readFileSync(version_file, 'utf8').trim();
  if (found === major) return;
  throw new StartError(
    `The database in "${cluster}" was written by PostgreSQL ${found}, and this Florin brings PostgreSQL ${major}. ` +
      `Start it once more with what wrote it and move the data over with pg_dump and pg_restore, or use another data folder.`,
  );
}

/** What killed first starts left. Only the owner of the folder comes here, so no other start is at work on it. */
function removeLeftovers(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (!/^(?:postgres|programs-[\w.-]+)\.new-\w{6}$/.test(name)) continue;
    try {
      rmSync(join(dir, name), { recursive: true, force: true });
    } catch {
      // The killed start's initdb is still dying in it, and is about to remove it; if not, the next start does.
    }
  }
}
