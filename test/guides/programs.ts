// The programs of examples/ as processes, as a merchant starts them.
import { spawn } from 'node:child_process';
import type { World } from '../world.ts';
import { ownPort } from '../ports.ts';
import { until } from '../client.ts';
import { readersEnvironment, readersFolder } from './lines.ts';

export type Program = AsyncDisposable & {
  readonly url: string;
  /** Where it keeps what it was told. */
  readonly folder: string;
  /** Everything it printed. */
  printed(): string;
};

/** A command whose last word is the program; `PORT` in it stands for its port. */
export async function startProgram(
  w: World,
  command: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const port = await ownPort();
  const folder = readersFolder(w);
  const [program = '', ...words] = command.map((word) => word.replace('PORT', String(port)));
  const keys = { PRIVATE_KEY: w.keys.private_key, PUBLIC_KEY: w.keys.public_key };
  const child = spawn(program, words, {
    cwd: folder.path,
    env: { ...readersEnvironment(w, port), ...keys, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    folder[Symbol.dispose]();
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended: ${printed}`);
      return /listening|started/.test(printed) ? true : undefined;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, folder: folder.path, printed: () => printed, [Symbol.asyncDispose]: stop };
}
