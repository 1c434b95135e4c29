// Each mutant of routing fits the product of today, and the test that must see it is there; that it sees it is what
// npm run test:mutants runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patched } from '../chaos/patch.ts';
import { ROOT } from '../chaos/tree.ts';
import { ROUTING_MUTANTS } from './mutants-list.ts';

test.each(ROUTING_MUTANTS)('$says: it fits, and its test is there', ({ patch, seen_by: { file, title } }) => {
  expect(patched(ROOT, [patch]).size).toBe(1);
  expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title);
});
