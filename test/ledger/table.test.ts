// What commands print of texts that somebody else wrote.
import { expect, test } from 'vitest';
import { tableOf } from '../../src/commands/ledger/table.ts';

test('a text of a bank or a file is one cell of one line, whatever it holds', () => {
  const columns = [{ title: 'last seen' }, { title: 'state' }];
  const hostile = ['05\u001B[2J\u001B[1;1H', 'all is well\nop 2  done', '\u202Eenod', 'x\r\u009B2K', 'été 美 done'];
  const lines = tableOf(
    columns,
    hostile.map((text) => [text, 'in_doubt']),
  ).split('\n');
  expect(lines).toHaveLength(2 + hostile.length);
  for (const line of lines) expect(line).toMatch(/^[\p{L}\p{N} _\-?[;]*$/u);
  expect(lines.at(-1)).toMatch(/^été 美 done +in_doubt$/);
});
