// `florin start` as it ships, with everything it says and writes caught in one folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../../bench/florin.ts';
import { Client, until } from '../client.ts';

export type Running = {
  readonly pid: number;
  readonly shop: Client;
  readonly data_dir: string;
  stop(): Promise<void>;
};

const LAUNCHER = fileURLToPath(new URL('../../bin/florin.mjs', import.meta.url));

const SETTINGS = {
  FLORIN_API_PORT: '0',
  FLORIN_VAULT_PORT: '0',
  FLORIN_BACKOFFICE_PORT: '0',
  FLORIN_REQUESTS_PER_SECOND: '100000',
  FLORIN_REQUESTS_RUNNING: '1000',
  FLORIN_TOKENS_PER_MINUTE: '1000000',
  FLORIN_FAILED_KEYS_PER_MINUTE: '1000000',
  FLORIN_LOG_LEVEL: 'debug',
  FLORIN_WITH: 'paypal',
};

/** `marked`: stands in its command line, so that it must be found in its memory and reports. */
export async function startMarked({ folder, marked }: { folder: string; marked: string }): Promise<Running> {
  const data_dir = join(folder, 'data');
  const [out, err] = ['stdout', 'stderr'].map((name) => join(folder, 'out', name));
  const outputs = [openSync(out ?? '', 'w'), openSync(err ?? '', 'w')];
  const diagnostics = [
    '--report-on-signal',
    '--report-signal=SIGWINCH',
    '--heapsnapshot-signal=SIGUSR2',
    ...['--diagnostic-dir', '--report-dir'].map((option) => `${option}=${join(folder, 'diagnostics')}`),
  ];
  const child = spawn(process.execPath, [...diagnostics, LAUNCHER, 'start', marked], {
    stdio: ['ignore', ...outputs],
    env: { ...bareEnvironment(), ...SETTINGS, FLORIN_DATA_DIR: data_dir, TMPDIR: join(folder, 'temporary') },
  });
  const ended = once(child, 'exit');
  for (const output of outputs) closeSync(output);
  const said = () => readFileSync(out ?? '', 'utf8');
  await until(() => {
    if (child.exitCode !== null) throw new Error(`florin start ended: ${said()}${readFileSync(err ?? '', 'utf8')}`);
    return /Public key +\S+/.test(said()) || undefined;
  }, 120);
  const word = (label: string) => new RegExp(`${label} +(\\S+)`).exec(said())?.[1] ?? '';
  const keys = { private_key: word('Private key'), public_key: word('Public key') };
  return {
    pid: child.pid ?? 0,
    shop: new Client({ base_url: word('Payment API'), vault_url: word('Vault') }, keys),
    data_dir,
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}
