// A child process that is killed and started again, by its own id.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

export type Child = {
  readonly pid: number;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  isAlive(): boolean;
  signal(name: NodeJS.Signals): void;
};

export type Launch = {
  readonly script: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder where what Node has compiled is kept for the next start. */
  readonly compiled: string;
  /**
   * How nice it is to others: the bank must be quick, or it breaks its own promise of how long something is in flight.
   */
  readonly nice: number;
  line(text: string, from: 'stdout' | 'stderr'): void;
};

const KEEP_COMPILED = new URL('keep-compiled.ts', import.meta.url).href;

/** Starts a child whose stdin we hold open: a child that listens there ends when we end, however that happens. */
export function launch({ script, args, cwd, env, compiled, nice, line }: Launch): Child {
  const child = spawn(process.execPath, ['--max-old-space-size=256', '--import', KEEP_COMPILED, script, ...args], {
    cwd,
    env: { ...bare(), NODE_COMPILE_CACHE: compiled, ...env },
    // by the channel a service notices when we are gone
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  const { pid = 0 } = child;
  if (pid > 0 && nice !== 0) setPriority(pid, nice);
  listen(child, line);
  const ended = once(child, 'exit').then(([code, signal]) => ({
    code: typeof code === 'number' ? code : null,
    signal: isSignal(signal) ? signal : null,
  }));
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    ended,
    isAlive,
    signal: (name) => {
      if (isAlive()) child.kill(name);
    },
  };
}

const isSignal = (value: unknown): value is NodeJS.Signals => typeof value === 'string' && value.startsWith('SIG');

/** Nothing of the caller's settings for Florin, Node or PostgreSQL. */
function bare(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:FLORIN|VITEST|NODE|PG)/.test(name));
  return Object.fromEntries(kept.map(([name, value = '']) => [name, value]));
}

function listen(child: ChildProcess, line: Launch['line']): void {
  for (const from of ['stdout', 'stderr'] as const) {
    let rest = '';
    child[from]?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const one of lines) line(one, from);
    });
  }
}
