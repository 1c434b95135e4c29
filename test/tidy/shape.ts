// Sizes, names of files and folders, and the parts of the language we do without.
import { sqlIn } from './data.ts';
import { functionsOf } from './functions.ts';
import { type File, type Rule, at, brackets, codeIn, inCode, isCode, lexed, split } from './rule.ts';

const LONGEST_FILE = 300;
const WIDEST_COMMENT = 120;
const MOST_STATEMENTS = 50;
const FULL_FOLDER = 21;
const MOST_PARAMETERS = 3;

const NO_FOLDERS = new Set(['utils', 'util', 'helpers', 'common', 'services', 'interfaces']);
const NO_FILES = /^(?:types|index|utils|helpers|common)\.(?:d\.)?(?:ts|tsx|mts|js|mjs)$/;

/** Tools that take their configuration, reporter or set-up as the default export of a file. */
const MAY_EXPORT_DEFAULT =
  /^(?:[\w.-]+\.config\.ts|site\/(?:astro|ec)\.config\.mjs|test\/(?:plain-line|global-setup|conformance\/keep-outcomes)\.ts)$/;

function namesIn(file: File): string[] {
  const folders = file.path.split('/').slice(0, -1);
  const name = file.path.split('/').at(-1) ?? '';
  const bad = folders.find((folder) => NO_FOLDERS.has(folder)) ?? (NO_FILES.test(name) ? name : undefined);
  return bad === undefined ? [] : [at(file, 0, `is named ${bad}: name the thing that is in it`)];
}

