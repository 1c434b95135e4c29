// The documents of docs/ as pages: each stays where it is and as it is; a page gets a title, links that lead to pages, and, where
// the document is long, a page a section.
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { wirePath } from '../../src/kit/http/reference/openapi.ts';

const DOCS = new URL('../../docs/', import.meta.url);

/** Documents of docs/ that are pages, and how each is called in the menu where its heading is not short enough. */
const WHOLE = [
  'glossary',
  'going-live',
  'hardening',
  'mcp',
  'operations',
  'performance',
  'provider-scenarios',
  'risk',
  'routing',
  'settings',
  'states',
  'test-kit',
  'where',
];
const FOLDERS = ['design', 'observability'];
/** Longer than a page may be: a page a section. */
const CUT = 'contract';

/** Short ones, each of which would be a page of frame around a paragraph: ten are a page. */
const JOINED = 'decisions';

type Page = { readonly address: string; readonly title: string; readonly body: string; readonly source: string };

const PAGES = [
  ...[...WHOLE.map((name) => `${name}.md`), ...FOLDERS.flatMap((folder) => markdownIn(folder))].map(pageOf),
  ...sectionsOf(`${CUT}.md`),
];
const DECISIONS = markdownIn(JOINED).toSorted().map(pageOf).map(joined);
const ANCHORS = anchorsOf(PAGES);

export function docsPages(): ReadonlyMap<string, string> {
  const texts = PAGES.map((page): [string, string] => [`${page.address}.md`, textOf(page)]);
  const tens = [...Map.groupBy(DECISIONS, ({ address }) => address)].map(([address, pages]): [string, string] => [
    `${address}.md`,
    tenOf(pages),
  ]);
  return new Map([...texts, ...tens, [`${JOINED}.md`, decisionsIndex()]]);
}

/** The link of a route to its section of the contract, as the contract's index (1.4) names it. */
export function contractLink({ method, path }: { readonly method: string; readonly path: string }): string {
  const text = readFileSync(new URL(`${CUT}.md`, DOCS), 'utf8');
  const rows = [...text.matchAll(/^\| ([A-Z]+ \/\S*) \|.*\| ([\d.]+) \|$/gm)];
  const number = rows.find(([, call]) => call === `${method} ${wirePath(path)}`)?.[2];
  const title = [...text.matchAll(/^##+ (([\d.]+) .*)$/gm)].find((heading) => heading[2] === number)?.[1];
  const address = title === undefined ? undefined : ANCHORS.get(`${CUT}.md#${anchor(title)}`);
  if (address === undefined) throw new Error(`docs/contract.md 1.4 names no section for ${method} ${path}`);
  return `<a href="${address}">${number}</a>`;
}

function markdownIn(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, DOCS)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

function pageOf(source: string): Page {
  const text = readFileSync(new URL(source, DOCS), 'utf8');
  const [, title = '', body = ''] = /^# (.*)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === '') throw new Error(`docs/${source} does not begin with its title`);
  return { address: addressOf(source), title, body, source };
}

/** design/README.md is the page of the folder. */
function addressOf(source: string): string {
  return source.replace(/(?:\/README)?\.md$/, '');
}

/** The lead with a list of the sections, and a page for each. */
function sectionsOf(source: string): readonly Page[] {
  const whole = pageOf(source);
  const [lead = '', ...parts] = whole.body.split(/^(?=## )/m);
  const sections = parts.map((part) => {
    const [, title = '', body = ''] = /^## (.*)\n([\s\S]*)$/.exec(part) ?? [];
    // headings move up by one: the section's own is the title of its page
    return { address: `${whole.address}/${anchor(title)}`, title, body: body.replace(/^#(#+ )/gm, '$1'), source };
  });
  const list = sections.map(({ address, title }) => `- [${title}](/docs/${address}/)`).join('\n');
  return [{ ...whole, body: `${lead}\n## Sections\n\n${list}\n` }, ...sections];
}

/** Its page is that of its ten: decisions/71-80. */
function joined(page: Page): Page {
  const ten = Math.ceil(numberOf(page) / 10) * 10;
  return { ...page, address: `${JOINED}/${ten - 9}-${ten}` };
}

function numberOf({ title }: Page): number {
  return Number.parseInt(title, 10);
}

/** Not in the search, where the index stands with all titles: who looks for a field wants no reasons. */
function tenOf(pages: readonly Page[]): string {
  const [first, last] = [pages.at(0), pages.at(-1)];
  const title = `Decisions ${first && numberOf(first)} to ${last && numberOf(last)}`;
  const bodies = pages.map(({ title: own, body, source }) => {
    // headings move down by one: the title is one of the page's
    return `## ${own}\n\n${linked(body, source).trim().replace(/^#+ /gm, '#$&')}`;
  });
  const head = [
    `title: ${title}`,
    'tableOfContents:',
    '  maxHeadingLevel: 2',
    'pagefind: false',
    'editUrl: false',
  ].join('\n');
  return `---\n${head}\n---\n\n${bodies.join('\n\n')}\n`;
}

/** Where each heading of each document is: `contract.md#29-idempotency` to the page with it. */
function anchorsOf(pages: readonly Page[]): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap(({ address, title, body, source }) => [
      [`${source}#${anchor(title)}`, `/docs/${address}/`],
      ...[...body.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']): [string, string] => [
        `${source}#${anchor(heading)}`,
        `/docs/${address}/#${anchor(heading)}`,
      ]),
    ]),
  );
}

/** What a heading is called in a link to it. */
function anchor(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '');
  return kept.replaceAll(' ', '-');
}

function textOf(page: Page): string {
  return `---\n${front(page)}\n---\n\n${linked(page.body, page.source).trim()}\n`;
}

/** The text of a document with its links as those of pages. What is no page of the site stands as a name: a file of the repository. */
export function linked(text: string, source: string): string {
  const with_pictures = text.replaceAll(/(?<=\]\()(?:\.\.\/)+site\/public\//g, '/docs/');
  return with_pictures.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, words: string, target: string) => {
    if (/^[a-z]+:/.test(target) || target.startsWith('/docs/')) return whole;
    const link = linkOf(target, source);
    return link === undefined ? words : `[${words}](${link})`;
  });
}

function front({ title }: Page): string {
  return `title: ${JSON.stringify(title)}\neditUrl: false`;
}

function linkOf(target: string, source: string): string | undefined {
  const [path = '', id = ''] = target.split('#');
  const file = path === '' ? source : posix.join(posix.dirname(source), path);
  if (id !== '') return ANCHORS.get(`${file}#${id}`);
  if (file === 'openapi.json') return '/openapi.json';
  if (file === 'codes.md') return '/docs/reference/codes/';
  const decision = DECISIONS.find(({ source: own }) => own === file);
  if (decision) return linkTo(decision);
  const address = addressOf(posix.normalize(file).replace(/\/$/, ''));
  const known =
    [...WHOLE, ...FOLDERS, JOINED, CUT].includes(address) ||
    FOLDERS.some((name) => file.startsWith(`${name}/`) && file.endsWith('.md'));
  return known ? `/docs/${address}/` : undefined;
}

function linkTo(decision: Page): string {
  return `/docs/${decision.address}/#${anchor(decision.title)}`;
}

function decisionsIndex(): string {
  const rows = DECISIONS.map((page) => `- [${page.title}](${linkTo(page)})`);
  return `---\ntitle: Decisions\ndescription: Why it is built this way, and what was not chosen\neditUrl: false\n---\n\nWhy it is built this way, and what was not chosen.\n\n${rows.join('\n')}\n`;
}
