// The house rules (docs/design/overview.md, 3 and 5), as a test. A rule that finds nothing proves
// nothing, so each one first has to find a breach made for it, and to leave alone what only looks like one.
import { describe, expect, test } from 'vitest';
import { functionsOf } from './tidy/functions.ts';
import { lex } from './tidy/lex.ts';
import { madeUp, projectFiles } from './tidy/rule.ts';
import { RULES } from './tidy/rules.ts';

const tree = projectFiles();
const places = (findings: readonly string[]) => findings.map((finding) => finding.replace(/ .*/s, '')).toSorted();

describe.each(RULES)('$name', (rule) => {
  test('a breach is found', () => {
    expect(places(rule.find(madeUp(rule.breach)))).toEqual([...rule.finds].toSorted());
  });

  test('what only looks like a breach is left alone', () => {
    expect(rule.find(madeUp(rule.clean))).toEqual([]);
  });

  test('our own tree keeps it', () => {
    expect(rule.find(tree)).toEqual([]);
  });
});

describe('what the rules stand on', () => {
  test('the tree that is read is this project', () => {
    const paths = tree.map((file) => file.path);
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'src/core/results.ts', 'test/tidy.test.ts']));
    expect(paths.filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  test.each([
    ['a comment', 'a; // b "c"\nd /* e\nf */ g', 'a;         \nd     \n     g'],
    ['a string with a quote in it', "a('it\\'s', \"'\");", 'a(\'     \', " ");'],
    ['a template with code in it', '`a ${b(`c ${d}`)} e`;', '`   {b(`   {d}`)}  `;'],
    ['a regular expression', 'a = /["\'`/]\\//g; b = c / d / e;', 'a = "        "g; b = c / d / e;'],
    ['a regular expression after a condition', 'if (a) /"/.test(b); (c) / d;', 'if (a) " ".test(b); (c) / d;'],
    ['a regular expression after a keyword', 'return /`/;', 'return " ";'],
    ['a division after what looks like a keyword', 'a.return / b; c++ / d; e! / f;', 'a.return / b; c++ / d; e! / f;'],
    ['an element', "<a b={c} />; <d>{e}</d>; 'f/g'", "<a b={c} />; <d>{e}</d>; '   '"],
    ['the first line of a program', '#!/usr/bin/env node\na;', '                   \na;'],
  ])('%s is told from code', (_, text, code) => {
    expect(lex(text).code).toBe(code);
  });

  test('texts and comments are kept with their places', () => {
    const { texts, comments } = lex('a("b", `c${"d"}e`); // f');
    expect(texts.map(({ start, value }) => [start, value])).toEqual([
      [2, 'b'],
      [7, 'c${}e'],
      [11, 'd'],
    ]);
    expect(comments).toEqual([{ start: 20, value: '// f' }]);
  });

  test('every file of the project is read with its brackets in balance', () => {
    const unbalanced = tree
      .filter((file) => /^(?:src|web|test|bench|bin)\/.*\.(?:tsx?|mjs)$/.test(file.path))
      .filter((file) => {
        const { code } = lex(file.text);
        const count = (bracket: string) => code.split(bracket).length;
        return count('{') !== count('}') || count('(') !== count(')') || count('[') !== count(']');
      });
    expect(unbalanced.map((file) => file.path)).toEqual([]);
  });

  test('functions are found by name, whatever type they return', () => {
    const code = lex(
      [
        'function a(): { b: (c: d) => e } | undefined { }',
        'const f = <T>(g: T): ((h: T) => T) => { };',
        'const i = { j(): asserts k is L { }, m: async (n) => ({ }) };',
        'type O = { p(q: number): void; r: (s: string) => void };',
        'while (t()) { } const u = v ? (w) : x;',
      ].join('\n'),
    ).code;
    expect(functionsOf(code).map((found) => found.name)).toEqual(['a', 'f', 'j', 'an arrow']);
  });
});
