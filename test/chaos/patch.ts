// The change of a mutant: part of a named function or statement, or a rule of the schema, which is dropped. It works
// however the text is laid out and in whichever file it is, and fails loudly if the text to change is not there exactly
// once.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionsOf } from '../tidy/functions.ts';
import { lex } from '../tidy/lex.ts';
import { brackets } from '../tidy/rule.ts';

export type Patch = Replacing | Dropping;
/** White space does not matter in `find`, nor, in SQL, the size of letters. */
type Replacing = { readonly in: Place; readonly find: string; readonly put: string };
type Place =
  /** A function of TypeScript by its name, in the one of the files whose path begins so. */
  | { readonly function: string; readonly below: string }
  /** SQL in a constant of TypeScript, likewise. */
  | { readonly constant: string; readonly below: string }
  /** A statement by the name under which it is run. */
  | { readonly statement: string }
  /** A function of the schema by its file. */
  | { readonly schema: string };
/** Done by a migration of its own, after all others. */
type Dropping = { readonly drop: 'constraint' | 'trigger' | 'index'; readonly name: string; readonly table: string };

/** The files that a patch changes, by their paths in the product, with what they then hold. */
export type Changes = ReadonlyMap<string, string>;

/** The product with the patches; throws where one does not fit. */
export function patched(product: string, patches: readonly Patch[], source: Source = sourceOf(product)): Changes {
  const changes = new Map<string, string>();
  for (const [n, patch] of patches.entries()) {
    const [path, text] = 'drop' in patch ? dropped(product, patch, n) : replaced(source, patch, changes);
    changes.set(path, text);
  }
  return changes;
}

export function apply(product: string, patches: readonly Patch[]): void {
  for (const [path, text] of patched(product, patches)) writeFileSync(join(product, path), text);
}

/** The texts of a product that stays as it is meanwhile: each is read once, for as many mutants as are tried on it. */
type Source = { readonly code: readonly string[]; has(path: string): boolean; text(path: string): string };

