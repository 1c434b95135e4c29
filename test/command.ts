// A command as an operator runs it beside a world: a process of its own, on that world's database.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { ROOT } from './start/root.ts';
import type { World } from './world.ts';

type CommandEnd = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs `florin ARGS…` to its end. */
export async function command(w: World, args: readonly string[]): Promise<CommandEnd> {
  const { socket_dir, user } = inject('server');
  const env = {
    PATH: process.env['PATH'],
    // as bin/florin.mjs does: half of what a command costs is to be compiled
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    FLORIN_DATA_DIR: w.data_dir,
    FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], { env });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** The same, for what is shown: how it ended, and all that it said. */
export async function florin(w: World, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await command(w, args);
  return `${code}\n${out}${err}`;
}
