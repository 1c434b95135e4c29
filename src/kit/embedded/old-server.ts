// A server may still be there that an earlier process of ours started: its guard is ending it, or somebody killed the guard.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** A dead server's pid may be another program's now, and PostgreSQL would take that for a running server. The rest of the
 * file stays: by it PostgreSQL knows whether workers of the dead server still use the files. */
function forgetPid(cluster: string, pid: number): void {
  const pid_file = join(cluster, 'postmaster.pid');
  writeFileSync(pid_file, readFileSync(pid_file, 'utf8').replace(String(pid), String(NOBODYS_PID)));
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
