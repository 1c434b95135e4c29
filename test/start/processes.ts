// The processes of this machine, and which started which: for tests that end processes and look for what was left
// behind.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { until } from '../client.ts';

/** `born` tells a process from a later one that got the same number. */
export type Process = {
  readonly pid: number;
  readonly parent: number;
  readonly born: string;
  readonly command: string;
};

/** Every living process; one that only waits to be forgotten by its parent is dead. */
function everyProcess(): Process[] {
  if (!existsSync('/proc/self/stat')) return psProcesses();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => readProcess(Number(pid)) ?? []);
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name before it may contain anything
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    if (fields[0] === 'Z') return undefined;
    return { pid, parent: Number(fields[1]), born: fields[19] ?? '', command };
  } catch {
    return undefined;
  }
}

function psProcesses(): Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,lstart=,command='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){5})(.*)$/.exec(line);
    if (!match || match[3]?.startsWith('Z')) return [];
    return { pid: Number(match[1]), parent: Number(match[2]), born: match[4] ?? '', command: match[5] ?? '' };
  });
}

/** The process and all it started, directly or not. */
export function treeOf(pid: number): readonly Process[] {
  const every = everyProcess();
  const found = every.filter((one) => one.pid === pid);
  for (const one of found) found.push(...every.filter((other) => other.parent === one.pid));
  return found;
}

export function livingOf(some: readonly Process[]): readonly Process[] {
  const every = new Map(everyProcess().map((one) => [one.pid, one.born]));
  return some.filter(({ pid, born }) => every.get(pid) === born);
}

/** Waits until all of them are gone; names those that stay. */
export async function gone(some: readonly Process[]): Promise<void> {
  await until(() => (livingOf(some).length === 0 ? true : undefined)).catch(() => {
    throw new Error(
      `still there: ${livingOf(some)
        .map((one) => `${one.pid} ${one.command.slice(0, 120)}`)
        .join('\n')}`,
    );
  });
}

/** Living processes that work on a folder: it stands in their command line. */
export function workingOn(folder: string): readonly Process[] {
  return everyProcess().filter(({ pid, command }) => pid !== process.pid && command.includes(folder));
}

export function kill(some: readonly Process[], signal: NodeJS.Signals): void {
  for (const { pid } of livingOf(some)) process.kill(pid, signal);
}

/** The parts of a running Florin. */
export function partsOf(tree: readonly Process[]): { simulator: Process; postmaster: Process } {
  const simulator = tree.find(isSimulator);
  const postmaster = tree.find(isPostmaster);
  if (!simulator || !postmaster) throw new Error(`not all parts run: ${tree.map((one) => one.command).join('\n')}`);
  return { simulator, postmaster };
}

export function isSimulator({ command }: Process): boolean {
  return command.includes('sandbox/main.ts');
}

export function isPostmaster({ command }: Process): boolean {
  return /^\S+\/postgres -D /.test(command);
}
