// The copy in which mutants are played must play: `npm run test:mutants` is a release's, and not run every day.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyWithTests, runVitest } from '../../mutated.ts';
import { newFolder } from '../../start/child.ts';

test('a copy of the product that nothing was changed in plays the story that no mutant may break', async () => {
  using folder = newFolder('florin-mutant-');
  const product = join(folder.path, 'product');
  copyWithTests(product, []);
  const story = [
    'test/conformance/money.test.ts',
    '-t',
    String.raw`^simulator\W+[\d, ]*an authorization holds the amount$`,
  ];
  const { code, said } = await runVitest(product, ['--mode', 'providers', ...story]);
  expect([code, said]).toEqual([0, expect.stringContaining('1 passed, 0 failed')]);
});
