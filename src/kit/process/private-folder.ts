// The data folder holds keys and secrets: only its owner may read it, also where an earlier version or a copy left it
// open.
import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/** PostgreSQL looks after the modes of its own files, and may run as another account. */
const OF_THE_DATABASE = /^(?:postgres|postgres\.new-.*|socket)$/;

/**
 * Takes the rights of all others from a folder and what is in it. Nothing where there is no folder; what is not ours is
 * left.
 */
export function keepPrivate(folder: string): void {
  for (const path of openToOthers(folder)) closeToOthers(path);
}

/** A folder and what is in it, as far as it is ours and others may do something with it. */
export function openToOthers(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const inside = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() || OF_THE_DATABASE.test(entry.name)) return [];
    return entry.isDirectory() ? openToOthers(path) : [path].filter(isOpen);
  });
  return [...[folder].filter(isOpen), ...inside];
}

function isOpen(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  return (mode & 0o077) !== 0 && uid === process.getuid?.();
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, lstatSync(path).mode & 0o700);
  } catch (error) {
    // a host alone writes nothing in production
    throw new StartError(`Others may read ${path}, where secrets are: take that from them with chmod -R go=`, {
      cause: error,
    });
  }
}
