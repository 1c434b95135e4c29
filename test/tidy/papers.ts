// What the pages for readers say of the tree is so: paths are there, names of the glossary are in the code, the tree of
// the README is the tree. Folders and files move; a page that names them moves with them.
import { type File, type Rule, at, isCode, lexed } from './rule.ts';

const WHERE = 'docs/where.md';
const GLOSSARY = 'docs/glossary.md';
const READING = 'docs/design/reading.md';
const PAGES = /^(?:README\.md|docs\/(?:where|glossary|design\/[a-z-]+)\.md)$/;

/** Most lines of code that can be read in an evening. */
const MOST_LINES = 6000;
/** Most terms of a glossary that is read and not searched. */
const MOST_TERMS = 40;

const TOP = '(?:\\.ci|bench|bin|docs|examples|src|test|web)';
/**
 * Whole paths from the root; and what ends as a file of ours does, so that a path which begins half way is found too.
 */
const PATH = new RegExp(String.raw`^(?:${TOP}(?:/[\w.-]+)+/?|[\w.-]+(?:/[\w.-]+)+\.(?:tsx?|mjs|sql|css|md))$`);
const NAME = /^[A-Za-z_]\w*$/;

type Span = { readonly text: string; readonly index: number };

/** What stands in backticks, blocks of commands left out. */
function spansOf(page: File): readonly Span[] {
  const text = page.text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
  return [...text.matchAll(/`([^`\n]+)`/g)].map(({ 1: span = '', index }) => ({ text: span, index }));
}

const pageNamed = (files: readonly File[], path: string) => files.filter((file) => file.path === path);

function isThere(files: readonly File[], name: string): boolean {
  const path = name.replace(/\/$/, '');
  return files.some((file) => file.path === path || file.path.startsWith(`${path}/`));
}

function lostPaths(files: readonly File[]): string[] {
  return files
    .filter(({ path }) => PAGES.test(path))
    .flatMap((page) =>
      spansOf(page)
        .filter(({ text }) => PATH.test(text) && !isThere(files, text))
        .map(({ text, index }) => at(page, index, `names ${text}, which is not there (whole paths, from the root)`)),
    );
}

/** Lines of the tables of a page, without their heads. */
function rowsOf(page: File): readonly Span[] {
  const rows = [...page.text.matchAll(/^\|.*$/gm)];
  return rows
    .filter(([row], i) => !/^\|[-| :]+$/.test(row) && !/^\|[-| :]+$/.test(rows[i + 1]?.[0] ?? ''))
    .map(({ 0: text, index }) => ({ text, index }));
}

const cellsOf = (row: string) => row.split('|').slice(1, -1);

/** A change whose answer, the second cell, names no file. */
function unanswered(files: readonly File[]): string[] {
  return pageNamed(files, WHERE).flatMap((page) =>
    rowsOf(page)
      .filter(
        ({ text }) => ![...(cellsOf(text)[1] ?? '').matchAll(/`([^`]+)`/g)].some(([, span = '']) => PATH.test(span)),
      )
      .map(({ index }) => at(page, index, 'says of a change not where it is made')),
  );
}

/** The code and the schema as far as they are run: comments say more than there is. */
function runText(file: File): string {
  if (!isCode(file.path)) return file.text.replace(/--.*/g, '');
  let text = '';
  let end = 0;
  for (const { start, value } of lexed(file).comments) {
    text += file.text.slice(end, start);
    end = start + value.length;
  }
  return text + file.text.slice(end);
}

function lostNames(files: readonly File[]): string[] {
  const names = new Set(
    files
      .filter(({ path }) => /^(?:src|web)\/.*\.(?:tsx?|sql)$/.test(path))
      .flatMap((file) => runText(file).match(/[A-Za-z_]\w*/g) ?? []),
  );
  return pageNamed(files, GLOSSARY).flatMap((page) =>
    spansOf(page)
      .filter(({ text }) => NAME.test(text) && !names.has(text))
      .map(({ text, index }) => at(page, index, `names ${text}, which no code does`)),
  );
}

function longGlossary(files: readonly File[]): string[] {
  return pageNamed(files, GLOSSARY).flatMap((page) =>
    rowsOf(page)
      .slice(MOST_TERMS)
      .map(({ index }) => at(page, index, `is beyond ${MOST_TERMS} terms`)),
  );
}

/** The files of src that the evening asks for. */
function longEvening(files: readonly File[]): string[] {
  return pageNamed(files, READING).flatMap((page) => {
    const named = new Set(spansOf(page).map(({ text }) => text));
    const read = files.filter(({ path }) => path.startsWith('src/') && named.has(path));
    const lines = read.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
    return lines > MOST_LINES
      ? [at(page, 0, `names files of ${lines} lines, which no evening is long enough for`)]
      : [];
  });
}

/** Folders a reader sees first: the top ones, and those of src. */
function firstFolders(files: readonly File[]): ReadonlySet<string> {
  return new Set(
    files
      .flatMap(({ path }) => /^(?:src\/[\w-]+|[a-z]\w*)(?=\/)/.exec(path)?.[0] ?? [])
      .filter((folder) => folder !== 'src'),
  );
}

