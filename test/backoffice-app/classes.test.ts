// Names of classes are texts that no compiler looks at: each that the web app writes stands in one of its style sheets.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { backofficePages } from '../../src/backoffice/pages.ts';

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

const NO_REQUEST = { request_id: '', client_ip: '::1', headers: {}, query: {}, body: Buffer.alloc(0) };

/** Every script and style sheet that the host serves, as text: from the document on, by the names that they write. */
async function servedTexts(): Promise<{ readonly script: string; readonly style: string }> {
  const pages = backofficePages({ vault_url: 'https://vault.example' });
  const textAt = async (path: string, file = '') => {
    const answer = await pages.find((page) => page.path === path)?.answer({ file }, NO_REQUEST);
    if (answer === undefined) throw new Error(`nothing is served at ${path} for ${file}`);
    return answer.gzip ? gunzipSync(answer.gzip).toString() : String(answer.body);
  };
  const texts = new Map<string, string>();
  const read = async (name: string) => {
    if (texts.has(name)) return;
    texts.set(name, '');
    const text = await textAt('/app/:file', name);
    texts.set(name, text);
    if (name.endsWith('.js')) for (const found of namesIn(text)) await read(found);
  };
  for (const name of namesIn(await textAt('/'))) await read(name);
  const joined = (ending: string) => [...texts].flatMap(([name, text]) => (name.endsWith(ending) ? [text] : []));
  return { script: joined('.js').join('\n'), style: joined('.css').join('\n') };
}

const namesIn = (text: string) => [...text.matchAll(/["'`/]([\w-]+\.(?:js|css))["'`]/g)].map((match) => match[1] ?? '');

test('every part of Mantine that the web app uses, also inside another one, comes with its style sheet', async () => {
  const mantine = readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8');
  const { script, style } = await servedTexts();
  const used = new Set(script.match(/\bm_[0-9a-f]{6,8}\b/g));
  const ruleOf = (name: string) => new RegExp(`\\.${name}\\b`);
  const bare = [...used].filter((name) => ruleOf(name).test(mantine) && !ruleOf(name).test(style));
  expect(used.size).toBeGreaterThan(100);
  expect(bare).toEqual([]);
});
