// The mutants of the chaos gate are patches of this product: each must still fit, or the gate finds it out minutes later.
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants/list.ts';
import { timesFound } from './tree.ts';

test.each(MUTANTS)('the mutant $name fits the product', ({ patches }) => {
  expect(patches.map((patch) => [patch.file, timesFound(patch)])).toEqual(patches.map(({ file }) => [file, 1]));
});
