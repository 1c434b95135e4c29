// Times as PostgreSQL writes them, in a column and in JSON: both are read without counting, as the connection speaks
// UTC.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { isoTime } from '../../src/payment/order/facts/part.ts';

let db: Database;
beforeAll(() => {
  const { socket_dir, user } = inject('server');
  db = openDatabase({ at: { socket_dir, user, database: 'postgres' }, name: 'times', max: 1, log: openLog('silent') });
});
afterAll(() => db.close());

const TIMES = [
  '2026-11-27T10:02:35.000Z',
  '2026-11-27T10:02:35.100Z',
  '2026-11-27T10:02:35.120Z',
  '2026-11-27T10:02:35.123Z',
  '1999-12-31T23:59:59.999Z',
  '1969-07-20T20:17:40.001Z',
  '9999-12-31T23:59:59.999Z',
];

test('a time is read as it was written, and what is below milliseconds is cut off', async () => {
  // the last three digits are microseconds
  const times = TIMES.flatMap((time) => ['000', '400', '999'].map((below) => time.replace('Z', `${below}Z`)));
  const rows = await db.run<{ at: Date; json: string }>(
    'times',
    'SELECT at, to_json(at) AS json FROM unnest(:times::timestamptz[]) WITH ORDINALITY AS t (at, n) ORDER BY n',
    { times },
  );
  const wanted = times.map((time) => `${time.slice(0, 23)}Z`);
  expect(rows.map(({ at }) => at.toISOString())).toEqual(wanted);
  expect(rows.map(({ json }) => isoTime(json))).toEqual(wanted);
});

test('a time of another zone, of a longer year, and one that never comes are read all the same', async () => {
  expect(isoTime('2026-11-27T11:02:35.5+01:00')).toBe('2026-11-27T10:02:35.500Z');
  const rows = await db.run<{ late: Date; never: number }>(
    'times_far',
    `SELECT '12026-01-02 03:04:05+00'::timestamptz AS late, 'infinity'::timestamptz AS never`,
  );
  expect(rows).toEqual([{ late: new Date(Date.UTC(12026, 0, 2, 3, 4, 5)), never: Infinity }]);
});
