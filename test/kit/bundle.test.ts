// Browser code is bundled from its sources, kept by their contents, and never stale.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../src/kit/web/bundle.ts';

const ROOT = join(import.meta.dirname, '../..');
let folder = '';
beforeAll(() => {
  folder = relative(ROOT, mkdtempSync(join(tmpdir(), 'florin-bundle-')));
});
afterAll(() => rmSync(join(ROOT, folder), { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(ROOT, folder, name), text);
const make = () => bundle({ entry: join(folder, 'start.ts'), sources: [folder] });
const said = (code: string) => {
  const heard: unknown[] = [];
  runInNewContext(code, { say: (word: unknown) => heard.push(word) });
  return heard;
};

test('a change in what an entry imports makes it anew; the same sources give the same bytes', async () => {
  write('word.ts', 'export const word: string = "one";');
  write('start.ts', 'import { word } from "./word.ts"; declare const say: (word: string) => void; say(word);');
  const first = await make();
  expect(said(first)).toEqual(['one']);
  expect(await make()).toBe(first);
  write('word.ts', 'export const word: string = "two";');
  expect(said(await make())).toEqual(['two']);
  write('word.ts', 'export const word: string = "one";');
  expect(await make()).toBe(first);
});

test('newer syntax is written in that of the oldest browsers', async () => {
  write(
    'start.ts',
    'declare const say: (word: string) => void; { using it = { [Symbol.dispose]: () => say("end") }; say("it"); }',
  );
  const code = await make();
  expect(code).not.toMatch(/using \w+ ?=/);
  expect(said(code)).toEqual(['it', 'end']);
});

test('code that does not bundle says where', async () => {
  write('start.ts', 'import { word } from "./nowhere.ts"; word();');
  await expect(make()).rejects.toThrow('nowhere.ts');
});
