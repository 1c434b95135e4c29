// bin/florin.mjs: a command runs on the right Node whatever Node was asked, and behaves as if nothing stood in between.
// A tiny src/main.ts in a temporary tree takes the part of the real one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { HANGS_MS } from './client.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'florin-hand-over-'));
const children: ChildProcess[] = [];
const old = nodeOnPath((major) => major < 24);
// Node 22.15 and later can be replaced by the new one; only one that cannot has to wait.
const waiting = nodeOnPath((major) => major < 22);
// This test may itself have been handed over.
const env = { ...process.env, FLORIN_HANDED_OVER: undefined };
const none = 'there is no such Node on the PATH of this machine';

const MAIN = `
const [what = '', ...rest] = process.argv.slice(2);
const answer: Record<string, () => void> = {
  say: () => console.log(JSON.stringify({ version: process.versions.node, pid: process.pid, rest, handed_over: process.env.FLORIN_HANDED_OVER })),
  exit: () => process.exit(Number(rest[0])),
  die: () => process.kill(process.pid, 'SIGKILL'),
  fail: () => { throw new Error('as it happens'); },
  echo: () => process.stdin.pipe(process.stdout),
  wait: () => {
    process.on('disconnect', () => process.exit(0));
    console.log('pid ' + process.pid);
    setInterval(() => undefined, 1000);
  },
  listen: () => process.on('disconnect', () => undefined),
  stay: () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => console.log(name));
    process.stdin.on('end', () => process.exit(7)).resume();
    console.log('pid ' + process.pid);
  },
  // it listens once, and has work to do before it ends; the same signal comes again at that moment
  clean: () => {
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => {
        process.kill(process.pid, name);
        console.log(name);
      });
    process.stdin.on('end', () => process.exit(7)).resume();
    console.log('pid ' + process.pid);
  },
};
answer[what]?.();
if (what === 'never') await new Promise(() => undefined);
`;

const tree = treeWith('tree');
for (const name of readdirSync(join(project, 'node_modules'))) {
  if (!name.startsWith('.')) symlinkSync(join(project, 'node_modules', name), join(tree, 'node_modules', name));
}
const runners = [
  ['the Node of this test', process.execPath],
  ['an old Node', old],
] as const;

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.each(runners)('under %s', (_, found) => {
  const node = found ?? '';

  test('a command runs on a new Node, with its arguments as they are', ({ skip }) => {
    skip(found === undefined, none);
    const { stdout, status } = run(node, ['say', 'two words', '--flag', '', '*', 'ü"\'']);
    const said: unknown = JSON.parse(stdout);
    expect(said).toMatchObject({ version: process.versions.node, rest: ['two words', '--flag', '', '*', 'ü"\''] });
    expect(status).toBe(0);
  });

  test('its exit code, a death by signal, an error and an endless wait are told as they are', ({ skip }) => {
    skip(found === undefined, none);
    expect(run(node, ['exit', '42']).status).toBe(42);
    const killed = run(node, ['die']);
    // The shell's way of telling it, where there is a process in between.
    expect(killed.status ?? killed.signal).toBe(node === waiting ? 137 : 'SIGKILL');
    expect(run(node, ['fail'])).toMatchObject({ status: 1, stderr: expect.stringContaining('Error: as it happens') });
    expect(run(node, ['never']).status).toBe(13);
    expect(run(node, ['listen']).status).toBe(0);
  });

  test('standard input and output are the command’s own', ({ skip }) => {
    skip(found === undefined, none);
    expect(run(node, ['echo'], { input: 'a\nb' }).stdout).toBe('a\nb');
  });

  test.for(['SIGINT', 'SIGTERM'] as const)(
    '%s arrives once, sent to one process or to all of them',
    async (signal, { skip }) => {
      skip(found === undefined, none);
      const one = stay(node);
      await one.until(/pid \d+/);
      one.child.kill(signal);
      await one.until(new RegExp(signal));
      one.child.stdin?.end();
      expect(await one.ended).toBe(7);
      expect(one.said()).toBe(`${signal}\n`);

      const all = stay(node);
      await all.until(/pid \d+/);
      // As a terminal does it.
      process.kill(-(all.child.pid ?? 0), signal);
      await all.until(new RegExp(signal));
      all.child.stdin?.end();
      expect(await all.ended).toBe(7);
      expect(all.said()).toBe(`${signal}\n`);
    },
  );

  test.for(['SIGINT', 'SIGTERM'] as const)(
    '%s that arrives once more does not end a command that hears it once and cleans up',
    async (signal, { skip }) => {
      skip(found === undefined, none);
      const { child, until, ended, said } = stay(node, 'clean');
      await until(/pid \d+/);
      child.kill(signal);
      await until(new RegExp(signal));
      child.stdin?.end();
      expect(await ended).toBe(7);
      expect(said()).toBe(`${signal}\n`);
    },
  );

  test('a TypeScript file and a tool of node_modules run on a new Node as well', ({ skip }) => {
    skip(found === undefined, none);
    writeFileSync(
      join(tree, 'script.ts'),
      'const v: string = process.versions.node; console.log(v, ...process.argv.slice(2));',
    );
    expect(run(node, ['tool', join(tree, 'script.ts'), 'a b']).stdout).toBe(`${process.versions.node} a b\n`);
    expect(run(node, ['tool', 'vitest', '--version']).stdout).toContain(`node-v${process.versions.node}`);
    expect(run(node, ['tool', 'tsc', '--nonsense']).status).toBe(1);
  });
});