/** Each line of the README's tree begins with a path, or goes on with the line above. */
function otherTree(files: readonly File[]): string[] {
  return pageNamed(files, 'README.md').flatMap((page) => {
    const block = /^## The tree\n+```\n([\s\S]*?)^```/m.exec(page.text);
    if (!block) return [at(page, 0, 'shows no tree')];
    const start = block.index + block[0].length - 3 - (block[1] ?? '').length;
    const named = [...(block[1] ?? '').matchAll(/^\S+/gm)];
    const shown = named.map(([path]) => path.replace(/\/$/, ''));
    return [
      ...named
        .filter(([path]) => !isThere(files, path))
        .map(({ 0: path, index }) => at(page, start + index, `shows ${path}, which is not there`)),
      ...[...firstFolders(files)]
        .filter((folder) => !shown.some((path) => `${path}/`.startsWith(`${folder}/`)))
        .map((folder) => at(page, start, `does not show ${folder}`)),
    ];
  });
}

const TREE = { 'src/kit/a.ts': 'const Ab = 1;', 'test/a.test.ts': 'a', 'docs/design/b.md': 'b' };
const readme = (...lines: readonly string[]) => ['# A', '', '## The tree', '', '```', ...lines, '```', ''].join('\n');

export const PAPER_RULES: readonly Rule[] = [
  {
    name: 'a path that a page names in backticks is there',
    find: lostPaths,
    breach: {
      ...TREE,
      'README.md': '`src/kit/¦b.ts`\n`web/elem¦ents/`',
      'docs/where.md': 'a\n| a | `src/kit/a.ts` and `src/pay¦ment` |',
      'docs/glossary.md': '`kit/a.t¦s`',
      'docs/design/b.md': '`test/a.tes¦t`',
    },
    finds: ['README.md:1', 'README.md:2', 'docs/where.md:2', 'docs/glossary.md:1', 'docs/design/b.md:1'],
    clean: {
      ...TREE,
      'README.md':
        '`src/kit/a.ts` `src/kit/` `test` `data/` `keys/payment-key.json` `POST /a/b.ts`\n```sh\n`src/none.ts`\n```',
      'docs/where.md': '| a | `test/a.test.ts`, `application/json`, src/none.ts |',
      'docs/decisions/0001-a.md': '`src/none.ts`',
    },
  },
  {
    name: 'each change of docs/where.md says where it is made',
    find: unanswered,
    breach: {
      ...TREE,
      'docs/where.md':
        '| to change | touch | test |\n|---|---|---|\n| a | `a` | `test/a.test.ts` |\n| b | `src/kit/a.ts` | c |\n| d |  | |',
    },
    finds: ['docs/where.md:3', 'docs/where.md:5'],
    clean: {
      ...TREE,
      'docs/where.md':
        '| to change | touch |\n|---|---|\n| a | `a` in `src/kit/a.ts` |\n\n| c | d |\n|---|---|\n| e | `test/a.test.ts` |',
    },
  },
  {
    name: 'a name that the glossary gives stands in the code',
    find: lostNames,
    breach: {
      ...TREE,
      'src/kit/a.ts': '// Bc\nconst Ab = 1; /* Cd */',
      'src/kit/a.sql': '-- ef\nSELECT 1;',
      'docs/glossary.md': '`Ab` `B¦c`\n`C¦d`, `e¦f`\n`A¦` is no part of a name',
    },
    finds: ['docs/glossary.md:1', 'docs/glossary.md:2', 'docs/glossary.md:2', 'docs/glossary.md:3'],
    clean: {
      ...TREE,
      'src/kit/a.ts': "const Ab = 'in_doubt';",
      'src/kit/a.sql': 'SELECT bc FROM cd;',
      'docs/glossary.md': '`Ab`, `in_doubt`, `bc`; `POST /a`, `src/kit/a.ts`, Zz',
    },
  },
  {
    name: 'the glossary has at most 40 terms',
    find: longGlossary,
    breach: { 'docs/glossary.md': `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(42)}` },
    finds: ['docs/glossary.md:43', 'docs/glossary.md:44'],
    clean: {
      'docs/glossary.md': `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(40)}`,
      'docs/api.md': '| a |\n'.repeat(99),
    },
  },
  {
    name: 'the files of docs/design/reading.md have at most 6,000 lines',
    find: longEvening,
    breach: {
      'src/kit/a.ts': 'a\n'.repeat(3_000),
      'src/kit/b.ts': 'b\n'.repeat(3_001),
      [READING]: '`src/kit/a.ts`\n`src/kit/b.ts`',
    },
    finds: [`${READING}:1`],
    clean: {
      'src/kit/a.ts': 'a\n'.repeat(3_000),
      'src/kit/b.ts': 'b\n'.repeat(3_000),
      'src/kit/c.ts': 'c\n',
      'test/a.test.ts': 'a\n',
      [READING]: '`src/kit/a.ts`, `src/kit/a.ts`\n`src/kit/b.ts` `test/a.test.ts`',
    },
  },
  {
    name: 'the tree that the README shows is the tree',
    find: otherTree,
    breach: {
      ...TREE,
      'web/a.css': 'a',
      'README.md': readme('src/kit/   a', '           b', 'src/ki¦t/b.ts  c', 'docs/  d', 'test/  e'),
    },
    finds: ['README.md:6', 'README.md:8'],
    clean: {
      ...TREE,
      LICENSE: 'a',
      'README.md': readme('src/kit/a.ts   a', 'src/kit/   b', '   src/none', 'docs/  d', 'test/  e'),
    },
  },
];
