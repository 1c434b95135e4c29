// florin/test in projects of their own: unpacked below node_modules, linked, and installed by npm; from JavaScript and
// TypeScript, under vitest, node:test and jest, and with an old Node. Each time nothing is left, also when the runner
// is killed.
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { until } from '../client.ts';
import { USUAL } from '../temporary.ts';
import { leftIn, sandboxesIn, temporary } from './places.ts';
import {
  type Project,
  installedProject,
  linkedProject,
  oldNode,
  packFlorin,
  packedNames,
  unpackedProject,
} from './projects.ts';

// an installed project is too large for a folder in memory
const base = temporary('kit-', USUAL);
const cache = join(base.path, 'cache');
const projects = new Map<string, Project>();

beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', cache);
  vi.stubEnv('TMPDIR', base.path);
  const packed = packFlorin(base.path);
  projects.set('unpacked', unpackedProject(join(base.path, 'unpacked'), packed));
  projects.set('linked', linkedProject(join(base.path, 'linked')));
  const more = ['vitest@5.1.1', 'typescript@7.0.2', 'jest@30.5.2'];
  const installed = installedProject(join(base.path, 'installed'), packed, more);
  if (installed) projects.set('installed', installed);
});
afterAll(() => {
  vi.unstubAllEnvs();
  base.remove();
});

const NODE_TEST = ['node-test/one.test.mjs', 'node-test/two.test.mjs'];
const RUNNERS = [
  ['vitest', 'vitest/vitest.mjs', ['run', '--dir', 'vitest'], ['run', '--dir', 'vitest-hangs']],
  ['node:test', 'node', ['--test', ...NODE_TEST], ['--test', 'node-test-hangs/hangs.test.mjs']],
  ['jest', 'jest/bin/jest.js', ['--rootDir', 'jest'], ['--rootDir', 'jest-hangs']],
] as const;

const left = () => [...leftIn(base.path), ...sandboxesIn(cache)];
const nothingLeft = () => until(() => (left().length === 0 ? true : undefined));

type Skip = (condition: boolean, word: string) => void;

/** Skips the test with a word where there is none. */
function projectFor(name: string, program: string, skip: Skip): Project {
  const project = projects.get(name);
  skip(!project, 'no registry answered npm install');
  const has = program === 'node' || existsSync(join(project?.path ?? '', 'node_modules', program));
  skip(!has, `${program} is a package of the registry: only an installed project has it`);
  if (!project) throw new Error('skipped');
  return project;
}

describe.each(['unpacked', 'linked', 'installed'])('in a project that has it %s', (name) => {
  describe.each(RUNNERS)('under %s', (_, program, args, hanging) => {
    test('two files pass, and nothing is left', async ({ skip }) => {
      const { status, said } = projectFor(name, program, skip).run(program, args);
      expect(status, said).toBe(0);
      expect(said).toMatch(/2 passed|pass 2/);
      await nothingLeft();
    });

    test('a run that is killed leaves nothing', async ({ skip }) => {
      const project = projectFor(name, program, skip);
      const started = join(project.path, 'started');
      rmSync(started, { force: true });
      const child = project.start(program, hanging);
      await until(() => (existsSync(started) ? true : undefined), 120);
      expect(left().length).toBeGreaterThan(1);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await nothingLeft();
    });
  });

  test('an old Node starts it, by import and by require', async ({ skip }) => {
    const node = oldNode();
    skip(node === undefined, 'there is no Node before 24 on the PATH of this machine');
    const project = projectFor(name, 'node', skip);
    const tested = project.run('node', ['--test', ...NODE_TEST], { node: node ?? '' });
    expect(tested.status, tested.said).toBe(0);
    const script = `const { startFlorin } = require('florin/test');
      startFlorin().then(async (florin) => { console.log((await florin.pay()).status); await florin.close(); });`;
    expect(project.run('node', ['-e', script], { node: node ?? '' }).said).toContain('capture_successful');
    await nothingLeft();
  });

  test.for(['nodenext', 'bundler'])('its types are found and strict, as %s resolves them', (how, { skip }) => {
    const project = projectFor(name, 'typescript/bin/tsc', skip);
    const { status, said } = project.run('typescript/bin/tsc', ['-p', `typed/${how}`]);
    expect(status, said).toBe(0);
  });
});

test('the code of docs/test-kit.md runs as it stands there', async () => {
  const project = projects.get('unpacked');
  const ran = project?.run('vitest/vitest.mjs', ['run', '--dir', 'vitest-page']);
  expect(ran?.status, ran?.said).toBe(0);
  expect(ran?.said).toContain('3 passed');
  await nothingLeft();
});

test('the package holds the program and its pages: no test, no picture, no data', () => {
  const names = packedNames(projects.get('unpacked')?.path ?? '');
  expect(names).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'bin',
    'docs',
    'package.json',
    'src',
    'test-kit',
    'tsconfig.json',
    'web',
  ]);
});
