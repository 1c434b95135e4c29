import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROBLEM_PAGES, REFUSALS } from '../../src/core/refusals.ts';
import { RESULTS, findResult, result } from '../../src/core/results.ts';

const TABLE = new URL('../../../shared/spec/result-codes.csv', import.meta.url);
const present = existsSync(TABLE);

/** The cells of a line; a cell in quotes may hold commas. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

const lines = present ? readFileSync(TABLE, 'utf8').trimEnd().split(/\r?\n/) : [];
const [head = '', ...rows] = lines;

describe.skipIf(!present)('the table of the customer (skipped without ../shared/spec/result-codes.csv)', () => {
  test('has the columns that are compared here', () => {
    expect(head).toBe('code,name,phase,kind,fallback_allowed,side,http,description');
    expect(rows.length).toBeGreaterThan(100);
  });

  test.each(rows.map((row) => [cellsOf(row)[0] ?? '', row]))('has the same row for %s as ours', (code, row) => {
    const ours = findResult(code);
    const http = ours?.http.length ? ours.http.join('|') : '-';
    const { name, phase, kind, side, description } = ours ?? {};
    const fallback = ours?.fallback_allowed ? 'yes' : 'no';
    expect([ours?.code, name, phase, kind, fallback, side, http, description]).toEqual(cellsOf(row));
  });

  test('has the same codes as ours, in the same order', () => {
    expect(RESULTS.map((row) => row.code)).toEqual(rows.map((row) => cellsOf(row)[0]));
  });
});

test('a code and a name stand once', () => {
  expect(new Set(RESULTS.map((row) => row.code)).size).toBe(RESULTS.length);
  expect(new Set(RESULTS.map((row) => row.name)).size).toBe(RESULTS.length);
});

const PHASES = ['', 'order', 'tokenization', 'authentication', 'authorization', 'capture', 'refund', 'cancel'];
const KINDS = ['', 'technical', 'processing', 'risk', 'account', 'routing', 'payer_left'];
const SIDES = ['undetermined', 'issuer', 'acquirer', 'acs', 'psp'];
/** Contract 3, "off the pattern". */
const ODD = ['011111', '100301', '133333', '404000'];

test('the digits of a code say what its row says (contract 3)', () => {
  const plain = RESULTS.filter((row) => /^[1-7]\d{5}$/.test(row.code) && !ODD.includes(row.code));
  expect(plain.length).toBeGreaterThan(100);
  for (const row of plain) {
    const [phase, kind, fallback, side] = [...row.code].map(Number);
    expect([row.code, row.phase, row.kind, row.fallback_allowed, row.side]).toEqual([
      row.code,
      PHASES[phase ?? 0],
      KINDS[kind ?? 0],
      fallback === 0,
      SIDES[side ?? 0],
    ]);
  }
});

test('a refused capture, refund or cancel is never answered with 200 in the first place', () => {
  const refusals = RESULTS.filter((row) => /^[567]/.test(row.code) && !row.code.endsWith('080'));
  expect(refusals.filter((row) => row.http[0] === 200)).toEqual([]);
});

test('every refusal has a page, and a status that its code may be answered with', () => {
  for (const [name, refusal] of Object.entries(REFUSALS)) {
    expect(Object.keys(PROBLEM_PAGES)).toContain(refusal.slug);
    const row = findResult(result(refusal.result).code);
    expect([name, row?.http]).toEqual([name, expect.arrayContaining([refusal.status])]);
  }
});

test('an unknown code has no row, not even one that an object has by birth', () => {
  for (const code of ['', '000000', 'toString', '__proto__', '999998']) expect(findResult(code)).toBeUndefined();
});
