// Each mutant that a long form of the tests runs fits the product of today, and the test that must see it is there and
// in a form that runs it; that it sees it is what npm run test:mutants and npm run failover show.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patched, sourceOf } from './chaos/patch.ts';
import { ROOT } from './chaos/tree.ts';
import { ASKED_BEFORE, NO_LOCK } from './declines/processes-mutants-list.ts';
import { FAILOVER_MUTANTS } from './failover/mutants-list.ts';
import { ROUTING_MUTANTS } from './routing/mutants-list.ts';
import { modeOf } from './tiers.ts';

const SOURCE = sourceOf(ROOT);

const OF_ONE_TEST = [
  ...ROUTING_MUTANTS.map(({ says, patch, seen_by: { file, title } }) => ({ says, patch, file, title })),
  ...Object.entries(FAILOVER_MUTANTS).map(
    ([
      name,
      {
        says,
        patch,
        seen_by: [file, title],
      },
    ]) => ({
      says: `${name}, ${says}`,
      patch,
      file: `test/${file}.test.ts`,
      title,
    }),
  ),
];

test.each(OF_ONE_TEST)('$says: it fits, and its test is there', ({ patch, file, title }) => {
  expect(patched(ROOT, [patch], SOURCE).size).toBe(1);
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
  expect(() => modeOf(file)).not.toThrow();
});

test.each([
  ['asked before the accepting statement', ASKED_BEFORE],
  ['asked without the lock of the card', NO_LOCK],
])('the guard of a limit %s: it fits', (_, patches) => {
  expect(patched(ROOT, patches, SOURCE).size).toBeGreaterThan(0);
});
