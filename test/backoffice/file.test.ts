// What a payer or a merchant wrote stays a text in whichever spreadsheet the file is opened.
import { expect, test } from 'vitest';
import { csvLine } from '../../src/kit/sheet/csv.ts';

/**
 * The cells of a line as a spreadsheet reads it that parts them so and knows quotes only where a cell begins with one.
 */
function cellsOf(line: string, comma: ',' | ';' | '\t'): readonly string[] {
  const cells: string[] = [];
  for (let at = 0; at < line.length;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(line.slice(at));
    const cell = quoted?.[1]?.replaceAll('""', '"') ?? new RegExp(`^[^${comma}\r\n]*`).exec(line.slice(at))?.[0] ?? '';
    cells.push(cell);
    at += (quoted?.[0].length ?? cell.length) + 1;
  }
  return cells;
}

const HOSTILE = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\uFF1D1+1',
  'a;=1+1',
  'a";=1+1;"',
  'a\n=1',
  'a;;-1',
  'a\t@b',
];

test('no cell is a formula, be it parted by commas, semicolons or tabs', () => {
  for (const text of HOSTILE)
    for (const comma of [',', ';', '\t'] as const) {
      const cells = cellsOf(csvLine(['id', text, 'end']), comma);
      expect([text, comma, cells.filter((cell) => /^[=+\-@\uFF1D]/.test(cell))]).toEqual([text, comma, []]);
    }
});

test('a text that is no formula is written into the file as it is', () => {
  expect(csvLine(['a-b', 'x@shop.example', 'a, b', 'say "so"', 'a; b', 1, -2n, null, { a: -1 }])).toBe(
    'a-b,x@shop.example,"a, b","say ""so""",a; b,1,-2,,"{""a"":-1}"\r\n',
  );
});
