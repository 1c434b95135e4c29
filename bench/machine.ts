// What the machine says about processes: CPU time, memory, and how busy or stolen its processors were. From /proc, so
// on Linux only: elsewhere the answers are undefined and the report shows a dash.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

export type Group = 'service' | 'simulator' | 'postgres' | 'load';
/** CPU microseconds of each group since its processes began. */
export type Cpu = Readonly<Record<Group, number>>;

/** Ticks of all processors since the machine started. */
export type Ticks = { readonly total: number; readonly busy: number; readonly stolen: number };

const LINUX = existsSync('/proc/self/schedstat');
const TICK_US = LINUX ? 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0;

/** A file that may be gone with its process. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The fields of /proc/PID/stat after the name, which may hold spaces and brackets. */
function statOf(pid: number | 'self'): readonly string[] {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A process and everything below it. */
function treeOf(root: number): readonly number[] {
  if (!LINUX) return [root];
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** Microseconds that the living threads of a process have run. */
export function threadsUs(pid: number): number {
  let sum = 0;
  let threads: readonly string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return 0;
  }
  for (const thread of threads) sum += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] || 0) / 1000;
  return sum;
}

/** Microseconds of the children that a process has waited for. */
export function reapedUs(pid: number | 'self'): number {
  const stat = statOf(pid);
  return (Number(stat[13] ?? 0) + Number(stat[14] ?? 0)) * TICK_US;
}

/** CPU of the service's tree by what each process is, and of the load generator. */
export function cpuOf(service: number, load: number | undefined): Cpu | undefined {
  if (!LINUX) return undefined;
  const cpu = {
    service: threadsUs(service),
    simulator: 0,
    postgres: 0,
    load: load === undefined ? 0 : threadsUs(load),
  };
  for (const pid of treeOf(service)) {
    if (pid === service) continue;
    const command = read(`/proc/${pid}/cmdline`);
    if (command.includes('sandbox/main.ts')) cpu.simulator += threadsUs(pid);
    else if (read(`/proc/${pid}/comm`).startsWith('postgres'))
      // a connection that has ended was waited for by the server's first process
      cpu.postgres += threadsUs(pid) + reapedUs(pid);
  }
  return cpu;
}

/** Megabytes of the service's tree, each shared page counted once (PSS). */
export function memoryOf(service: number): number | undefined {
  if (!LINUX) return undefined;
  let kb = 0;
  for (const pid of treeOf(service)) {
    const pss = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`));
    if (!pss && existsSync(`/proc/${pid}/smaps_rollup`)) return undefined;
    kb += Number(pss?.[1] ?? 0);
  }
  return kb / 1024;
}

/** Megabytes that a process has had at most. */
export function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

export function ticks(): Ticks | undefined {
  if (!LINUX) return undefined;
  const counts = (read('/proc/stat').split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, stolen = 0] = counts;
  const busy = user + nice + system + irq + softirq;
  return { total: busy + idle + iowait + stolen, busy, stolen };
}

export type Noise = { readonly busy: number; readonly stolen: number; readonly foreign: number };

/** Shares of the machine between two readings; `own_us` is the CPU of everything the bench has started. */
export function noiseOf(from: Ticks | undefined, to: Ticks | undefined, own_us: number): Noise | undefined {
  if (!from || !to || to.total <= from.total) return undefined;
  const total = to.total - from.total;
  const busy = (to.busy - from.busy) / total;
  const own = own_us / TICK_US / total;
  return { busy, stolen: (to.stolen - from.stolen) / total, foreign: Math.max(0, busy - own) };
}
