// npm run guides: writes the snippets and tables of the guides anew, from examples/ and from the tables in src.
import { readFileSync, writeFileSync } from 'node:fs';
import { pageFile, pageNames, refreshed } from './pages.ts';

for (const name of pageNames()) {
  const text = readFileSync(pageFile(name), 'utf8');
  const now = refreshed(name, text);
  if (now === text) continue;
  writeFileSync(pageFile(name), now);
  console.log(`written: ${name}`);
}
