// The guides as files: their blocks of code, and what those are made of.
import { readFileSync, readdirSync } from 'node:fs';
import { RESULTS } from '../../src/core/results.ts';
import { whatNow } from './merchant.ts';

export const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('site/src/content/docs/guides/', ROOT);

export type Block = {
  readonly page: string;
  readonly line: number;
  readonly lang: string;
  /** What stands behind the language: `title="…" region="…"`. */
  readonly marks: Readonly<Record<string, string>>;
  readonly text: string;
};

export type Page = { readonly name: string; readonly text: string; readonly blocks: readonly Block[] };

const BLOCK = /^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm;

export const pageNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((name) => /\.mdx?$/.test(name))
    .toSorted();

export const pageFile = (name: string): URL => new URL(name, FOLDER);

export function readPage(name: string): Page {
  return pageOf(name, readFileSync(pageFile(name), 'utf8'));
}

export function pageOf(name: string, text: string): Page {
  const blocks = [...text.matchAll(BLOCK)].map(({ index, 1: lang = '', 2: rest = '', 3: body = '' }) => ({
    page: name,
    line: text.slice(0, index).split('\n').length,
    lang,
    marks: Object.fromEntries([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])),
    text: body,
  }));
  return { name, text, blocks };
}

/** What a block is: a file of examples/ or a region of it, lines that are run, or what such lines print. */
export type Kind = 'file' | 'lines' | 'second terminal' | 'answer' | 'prints' | 'second prints' | 'none';

export function kindOf({ lang, marks }: Block): Kind {
  const { title } = marks;
  if (title?.startsWith('examples/') === true || title === 'README.md') return 'file';
  if (lang === 'sh' && (title === undefined || title === 'second terminal')) return title ?? 'lines';
  if (lang === 'json' && title === 'answer') return 'answer';
  if (lang === 'text' && title === 'second terminal prints') return 'second prints';
  return lang === 'text' && title === 'prints' ? 'prints' : 'none';
}

/**
 * A file of examples/, or what stands between `region: NAME` and `endregion` in it. Of the README: the lines of a
 * section.
 */
function snippet(path: string, region: string | undefined): string {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  if (path === 'README.md') return text.split(`\n## ${region}\n`)[1]?.match(/^```sh\n([\s\S]*?)^```$/m)?.[1] ?? '';
  const lines = text.split('\n');
  const isMark = (line: string) => /^\s*(?:\/\/|#|<!--) (?:region: \S+|endregion)/.test(line);
  const from = region === undefined ? 0 : lines.findIndex((line) => line.trimEnd().endsWith(` region: ${region}`)) + 1;
  if (region !== undefined && from === 0) throw new Error(`${path} has no region ${region}`);
  const end =
    region === undefined ? lines.length : lines.findIndex((line, i) => i >= from && /\bendregion\b/.test(line));
  if (end < 0) throw new Error(`region ${region} of ${path} does not end`);
  const kept = lines.slice(from, end).filter((line) => !isMark(line));
  return `${kept.join('\n').replace(/^\n+/, '').trimEnd()}\n`;
}

const TABLES: Readonly<Record<string, () => string>> = { results: resultsTable };

const WORDS: Readonly<Record<string, string>> = {
  done: '**done**: go on',
  wait: '**wait**: not decided; read the order or wait for its notification; do not ship, do not pay again',
  repeat: '**repeat** the same request with the same Idempotency-Key',
  read: '**read** the order that the answer names: it is on its way, or paid',
  correct: '**correct** the request: `detail` says what is wrong, `errors` in which fields',
  setup: '**set up**: nothing is held; look at your contracts and at the request, not at the card',
  card_again: '**card again**: nothing is held; the payer corrects the card or takes another one: tokenize anew',
  declined: '**declined**: nothing is held; the payer may try again, or with another card',
  other_card: '**other card**: nothing is held; do not try this card again',
  refused: '**refused**: this was not done; the order stands as it stood',
};

/** Each code of the table of results, and what the function that merchants copy says of it. */
function resultsTable(): string {
  const rows = RESULTS.filter(({ http }) => http.length > 0).map(({ code, description }) => {
    const word = whatNow({ result: { code, description } });
    const says = WORDS[word];
    if (says === undefined) throw new Error(`no words for ${word}`);
    return `| \`${code}\` | ${description} | ${says} |`;
  });
  return `| Code | Says | What to do |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** The page with its snippets and tables as they are now. */
export function refreshed(name: string, text: string): string {
  const with_tables = text.replace(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end of table -->)/g,
    (_, head: string, table: string, tail: string) => {
      const made = TABLES[table];
      if (made === undefined) throw new Error(`${name}: there is no table ${table}`);
      return `${head}\n${made()}\n${tail}`;
    },
  );
  return with_tables.replace(BLOCK, (whole, lang: string, rest: string) => {
    const [block] = pageOf(name, whole).blocks;
    if (!block || kindOf(block) !== 'file') return whole;
    return `\`\`\`${lang}${rest}\n${snippet(block.marks['title'] ?? '', block.marks['region'])}\`\`\``;
  });
}
