// npm run test:mutants: a copy of the product for each mutant of routing, in which its test must fail.
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ROOT } from '../chaos/tree.ts';
import { copyWithTests, literally, runVitest } from '../mutated.ts';
import { newFolder } from '../start/child.ts';
import { modeOf } from '../tiers.ts';
import { ROUTING_MUTANTS } from './mutants-list.ts';

vi.setConfig({ testTimeout: 600_000 });

test.each(['test', 'rest'] as const)(
  'in the product as it is each of the tests of the form %s passes',
  async (mode) => {
    const seen = ROUTING_MUTANTS.map(({ seen_by }) => seen_by).filter(({ file }) => modeOf(file) === mode);
    const files = new Set(seen.map(({ file }) => file));
    const titles = new Set(seen.map(({ title }) => literally(title)));
    const { said } = await runVitest(ROOT, ['--mode', mode, ...files, '-t', [...titles].join('|')]);
    expect(said).toMatch(new RegExp(`Tests +${titles.size} passed`));
  },
);

test.each(ROUTING_MUTANTS)('$says: it is seen', async ({ patch, seen_by: { file, title } }) => {
  using folder = newFolder('florin-mutant-');
  const product = join(folder.path, 'product');
  copyWithTests(product, [patch]);
  const { said } = await runVitest(product, ['--mode', modeOf(file), file, '-t', literally(title)]);
  // it ran, and it failed: a product that cannot be loaded has no test that fails
  expect(said).toMatch(/Tests +[1-9]\d* failed/);
});
