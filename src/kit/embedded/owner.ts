// One process owns a data folder. The lock is the one that SQLite takes on a file: the kernel holds it for the process
// and drops it when the process ends, however that happens, so it is never stale and no reused pid can fool it. Node
// has no flock of its own.
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../start-error.ts';

const SQLITE_BUSY = 5;
const DYING_MS = 1000;
const RETRY_MS = 25;

/** Takes the folder for this process, or says who has it. Gives back the function that lets it go. */
export async function ownFolder(folder: string): Promise<() => void> {
  const lock_file = join(folder, 'florin.lock');
  // The pid is only for the message. It stands in a file of its own: closing a locked file, even one opened only to
  // read, drops the lock of the whole process.
  const pid_file = join(folder, 'florin.pid');
  // A process that has just been killed is a moment in dying.
  const give_up_at = performance.now() + DYING_MS;
  let lock = takeLock(folder, lock_file);
  while (lock === undefined && performance.now() < give_up_at) {
    await wait(RETRY_MS);
    lock = takeLock(folder, lock_file);
  }
  if (lock === undefined) throw inUse(folder, pid_file);
  const held = lock;
  const release = (): void => {
    rmSync(pid_file, { force: true });
    if (held.isOpen) held.close();
  };
  try {
    writeFileSync(pid_file, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    held.close();
    throw error;
  }
  return release;
}

function takeLock(folder: string, lock_file: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined;
  try {
    // SQLite would quietly read what it cannot write, and a reader locks nothing out.
    accessSync(folder, constants.W_OK);
    if (existsSync(lock_file)) accessSync(lock_file, constants.W_OK);
    // SQLite gives the mode of this file to the one beside it
    else closeSync(openSync(lock_file, 'a', 0o600));
    lock = new DatabaseSync(lock_file);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

function inUse(folder: string, pid_file: string): StartError {
  const pid = livingPid(pid_file);
  return new StartError(
    `The data folder "${folder}" is in use by another Florin (process ${pid ?? 'unknown'}). ` +
      `Stop that one${pid === undefined ? '' : ` (kill ${pid})`}, or give this one another data folder.`,
  );
}

function livingPid(pid_file: string): number | undefined {
  try {
    const pid = Number(readFileSync(pid_file, 'utf8'));
    if (!Number.isInteger(pid) || pid < 1) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}
