// Servers for embedded.test.ts: started here or in a process that can be killed, and looked at from outside.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../src/kit/embedded.ts';
import { HANGS_MS } from '../client.ts';

export const NOBODY = 65534;
export const isRoot = process.getuid?.() === 0;
export const base = mkdtempSync(join(tmpdir(), 'florin-embedded-'));
chmodSync(base, 0o755);

const servers: Embedded[] = [];
const children: ChildProcess[] = [];

// Starts a server and runs until it is killed: what `florin start` is to the database.
const script = join(base, 'start.mjs');
writeFileSync(
  script,
  `import { startEmbedded } from ${JSON.stringify(new URL('../../src/kit/embedded.ts', import.meta.url).href)};
const options = JSON.parse(process.argv[2] ?? 'null');
try {
  if (options) console.log('socket ' + (await startEmbedded(options)).socket_dir);
  if (options) setInterval(() => undefined, 60_000);
} catch (error) {
  console.log('refused ' + error.name + ' ' + error.message);
}`,
);

export async function start(options: EmbeddedOptions): Promise<Embedded> {
  const server = await startEmbedded(options);
  servers.push(server);
  return server;
}

export function inChild(options: EmbeddedOptions, as: { uid?: number; inside?: string[] } = {}): ChildProcess {
  const [program, ...args] = [...(as.inside ?? []), process.execPath, script, JSON.stringify(options)];
  const ids = as.uid === undefined ? {} : { uid: as.uid, gid: as.uid };
  const child = spawn(program, args, { ...ids, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Ends a child of a test when the test ends. */
export function endLater(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

export async function endAll(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
}

export async function removeAll(): Promise<void> {
  await until(() => serversIn(base).length === 0);
  rmSync(base, { recursive: true, force: true });
}

/** True when a command can be run in this environment, itself a command that takes one. */
export function isPossible([program = '', ...inside]: readonly string[]): boolean {
  return spawnSync(program, [...inside, 'true']).status === 0;
}

/** True when "nobody" can get at this checkout and its Node at all. */
export function isOpenToNobody(): boolean {
  return spawnSync(process.execPath, [script], { uid: NOBODY, gid: NOBODY, cwd: '/' }).status === 0;
}

/** What the child says: where its socket is, or why it was refused. */
export async function outcome(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of child.stdout ?? []) {
    text += String(part);
    if (text.startsWith('socket ') && text.endsWith('\n')) break;
  }
  return text.trim();
}

export async function socketOf(child: ChildProcess): Promise<{ socket_dir: string }> {
  const said = await outcome(child);
  expect(said).toMatch(/^socket /);
  return { socket_dir: said.replace('socket ', '') };
}

export async function query(at: { socket_dir: string }, text: string): Promise<unknown[]> {
  const client = new pg.Client({ host: at.socket_dir, user: 'florin', database: 'postgres' });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

export async function expectAnswer(at: { socket_dir: string }): Promise<void> {
  expect(await query(at, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
}

/** A data folder as a first start left it; to make each by a first start would take longer. */
export async function madeBefore(name: string): Promise<string> {
  const made = join(base, 'made');
  const data_dir = folderWith(name);
  first_start ??= startEmbedded({ data_dir: made }).then((server) => server.stop());
  await first_start;
  cpSync(join(made, 'postgres'), join(data_dir, 'postgres'), { recursive: true });
  return data_dir;
}

let first_start: Promise<void> | undefined;

export function folderWith(name: string, database_files: Readonly<Record<string, string>> = {}): string {
  const data_dir = join(base, name);
  mkdirSync(data_dir, { recursive: true });
  for (const [file, text] of Object.entries(database_files)) {
    mkdirSync(join(data_dir, 'postgres'), { recursive: true });
    writeFileSync(join(data_dir, 'postgres', file), text);
  }
  return data_dir;
}

export function postmaster(data_dir: string): number {
  return Number.parseInt(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

export function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
}

/** The processes below one: a server's checkpointer and its like. */
export function workersOf(pid: number): number[] {
  const listed = spawnSync('ps', ['-ax', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout;
  const rows = listed.split('\n').map((row) => row.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

/** Servers and guards at work on a folder; the dead whom nobody has buried do not count. */
export function serversIn(folder: string): string[] {
  const listed = spawnSync('ps', ['-axww', '-o', 'pid=,stat=,command='], { encoding: 'utf8' }).stdout;
  const rows = listed
    .split('\n')
    .filter((row) => row.includes(folder) && /bin\/(?:postgres|initdb) -D|florin-guard/.test(row));
  return rows.filter((row) => !/^\s*\d+\s+Z/.test(row));
}

export async function until(condition: () => boolean): Promise<void> {
  const give_up_at = performance.now() + HANGS_MS;
  while (!condition()) {
    if (performance.now() > give_up_at) throw new Error(`still not so: ${String(condition)}`);
    await wait(20);
  }
}
