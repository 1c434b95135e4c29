// npm run failover: a copy of the product for each product that loses what was acknowledged, in which a sentence of the
// tests must fail.
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { copyWithTests, literally, runVitest } from '../mutated.ts';
import { newFolder } from '../start/child.ts';
import { modeOf } from '../tiers.ts';
import { FAILOVER_MUTANTS } from './mutants-list.ts';

vi.setConfig({ testTimeout: 180_000 });

test.each(Object.entries(FAILOVER_MUTANTS).map(([name, mutant]) => ({ name, ...mutant })))(
  '$name is seen: $says',
  async ({ patch, seen_by: [file, sentence] }) => {
    using folder = newFolder('florin-mutant-');
    const product = join(folder.path, 'product');
    copyWithTests(product, [patch]);
    const path = `test/${file}.test.ts`;
    const words = ['--mode', modeOf(path), path, '-t', `^${literally(sentence)}$`];
    const { code, said } = await runVitest(product, words);
    // it ran, and was red
    expect([code, said]).toEqual([1, expect.stringMatching(/Tests {2}.*1 failed/)]);
  },
);
