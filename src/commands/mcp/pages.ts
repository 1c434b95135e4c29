// The documentation of this version of Florin, found by words and read by sections. It is our own text, so it is not
// quoted.
import { readFileSync, readdirSync } from 'node:fs';
import { StartError } from '../../kit/start-error.ts';

/** The pages as they are built for /docs: guides, reference and documents, each also as Markdown. */
const FOLDER = new URL('../../../web/site-built/', import.meta.url);
const LONGEST = 12_000;
const SNIPPET = 220;

type Section = { readonly page: string; readonly title: string; readonly text: string };

/** The names of pages, such as guides/quick-start or design/engine. */
export function pageNames(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .toSorted();
}

/** Undefined if there is no such page. */
export function readPage(page: string): string | undefined {
  // only a name from the list becomes part of a path
  const known = pageNames().find((name) => name === page.replace(/^docs\//, '').replace(/\.md$/, ''));
  return known === undefined ? undefined : readFileSync(new URL(`${known}.md`, FOLDER), 'utf8');
}

function sectionsOf(page: string): readonly Section[] {
  return (readPage(page) ?? '').split(/^(?=#{1,4} )/m).flatMap((text) => {
    const title = /^#+ (.*)/.exec(text)?.[1];
    return title === undefined ? [] : [{ page, title, text }];
  });
}

export function searchPages(words: string, limit: number): string {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = pageNames()
    .flatMap(sectionsOf)
    .map((section) => ({ section, score: scoreOf(section, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
  if (found.length === 0) return `No section has all of these words. The pages are: ${pageNames().join(', ')}`;
  return found
    .map(({ section }) => `docs/${section.page}.md, section "${section.title}"\n  ${snippetOf(section, wanted)}`)
    .join('\n');
}

/** 0 if a word is missing. A word in the title counts most, and a short section counts more than a long one. */
function scoreOf({ page, title, text }: Section, wanted: readonly string[]): number {
  const [head, body] = [`${page} ${title}`.toLowerCase(), text.toLowerCase()];
  if (!wanted.every((word) => head.includes(word) || body.includes(word))) return 0;
  const count = wanted.reduce(
    (sum, word) => sum + (head.includes(word) ? 20 : 0) + Math.min(9, body.split(word).length - 1),
    0,
  );
  return count / Math.log2(16 + body.length);
}

function snippetOf({ text }: Section, wanted: readonly string[]): string {
  const flat = text.replace(/^#+ .*/, '').replaceAll(/\s+/g, ' ');
  const first = Math.max(0, ...wanted.slice(0, 1).map((word) => flat.toLowerCase().indexOf(word)));
  return flat.slice(Math.max(0, first - SNIPPET / 2), first + SNIPPET).trim();
}

export function pageText(
  page: string,
  { section, from }: { readonly section: string | undefined; readonly from: number },
): string {
  const whole = readPage(page);
  if (whole === undefined) throw new StartError(`page must be one of: ${pageNames().join(', ')}`);
  const titles = sectionsOf(page.replace(/^docs\//, '').replace(/\.md$/, ''));
  const found =
    section === undefined ? undefined : titles.find(({ title }) => title.toLowerCase().includes(section.toLowerCase()));
  if (section !== undefined && !found)
    throw new StartError(
      `section must be one of: ${titles
        .map(({ title }) => title)
        .slice(0, 60)
        .join('; ')}`,
    );
  const text = found?.text ?? whole;
  const rest = text.length - from - LONGEST;
  return (
    text.slice(from, from + LONGEST) +
    (rest > 0 ? `\n… ${rest} more characters: read on with from ${from + LONGEST}` : '')
  );
}
