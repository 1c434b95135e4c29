// The calls in README.md, run as they are printed. Only the two addresses are others: the variables the README itself
// sets.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { RESULTS } from '../src/core/results.ts';
import { world } from './world.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const has_curl = spawnSync('curl', ['--version']).status === 0;

/** The shell lines between the heading of the payment and the next one. */
function printedScript(): string {
  const [, section = ''] = /\n## One payment in five calls\n([\s\S]*?)\n## /.exec(README) ?? [];
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines = '']) => lines).join('\n');
}

test.skipIf(!has_curl)('the calls of the README answer what it says (skipped without curl)', async () => {
  await using w = await world();
  const { base_url, vault_url } = w.service.addresses;
  const printed = printedScript();
  const script = printed
    .replace(/^API=http:\/\/127\.0\.0\.1:8080$/m, `API=${base_url}`)
    .replace(/^VAULT=http:\/\/127\.0\.0\.1:8081$/m, `VAULT=${vault_url}`);
  expect(script.split('\n').filter((line, i) => line !== printed.split('\n')[i])).toHaveLength(2);
  // the README reads the keys from data/, beside the place where it is run
  const folder = mkdtempSync(join(tmpdir(), 'florin-readme-'));
  symlinkSync(w.data_dir, join(folder, 'data'));
  try {
    const { stdout: said } = await promisify(execFile)('sh', ['-e', '-c', script], { cwd: folder });
    const codes = [...said.matchAll(/"result":\{"code":"(\d+)"/g)].map(([, code]) => code);
    expect(codes).toEqual(['011111', '999999', '421080', '944444', '944444', '111011']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every file and every npm script the README names is there', () => {
  const links = [...README.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  for (const path of links) expect([path, existsSync(new URL(`../${path}`, import.meta.url))]).toEqual([path, true]);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const named = [...README.matchAll(/(?:^|`)npm (?:run )?([a-z][a-z:]*)/gm)].map(([, name = '']) => name);
  const own = new Set(['ci', ...Object.keys(scripts)]);
  expect(named.filter((name) => !own.has(name))).toEqual([]);
});

test('every result code the README names exists', () => {
  const known = new Set(RESULTS.map((row) => row.code));
  expect([...README.matchAll(/`(\d{6})`/g)].map(([, code = '']) => code).filter((code) => !known.has(code))).toEqual(
    [],
  );
});
