// The history a process of this folder last saw of a database, so that a restart does not forget it. Where nothing can
// be written it is kept in memory only.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type History = { readonly system: string; readonly mark: string };

export type SeenFile = {
  read(): History | undefined;
  /** False: it could not be written. */
  write(history: History): boolean;
};

/** For a database that this process itself runs: no other server can replace it. */
export const NO_FILE: SeenFile = { read: () => undefined, write: () => true };

/**
 * For a command that ends at once: it reads what was seen before, and leaves the file to the service that comes after
 * it.
 */
export const readOnly = ({ read }: SeenFile): SeenFile => ({ read, write: () => true });

export function seenFile(data_dir: string, schema: string): SeenFile {
  const path = join(data_dir, `history-of-${schema}.json`);
  return {
    read: () => (existsSync(path) ? readHistory(readFileSync(path, 'utf8')) : undefined),
    write: (history) => {
      const whole = `${path}.${process.pid}`;
      try {
        // under its name it is there as a whole or not at all
        writeFileSync(whole, `${JSON.stringify(history)}\n`, { mode: 0o600 });
        renameSync(whole, path);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** A damaged file is as none: the database's own rows stand beside it. */
function readHistory(text: string): History | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('system' in value) || !('mark' in value)) return undefined;
    const { system, mark } = value;
    return typeof system === 'string' && typeof mark === 'string' ? { system, mark } : undefined;
  } catch {
    return undefined;
  }
}
