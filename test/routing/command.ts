// A command of florin, run beside a world's service as an operator runs it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { ROOT } from '../start/child.ts';
import type { World } from '../world.ts';

/** Its exit code, and below it what it says. */
export async function florin(w: World, ...args: readonly string[]): Promise<string> {
  const { socket_dir, user } = inject('server');
  const env = {
    PATH: process.env['PATH'],
    FLORIN_DATA_DIR: w.data_dir,
    FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], { env });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return `${code}\n${out}${err}`;
}
