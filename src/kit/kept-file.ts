// Files that outlast a power cut: their bytes and their names are on the disk before anything builds on them.
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** A new file; throws where there is one. Its name is kept by `keepNames`. */
export function writeKept(path: string, bytes: string | Uint8Array, mode: number): void {
  writeFileSync(path, bytes, { mode, flag: 'wx', flush: true });
}

/** The names in a folder are on the disk as they are now. */
export function keepNames(folder: string): void {
  const open = openSync(folder, 'r');
  fsyncSync(open);
  closeSync(open);
}