function fullFolders(files: readonly File[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const full = [...counts].filter(([, count]) => count >= FULL_FOLDER);
  return full.map(([folder, count]) => `${folder}:1 holds ${count} files`);
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** SQL does not count: it has a rule of its own, and one clause a line is how it is read. */
function longFilesIn(file: File): string[] {
  const clauses = sqlIn(file).reduce((sum, { value }) => sum + linesOf(value) - 1, 0);
  const lines = linesOf(file.text) - (isCode(file.path) ? clauses : 0);
  return lines > LONGEST_FILE ? [at(file, 0, `has ${lines} lines`)] : [];
}

/**
 * The formatter keeps code as narrow; comments it leaves alone. Tables and addresses, which have no blank to break at,
 * stay.
 */
function wideCommentsIn(file: File): string[] {
  return file.text.split('\n').flatMap((line, n) => {
    const said = /^\s*(?:\/\/|\/?\*\*?) (.*)$/.exec(line)?.[1];
    const breaks = said !== undefined && !said.startsWith('|') && said.trim().includes(' ');
    return breaks && line.length > WIDEST_COMMENT ? [`${file.path}:${n + 1} is ${line.length} columns wide`] : [];
  });
}

const BRANCH = /(?<![.\w$])(?:if|for|while|do|switch|case|try)\b(?!\s*[?:,=])/g;

/** What ends with a semicolon outside the brackets of a `for`, and what has a body. A long object or page is one. */
function statementsOf(code: string): number {
  const open: string[] = [];
  let count = code.match(BRANCH)?.length ?? 0;
  for (const c of code) {
    if ('([{'.includes(c)) open.push(c);
    else if (')]}'.includes(c)) open.pop();
    else if (c === ';' && open.at(-1) !== '(') count += 1;
  }
  return count;
}

function longFunctionsIn(file: File): string[] {
  const { code } = lexed(file);
  return functionsOf(code).flatMap(({ name, start, end }) => {
    const count = statementsOf(code.slice(start, end + 1));
    return count > MOST_STATEMENTS ? [at(file, start, `${name} has ${count} statements`)] : [];
  });
}

/** `...{ a, b }` in an object and `...[a, b]` in a list: what they hold could stand there itself. */
function packedIn(file: File): string[] {
  const { code } = lexed(file);
  const closes = brackets(code);
  return [...code.matchAll(/\.\.\.\s*(?=[[{])/g)].flatMap((match) => {
    const open = match.index + match[0].length;
    const after = code.slice((closes.get(open) ?? open) + 1).trimStart();
    const before = code.slice(0, match.index).trimEnd().at(-1) ?? '';
    const outer = [...closes].filter(([from, to]) => from < match.index && to > match.index).map(([from]) => from);
    const holds = code[Math.max(0, ...outer)];
    const packs = /^[,\]}]/.test(after) && (before === ',' || before === holds) && code[open] === holds;
    return packs ? [at(file, match.index, 'spreads what could stand there itself')] : [];
  });
}

/** Folders that hold one file and nothing else, and why. */
const ONE_FILE: Readonly<Record<string, string>> = {
  'site/src': 'where the builder of the site looks for pages',
  'site/src/content': 'the same',
  'site/src/content/docs': 'the same',
  'site/public': 'what the site serves as it is',
  'src/backoffice/sandbox': 'a noun of the menu',
  'src/backoffice/session/places': 'SQL of its own: statements stand in a store.ts',
  'src/commands/people': 'a command of several words is a folder',
  'src/core/keys': 'what an API key may do, no field of a payment',
  'src/core/payer': 'the language of payers, for pages and form alike',
  'src/core/people': 'when two people must agree, no field of a payment',
  'src/core/three-ds': 'codes of another standard than those of money.ts',
  'src/kit/audit': 'the chain of records that both zones write',
  'src/kit/terminal': 'what only a terminal needs',
  'src/payment/schema/migrations': 'numbered from the baseline on: the next is the second file',
  'src/provider/apple-pay': 'a table is found by its folder, and this one is of no provider',
  'src/simulators': 'a provider that is played is a folder',
  'src/vault/schema/migrations': 'numbered from the baseline on',
  'src/payment/customer/subscription': 'SQL of its own: statements stand in a store.ts',
  'src/vault/rotation/sealed': 'SQL of its own: statements stand in a store.ts',
  'web/backoffice/pages/audit': 'a page of the back office is a folder',
  'web/backoffice/pages/doubt': 'a page of the back office is a folder',
};

function lonelyFolders(files: readonly File[]): string[] {
  const held = new Map<string, Set<string>>();
  for (const { path } of files) {
    const parts = path.split('/');
    for (let i = 1; i < parts.length; i += 1) {
      const folder = parts.slice(0, i).join('/');
      held.set(folder, (held.get(folder) ?? new Set()).add(parts[i] ?? ''));
    }
  }
  const lonely = [...held].filter(
    ([folder, names]) => names.size === 1 && folder.includes('/') && !(folder in ONE_FILE),
  );
  return lonely.map(([folder]) => `${folder}/:1 holds one thing`);
}

/** A rest parameter is a list, and `this` is no parameter. */
function manyParametersIn(file: File): string[] {
  return functionsOf(lexed(file).code).flatMap(({ name, start, parameters = [] }) => {
    const count = parameters.filter((parameter) => !/^(?:\.\.\.|this\s*:)/.test(parameter)).length;
    return count > MOST_PARAMETERS ? [at(file, start, `${name} has ${count} parameters: take an object`)] : [];
  });
}

/** Classes of ours have state; errors and what a browser or stream asks for by its type need none of their own. */
function statelessIn(file: File): string[] {
  const { code } = lexed(file);
  const closes = brackets(code);
  return [...code.matchAll(/(?<![.\w$])class\b(?=\s*[\w$]*\s*(?:<[^{]*>\s*)?(?:extends|implements|\{))/g)].flatMap(
    (match) => {
      const open = code.indexOf('{', match.index);
      if (
        /\bextends\s+[\w$.]*(?:Error|Element|Transform|Readable|Writable|Duplex)\b/.test(code.slice(match.index, open))
      )
        return [];
      const body = code.slice(open + 1, closes.get(open));
      return hasState(body) ? [] : [at(file, match.index, 'is a class without state: write functions')];
    },
  );
}

function hasState(body: string): boolean {
  if (/\bthis\s*\.\s*[#\w$]+\s*(?:=(?![=>])|\+\+|--|[-+*/|&?]{1,2}=)/.test(body)) return true;
  const closes = brackets(body);
  let own = body;
  for (const [open, close] of closes) {
    if (body[open] === '{') own = own.slice(0, open) + ' '.repeat(close - open) + own.slice(close);
  }
  const field =
    /(?:^|[;}\n])\s*(?:(?:private|protected|public|readonly|declare|override|accessor)\s+)*[#\w$]+\s*[?!]?\s*(?::|=|;)/;
  return split(own.replaceAll(/\([^()]*\)/g, '()')).some((part) => field.test(part));
}

const ours = (files: readonly File[]) => codeIn(files, 'src/', 'web/');
const all = (files: readonly File[]) => codeIn(files, 'src/', 'web/', 'test/', 'bench/', 'bin/');
const lines = (count: number) => 'x;\n'.repeat(count);
const many = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/f${i}.ts`, '']));

export const SHAPE_RULES: readonly Rule[] = [
  {
    name: 'files and folders are named for a thing',
    find: (files) => codeIn(files, 'src/', 'web/', 'test/', 'bench/', 'bin/').flatMap(namesIn),
    breach: {
      'src/utils/a.ts': '',
      'src/payment/helpers/a.ts': '',
      'web/common/a.ts': '',
      'src/services/a.ts': '',
      'src/interfaces/a.ts': '',
      'src/kit/types.ts': '',
      'src/core/index.ts': '',
    },
    finds: [
      'src/utils/a.ts:1',
      'src/payment/helpers/a.ts:1',
      'web/common/a.ts:1',
      'src/services/a.ts:1',
      'src/interfaces/a.ts:1',
      'src/kit/types.ts:1',
      'src/core/index.ts:1',
    ],
    clean: { 'src/core/money.ts': '', 'src/core/prototypes.ts': '', 'web/page/index.html': '', 'docs/common/a.md': '' },
  },
  {
    name: `a file has no more than ${LONGEST_FILE} lines`,
    find: (files) =>
      files
        .filter((file) => /^(?:src|web)\/.*\.(?:ts|tsx|js|mjs|css|html|sql)$/.test(file.path))
        .filter((file) => !file.path.endsWith('/schema/today.sql'))
        .flatMap(longFilesIn),
    breach: { 'src/a.ts': lines(301), 'web/a.css': `${lines(300)}x`, 'src/b/a.sql': 'SELECT 1;\n'.repeat(301) },
    finds: ['src/a.ts:1', 'web/a.css:1', 'src/b/a.sql:1'],
    // today.sql is written by npm run schema
    clean: {
      'src/a.ts': lines(300),
      'src/b.ts': `${lines(298)}f(\`SELECT a\n${'  FROM b\n'.repeat(20)}\`);\n`,
      'docs/api.md': lines(400),
      'web/logos/files/a.svg': lines(400),
      'src/a/schema/today.sql': lines(400),
    },
  },
  {
    name: `a comment is no wider than ${WIDEST_COMMENT} columns`,
    // client/src/wire is written by npm run docs
    find: (files) =>
      codeIn(files, 'src/', 'web/', 'test/', 'bench/', 'client/')
        .filter(({ path }) => !path.startsWith('client/src/wire/'))
        .flatMap(wideCommentsIn),
    breach: {
      'src/a.ts': `// ${'word '.repeat(30)}\n/** ${'word '.repeat(30)}*/`,
      'web/a.tsx': `  /**\n   * ${'word '.repeat(30)}\n   */`,
    },
    finds: ['src/a.ts:1', 'src/a.ts:2', 'web/a.tsx:2'],
    clean: {
      'src/a.ts': `// |${' a |'.repeat(40)}\n// https://shop.example/${'a'.repeat(120)}\nconst a = '${'word '.repeat(30)}';`,
      'docs/a.md': 'word '.repeat(40),
    },
  },
  {
    name: `a function has no more than ${MOST_STATEMENTS} statements`,
    find: (files) => ours(files).flatMap(longFunctionsIn),
    breach: {
      'src/a.ts': `export async function f<T extends X>(a: T): Promise<{ a: string } | undefined> {\n${lines(51)}}`,
      'src/b.ts': `const g = (a: number): a is 1 => {\n${lines(49)}  if (a) {\n    b;\n  }\n};`,
      'src/c.ts': `class A {\n  b = 1;\n  run(a = ')'): Map<string, () => void> {\n${lines(51)}}\n}`,
      'src/d.ts': `app.use(async (a) => {\n${lines(51)}});\napp.use(x => {\n${lines(51)}});`,
      'src/e.ts': `function h() {\n${'  for (let i = 0; i < 1; i++) f(i);\n'.repeat(26)}}`,
      'src/f.ts': `function f() {\n  try {\n    a;\n  } finally {\n${lines(49)}}}`,
    },
    finds: ['src/a.ts:1', 'src/b.ts:1', 'src/c.ts:3', 'src/d.ts:1', 'src/d.ts:54', 'src/e.ts:1', 'src/f.ts:1'],
    clean: {
      'src/a.ts': `function f(a: string): { a: string } {\n${lines(50)}}\nconst table = {\n${lines(70)}};`,
      'src/b.ts': `if (a) {\n${lines(70)}}\nfor (const a of b(c)) {\n${lines(70)}}\nconst d = e ? (f) : {\n${lines(70)}};`,
      'src/c.ts': `class A extends mixin(B) {\n  b = 1;\n${lines(70)}}\nconst s = \`function f() {\n${lines(70)}}\`;`,
      'src/e.ts': `function f() {\n  return {\n${'    a: b.if,\n'.repeat(90)}  };\n}`,
      'src/g.ts': `function f() {\n${'  for (let i = 0; i < 1; i++) f(i);\n'.repeat(25)}}`,
      'src/d.ts': "function f() {\n  const a = '}'; // }\n  return /[}/]}/.test(a) ? `}${a}` : '{';\n}\nx;\n".repeat(
        20,
      ),
    },
  },
  {
    name: 'no spread only packs lines',
    find: (files) => all(files).flatMap(packedIn),
    breach: {
      'src/a.ts': "const a = {\n  ...{ b, c: 1 },\n  d,\n};\nconst e = [\n  'f',\n  ...['g', ...['h']],\n];",
      'test/a.ts': 'f({ a,\n  ...{ b } });\nconst c = <D {...{ e }} />;',
    },
    finds: ['src/a.ts:2', 'src/a.ts:7', 'src/a.ts:7', 'test/a.ts:2', 'test/a.ts:3'],
    clean: {
      'src/a.ts': [
        "const a = { ...b, ...(c && { d }), ...(e ? { f } : {}), g: [...h, ...['i', 'j'].map(k)] };",
        "const s = '...{ a }, ...[b]'; // ...{ a }\nfunction f(...[a, b]: C) {}\nconst o = { ...[a, b], };\ng(...[h, i]);",
      ].join('\n'),
    },
  },
  {
    name: 'a folder of one file says why',
    find: (files) => lonelyFolders(files.filter((file) => /^(?:src|web)\//.test(file.path))),
    breach: { 'src/a/b/c.ts': '', 'src/a/d.ts': '', 'web/e/f/g.css': '', 'web/e/h.ts': '' },
    finds: ['src/a/b/:1', 'web/e/f/:1'],
    clean: { 'src/a/b/c.ts': '', 'src/a/b/d.sql': '', 'src/a/e.ts': '', 'docs/f/g.md': '' },
  },
  {
    name: `a folder holds fewer than ${FULL_FOLDER} files`,
    find: (files) => fullFolders(codeIn(files, 'src/', 'web/').filter((file) => file.path.endsWith('.ts'))),
    breach: many('src/kit', FULL_FOLDER),
    finds: ['src/kit/:1'],
    clean: { ...many('src/kit', FULL_FOLDER - 1), ...many('src/kit/http', 3), ...many('docs', 40) },
  },
  {
    name: `after ${MOST_PARAMETERS} parameters a function takes an object`,
    find: (files) => ours(files).flatMap(manyParametersIn),
    breach: {
      'src/a.ts': 'export function f(a: Map<string, number>, b = [1, 2], c: { d: 1; e: 2 }, g = h(1, 2)) {\n}',
      'src/b.ts': 'x;\nconst f = async (a: A, b: B, c: C, d: D): Promise<void> => {\n};',
      'src/c.ts': 'function* f<T>(a, b, c, d): T {\n}',
    },
    finds: ['src/a.ts:1', 'src/b.ts:2', 'src/c.ts:1'],
    clean: {
      'src/a.ts': 'function f(this: X, a: Map<string, number>, b: (x: 1, y: 2) => void, { c, d, e }: F) {\n}',
      'src/b.ts':
        'const range = (a, b, c, ...rest) => [a];\nhost.on((a, b, c, d) => {\n});\nf(1, 2, 3, 4);\n// function f(a, b, c, d) {}',
    },
  },
  {
    name: 'nothing is exported by default',
    find: (files) =>
      files
        .filter((file) => /\.(?:ts|mts|js|mjs)$/.test(file.path) && !MAY_EXPORT_DEFAULT.test(file.path))
        .flatMap((file) =>
          inCode(file, /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g, 'exports by default'),
        ),
    breach: { 'src/a.ts': 'export default 1;', 'test/b.ts': 'export {\n  x as default };' },
    finds: ['src/a.ts:1', 'test/b.ts:1'],
    clean: {
      'vitest.config.ts': 'export default 1;',
      'test/plain-line.ts': 'export default class A {}',
      'test/global-setup.ts': 'export default async function setup() {}',
      'src/a.ts': "// export default 1\nexport const a = 'export default 1'; export { default as b } from './c.ts';",
    },
  },
  {
    name: 'no enum, no decorator',
    find: (files) =>
      all(files).flatMap((file) => [
        ...inCode(file, /(?<![.\w$])enum\s+[A-Za-z_$][\w$]*\s*\{/g, 'declares an enum'),
        ...inCode(file, /(?<![\w$.])@[A-Za-z_$]/g, 'uses a decorator'),
      ]),
    breach: { 'src/a.ts': 'enum A { b }\nexport const enum B { c }\n@sealed\nclass C { d = 1 }' },
    finds: ['src/a.ts:1', 'src/a.ts:2', 'src/a.ts:3'],
    clean: {
      'src/a.ts':
        "const a = { enum: ['x'] };\n/** @param enum A { } */\nconst m = 'a@b.example enum B {'; schema.enum;",
    },
  },
  {
    name: 'no class without state',
    find: (files) => ours(files).flatMap(statelessIn),
    breach: {
      'src/a.ts': 'export class A {\n  run(a = 1): void {\n    const b = a;\n    this.run();\n  }\n}',
      'src/b.ts': 'class B implements C {\n  static x = 1;\n  get y() { return 1; }\n}\nconst d = class {};',
    },
    finds: ['src/a.ts:1', 'src/b.ts:1', 'src/b.ts:5'],
    clean: {
      'src/a.ts':
        'class A {\n  readonly #value: string;\n  constructor(value: string) {\n    this.#value = value;\n  }\n}',
      'src/b.ts': "class B {\n  count = 0;\n}\nclass C extends Error {}\n// class D {}\nconst e = { class: 'x' };",
      'src/c.ts':
        'class C {\n  constructor(a) {\n    this.a = a;\n  }\n}\nclass R extends RangeError { say() { return 1; } }',
      'test/a.ts': 'class Reporter { end() {} }',
    },
  },
];
