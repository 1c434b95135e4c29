// The data folder holds keys and secrets: only its owner may read it, also where an earlier version or a copy left it open.
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/** PostgreSQL looks after the modes of its own files, and may run as another account. */
const OF_THE_DATABASE = /^(?:postgres|postgres\.new-.*|socket)$/;

/** Takes the rights of all others from a folder and what is in it. Nothing where there is no folder; what is not ours is left. */
export function keepPrivate(folder: string): void {
  if (!existsSync(folder)) return;
  closeToOthers(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() || OF_THE_DATABASE.test(entry.name)) continue;
    if (entry.isDirectory()) keepPrivate(path);
    else closeToOthers(path);
  }
}

function closeToOthers(path: string): void {
  const { uid, mode } = lstatSync(path);
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch (error) {
    // a host in production writes nothing
    throw new StartError(`Others may read ${path}, which holds secrets: chmod -R go= what is in this folder.`, {
      cause: error,
    });
  }
}
