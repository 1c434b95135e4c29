// Names of classes are texts that no compiler looks at: each that the web app writes stands in one of its style sheets.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const APP = join(import.meta.dirname, '../../web/backoffice');

function textsOf(ending: RegExp): string {
  const names = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name));
  return names.map((name) => readFileSync(join(APP, name), 'utf8')).join('\n');
}

test('every class that the web app writes has a rule in its style sheets', () => {
  const written = [...textsOf(/\.tsx$/).matchAll(/className="([^"]+)"/g)].flatMap((match) =>
    (match[1] ?? '').split(' '),
  );
  const styles = textsOf(/\.css$/);
  const unknown = new Set(written.filter((name) => !new RegExp(`\\.${name}(?![\\w-])`).test(styles)));
  expect(written.length).toBeGreaterThan(200);
  expect([...unknown]).toEqual([]);
});

test('every style sheet of the web app is served', () => {
  const served = readFileSync(join(import.meta.dirname, '../../src/backoffice/pages.ts'), 'utf8');
  const sheets = readdirSync(join(APP, 'styles')).map((name) => name.replace('.css', ''));
  expect(sheets.filter((name) => !served.includes(`'${name}'`))).toEqual([]);
});
