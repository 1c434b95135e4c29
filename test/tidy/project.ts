// What a reader of the repository finds: the papers that must be there, numbered things, and nothing of the machine on
// which it was written.
import { type File, type Rule, at, inText } from './rule.ts';

// Machine folders at the beginning of a path, not in the middle of one or of an address.
const MACHINE_PATH = /(?<![\w.$)}\]~*-])(?:file:\/\/)?\/(?:work|home|root|Users)\/[\w.~-]/g;
const REGISTRY =
  /:\/\/[^\s/'"]*(?:registry|artifactory|nexus|npmmirror)[^\s/'"]*|\bregistry\.(?:npmjs|yarnpkg|npmmirror)\b|^\s*(?:@[\w-]+:)?registry\s*=.*|"resolved":\s*"(?:https?|file):/gm;

const PAPERS = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  '.ci/run',
  'docs/contract.md',
  'docs/glossary.md',
  'docs/where.md',
];
const HEADINGS = ['Context', 'Decision', 'Consequences', 'Not chosen'];

function missingPapers(files: readonly File[]): string[] {
  const missing = PAPERS.filter((path) => !files.some((file) => file.path === path && file.text.trim() !== ''));
  const ci = files.find((file) => file.path === '.ci/run');
  const untested = ci !== undefined && !/^[^#\n]*\bnpm test\b/m.test(ci.text);
  return [...missing.map((path) => `${path}:1 is missing`), ...(untested ? ['.ci/run:1 does not call npm test'] : [])];
}

/** In each folder from 0001 on, one after the other, and named for what they do. */
function misnumbered(files: readonly File[], name: RegExp): string[] {
  const folders = Map.groupBy(files, (file) => file.path.slice(0, file.path.lastIndexOf('/')));
  return [...folders.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return sorted.flatMap((file, i) => {
      const number = name.exec(file.path.split('/').at(-1) ?? '')?.[1];
      if (number === undefined) return [at(file, 0, 'is not named as 0001-what-it-is')];
      return Number(number) === i + 1 ? [] : [at(file, 0, `should have number ${i + 1}`)];
    });
  });
}

function misheaded(file: File): string[] {
  const heads = [...file.text.matchAll(/^#+ +(.+?) *$/gm)]
    .map((match) => match[1] ?? '')
    .filter((head) => HEADINGS.includes(head));
  return heads.join() === HEADINGS.join()
    ? []
    : [at(file, 0, `wants the headings ${HEADINGS.join(', ')}, in this order`)];
}

const PAGE = '# 1. A\n\n## Context\n\na\n\n## Decision\n\nb\n\n## Consequences\n\nc\n\n## Not chosen\n\nd\n';
const PAGES = { 'docs/contract.md': 'd', 'docs/glossary.md': 'e', 'docs/where.md': 'f' };
const COMPLETE = { ...PAGES, 'README.md': 'a', 'CHANGELOG.md': 'b', LICENSE: 'c', '.ci/run': 'npm test\n' };

export const PROJECT_RULES: readonly Rule[] = [
  {
    name: 'no path of a machine and no registry host is committed',
    find: (files) =>
      files.flatMap((file) => [
        ...inText(file, MACHINE_PATH, 'names a path of somebody’s machine'),
        ...inText(file, REGISTRY, 'names a package registry'),
      ]),
    breach: {
      'docs/a.md': 'see /wo¦rk/main and (/ho¦me/me)\n`/ro¦ot/.npmrc`',
      'src/a.ts': "\nopen('/ho¦me/me/a');\nconst a = 'file:///wo¦rk/x';",
      'package-lock.json': '{ "resol¦ved": "https://x.example/a.tgz" }\n{ "a": "http://my-regi¦stry.local:4873/a" }',
      '.npmrc': 'fund=false\nregi¦stry=https://x.example',
    },
    finds: [
      'docs/a.md:1',
      'docs/a.md:1',
      'docs/a.md:2',
      'src/a.ts:2',
      'src/a.ts:3',
      'package-lock.json:1',
      'package-lock.json:2',
      '.npmrc:2',
    ],
    clean: {
      'docs/a.md': 'https://florin.example/ho¦me/a, ./wo¦rk/a, a/ro¦ot/b, the route /homes, src/provider/registry.ts',
      'src/a.ts': "import { registry } from './registry.ts';\nregistry.simulator.can;\nconst a = `${base}/wo¦rk/a`;",
    },
  },
  {
    name: 'the papers of the project are there',
    find: missingPapers,
    breach: { ...PAGES, 'docs/where.md': ' ', 'README.md': 'a', LICENSE: ' ', '.ci/run': '# npm test\nnpm ci\n' },
    finds: ['CHANGELOG.md:1', 'LICENSE:1', '.ci/run:1', 'docs/where.md:1'],
    clean: COMPLETE,
  },
  {
    name: 'migrations are numbered from 0001 without a gap',
    find: (files) =>
      misnumbered(
        files.filter((file) => /(?:^|\/)migrations\//.test(file.path)),
        /^(\d{4})[-_][a-z0-9]+(?:[-_][a-z0-9]+)*\.sql$/,
      ),
    breach: {
      'src/vault/schema/migrations/0001-a.sql': '',
      'src/vault/schema/migrations/0003-b.sql': '',
      'src/payment/schema/migrations/0001-a.sql': '',
      'src/payment/schema/migrations/0001-b.sql': '',
      'src/payment/schema/migrations/add-c.sql': '',
    },
    finds: [
      'src/vault/schema/migrations/0003-b.sql:1',
      'src/payment/schema/migrations/0001-b.sql:1',
      'src/payment/schema/migrations/add-c.sql:1',
    ],
    clean: {
      'src/vault/schema/migrations/0001-card-zone.sql': '',
      'src/payment/schema/migrations/0001_a.sql': '',
      'src/payment/schema/migrations/0002-b-2.sql': '',
      'src/payment/store.ts': '',
    },
  },
  {
    name: 'a decision is a numbered page with context, decision, consequences and what was not chosen',
    find: (files) => {
      const pages = files.filter((file) => file.path.startsWith('docs/decisions/'));
      return [...misnumbered(pages, /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md$/), ...pages.flatMap(misheaded)];
    },
    breach: {
      'docs/decisions/0001-a.md': PAGE.replace('## Not chosen', '## Other'),
      'docs/decisions/0003-b.md': PAGE,
      'docs/decisions/README.md': PAGE,
      'docs/decisions/0002-c.md': '## Decision\n## Context\n## Consequences\n## Not chosen',
    },
    finds: ['docs/decisions/0001-a.md:1', 'docs/decisions/0002-c.md:1', 'docs/decisions/README.md:1'],
    clean: { 'docs/decisions/0001-one-package.md': PAGE, 'docs/decisions/0002-b.md': PAGE, 'docs/api.md': '# Api' },
  },
];
