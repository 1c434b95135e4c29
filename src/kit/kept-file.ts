// Files that outlast a power cut: their bytes and their names are on the disk before anything builds on them.
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/**
 * A process with Node's permissions may not ask for that. Such a host makes files in a sandbox alone: in production
 * commands make them.
 */
const mayAsk = (): boolean => !('permission' in process) || process.permission === undefined;

/** A new file; throws where there is one. Its name is kept by `keepNames`. */
export function writeKept(path: string, bytes: string | Uint8Array, mode: number): void {
  writeFileSync(path, bytes, { mode, flag: 'wx', flush: mayAsk() });
}

/** The names in a folder are on the disk as they are now. */
export function keepNames(folder: string): void {
  if (!mayAsk()) return;
  const open = openSync(folder, 'r');
  fsyncSync(open);
  closeSync(open);
}
