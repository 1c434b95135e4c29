// Where the server's files live: the data folder, or, when the server's account cannot walk there (a checkout below
// /root and no user namespaces), a folder of ours that it can reach, with a link to it in the data folder.
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import { type Account, tryAs } from './account.ts';

export type Home = {
  /** Holds what belongs to the server: the database files, the socket, a copy of the programs where one is needed. */
  readonly dir: string;
  /** The database files, in `dir`. */
  readonly cluster: string;
};

// Not /var/tmp: a machine may sweep that after thirty days.
const REACHABLE = '/var/lib/florin';

/** Finds the place for the server's files; `data` is where people look for them. */
export function findHome(data: string, account: Account): Home {
  const linked = lstatSync(data, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const cluster = linked ? resolve(dirname(data), readlinkSync(data)) : join(realpathSync(dirname(data)), 'postgres');
  const dir = dirname(cluster);
  if (canEnter(dir, account)) return { dir, cluster };
  if (!existsSync(dir)) {
    throw new StartError(
      `"${data}" is a link to "${cluster}", and that is gone. Bring it back, or remove the link to begin with an empty database.`,
    );
  }
  if (!existsSync(cluster)) return makeReachable(data, account);
  throw new StartError(
    `The database in "${cluster}" cannot be reached by the account that PostgreSQL runs as, and it does not run as root. ` +
      `Start Florin as the account that owns that folder, or use another data folder.`,
  );
}

function makeReachable(data: string, account: Account): Home {
  try {
    mkdirSync(REACHABLE, { recursive: true, mode: 0o711 });
    const dir = mkdtempSync(join(REACHABLE, 'data-'));
    giveTo(dir, account);
    const cluster = join(dir, 'postgres');
    symlinkSync(cluster, data);
    return { dir, cluster };
  } catch (error) {
    throw new StartError(
      `PostgreSQL does not run as root, no other account can reach "${dirname(data)}", and "${REACHABLE}" cannot be made. ` +
        `Start Florin as a normal user, or use a data folder that every account can reach.`,
      { cause: error },
    );
  }
}

/** Makes a file or a whole folder the account's own. */
export function giveTo(path: string, account: Account): void {
  const { uid, gid } = account.ids;
  if (uid === undefined || gid === undefined) return;
  chownSync(path, uid, gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) {
    const inner = join(path, name);
    if (!lstatSync(inner).isSymbolicLink()) giveTo(inner, account);
  }
}

function canEnter(folder: string, account: Account): boolean {
  return tryAs(account, ['sh', '-c', 'cd -- "$1"', 'sh', folder]).status === 0;
}
