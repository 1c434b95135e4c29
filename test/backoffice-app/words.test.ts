// The words on screen: those that decision 0060 replaced do not come back.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DECISION = join(ROOT, 'docs/decisions/0060-words-on-screen.md');

/** Whole phrases of the column "before"; single words and parts of sentences stand elsewhere with another meaning. */
function replaced(): readonly string[] {
  const rows = [...readFileSync(DECISION, 'utf8').matchAll(/^\| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)];
  const after = rows.map((row) => row[2] ?? '').join('\n');
  const before = rows.map((row) => row[1] ?? '').filter((words) => !after.includes(words));
  return before.filter((words) => /^[^·…{}$]{12,}$/.test(words) && words.includes(' '));
}

test('no page of the web app has a phrase that was replaced by a plainer one', () => {
  const folder = join(ROOT, 'web/backoffice');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/\s+/g, ' ')).join('\n');
  const phrases = replaced();
  expect(phrases.length).toBeGreaterThan(80);
  expect(phrases.filter((words) => texts.includes(words))).toEqual([]);
});
