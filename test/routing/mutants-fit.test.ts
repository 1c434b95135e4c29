// Each mutant of routing fits the product of today, and the test that must see it is there; that it sees it is what
// npm run test:mutants runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patched, sourceOf } from '../chaos/patch.ts';
import { ROOT } from '../chaos/tree.ts';
import { ROUTING_MUTANTS } from './mutants-list.ts';

const SOURCE = sourceOf(ROOT);

test.each(ROUTING_MUTANTS)('$says: it fits, and its test is there', ({ patch, seen_by: { file, title } }) => {
  expect(patched(ROOT, [patch], SOURCE).size).toBe(1);
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
});
