// A server may still be there that an earlier process of ours started: its guard is ending it, or the guard was killed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import { SERVER_ENV } from './account.ts';
import { OUR_MARK } from './settings.ts';

const POLITE_MS = 10_000;
const LIMIT_MS = 20_000;
const NOBODYS_PID = 2 ** 31 - 1;

/** Waits for the end of a server that still runs on these files, and helps it. Only the owner of the folder may ask. */
export async function endOldServer(cluster: string, say: (line: string) => void): Promise<void> {
  await removeEmptyPidFile(cluster);
  const pid = readServerState(cluster)?.pid;
  if (pid === undefined) return;
  const command = commandOf(pid);
  if (!isServer(command, cluster)) {
    forgetPid(cluster, pid);
    return;
  }
  if (!command.includes(OUR_MARK)) {
    throw new StartError(
      `Another PostgreSQL (process ${pid}) that Florin did not start runs on "${cluster}". Stop it, or use another data folder.`,
    );
  }
  say(`waiting for the last database server (process ${pid}) to end`);
  const began = performance.now();
  while (isServer(commandOf(pid), cluster)) {
    const waited = performance.now() - began;
    if (waited > LIMIT_MS) {
      throw new StartError(
        `The last database server (process ${pid}) on "${cluster}" does not end. Stop it (kill -QUIT ${pid}).`,
      );
    }
    sendSignal(pid, waited > POLITE_MS ? 'SIGQUIT' : 'SIGINT');
    await wait(50);
  }
}

/** What a server wrote into its pid file; it may be dead. */
export function readServerState(cluster: string): { pid: number; ready: boolean } | undefined {
  const pid_file = join(cluster, 'postmaster.pid');
  if (!existsSync(pid_file)) return undefined;
  const lines = readFileSync(pid_file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 1 && pid !== NOBODYS_PID
    ? { pid, ready: lines[7]?.trim() === 'ready' }
    : undefined;
}

/**
 * A dead server's pid may be another program's now, and PostgreSQL would take that for a running server. The rest of
 * the file stays: by it PostgreSQL knows whether workers of the dead server still use the files.
 */
function forgetPid(cluster: string, pid: number): void {
  const pid_file = join(cluster, 'postmaster.pid');
  const text = readFileSync(pid_file, 'utf8').replace(String(pid), String(NOBODYS_PID));
  // in one step: a process killed here leaves the old file or the new one, never an empty one
  writeFileSync(`${pid_file}.new`, text);
  renameSync(`${pid_file}.new`, pid_file);
}

/**
 * Where the server of another process listens: for a command beside the running service. Undefined: none runs. The
 * fifth line of postmaster.pid is the socket folder.
 */
export function findEmbedded(data_dir: string): { readonly socket_dir: string; readonly user: string } | undefined {
  const pid_file = join(data_dir, 'postgres', 'postmaster.pid');
  if (!existsSync(pid_file)) return undefined;
  const socket_dir = readFileSync(pid_file, 'utf8').split('\n')[4]?.trim();
  return socket_dir === undefined || socket_dir === '' ? undefined : { socket_dir, user: 'florin' };
}

const EMPTY_TRIES = 20;

/**
 * A server that was killed while it made its pid file leaves it empty, and PostgreSQL refuses to start beside it for
 * good. It had no workers yet, so the file may go; one that is still being written is given a second.
 */
async function removeEmptyPidFile(cluster: string): Promise<void> {
  const pid_file = join(cluster, 'postmaster.pid');
  const isEmpty = () => existsSync(pid_file) && statSync(pid_file).size === 0;
  for (let tries = 0; isEmpty() && tries < EMPTY_TRIES; tries++) await wait(50);
  if (isEmpty()) rmSync(pid_file);
}

function isServer(command: readonly string[], cluster: string): boolean {
  return command.some((word) => word.endsWith('postgres')) && command.includes(cluster);
}

/** The words of a running program's command line; none when there is no such program. */
function commandOf(pid: number): string[] {
  if (existsSync('/proc/self/cmdline')) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    } catch {
      return [];
    }
  }
  const listed = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', env: SERVER_ENV });
  return listed.stdout.split(' ');
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just gone.
  }
}
