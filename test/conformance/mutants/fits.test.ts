// `npm run test:mutants` runs them; here is what needs no run: that each still fits the product, that its stories are
// there, and that what is kept and shown is about these mutants.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patched, sourceOf } from '../../chaos/patch.ts';
import { ROOT } from '../../chaos/tree.ts';
import { MUTATED, readCaught, storyOf } from './caught.ts';
import { MUTANTS } from './list.ts';

const SOURCE = sourceOf(ROOT);

test.each(MUTANTS)('the mutant $name fits the product', ({ patches }) => {
  expect(patched(ROOT, patches, SOURCE).size).toBeGreaterThan(0);
});

test('each was caught at every provider where it makes a difference, by the story that is named; else: npm run test:mutants', () => {
  const wanted = MUTANTS.map((mutant) => [
    mutant.name,
    Object.fromEntries(
      MUTATED.flatMap((at) => {
        const seen = mutant.seenAt(at);
        return 'not' in seen ? [] : [[at.name, storyOf(seen)]];
      }),
    ),
  ]);
  expect(readCaught()).toEqual(Object.fromEntries(wanted));
});

test('each makes a difference somewhere, and a story is in the file that it names', () => {
  for (const mutant of MUTANTS) {
    const seen = MUTATED.flatMap((at) => {
      const one = mutant.seenAt(at);
      return 'not' in one ? [] : [one];
    });
    expect([mutant.name, seen.length > 0]).toEqual([mutant.name, true]);
    for (const { file } of seen) expect(existsSync(new URL(`../${file}.test.ts`, import.meta.url))).toBe(true);
  }
});

test('mutants that have nothing to do with a provider are in the chaos gate', () => {
  const gate = ['commit', 'guard'].map((name) => readFileSync(`${ROOT}/test/chaos/mutants/${name}.ts`, 'utf8')).join();
  for (const name of ['x5-commit-off', 'x6-no-guard', 'x6-no-guard-held']) expect(gate).toContain(`'${name}'`);
});
