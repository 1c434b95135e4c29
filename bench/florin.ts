// The service under measurement: `florin start` as it ships, as a process of its own with its own database, simulated
// provider and keys in a data folder of the bench.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Florin = {
  readonly pid: number;
  readonly api_url: string;
  readonly vault_url: string;
  readonly private_key: string;
  readonly public_key: string;
  /** From the start of the process to its word that it is ready. */
  readonly ready_ms: number;
  /** Rejects when it ends without being asked to, with its last words. */
  readonly fallen: Promise<never>;
  stop(): Promise<void>;
};

export type FlorinOptions = {
  readonly data_dir: string;
  /** Options of Node. */
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const LAUNCHER = join(import.meta.dirname, '../bin/florin.mjs');
const START_MS = 60_000;
const STOP_MS = 20_000;

/** Limits out of the way; everything that costs or saves time is as it ships. */
const SETTINGS = {
  FLORIN_API_PORT: '0',
  FLORIN_VAULT_PORT: '0',
  FLORIN_BACKOFFICE_PORT: '0',
  FLORIN_REQUESTS_PER_SECOND: '1000000',
  FLORIN_REQUESTS_RUNNING: '100000',
  FLORIN_TOKENS_PER_MINUTE: '1000000',
  FLORIN_ALIKE_CARDS_PER_DAY: '1000000',
};

export async function startFlorin({ data_dir, node = [], env = {} }: FlorinOptions): Promise<Florin> {
  const began = performance.now();
  const child = spawn(process.execPath, [...node, LAUNCHER, 'start'], {
    // by the channel it notices when the bench is gone, even by kill -9
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...bareEnvironment(), ...SETTINGS, FLORIN_DATA_DIR: data_dir, ...env },
  });
  const words = listen(child);
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
    return end(child);
  };
  const fallen = once(child, 'exit').then(([code, signal]) => {
    if (stopping.signal.aborted) return new Promise<never>(() => undefined);
    throw new Error(`the service ended (${signal ?? code}); its last words:\n${words.last()}`);
  });
  fallen.catch(() => undefined);
  const said = await Promise.race([words.heard(/Public key +\S+/), fallen]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const ready_ms = performance.now() - began;
  const find = (name: string) => {
    const found = new RegExp(`${name} +(\\S+)`).exec(said)?.[1];
    if (found === undefined) throw new Error(`florin start did not print its ${name}:\n${said}`);
    return found;
  };
  return {
    pid: child.pid ?? 0,
    api_url: find('Payment API'),
    vault_url: find('Vault'),
    private_key: find('Private key'),
    public_key: find('Public key'),
    ready_ms,
    fallen,
    stop,
  };
}

/** Nothing of the caller's settings for Florin or PostgreSQL: the bench measures what ships. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:FLORIN_|PG|NODE_OPTIONS)/.test(name)));
}

const KEPT = 10_000;

function listen(child: ChildProcess) {
  let said = '';
  const heard = Promise.withResolvers<string>();
  let wanted: RegExp | undefined;
  const hear = (chunk: Buffer) => {
    // its log goes on for the whole run: only the end is kept
    said = (said + chunk.toString()).slice(-KEPT);
    if (wanted?.test(said)) heard.resolve(said);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  return {
    last: () => said.slice(-2000),
    heard: (words: RegExp) => {
      wanted = words;
      const late = setTimeout(() => heard.reject(new Error(`the service was not ready in time:\n${said}`)), START_MS);
      return heard.promise.finally(() => clearTimeout(late));
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(late);
}

/** Where the service's own PostgreSQL listens. */
export function socketOf(data_dir: string): string {
  const [, , , , socket = ''] = readFileSync(join(data_dir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  return socket.trim();
}
