// Projects of somebody else, in folders of their own, with Florin as npm packs it or linked, and the tests such a
// project would have.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NPM = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

export type Project = {
  readonly path: string;
  /** Runs a program of the project's packages under a Node; ends within three minutes. */
  run(program: string, args: readonly string[], options?: RunOptions): Ran;
  /** Starts it and leaves it running, as a group of its own. */
  start(program: string, args: readonly string[]): ReturnType<typeof spawn>;
};
type RunOptions = { readonly node?: string };
export type Ran = { readonly status: number | null; readonly said: string };

/** The package as `npm pack` makes it. */
export function packFlorin(folder: string): string {
  const said = execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...NPM], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [{ filename }]: [{ filename: string }] = JSON.parse(said);
  return join(folder, filename);
}

/** With the package unpacked below node_modules, and the packages it needs linked from here: no registry is asked. */
export function unpackedProject(path: string, packed: string): Project {
  const modules = join(path, 'node_modules');
  mkdirSync(modules, { recursive: true });
  execFileSync('tar', ['xzf', packed, '-C', path]);
  renameSync(join(path, 'package'), join(modules, 'florin'));
  linkPackages(modules);
  return project(path);
}

/** With a link to this folder, as `npm install ../florin` leaves it. */
export function linkedProject(path: string): Project {
  const modules = join(path, 'node_modules');
  mkdirSync(modules, { recursive: true });
  symlinkSync(ROOT, join(modules, 'florin'));
  linkPackages(modules);
  return project(path);
}

/** As npm installs it, with more packages of the registry. Undefined: no registry answers here. */
export function installedProject(path: string, packed: string, more: readonly string[]): Project | undefined {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  const { status, stderr } = spawnSync('npm', ['install', packed, ...more, ...NPM], {
    cwd: path,
    encoding: 'utf8',
    timeout: 400_000,
  });
  if (status === 0) return project(path);
  console.log(`npm install failed: ${stderr.slice(-2000)}`);
  return undefined;
}

export function packedNames(path: string): readonly string[] {
  return readdirSync(join(path, 'node_modules', 'florin')).toSorted();
}

/** The machine's own, where it is older than the one Florin runs on. */
export function oldNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders
    .map((folder) => join(folder, 'node'))
    .filter((file) => existsSync(file))
    .find(
      (file) => Number.parseInt(spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10) < 24,
    );
}

function linkPackages(modules: string): void {
  const own = join(ROOT, 'node_modules');
  for (const name of readdirSync(own))
    if (!name.startsWith('.') && !existsSync(join(modules, name))) symlinkSync(join(own, name), join(modules, name));
}

function project(path: string): Project {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  // of this run nothing but where temporary files and kept ones are
  const { PATH, HOME, TMPDIR, XDG_CACHE_HOME } = process.env;
  const env = { PATH, HOME, TMPDIR, XDG_CACHE_HOME, CI: 'true', NO_COLOR: '1' };
  const words = (program: string, args: readonly string[]) =>
    program === 'node' ? args : [join(path, 'node_modules', program), ...args];
  return {
    path,
    run: (program, args, { node = process.execPath } = {}) => {
      const options = { cwd: path, env, encoding: 'utf8', timeout: 180_000 } as const;
      const { status, stdout, stderr } = spawnSync(node, words(program, args), options);
      return { status, said: `${stdout}\n${stderr}` };
    },
    start: (program, args) =>
      spawn(process.execPath, words(program, args), { cwd: path, env, stdio: ['ignore', 'inherit', 'inherit'] }),
  };
}

const PAYS = `
  const paid = await florin.pay({ card: cards.approved, amount: '12.00' });
  const told = await florin.notifications.next({ event: 'capture_successful', order: paid });
  const declined = await florin.pay({ card: cards.not_enough_funds });`;

const HANGS = `
  writeFileSync('started', florin.api_url);
  await florin.notifications.next({}, { within: 600_000 });`;

