// Files that outlast a power cut: their bytes and their names are on the disk before anything builds on them.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A process with Node's permissions may not ask for that. Such a host makes files in a sandbox alone: in production
 * commands make them.
 */
const mayAsk = (): boolean => !('permission' in process) || process.permission === undefined;

/**
 * A new file; throws EEXIST where there is one. Under its name it is there as a whole or not at all, also when the disk
 * is full or the process is killed. Its name is kept by `keepNames`.
 */
export function writeKept(path: string, bytes: string | Uint8Array, mode: number): void {
  const whole = `${path}.${process.pid}`;
  // of one with the same number, which was killed here
  rmSync(whole, { force: true });
  try {
    writeFileSync(whole, bytes, { mode, flag: 'wx', flush: mayAsk() });
    linkSync(whole, path);
  } finally {
    rmSync(whole, { force: true });
  }
}

/**
 * Makes a folder, with those above it that are not there. Node's own `recursive` says of a read-only disk that
 * something is not there, and in folders in which nobody makes any (/proc) it never ends.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    const above = dirname(path);
    if (!isMissing(error) || isFolder(above)) throw error;
    makeFolder(above, mode);
    makeFolder(path, mode);
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * A file anew, in one step: who reads at this moment finds the old one or the new one, and what a full disk or a kill
 * left is neither. Its name is kept by `keepNames`.
 */
export function replaceKept(path: string, bytes: string | Uint8Array, mode: number): void {
  const whole = `${path}.new`;
  // of a run that was killed: it could not be written to
  rmSync(whole, { force: true });
  try {
    writeFileSync(whole, bytes, { mode, flush: mayAsk() });
    chmodSync(whole, mode);
    renameSync(whole, path);
  } finally {
    rmSync(whole, { force: true });
  }
}

/** The names in a folder are on the disk as they are now. */
export function keepNames(folder: string): void {
  if (!mayAsk()) return;
  const open = openSync(folder, 'r');
  fsyncSync(open);
  closeSync(open);
}

/**
 * Writes all bytes at a place of an open file, or throws: a disk that gets full takes a part of them without a word,
 * and refuses only the next.
 */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}