export function sourceOf(product: string): Source {
  const texts = new Map<string, string>();
  const code = readdirSync(join(product, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path}`)
    .filter((path) => path.endsWith('.ts'))
    .toSorted();
  return {
    code,
    has: (path) => existsSync(join(product, path)),
    text: (path) => {
      const text = texts.get(path) ?? readFileSync(join(product, path), 'utf8');
      texts.set(path, text);
      return text;
    },
  };
}

function replaced(source: Source, { in: place, find, put }: Replacing, changes: Changes): [string, string] {
  const regions = filesOf(source, place).flatMap((path) => {
    const text = changes.get(path) ?? source.text(path);
    return regionsOf(text, place).map((spans) => ({ path, text, spans }));
  });
  const said = JSON.stringify(place);
  const [region] = regions;
  if (!region || regions.length > 1) throw misfit(`${said} stands ${regions.length} times in the product, not once`);
  const { path, text, spans } = region;
  const pattern = anyLayout(find, !('function' in place));
  const found = spans.flatMap(([start, end]) =>
    [...text.slice(start, end).matchAll(pattern)].map((match) => ({ at: start + match.index, size: match[0].length })),
  );
  const [match] = found;
  if (!match || found.length > 1)
    throw misfit(`in ${said} (${path}) this stands ${found.length} times, not once:\n${find}`);
  return [path, text.slice(0, match.at) + put + text.slice(match.at + match.size)];
}

function misfit(what: string): Error {
  return new Error(`a mutant no longer fits: ${what}`);
}

function filesOf(source: Source, place: Place): readonly string[] {
  if ('schema' in place)
    return ['payment', 'vault']
      .map((zone) => `src/${zone}/schema/functions/${place.schema}.sql`)
      .filter((path) => source.has(path));
  const below = 'below' in place ? place.below : 'src/';
  return source.code.filter((path) => path.startsWith(below));
}

type Span = readonly [start: number, end: number];
type Region = readonly Span[];

/** The places of the named thing in a text. */
function regionsOf(text: string, place: Place): readonly Region[] {
  if ('schema' in place) return [[[0, text.length]]];
  if ('function' in place) {
    if (!text.includes(place.function)) return [];
    return functionsOf(lex(text).code)
      .filter(({ name }) => name === place.function)
      .map(({ start, end }) => [[start, end + 1]]);
  }
  if ('constant' in place) {
    const { code } = lex(text);
    const declared = new RegExp(String.raw`\bconst ${place.constant}\b`).exec(code);
    return declared ? [[[declared.index, code.indexOf(';', declared.index)]]] : [];
  }
  return text.includes(`'${place.statement}'`) ? statementsIn(text, place.statement) : [];
}

/** The places where a statement is run, each with the parts of its text that are elsewhere in the file. */
function statementsIn(text: string, name: string): readonly Region[] {
  const { code } = lex(text);
  const closes = brackets(code);
  const functions = functionsOf(code);
  const partOf = (part: string): Span | undefined => {
    const declared = new RegExp(String.raw`\bconst ${part}\b`).exec(code);
    const found = functions.find((one) => one.name === part);
    if (found) return [found.start, found.end + 1];
    return declared ? [declared.index, code.indexOf(';', declared.index)] : undefined;
  };
  const withParts = (span: Span): Region =>
    [...text.slice(...span).matchAll(/\$\{(\w+)/g)].reduce<Region>(
      (spans, [, part = '']) => {
        const found = partOf(part);
        return found && !spans.some(([start]) => start === found[0]) ? [...spans, ...withParts(found)] : spans;
      },
      [span],
    );
  const calls = text.matchAll(new RegExp(String.raw`\(\s*'${name}'\s*,`, 'g'));
  return [...calls].map(({ index }) => withParts([index, closes.get(index) ?? text.length]));
}

/**
 * Words and signs in a row, with any white space between them, and a comma more or less before a bracket that closes.
 * In SQL a word may have the name of its table before it.
 */
export function anyLayout(find: string, is_sql: boolean): RegExp {
  const signs = find.match(/\w+|[^\s\w]/g) ?? [];
  const isWord = (sign: string | undefined) => sign !== undefined && /^\w/.test(sign);
  const pattern = signs.map((sign, n) => {
    const before = signs[n - 1];
    const space = before === undefined ? '' : isWord(before) && isWord(sign) ? String.raw`\s+` : String.raw`\s*`;
    const comma = /[)\]}]/.test(sign) ? String.raw`,?\s*` : '';
    const table = is_sql && /^[a-z]/.test(sign) && !/[.:']/.test(before ?? '') ? String.raw`(?:\w+\.)?` : '';
    return space + comma + table + sign.replaceAll(/\W/g, String.raw`\$&`);
  });
  return new RegExp(pattern.join(''), is_sql ? 'gi' : 'g');
}

/** A rule of the schema as it is today, which the migrator's last file takes away. */
function dropped(product: string, { drop, name, table }: Dropping, n: number): [string, string] {
  const [zone = ''] = table.split('.');
  const today = readFileSync(join(product, `src/${zone}/schema/today.sql`), 'utf8');
  const { made, sql } = {
    constraint: {
      made: new RegExp(String.raw`^CREATE TABLE ${table} \((?:(?!^\)).*\n)*?  CONSTRAINT ${name} `, 'gm'),
      sql: `ALTER TABLE ${table} DROP CONSTRAINT ${name};\n`,
    },
    trigger: {
      made: new RegExp(String.raw`^CREATE TRIGGER ${name} .* ON ${table} `, 'gm'),
      sql: `DROP TRIGGER ${name} ON ${table};\n`,
    },
    index: {
      made: new RegExp(String.raw`^CREATE (?:UNIQUE )?INDEX ${name} ON ${table} `, 'gm'),
      sql: `DROP INDEX ${zone}.${name};\n`,
    },
  }[drop];
  const count = today.match(made)?.length ?? 0;
  if (count !== 1) throw misfit(`the ${drop} ${name} stands ${count} times on ${table}, not once`);
  return [`src/${zone}/schema/migrations/9999-mutant-${n}.sql`, sql];
}