const VITEST = `import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Florin, cards, startFlorin } from 'florin/test';
let florin: Florin;
beforeAll(async () => { florin = await startFlorin(); }, 60_000);
afterAll(() => florin.close());
test('pays', async () => {${PAYS}
  expect([paid.status, told.event, declined.result.code]).toEqual(['capture_successful', 'capture_successful', '420100']);
});
`;

const NODE_TEST = `import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { cards, startFlorin } from 'florin/test';
let florin;
before(async () => { florin = await startFlorin(); });
after(() => florin.close());
test('pays', async () => {${PAYS}
  assert.deepEqual([paid.status, told.event, declined.result.code], ['capture_successful', 'capture_successful', '420100']);
});
`;

const JEST = `const { cards, startFlorin } = require('florin/test');
let florin;
beforeAll(async () => { florin = await startFlorin(); }, 60_000);
afterAll(() => florin.close());
test('pays', async () => {${PAYS}
  expect([paid.status, told.event, declined.result.code]).toEqual(['capture_successful', 'capture_successful', '420100']);
});
`;

/** What a type says must hold for a project's own code; the marked line must be an error. */
const TYPED = `import { type Order, cards, startFlorin } from 'florin/test';
await using florin = await startFlorin({ own_clock: true });
const order: Order = await florin.pay({ card: cards.capture_declined, amount: '1.00' });
export const code: string = order.result.code;
await florin.notifications.next({ event: 'capture_successful', order });
// @ts-expect-error there is no such event
await florin.notifications.next({ event: 'capture_succesful' });
// @ts-expect-error there is no such card
export const card = cards.rain;
// @ts-expect-error there is no such fault
await florin.faults.arm({ operation: 'capture', fault: 'rain' });
`;

const PAGE = readFileSync(join(ROOT, 'docs/test-kit.md'), 'utf8');
const [ON_THE_PAGE = '', CLOCK_ON_THE_PAGE = ''] = [...PAGE.matchAll(/^```ts\n([^]*?)^```/gm)].map(
  ([, code]) => code ?? '',
);
/** The code of docs/test-kit.md as it stands there. */
const DOCUMENTED = `${ON_THE_PAGE}
test('a clock of its own', async () => {
${CLOCK_ON_THE_PAGE}}, 60_000);
`.replace('}, 30_000);', '}, 60_000);');

const COMPILER = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
};

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module' }),
  'vitest/one.test.ts': VITEST,
  'vitest/two.test.ts': VITEST,
  'vitest-page/page.test.ts': DOCUMENTED,
  'vitest-hangs/hangs.test.ts':
    `import { writeFileSync } from 'node:fs';\n${VITEST.replace("test('pays'", "test('hangs'").replace(PAYS, HANGS)}`.replace(
      /\n {2}expect.*\n\}\);/,
      '\n}, 600_000);',
    ),
  'node-test/one.test.mjs': NODE_TEST,
  'node-test/two.test.mjs': NODE_TEST,
  'node-test-hangs/hangs.test.mjs':
    `import { writeFileSync } from 'node:fs';\n${NODE_TEST.replace(PAYS, HANGS)}`.replace(/\n {2}assert\.deep.*/, ''),
  'jest/one.test.cjs': JEST,
  'jest/two.test.cjs': JEST,
  'jest/jest.config.json': JSON.stringify({ testMatch: ['**/*.test.cjs'] }),
  'jest-hangs/hangs.test.cjs': `const { writeFileSync } = require('node:fs');\n${JEST.replace(PAYS, HANGS)}`.replace(
    /\n {2}expect.*\n\}\);/,
    '\n}, 600_000);',
  ),
  'jest-hangs/jest.config.json': JSON.stringify({ testMatch: ['**/*.test.cjs'] }),
  'typed/uses.ts': TYPED,
  'typed/nodenext/tsconfig.json': JSON.stringify({
    compilerOptions: { ...COMPILER, module: 'nodenext' },
    files: ['../uses.ts'],
  }),
  'typed/bundler/tsconfig.json': JSON.stringify({
    compilerOptions: { ...COMPILER, module: 'esnext', moduleResolution: 'bundler' },
    files: ['../uses.ts'],
  }),
};
