// npm run test:mutants: a copy of the product for each mutant of routing, in which its test must fail.
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ROOT } from '../chaos/tree.ts';
import { copyWithTests, literally, runVitest } from '../mutated.ts';
import { newFolder } from '../start/child.ts';
import { ROUTING_MUTANTS } from './mutants-list.ts';

vi.setConfig({ testTimeout: 600_000 });

test('in the product as it is each of these tests passes', async () => {
  const files = new Set(ROUTING_MUTANTS.map(({ seen_by: { file } }) => file));
  const titles = new Set(ROUTING_MUTANTS.map(({ seen_by: { title } }) => literally(title)));
  const { said } = await runVitest(ROOT, [...files, '-t', [...titles].join('|')]);
  expect(said).toMatch(new RegExp(`Tests +${titles.size} passed`));
});

test.each(ROUTING_MUTANTS)('$says: it is seen', async ({ patch, seen_by: { file, title } }) => {
  using folder = newFolder('florin-mutant-');
  const product = join(folder.path, 'product');
  copyWithTests(product, [patch]);
  const { said } = await runVitest(product, [file, '-t', literally(title)]);
  // it ran, and it failed: a product that cannot be loaded has no test that fails
  expect(said).toMatch(/Tests +[1-9]\d* failed/);
});
