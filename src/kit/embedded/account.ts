// PostgreSQL refuses to run as root. As whom it runs then is decided here, once.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { StartError } from '../start-error.ts';

export type Account = {
  /** Put before a command to run it as this account. */
  readonly prefix: readonly string[];
  /** For spawn; empty when files and processes stay our own. */
  readonly ids: { readonly uid?: number; readonly gid?: number };
};

/** Enough to find sh, unshare and rm. Nothing of our own environment reaches the server: it may hold secrets. */
export const SERVER_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin:/opt/homebrew/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const NOBODY = 65534;
const PLAIN: Account = { prefix: [], ids: {} };
// A user namespace in which we are shown as "nobody": files stay ours, nothing to create, nothing to chown.
const RENAMED: Account = { prefix: ['unshare', '-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`], ids: {} };

/** Picks the account that the server of this data runs as. */
export function pickAccount(data: string, no_unshare: boolean): Account {
  const uid = process.getuid?.();
  if (uid === undefined) {
    throw new StartError(
      'The embedded PostgreSQL runs on Linux and macOS only. On Windows use WSL, or a PostgreSQL server of your own.',
    );
  }
  const owner = statSync(data, { throwIfNoEntry: false });
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid) {
      throw new StartError(
        `The database in "${data}" belongs to another account (uid ${owner.uid}; this is uid ${uid}). ` +
          `Start as that account, give the data folder to this one (chown -R), or use another data folder.`,
      );
    }
    return hasName() || no_unshare || !canRename() ? PLAIN : RENAMED;
  }
  if (owner !== undefined && owner.uid !== 0) return { prefix: [], ids: { uid: owner.uid, gid: owner.gid } };
  return no_unshare || !canRename() ? { prefix: [], ids: { uid: NOBODY, gid: NOBODY } } : RENAMED;
}

/** Runs a short command as the account, to try something out. */
export function tryAs(account: Account, command: readonly string[]): SpawnSyncReturns<string> {
  const [program = '', ...args] = [...account.prefix, ...command];
  return spawnSync(program, args, { ...account.ids, cwd: '/', env: SERVER_ENV, encoding: 'utf8', timeout: 20_000 });
}

function canRename(): boolean {
  return tryAs(RENAMED, ['true']).status === 0;
}

/** initdb wants its account to have a name, which a container's account often has not. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
