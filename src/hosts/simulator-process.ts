// Runs the simulated provider as a process of its own, and again when it dies: the bank does not go away with one
// crash.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Log } from '../kit/log.ts';

export type SimulatorProcess = {
  readonly url: string;
  /** The port of the listener that a proxy finds; null: there is none. */
  readonly pages_port: number | null;
  close(): Promise<void>;
};

type Place = { readonly host: string; readonly port: number };

const SCRIPT = fileURLToPath(new URL('../sandbox/main.ts', import.meta.url));
const RESTART_MS = 500;
/**
 * The books are in memory, about 600 bytes for each entry: near the limit of memory, every call would pay for the
 * garbage collector.
 */
const MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=8'];

export async function runSimulator(options: {
  /** Address of one that runs already; empty: it is started here. */
  url?: string;
  data_dir: string;
  log: Log;
  /** Absent or 0: any free one. */
  port?: number;
  /** The address of the bank for the browsers of payers; absent or empty: the address at which it listens. */
  public_url?: string;
  /**
   * The address at which a proxy finds the pages for payers, and nothing else: for a bank with an address for payers
   * only.
   */
  pages?: Place;
  sleep(ms: number): Promise<void>;
}): Promise<SimulatorProcess> {
  if (options.url) return { url: options.url, pages_port: null, close: async () => undefined };
  const settings = {
    host: '127.0.0.1',
    journal_file: join(options.data_dir, 'simulator.journal'),
    public_url: options.public_url || null,
  };
  const pages = (options.public_url && options.pages) || null;
  let closing = false;
  const first = await launch({ ...settings, pages, port: options.port ?? 0 });
  const { port, pages_port } = first;
  const again = { ...settings, port, pages: pages && { ...pages, port: pages_port ?? pages.port } };
  // for commands beside the service
  writeFileSync(simulatorPlace(options.data_dir), `http://127.0.0.1:${port}`, { mode: 0o600 });
  let { child } = first;
  const watch = async (): Promise<void> => {
    while (!closing) {
      await exited(child);
      if (closing) return;
      options.log.warn({ port }, 'the simulated provider ended; starting it again');
      await options.sleep(RESTART_MS);
      if (closing) return;
      // another program may have the port for a moment: the next round tries again
      await launch(again).then(
        (started) => ({ child } = started),
        (error: unknown) => options.log.error({ error: String(error) }, 'the simulated provider did not come back'),
      );
    }
  };
  void watch();
  return {
    url: `http://127.0.0.1:${port}`,
    pages_port,
    close: async () => {
      closing = true;
      child.stdin?.end();
      await exited(child);
    },
  };
}

/** The bank's pages for payers elsewhere, as the settings have them. */
export function pagesOf(config: {
  readonly host: string;
  readonly simulator_public_url: string;
  readonly simulator_pages_port: number;
}): { public_url: string; pages: Place } {
  const { host, simulator_public_url: public_url, simulator_pages_port: port } = config;
  return { public_url, pages: { host, port } };
}

/** The address of the simulated provider of a running service; undefined: none was started on this data folder. */
export function findSimulator({ url, data_dir }: { url: string; data_dir: string }): string | undefined {
  if (url !== '') return url;
  const place = simulatorPlace(data_dir);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

const simulatorPlace = (data_dir: string): string => join(data_dir, 'simulator.url');

async function launch(settings: {
  host: string;
  port: number;
  journal_file: string;
  public_url: string | null;
  pages: Place | null;
}): Promise<{ child: ChildProcess; port: number; pages_port: number | null }> {
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [...MEMORY, SCRIPT, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
    // The terminal's Ctrl-C is for us: what is under way still needs its answers. It ends when we close its stdin.
    detached: true,
  });
  // a program that could not be started has no output to read
  await once(child, 'spawn');
  const gone = exited(child).then(() => {
    throw new Error('the simulated provider did not start');
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, 'line'), gone]);
  const told: unknown = JSON.parse(String(line));
  if (typeof told !== 'object' || told === null || !('port' in told) || typeof told.port !== 'number')
    throw new Error('the simulated provider told no port');
  const pages_port = 'pages_port' in told && typeof told.pages_port === 'number' ? told.pages_port : null;
  return { child, port: told.port, pages_port };
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
