// How SQL in strings is laid out: lines, keywords, clauses, names of its parts. Statements are read closely enough to
// tell a clause from a word that only looks like one: texts, comments and what a template works out are blank.
import { sqlIn } from './data.ts';
import { type File, type Rule, at, codeIn, lexed } from './rule.ts';
import type { Text } from './lex.ts';

const WIDEST_LINE = 100;
const LONGEST_STATEMENT = 60;
const SHORTEST_NAME = 4;

/** Beginnings of texts that may be wider, and why. */
const MAY_BE_WIDE: Readonly<Record<string, string>> = {};

/** Names of parts that are short and still words. */
const SHORT_NAMES = new Set(['due', 'new', 'age', 'day']);

/** A statement, or a part that statements are made of, as it stands in its file. */
type Sql = { readonly start: number; readonly raw: string };

const PART = /\b(?:SELECT|FROM|WHERE|VALUES|RETURNING|JOIN|ORDER BY|CASE|AND|OR)\b/;
/** Tables and rights are written in no clauses, but in lines. */
const DEFINES = /^\s*(?:DO|CREATE|ALTER|DROP|GRANT|REVOKE)\b/;

/** Statements, the texts they name as `${PART}`, and templates in which keywords stand. */
function sqlOf(file: File): Sql[] {
  const { texts, code } = lexed(file);
  const statements = new Set(sqlIn(file));
  const sources = [...statements].map(({ start, end }) => file.text.slice(start, end)).join('\n');
  const named = new Set([...sources.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  const isNamed = ({ start }: Text) => named.has(/\bconst (\w+)\b[^;{}]*[=>]\s*$/.exec(code.slice(0, start))?.[1]);
  const isPart = (text: Text) => text.template && statements.size > 0 && PART.test(text.value);
  const outer = (text: Text) => !texts.some(({ start, end }) => start < text.start && end > text.end);
  return texts
    .filter((text) => statements.has(text) || isPart(text) || isNamed(text) || DEFINES.test(text.value))
    .filter(outer)
    .map((text) => ({ start: text.start, raw: file.text.slice(text.start, text.end) }));
}

/** Those that are made of clauses. */
function queriesOf(file: File): Sql[] {
  return sqlOf(file).filter(({ raw }) => !DEFINES.test(raw.slice(1)));
}

const sqlIs = (files: readonly File[]) => codeIn(files, 'src/', 'bench/').filter((file) => /[A-Z]/.test(file.text));

/** What code stands before a text on its line is not counted; the formatter looks after that. */
function wideIn(file: File): string[] {
  return sqlOf(file).flatMap(({ start, raw }) => {
    const line = file.text.lastIndexOf('\n', start) + 1;
    const indent = file.text.slice(line, start).trim() === '' ? start - line : 0;
    const excepted = Object.keys(MAY_BE_WIDE).some((beginning) => raw.slice(1).startsWith(beginning));
    const rows = excepted ? [] : raw.split('\n').map((text, i) => text.length + (i === 0 ? indent : 0));
    let offset = start;
    return rows.flatMap((width) => {
      const found = width > WIDEST_LINE ? [at(file, offset, `has a line of SQL of ${width} columns`)] : [];
      offset = file.text.indexOf('\n', offset) + 1 || offset;
      return found;
    });
  });
}

/** Texts, comments, quoted names and `${}` are blank, and as long as they were. */
function bare(raw: string): string {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
  const body = ` ${raw.slice(1, -1)} `;
  let out = '';
  for (let i = 0; i < body.length;) {
    const rest = body.slice(i);
    const length = body.startsWith('${', i)
      ? placeholder(rest)
      : (/^(?:--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\\.)/.exec(rest)?.[0].length ?? 0);
    out += length > 0 ? blank(body.slice(i, i + length)) : body.charAt(i);
    i += Math.max(length, 1);
  }
  return out;
}

function placeholder(text: string): number {
  let depth = 0;
  for (let i = 1; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return text.length;
}

const RESERVED =
  'ALL AND ANY AS ASC CASE CAST CROSS DELETE DESC DISTINCT DO ELSE END EXCEPT EXISTS FOR FROM GROUP HAVING IN INNER INSERT INTERSECT INTO IS JOIN LATERAL LIMIT NOT NULL OFFSET ON OR ORDER RETURNING SELECT THEN UNION USING VALUES WHEN WHERE WITH';
const LOWER = new RegExp(String.raw`(?<![.:\w$])(?:${RESERVED.toLowerCase().replaceAll(' ', '|')})(?![\w.(])`, 'g');
const BEFORE_BRACKET = new Set([
  ...RESERVED.split(' '),
  ...'ARRAY BY CONFLICT FILTER MATERIALIZED OVER SET UPDATE'.split(' '),
]);

function miscasedIn(file: File): string[] {
  return queriesOf(file).flatMap(({ start, raw }) => {
    const text = bare(raw);
    const small = [...text.matchAll(LOWER)].filter((match) => !/\bAS\s+$/.test(text.slice(0, match.index)));
    const large = [...text.matchAll(/(?<![.:\w])([A-Z][A-Z_]*)\(/g)].filter(
      ([, name = '']) => !BEFORE_BRACKET.has(name),
    );
    return [
      ...small.map((match) => at(file, start + match.index, `writes the keyword ${match[0]} small`)),
      ...large.map((match) => at(file, start + match.index, `writes the function ${match[1]} in capitals`)),
    ];
  });
}

type Clause = { readonly offset: number; readonly line: number; readonly first: boolean };
type Query = { clauses: Clause[]; operators: { OR: Clause[]; AND: Clause[] }; kind: string; clause: string };
type Level = { query: Query | undefined; bracketed: boolean; cases: number; between: boolean; sql: boolean };

const BEGINS = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'VALUES', 'WITH']);
const WORDS =
  /[()]|(?<![.:\w$])(?:(?:(?:LEFT|RIGHT|FULL|CROSS|INNER)\s+)(?:OUTER\s+)?JOIN|JOIN|IS\s+(?:NOT\s+)?DISTINCT\s+FROM|DELETE\s+FROM|INSERT\s+INTO|DEFAULT\s+VALUES|DO\s+UPDATE\s+SET|DO\s+NOTHING|ON\s+CONFLICT|WITH\s+ORDINALITY|(?:GROUP|ORDER)\s+BY|UNION(?:\s+ALL)?|EXCEPT|INTERSECT|FOR\s+(?:NO\s+KEY\s+|KEY\s+)?(?:UPDATE|SHARE)|SELECT|FROM|WHERE|HAVING|LIMIT|OFFSET|VALUES|SET|RETURNING|UPDATE|WITH|CASE|END|BETWEEN|AND|OR)(?![\w.])/g;

/** Clauses that stand behind another one on a line, though their query has more lines than one. */
function apartIn(raw: string): number[] {
  const text = bare(raw);
  const apart: number[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const isFirst = (offset: number) => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
  const level = (bracketed: boolean, sql: boolean): Level => ({
    query: undefined,
    bracketed,
    cases: 0,
    between: false,
    sql,
  });
  const levels = [level(false, true)];
  const close = (top: Level, offset: number) => {
    const { query } = top;
    top.query = undefined;
    if (!query || query.clauses.length === 0) return;
    const [head] = query.clauses;
    const last = lineAt(text.slice(0, offset).trimEnd().length);
    if (head === undefined || head.line === last) return;
    const { OR, AND } = query.operators;
    const rest = [...query.clauses.slice(1), ...(OR.length > 0 ? OR : AND)];
    const begins = head.first || text.slice(0, head.offset).trim() === '';
    apart.push(
      ...(begins ? rest : [head, ...rest]).filter((one) => !one.first || one === head).map((one) => one.offset),
    );
  };
  for (const match of text.matchAll(WORDS)) {
    const word = match[0].replaceAll(/\s+/g, ' ');
    const top = levels.at(-1);
    if (!top) break;
    if (word === '(') {
      const next = /^\s*(\w+)/.exec(text.slice(match.index + 1))?.[1] ?? '';
      levels.push(level(true, BEGINS.has(next)));
    } else if (word === ')') {
      close(top, match.index);
      levels.pop();
    } else if (top.sql) {
      readWord(word, top, { offset: match.index, line: lineAt(match.index), first: isFirst(match.index) }, close);
    }
  }
  for (const top of levels) close(top, text.length);
  return apart;
}

function readWord(word: string, top: Level, clause: Clause, close: (top: Level, offset: number) => void): void {
  if (word === 'CASE') top.cases += 1;
  else if (word === 'END') top.cases -= 1;
  else if (word === 'BETWEEN') top.between = true;
  else if (word === 'AND' || word === 'OR') {
    if (top.between && word === 'AND') top.between = false;
    else if (top.cases === 0 && /^(?:WHERE|HAVING)$/.test(top.query?.clause ?? ''))
      top.query?.operators[word].push(clause);
  } else if (/^(?:IS |DEFAULT|DO |WITH ORD)/.test(word)) {
    if (word.startsWith('DO ') && top.query) top.query.clause = 'DO';
  } else readClause(word, top, clause, close);
}

function readClause(word: string, top: Level, clause: Clause, close: (top: Level, offset: number) => void): void {
  const [kind = ''] = word.split(' ');
  const combines = /^(?:UNION|EXCEPT|INTERSECT)/.test(word);
  const after_with = top.query?.kind === 'WITH' && BEGINS.has(kind);
  if (combines || after_with || !top.query) close(top, clause.offset);
  if (combines) return;
  const query = top.query ?? { clauses: [], operators: { OR: [], AND: [] }, kind, clause: '' };
  top.query = query;
  // the condition of an index that a conflict is looked for in
  if (query.clause === 'ON CONFLICT' && word === 'WHERE') return;
  if (word === 'SET' && query.kind !== 'UPDATE') return;
  query.clauses.push(clause);
  query.clause = word;
}

function clausesIn(file: File): string[] {
  return queriesOf(file).flatMap(({ start, raw }) =>
    apartIn(raw).map((offset) => at(file, start + offset, 'is a clause of SQL that does not begin its line')),
  );
}

/** Right above the text or what it is the value of, in a comment. */
const SAYS_WHY =
  /(?:\/\/|\*)[^\n]*\b[Oo]ne statement: (?:\S+ ){2,}\S[^\n]*(?:\n\s*(?:\/\/|\*)[^\n]*)*\s*(?:(?:export )?const \w+ =\s*)?$/;

function longIn(file: File): string[] {
  return queriesOf(file).flatMap(({ start, raw }) => {
    const lines = raw.split('\n').length;
    const excused = SAYS_WHY.test(file.text.slice(Math.max(0, start - 600), start));
    return lines > LONGEST_STATEMENT && !excused ? [at(file, start, `is a statement of ${lines} lines`)] : [];
  });
}

const PART_NAMES =
  /(?:\bWITH\s+(?:RECURSIVE\s+)?|\)\s*,\s*|^\s*|,\s*\n\s*)([a-z_]\w*)\s*(?:\([\w\s,]*\)\s*)?AS\s+(?:(?:NOT\s+)?MATERIALIZED\s+)?\(\s*(?:SELECT|INSERT|UPDATE|DELETE|VALUES|WITH|\(|$)/dg;

function namelessIn(file: File): string[] {
  return queriesOf(file).flatMap(({ start, raw }) =>
    [...bare(raw).matchAll(PART_NAMES)].flatMap((match) => {
      const [, name = ''] = match;
      if (name.length >= SHORTEST_NAME || SHORT_NAMES.has(name)) return [];
      return [at(file, start + (match.indices?.[1]?.[0] ?? 0), `calls a part of a statement ${name}`)];
    }),
  );
}

const STATEMENT = ['SELECT a', '  FROM b', '  WHERE c = 1', '    AND d = 2'].join('\n');
const lines = (count: number) => `SELECT\n${'  a,\n'.repeat(count - 3)}  b\nFROM c`;

export const SQL_RULES: readonly Rule[] = [
  {
    name: `a line of SQL has at most ${WIDEST_LINE} columns`,
    find: (files) => sqlIs(files).flatMap(wideIn),
    breach: {
      'src/a/store.ts': `f(\n  \`SELECT a\nFROM ${'b'.repeat(95)}\nWHERE ${'c'.repeat(95)}\`);\n  \`SELECT ${'d'.repeat(90)}\`;`,
      'src/kit/a.ts': `f(\`CREATE TABLE ${'a'.repeat(90)}\`);`,
      'bench/a.ts': `const PART = '${'a, '.repeat(40)}b';\nf(\`SELECT \${PART}\nFROM a\`);`,
    },
    finds: ['src/a/store.ts:4', 'src/a/store.ts:5', 'src/kit/a.ts:1', 'bench/a.ts:1'],
    clean: {
      'src/a/store.ts': `f(\`SELECT a\n${' '.repeat(50)}FROM ${'b'.repeat(44)}\`);\n${'const long = '.repeat(8)}\`SELECT 1\`;`,
      'src/b.ts': `const text = \`${'a'.repeat(120)} OR b\`;`,
      'test/a.ts': `f(\`SELECT a FROM ${'b'.repeat(95)}\`);`,
    },
  },
  {
    name: 'keywords of SQL are in capitals, and its functions are not',
    find: (files) => sqlIs(files).flatMap(miscasedIn),
    breach: {
      'src/a/store.ts': 'f(`SELECT a\nfrom b\nWHERE COALESCE(c, d) is NULL`);\nf(`select 1 from b`);',
    },
    finds: ['src/a/store.ts:2', 'src/a/store.ts:3', 'src/a/store.ts:3', 'src/a/store.ts:4', 'src/a/store.ts:4'],
    clean: {
      'src/a/store.ts': [
        'f(`SELECT coalesce(a.end, \'from or\') AS from, left(b, 2), "order"\nFROM b -- and so on\n',
        'WHERE a IN (1) AND c = ANY (:all) AND ${where and when}`);',
      ].join(''),
      'src/b.ts': "const text = 'select one from the list';",
    },
  },
  {
    name: 'a clause of SQL begins its line, unless its query is a line',
    find: (files) => sqlIs(files).flatMap(clausesIn),
    breach: {
      'src/a/store.ts': [
        'f(`SELECT a FROM b\nWHERE c = 1 AND d = 2`);',
        'f(`WITH x AS (SELECT a\n  FROM b)\nSELECT 1 FROM x`);',
        'f(`UPDATE a SET b = 1\nWHERE c = (SELECT d FROM e) OR f = 1 AND g`);',
      ].join('\n'),
    },
    finds: ['src/a/store.ts:1', 'src/a/store.ts:2', 'src/a/store.ts:3', 'src/a/store.ts:6', 'src/a/store.ts:7'],
    clean: {
      'src/a/store.ts': [
        `f(\`${STATEMENT}\`);\nf(\`SELECT a FROM b WHERE c = 1 AND d\`);`,
        'f(`WITH given AS (SELECT 1 FROM b)\nSELECT 1 FROM given\nUNION ALL\nSELECT a FROM c WHERE d\nLIMIT 1`);'.replace(
          '\nLIMIT 1',
          '',
        ),
        'f(`INSERT INTO a (b)\nVALUES (1)\nON CONFLICT (b) WHERE c DO UPDATE SET d = 1\nWHERE e BETWEEN 1 AND 2\n  OR f AND g`);',
        'f(`SELECT extract(epoch FROM a), CASE WHEN b AND c THEN 1 END\nFROM d\nWHERE a IS DISTINCT FROM b`);',
      ].join('\n'),
    },
  },
  {
    name: `a statement has no more than ${LONGEST_STATEMENT} lines, or a sentence says why`,
    find: (files) => sqlIs(files).flatMap(longIn),
    breach: {
      'src/a/store.ts': `f(\`${lines(61)}\`);\n// one statement: short\ng(\n\`${lines(61)}\`);`,
    },
    finds: ['src/a/store.ts:1', 'src/a/store.ts:64'],
    clean: {
      'src/a/store.ts': `f(\`${lines(60)}\`);\ng(\n  // one statement: all of it or nothing\n  \`${lines(80)}\`);`,
      'src/b/store.ts': `/** Columns.\n * One statement: they are read at one moment. */\nconst PART = \`${lines(61)}\`;`,
    },
  },
  {
    name: 'a part of a statement is called by a word',
    find: (files) => sqlIs(files).flatMap(namelessIn),
    breach: {
      'src/a/store.ts': [
        'f(`WITH RECURSIVE k AS (\n  SELECT 1\n),\nu (a, b) AS MATERIALIZED (\n  SELECT 2\n)\nSELECT 1`);',
        'const PART = `\n  go AS (\n    SELECT 1\n  )`;',
      ].join('\n'),
    },
    finds: ['src/a/store.ts:1', 'src/a/store.ts:4', 'src/a/store.ts:9'],
    clean: {
      'src/a/store.ts':
        'f(`WITH due AS (\n  SELECT 1\n),\nnew_key AS (\n  INSERT INTO a AS k (b)\n  SELECT 1\n)\nSELECT x AS y, (SELECT 1) FROM b AS c (d)`);',
    },
  },
];
