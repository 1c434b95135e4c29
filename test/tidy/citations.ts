// What is cited can be opened: sections of the contract and of the pages about the design, decisions, ids of what must
// hold, pages that are named, and links. Standards (RFC, PCI DSS, EMV, ISO) are not ours to check.
import { posix } from 'node:path';
import { type File, type Rule, at, isCode, lexed } from './rule.ts';

const CONTRACT = 'docs/contract.md';
const TARGETS = 'docs/design/targets.md';

/** Where a page is looked for that is named without its folder. */
const FOLDERS = ['', 'docs/', 'docs/design/'];

/** Between a word and its number: blanks, and what begins a line of a comment. */
const GAP = String.raw`(?:\s|//|\*(?!\*)|--)+`;
const SECTION = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\d%])`;
const ID = String.raw`[CIMNTVX]\d{1,2}\b`;
const listOf = (one: string) => `${one}(?:(?:,${GAP}and|,|${GAP}and|${GAP}to)${GAP}${one})*`;

const OF_CONTRACT = new RegExp(
  String.raw`\b[Cc]ontract(?:['’]s)?(?:${GAP}sections?)?${GAP}\(?(${listOf(SECTION)})`,
  'g',
);
const OF_PAGE = new RegExp(String.raw`([\w./-]*\w\.md)\)?\x60?(?:,${GAP}|${GAP})(${listOf(SECTION)})`, 'g');
const OF_TARGETS = new RegExp(String.raw`\btargets(?:\.md)?,?${GAP}(${listOf(ID)})`, 'g');
const OF_DECISION = new RegExp(String.raw`\b[Dd]ecisions?${GAP}(${listOf(String.raw`\d{1,4}\b`)})`, 'g');
const DECISION_PATH = /\bdocs\/decisions\/(\d{4})(?:-[a-z0-9-]+\.md)?/g;
const PAGE = /(?<![\w:/*.-])(?:[\w.-]+\/)*[\w.-]*\w\.md\b/g;
const LINK = /\]\(([^)\s]+)\)/g;

/** Texts of the repository that cite. A migration is never edited, whatever becomes of the pages it named. */
function cites({ path }: File): boolean {
  return (
    !/(?:^|\/)migrations\/|^package-lock\.json$|\.(?:svg|csv|yml)$|openapi\.json$/.test(path) &&
    /^(?:src|web|test|bench|bin|docs)\/|^[A-Z]+\.md$/.test(path)
  );
}

/** As long as the file: its comments, or the whole of a page; the rest is blank. */
function prose(file: File): string {
  if (file.path.endsWith('.md')) return file.text;
  const blank = file.text.replace(/[^\n]/g, ' ').split('');
  const comments = isCode(file.path)
    ? lexed(file).comments
    : [...file.text.matchAll(/--.*|\/\*[\s\S]*?\*\//g)].map(({ index, 0: value }) => ({ start: index, value }));
  for (const { start, value } of comments) for (const [i, sign] of value.split('').entries()) blank[start + i] = sign;
  return blank.join('');
}

/** Numbers of the headings of a page. */
function sectionsOf(page: File): ReadonlySet<string> {
  return new Set([...page.text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number));
}

const numbersIn = (list: string) => list.match(/\d+(?:\.\d+)?/g) ?? [];

/** What a comment or page cites and cannot be opened. */
function lostCitations(files: readonly File[]): string[] {
  const pages = new Map(files.filter(({ path }) => path.endsWith('.md')).map((page) => [page.path, page]));
  const decisions = new Set(
    [...pages.keys()].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.slice(1) ?? []).map(Number),
  );
  const ids = new Set(
    pages
      .get(TARGETS)
      ?.text.match(/^\| [A-Z]\d+ (?=\|)/gm)
      ?.map((row) => row.slice(2).trim()),
  );
  const missing = (page: string | undefined, list: string) => {
    const found = page === undefined ? undefined : pages.get(page);
    const there = found ? sectionsOf(found) : new Set<string>();
    return numbersIn(list).filter((number) => !there.has(number));
  };
  return files.filter(cites).flatMap((file) => {
    const text = prose(file);
    const found = (pattern: RegExp, lost: (match: RegExpExecArray) => readonly string[], of: string) =>
      [...text.matchAll(pattern)].flatMap((match) =>
        lost(match).map((one) => at(file, match.index, `cites ${of} ${one}, which is not there`)),
      );
    const ofPage = ([, name = '', list = '']: RegExpExecArray) => {
      const page = pageOf(pages, file, name);
      return page === undefined ? [] : missing(page, list).map((number) => `${page} ${number}`);
    };
    const isLost = (number: string) => !decisions.has(Number(number));
    return [
      ...found(OF_CONTRACT, ([, list = '']) => missing(CONTRACT, list), 'the contract'),
      ...found(OF_PAGE, ofPage, 'a section'),
      ...found(OF_TARGETS, ([, list = '']) => (list.match(/[A-Z]\d+/g) ?? []).filter((id) => !ids.has(id)), 'a target'),
      ...found(OF_DECISION, ([, list = '']) => numbersIn(list).filter(isLost), 'decision'),
      ...found(
        DECISION_PATH,
        ([path, number = '']) => (isLost(number) || lostPath(pages, path) ? [path] : []),
        'a page',
      ),
    ];
  });
}

const lostPath = (pages: ReadonlyMap<string, File>, path: string) => path.endsWith('.md') && !pages.has(path);

/** The page that is meant by a name: from the root, from beside the file, or among the pages. */
function pageOf(pages: ReadonlyMap<string, File>, file: File, name: string): string | undefined {
  const beside = posix.join(posix.dirname(file.path), name);
  return [...FOLDERS.map((folder) => folder + name), beside].find((path) => pages.has(path));
}

function lostPages(files: readonly File[]): string[] {
  const pages = new Map(files.filter(({ path }) => path.endsWith('.md')).map((page) => [page.path, page]));
  return files
    .filter(cites)
    .flatMap((file) =>
      [...prose(file).matchAll(PAGE)]
        .filter(([name]) => pageOf(pages, file, name) === undefined)
        .map((match) => at(file, match.index, `names ${match[0]}, which is not there`)),
    );
}

/** What a heading is called in a link to it. */
function anchorOf(title: string): string {
  const kept = title.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '');
  return kept.replaceAll(' ', '-');
}

function lostLinks(files: readonly File[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const isThere = (path: string) => texts.has(path) || files.some((file) => file.path.startsWith(`${path}/`));
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      [...file.text.matchAll(LINK)].flatMap((match) => {
        const [target = '', anchor] = (match[1] ?? '').split('#');
        // pictures are no text: that those of the README are there is a test of its own; addresses of the site are
        // looked at where it is made
        if (/^[a-z]+:|^\/docs\/|\.png$/.test(target)) return [];
        const path = target === '' ? file.path : posix.join(posix.dirname(file.path), target).replace(/\/$/, '');
        const heads = [...(texts.get(path)?.matchAll(/^#+ +(.+?) *$/gm) ?? [])].map(([, head = '']) => anchorOf(head));
        const lost = !isThere(path) || (anchor !== undefined && !heads.includes(anchor));
        return lost ? [at(file, match.index, `links ${match[1] ?? ''}, which is not there`)] : [];
      }),
    );
}

const PAGES = {
  'docs/contract.md': '# The contract\n\n## 2 Rules\n### 2.9 Idempotency\n## 8 Maintenance\n',
  'docs/design/engine.md': '# Engine\n\n## 3. Operations\n\n### 3.1 States\n',
  'docs/design/targets.md': '| id | must hold |\n|---|---|\n| M4 | sums |\n',
  'docs/decisions/0007-a.md': '# 7. A',
};

export const CITATION_RULES: readonly Rule[] = [
  {
    name: 'a section, decision or target that is cited is there',
    find: lostCitations,
    breach: {
      ...PAGES,
      'src/a.ts': '// as contract 2.¦8 says\n/* contract 2.9, 2.1¦1 and\n * contract\n * 5.¦1 */\n// decision 8¦1',
      'src/b.ts': '// engine.md 3.¦2\n// targets.md M¦5\nconst a = 1; // docs/decisions/00¦09',
      'src/c.ts': '// docs/decisions/0007-b.m¦d',
      'web/a.css': '/* the contract’s section 1¦2 */',
      'docs/a.md': 'see [the engine](design/engine.md) 3.¦3',
    },
    finds: [
      'src/a.ts:1',
      'src/a.ts:2',
      'src/a.ts:3',
      'src/a.ts:5',
      'src/b.ts:1',
      'src/b.ts:2',
      'src/b.ts:3',
      'src/c.ts:1',
      'web/a.css:1',
      'docs/a.md:1',
    ],
    clean: {
      ...PAGES,
      'src/a.ts': "// contract 2, 2.9 and 8; engine.md 3.1; decision 7\nconst a = 'contract 9.9, decision 99';",
      'src/b.ts':
        '// docs/decisions/0007-a.md and docs/decisions/0007, targets.md M4, RFC 9457 section 3, PCI DSS 3.6.1',
      'src/payment/migrations/0001-a.sql': '-- engine.md 99',
    },
  },
  {
    name: 'a page that a comment or another page names is there',
    find: lostPages,
    breach: { ...PAGES, 'src/a.ts': '// see surf¦ace.md and docs/b.m¦d', 'docs/a.md': 'more in design/vau¦lt.md' },
    finds: ['src/a.ts:1', 'src/a.ts:1', 'docs/a.md:1'],
    clean: {
      ...PAGES,
      'src/a.ts': "// engine.md, docs/contract.md, https://x.example/a.md, *.md\nconst a = 'none.md';",
      'docs/a.md': 'contract.md',
    },
  },
  {
    name: 'a link in a page leads to a file and a heading that are there',
    find: lostLinks,
    breach: { ...PAGES, 'docs/a.md': '[a](b.md)\n[c](contract.md#29-other)\n[d](#e)', 'README.md': '[a](src)' },
    finds: ['docs/a.md:1', 'docs/a.md:2', 'docs/a.md:3', 'README.md:1'],
    clean: {
      ...PAGES,
      'docs/a.md':
        '# E, f\n[c](contract.md#29-idempotency) [d](#e-f) [e](https://x.example/#y) [f](decisions) [g](../docs/design/)',
    },
  },
];
