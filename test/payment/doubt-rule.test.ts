// The rule of what is in doubt stands twice: for one account in the statements that ask, and over all accounts in a
// function of the schema.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { doubtInQueue } from '../../src/payment/order/in-doubt.ts';

const inOneLine = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();

test('payment.undecided asks for what every other statement asks for', () => {
  const path = new URL('../../src/payment/schema/functions/undecided.sql', import.meta.url);
  const [asked] = /FROM operations p WHERE (.+?) ORDER BY/.exec(inOneLine(readFileSync(path, 'utf8')))?.slice(1) ?? [];
  const in_index = "p.due_at > '-infinity'";
  expect(asked?.split(' AND ').toSorted()).toEqual(
    [...inOneLine(doubtInQueue('p.')).split(' AND '), in_index].toSorted(),
  );
});
