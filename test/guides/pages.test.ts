// What the guides say can be held against the tree: code is code that runs, links lead somewhere, codes exist, tables
// are fresh.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RESULTS } from '../../src/core/results.ts';
import { RULES } from '../../src/payment/integration/rules.ts';
import { has, whatNow } from './merchant.ts';
import { type Page, ROOT, kindOf, pageFile, pageNames, pageOf, readPage, refreshed } from './pages.ts';
import { answersOf } from './languages.ts';

const pages = pageNames().map(readPage);

/** Blocks of a page that are neither a file of examples/ nor lines that are run. */
const strangers = ({ blocks }: Page) =>
  blocks
    .filter((block) => kindOf(block) === 'none')
    .map(({ line, lang }) => `${line}: a block of ${lang || 'no language'}`);

/** Beginnings of blocks that the pattern of blocks does not see: indented, with other fences, or never closed. */
function unseen({ text, blocks }: Page): string[] {
  const fences = text.split('\n').flatMap((line, i) => (/^\s*(?:```|~~~)/.test(line) ? [i + 1] : []));
  return fences.length === blocks.length * 2 ? [] : [`${fences.length} fences make ${blocks.length} blocks`];
}

describe.each(pages)('$name', (page) => {
  test('shows no code that is not run', () => {
    expect([...strangers(page), ...unseen(page)]).toEqual([]);
  });

  test('shows its snippets and tables as they are now (else: npm run guides)', () => {
    expect(refreshed(page.name, page.text) === page.text).toBe(true);
  });

  test('has a title, a description, a place, and an end that says what can go wrong', () => {
    expect(page.text).toMatch(/^---\ntitle: \S.*\ndescription: \S.*\nsidebar:\n {2}order: \d+\n---\n/);
    const headings = [...page.text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ .*$/gm)].map(([line]) => line);
    expect(headings.filter((line) => line.startsWith('# '))).toEqual([]);
    expect(headings.findLast((line) => line.startsWith('## '))).toBe('## What can go wrong');
  });

  test('names only codes that exist, and links only to what is there', () => {
    const codes = [...page.text.matchAll(/`(\d{6,7})`/g)].map(([, code = '']) => code);
    expect(codes.filter((code) => !RESULTS.some((row) => row.code === code))).toEqual([]);
    const links = [...page.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !isThere(link))).toEqual([]);
  });
});

/** Vendors whose pages are named. */
const ELSEWHERE =
  /^https:\/\/(?:www\.standardwebhooks\.com|docs\.stripe\.com|docs\.adyen\.com|www\.pcisecuritystandards\.org)\//;

/**
 * Guides by their address on the site; pages of docs/ as the site names them. The reference is the site's own: its
 * build looks at links.
 */
function isThere(link: string): boolean {
  if (link.startsWith('https:')) return ELSEWHERE.test(link);
  if (link.startsWith('/docs/pictures/'))
    return existsSync(new URL(`site/public/${link.slice('/docs/'.length)}`, ROOT));
  const [path = '', anchor] = link.split('#');
  if (path === '' || /^\/docs\/reference\/(?:[a-z-]+\/)?$/.test(path)) return true;
  const [, folder, name] = /^\/docs\/(?:(guides)\/)?([a-z-]+)\/$/.exec(path) ?? [];
  if (name === undefined) return false;
  const file = folder === 'guides' ? pageFile(`${name}.md`) : new URL(`docs/${name}.md`, ROOT);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every file of examples/ is run: by a page, by a test, or by one of those', () => {
  const files = readdirSync(new URL('examples/', ROOT), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map((entry) => `${entry.parentPath.replace(/^.*(?=examples)/, '').replace(/\/$/, '')}/${entry.name}`);
  const tests = readdirSync(new URL('test/guides/', ROOT)).map((name) =>
    readFileSync(new URL(`test/guides/${name}`, ROOT), 'utf8'),
  );
  const lines = pages.flatMap(({ blocks }) => blocks.filter(({ lang }) => lang === 'sh').map(({ text }) => text));
  const run = new Set(files.filter((path) => [...tests, ...lines].some((text) => text.includes(path))));
  // what a file that is run loads is run, too
  for (const path of run) {
    const text = readFileSync(new URL(path, ROOT), 'utf8');
    const base = (name: string) => name.split('/').at(-1) ?? name;
    for (const other of files)
      if (text.includes(base(other)) || text.includes(`from ${base(other).replace('.py', '')} import`)) run.add(other);
  }
  expect(files.filter((path) => !run.has(path))).toEqual([]);
});

test('every guide that florin check names is there', () => {
  expect(RULES.length).toBeGreaterThan(5);
  expect(RULES.filter(({ guide }) => !isThere(guideLink(guide))).map(({ name, guide }) => `${name}: ${guide}`)).toEqual(
    [],
  );
  expect([isThere(guideLink('no-such')), isThere(guideLink('results#no-such'))]).toEqual([false, false]);
});

/** `guide`: the name of a page, with or without a place on it. */
function guideLink(guide: string): string {
  const [page = '', place] = guide.split('#');
  return `/docs/guides/${page}/${place === undefined ? '' : `#${place}`}`;
}

const FENCE = '```';
test.each([
  ['a block of another language', `${FENCE}js\nx();\n${FENCE}`, ['1: a block of js']],
  ['a block without a language', `${FENCE}\nx\n${FENCE}`, ['1: a block of no language']],
  ['an answer without lines', `a\n${FENCE}json\n{}\n${FENCE}`, ['2: a block of json']],
  ['a file elsewhere', `${FENCE}js title="src/main.ts"\nx\n${FENCE}`, ['1: a block of js']],
  ['an indented block', `  ${FENCE}js\n  x\n  ${FENCE}`, ['2 fences make 0 blocks']],
])('refused on a page: %s', (_, text, found) => {
  const page = pageOf('a.md', `${text}\n`);
  expect([...strangers(page), ...unseen(page)]).toEqual(found);
});

describe('what to do with a result', () => {
  const answers = RESULTS.flatMap(({ code, description }) => [
    { result: { code, description } },
    { result: { code, description }, redirect_url: 'https://vault.example/pay/1' },
  ]);
  const wanted = answers.map(whatNow);

  for (const program of ['php', 'python3'])
    test.skipIf(!has(program))(`is the same in ${program} as in Node (skipped without it)`, async () => {
      expect(await answersOf(program, answers)).toEqual(wanted);
    });

  test('pending is never a failure, and never done', () => {
    const pending = RESULTS.filter(({ code, name }) => code.endsWith('80') && name.endsWith('_pending'));
    expect(pending.map(({ code }) => code)).toEqual(['421080', '521080', '621080', '721080']);
    expect(new Set(pending.map((row) => whatNow({ result: row })))).toEqual(new Set(['wait']));
  });

  test('only what was done is done, and what may not be tried again says so', () => {
    const done = RESULTS.filter((row) => row.http.length > 0 && whatNow({ result: row }) === 'done');
    expect(done.map(({ phase }) => phase).filter((phase) => !['success', 'checkout'].includes(phase))).toEqual([]);
    const success = RESULTS.filter(({ phase, http }) => phase === 'success' && http.length > 0);
    expect(success.filter((row) => whatNow({ result: row }) !== 'done')).toEqual([]);
  });

  test('a card is given up only where a rule or its bank refused it: the reference of the codes says so', () => {
    const words = (of: (row: (typeof RESULTS)[number]) => boolean) =>
      new Set(RESULTS.filter((row) => row.http.length > 0 && of(row)).map((row) => whatNow({ result: row })));
    expect(words(({ phase, kind }) => phase === 'order' && kind === 'routing')).toEqual(new Set(['setup']));
    expect(words(({ phase, kind }) => phase === 'order' && kind === 'payer_left')).toEqual(new Set(['declined']));
    expect(words(({ phase, kind }) => phase === 'order' && kind === 'risk')).toEqual(new Set(['other_card']));
    expect(words(({ phase }) => phase === 'tokenization')).toEqual(new Set(['card_again']));
    expect(words(({ phase }) => phase === 'authentication')).toEqual(new Set(['declined']));
    expect(words(({ phase }) => phase === 'authorization')).toEqual(new Set(['wait', 'declined', 'other_card']));
  });
});
