// What a house rule is: a pure function over a tree of files, and two made-up trees that prove it, one which breaks the
// rule and one which keeps it though it looks as if it did not.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Lexed, lex } from './lex.ts';

export type File = { readonly path: string; readonly text: string };

/**
 * Paths and texts. A `¦` is taken out of a text: with it a breach is written so that nobody who searches the project
 * for the real thing finds it here.
 */
export type MadeUp = Readonly<Record<string, string>>;

export type Rule = {
  /** The rule as a sentence. */
  readonly name: string;
  /** Every breach, as `path:line what`. */
  readonly find: (files: readonly File[]) => string[];
  readonly breach: MadeUp;
  /** What is found in the breach: `path:line` of each. */
  readonly finds: readonly string[];
  readonly clean: MadeUp;
};

export function madeUp(tree: MadeUp): File[] {
  return Object.entries(tree).map(([path, text]) => ({ path, text: text.replaceAll('¦', '') }));
}

const ROOT = join(import.meta.dirname, '../..');

/** Every text file that is committed or would be, but for what a build writes. */
export function projectFiles(): File[] {
  const list = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 16_777_216 }).split('\0');
  const present = [...new Set(paths)].filter(
    (path) =>
      path !== '' && !/^web\/site-built\/(?!made-from\.txt|mark\.svg)/.test(path) && existsSync(join(ROOT, path)),
  );
  return present
    .filter((path) => statSync(join(ROOT, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter((file) => !file.text.includes('\0'))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const READ = new WeakMap<File, Lexed>();

export function lexed(file: File): Lexed {
  const known = READ.get(file) ?? lex(file.text);
  READ.set(file, known);
  return known;
}

export function isCode(path: string): boolean {
  return /\.(?:ts|tsx|mts|js|mjs)$/.test(path);
}

/** Code files below one of these folders. */
export function codeIn(files: readonly File[], ...folders: string[]): File[] {
  return files.filter((file) => isCode(file.path) && folders.some((folder) => file.path.startsWith(folder)));
}

/** The finding at an offset of a file. */
export function at(file: File, offset: number, what: string): string {
  let line = 1;
  for (let i = file.text.indexOf('\n'); i >= 0 && i < offset; i = file.text.indexOf('\n', i + 1)) line += 1;
  return `${file.path}:${line} ${what}`;
}

/** A finding for each place where the pattern (global) fits the code of a file, comments and texts left out. */
export function inCode(file: File, pattern: RegExp, what: string): string[] {
  return [...lexed(file).code.matchAll(pattern)].map((match) => at(file, match.index, what));
}

/** The same in the file as it stands, comments and texts included. */
export function inText(file: File, pattern: RegExp, what: string): string[] {
  return [...file.text.matchAll(pattern)].map((match) => at(file, match.index, what));
}

/** Where each bracket that opens in this code closes. */
export function brackets(code: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let i = 0; i < code.length; i += 1) {
    const c = code.charAt(i);
    if ('([{'.includes(c)) open.push(i);
    if (!')]}'.includes(c)) continue;
    const start = open.pop();
    if (start !== undefined) pairs.set(start, i);
  }
  return pairs;
}

/** Splits at the commas that are not inside brackets; a last empty part does not count. */
export function split(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [i, c] of list.split('').entries()) {
    if ('([{<'.includes(c)) depth += 1;
    if (')]}'.includes(c) || (c === '>' && list[i - 1] !== '=')) depth -= 1;
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  const trimmed = parts.map((part) => part.trim());
  return trimmed.at(-1) === '' ? trimmed.slice(0, -1) : trimmed;
}
