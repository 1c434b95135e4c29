// The real thing: `node bin/florin.mjs COMMAND` as a child process, with a folder and ports of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { Client, until } from '../client.ts';
import { ownPort } from '../ports.ts';
import { type Process, gone, kill, treeOf } from './processes.ts';
import { ROOT } from './root.ts';

export type Settings = Readonly<Record<string, string>>;

export { ROOT };

/** Removed after the test, with everything in it. */
export function newFolder(name = 'florin-start-'): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), name)));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Free ports that the service takes and prints itself: nobody can be quicker. */
const ANY_PORTS = { FLORIN_API_PORT: '0', FLORIN_VAULT_PORT: '0', FLORIN_BACKOFFICE_PORT: '0' };

/**
 * Ports of this process's own, below those that the system gives out, as settings: for those who must know them before.
 */
export async function freePorts(): Promise<Settings> {
  const names = Object.keys(ANY_PORTS);
  const ports: [string, string][] = [];
  for (const name of names) ports.push([name, String(await ownPort())]);
  return Object.fromEntries(ports);
}

/** A port that is in use until it is released. */
export async function takePort(): Promise<{ readonly port: number; release(): Promise<void> }> {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const release = async () => {
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  return { port: listeningPort(server), release };
}

export type Run = {
  readonly child: ChildProcess;
  /** The text so far on both of its outputs. */
  out(): string;
  err(): string;
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

export type Options = {
  readonly cwd: string;
  readonly settings?: Settings;
  readonly command?: readonly string[];
  readonly uid?: number;
};

/** Runs a command of Florin. It is a process group of its own, as it would be in a terminal. */
export function runFlorin({ cwd, settings = {}, command = ['start'], uid }: Options): Run {
  const environment = Object.entries(process.env).filter(([name]) => !/^(?:FLORIN|VITEST|NODE)_/.test(name));
  const child = spawn(process.execPath, [join(ROOT, 'bin/florin.mjs'), ...command], {
    cwd,
    env: { ...Object.fromEntries(environment), ...quick(settings), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }));
  return { child, out: () => out, err: () => err, ended };
}

/** The tests' own server does not wait for the disk, which a start refuses unless it is told. */
function quick(settings: Settings): Settings {
  return 'FLORIN_DATABASE_URL' in settings || 'FLORIN_VAULT_DATABASE_URL' in settings
    ? { FLORIN_DATABASE_DURABLE: 'unchecked' }
    : {};
}

/** Runs a command to its end. */
export async function outcomeOf(options: Options): Promise<{ code: number | null; said: string; seconds: number }> {
  const began = performance.now();
  const run = runFlorin(options);
  const { code } = await run.ended;
  return { code, said: run.out() + run.err(), seconds: (performance.now() - began) / 1000 };
}

export type Florin = AsyncDisposable &
  Run & {
    readonly pid: number;
    readonly shop: Client;
    readonly backoffice_url: string;
    readonly data_dir: string;
    /** The process and all that it started, at this moment. */
    tree(): readonly Process[];
    /** Sends it (or whom else is said) a signal and waits for its end: exit code, seconds it took. */
    stop(signal: NodeJS.Signals, whom?: number): Promise<{ code: number | null; seconds: number }>;
  };

/** Starts the service and waits until it says that it is ready. The folder is where it is started from. */
export async function startFlorin(cwd: string, settings: Settings = {}, uid?: number): Promise<Florin> {
  const run = runFlorin({ cwd, settings: { ...ANY_PORTS, ...settings }, ...(uid !== undefined && { uid }) });
  const { child } = run;
  const pid = child.pid ?? 0;
  await until(() => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${run.out()}${run.err()}`);
    return run.out().includes('npm run demo') || undefined;
  });
  const word = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(run.out())?.[1] ?? '';
  const keys = { private_key: word('Private key'), public_key: word('Public key') };
  const shop = new Client({ base_url: word('Payment API'), vault_url: word('Vault') }, keys);
  const tree = () => treeOf(pid);
  const began = tree();
  return {
    ...run,
    pid,
    shop,
    tree,
    backoffice_url: word('Back office'),
    data_dir: join(cwd, settings['FLORIN_DATA_DIR'] ?? 'data'),
    stop: async (signal, whom = pid) => {
      const before = performance.now();
      process.kill(whom, signal);
      const { code } = await run.ended;
      return { code, seconds: (performance.now() - before) / 1000 };
    },
    [Symbol.asyncDispose]: async () => {
      const all = [...began, ...tree()];
      kill(all, 'SIGCONT');
      kill(all.slice(0, 1), 'SIGKILL');
      await gone(all).finally(() => kill(all, 'SIGKILL'));
    },
  };
}
