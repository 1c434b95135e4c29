// florin routing caps-data: limits of card schemes as they hold on a day, each with its source.
import { expect, test } from 'vitest';
import { capsDataText } from '../../src/commands/routing/caps-data.ts';
import { CAPS, SHIPPED } from '../../src/core/retries/caps.ts';
import { isInForce } from '../../src/core/retries/day.ts';

const TODAY = '2026-11-26';

test.each([TODAY, '2025-01-10'])('every row in force on %s is told, and none of another day', (day) => {
  const rules = capsDataText(SHIPPED, new Date(day)).match(/^ {2}\w+: /gm) ?? [];
  expect(rules).toHaveLength(CAPS.filter((row) => isInForce(row, day)).length);
});

test('a limit is told with its window, what it counts, its fee and its source', () => {
  expect(capsDataText(SHIPPED, new Date(TODAY))).toContain(
    [
      '  excessive_attempts_day: 10 in 1 d; by card, acceptor; 0.55 EUR each from try 11 on (EU)',
      '    since 2024-08-01; unconfirmed; retries.com/guides/transaction-processing-excellence',
    ].join('\n'),
  );
});

test('an earlier day has its own limits', () => {
  expect(capsDataText(SHIPPED, new Date('2025-01-10'))).toContain(
    '  reattempts: of 2-4; 15 in 30 d; by card, acceptor, amount; 0.10 USD',
  );
  expect(capsDataText(SHIPPED, new Date(TODAY))).not.toContain('15 in 30 d');
});

test("our own limit is listed beside the scheme's, with its margin", () => {
  const [, stops = ''] = capsDataText(SHIPPED, new Date(TODAY)).split('Held back here from so many on:');
  expect(stops).toContain('  visa reattempts: 18 in 30 d');
  expect(stops).toContain('  mastercard excessive_attempts_day: 8 in 1 d');
  expect(stops).toContain('  any default_day: 5 in 1 d');
});