describe('in between', () => {
  test('there is no second process when the Node is new enough', async () => {
    const { child, until } = stay(process.execPath);
    expect(await until(/pid \d+/)).toContain(`pid ${child.pid}\n`);
  });

  test('the command hears when the waiting process is killed', async ({ skip }) => {
    skip(waiting === undefined, none);
    const { child, until } = follow(spawn(waiting ?? '', [florin(tree), 'wait'], { stdio: 'pipe', env }));
    const pid = Number(/\d+/.exec(await until(/pid \d+/))?.[0]);
    expect(pid).not.toBe(child.pid);
    child.kill('SIGKILL');
    await untilSo(() => !isRunning(pid));
  });

  test('a TypeScript file run as a tool ends when the waiting process is killed', async ({ skip }) => {
    skip(waiting === undefined, none);
    const script = join(tree, 'long.ts');
    writeFileSync(script, 'console.log("pid " + process.pid); setInterval(() => undefined, 1000);');
    const { child, until } = follow(spawn(waiting ?? '', [florin(tree), 'tool', script], { stdio: 'pipe', env }));
    const pid = Number(/\d+/.exec(await until(/pid \d+/))?.[0]);
    child.kill('SIGKILL');
    await untilSo(() => !isRunning(pid));
  });
});

describe('a clear word is said', () => {
  test('when nothing is installed', () => {
    const bare = treeWith('bare');
    rmSync(join(bare, 'node_modules'), { recursive: true });
    const said = run(process.execPath, ['say'], { tree: bare });
    expect(said).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('run "npm ci" first') });
  });

  test('when the Node is too old and npm brought no new one', ({ skip }) => {
    skip(old === undefined, none);
    const said = run(old ?? '', ['say'], { tree: treeWith('empty') });
    expect(said).toMatchObject({ status: 1, stdout: '' });
    expect(said.stderr).toMatch(
      /^florin: Florin needs Node 24\.18 or newer, and this is Node \d+\.\d+\.\d+ .*node_modules\/node-/,
    );
    expect(said.stderr).toContain(
      'Run "npm ci" with optional dependencies (without --omit=optional), or install Node 24.18',
    );
  });

  test('when a tool or a file is not there', () => {
    expect(run(process.execPath, ['tool', 'nothing'])).toMatchObject({
      status: 1,
      stderr: 'florin: None of the installed packages has a tool "nothing". If it is in package.json, run "npm ci".\n',
    });
    expect(run(process.execPath, ['tool', 'none.ts']).stderr).toContain('There is no file ');
    expect(run(process.execPath, ['tool']).stderr).toContain('Say which');
  });
});

function florin(dir: string): string {
  return join(dir, 'bin', 'florin.mjs');
}

function treeWith(name: string): string {
  const dir = join(base, name);
  for (const folder of ['bin', 'src', 'node_modules']) mkdirSync(join(dir, folder), { recursive: true });
  for (const file of ['bin/florin.mjs', 'package.json']) cpSync(join(project, file), join(dir, file));
  writeFileSync(join(dir, 'src', 'main.ts'), MAIN);
  return dir;
}

function run(node: string, words: readonly string[], at: { tree?: string; input?: string } = {}) {
  const args = [florin(at.tree ?? tree), ...words];
  const { status, signal, stdout, stderr } = spawnSync(node, args, {
    encoding: 'utf8',
    timeout: HANGS_MS,
    env,
    input: at.input ?? '',
    cwd: base,
  });
  return { status, signal, stdout, stderr };
}

/** A command that stays until its input ends; in a process group of its own, as a shell would start it. */
function stay(node: string, what = 'stay') {
  return follow(spawn(node, [florin(tree), what], { stdio: 'pipe', detached: true, env }));
}

function follow(child: ChildProcess) {
  children.push(child);
  let text = '';
  child.stdout?.on('data', (part: Buffer) => (text += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (text += part.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  const until = async (pattern: RegExp): Promise<string> => {
    await untilSo(() => pattern.test(text));
    return text;
  };
  return { child, ended, until, said: () => text.replace(/^pid \d+\n/, '') };
}

function isRunning(pid: number): boolean {
  // The dead whom nobody has buried do not count.
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());
}

/** The machine's own Node of some age; those in node_modules are ours. */
function nodeOnPath(fits: (major: number) => boolean): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const nodes = [...folders, dirname(process.execPath)]
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file));
  return nodes.find((file) =>
    fits(Number.parseInt(spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10)),
  );
}

async function untilSo(condition: () => boolean): Promise<void> {
  const give_up_at = performance.now() + HANGS_MS;
  while (!condition()) {
    if (performance.now() > give_up_at) throw new Error(`still not so: ${String(condition)}`);
    await wait(20);
  }
}
