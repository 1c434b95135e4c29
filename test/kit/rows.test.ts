// Rows of one statement that are asked for at one moment (kit/database/rows.ts): one statement for all, each with its
// own end.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import {
  type Database,
  type TenantRunner,
  askRow,
  listParameters,
  openDatabase,
  rowStatement,
  violated,
} from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const { socket_dir, user } = inject('server');
const admin = new pg.Client({ host: socket_dir, user, database: 'postgres' });
const ACCOUNTS = ['a'.repeat(24), 'b'.repeat(24)] as const;
let db: Database;
beforeAll(async () => {
  await admin.connect();
  await admin.query(
    `CREATE TABLE shelves (id int PRIMARY KEY, room int NOT NULL);
     CREATE TABLE placed (id int PRIMARY KEY, shelf int, label text, made timestamptz, sealed bytea, account text,
       cmd text DEFAULT pg_current_xact_id()::text);
     CREATE TABLE notes (id int, place int, words text);
     CREATE TABLE writes (rows int);
     CREATE FUNCTION seen() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN INSERT INTO writes SELECT count(*) FROM fresh; RETURN NULL; END';
     CREATE TRIGGER seen AFTER INSERT ON placed REFERENCING NEW TABLE AS fresh
       FOR EACH STATEMENT EXECUTE FUNCTION seen()`,
  );
  db = openDatabase({ at: { socket_dir, user, database: 'postgres' }, name: 'rows', max: 4, log: openLog('silent') });
});
afterAll(async () => {
  await db.close();
  await admin.query('DROP TABLE shelves, placed, notes, writes; DROP FUNCTION seen');
  await admin.end();
});
beforeEach(async () => {
  await admin.query('TRUNCATE shelves, placed, notes, writes');
  await admin.query('INSERT INTO shelves SELECT id, 1 FROM generate_series(1, 9) AS id');
});

const NOTES = { place: 'int', words: 'text' } as const;
/** What is put on a shelf that has room, with its notes; two for one shelf go one after the other. */
const PLACE = rowStatement(
  'place',
  {
    columns: { id: 'int', shelf: 'int', label: 'text', made: 'timestamptz', sealed: 'bytea' },
    lists: { notes: NOTES },
    apart: ({ shelf }) => [String(shelf)],
  },
  (asked) => `WITH ${asked},
    taken AS (
      UPDATE shelves
      SET room = room - 1
      FROM asked
      WHERE shelves.id = asked.shelf
        AND room > 0
      RETURNING asked.*
    ),
    new_placed AS (
      INSERT INTO placed (id, shelf, label, made, sealed, account)
      SELECT id, shelf, label, made, sealed, current_setting('app.merchant_account_id') FROM taken
      WHERE n > 0
    ),
    new_notes AS (
      INSERT INTO notes (id, place, words)
      SELECT taken.id, notes.place, notes.words FROM taken JOIN notes USING (n)
    )
    SELECT n, id FROM taken`,
);
const READ = rowStatement(
  'placed_label',
  { columns: { id: 'int' }, reads: true },
  (asked) => `WITH ${asked} SELECT n, label FROM asked JOIN placed USING (id)`,
);

const MADE = new Date('2026-03-04T05:06:07.089Z');
const ODD = 'a "quoted", \\back\\ {brace} and NULL';
type Thing = {
  readonly id: number;
  readonly shelf: number;
  readonly notes?: readonly string[];
  readonly label?: string | null;
};
const place = async ({ run }: Pick<TenantRunner, 'run'>, { id, shelf, notes = [], label = ODD }: Thing) => {
  const listed = listParameters(
    'notes',
    NOTES,
    notes.map((words, i) => ({ place: i + 1, words })),
  );
  const row = { id, shelf, label, made: MADE, sealed: Buffer.from([id, 255]), ...listed };
  return (await askRow<{ id: number }>(run, PLACE, row))?.id;
};
const batch = (account = 0) => ({ run: db.tenant(ACCOUNTS[account] ?? '').batch });
/** Two that wait keep both ways busy, so that what comes meanwhile goes together. */
async function together<T>(work: readonly (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  await admin.query('SELECT pg_advisory_lock(2)');
  const held: Promise<unknown>[] = [];
  for (const n of [1, 2]) {
    held.push(db.batch(`held_row_${n}`, 'SELECT pg_advisory_xact_lock(2)'));
    await until(async () => ((await waiting()) === n ? true : undefined));
  }
  const all = Promise.allSettled(work.map((one) => one()));
  await admin.query('SELECT pg_advisory_unlock(2)');
  await Promise.all(held);
  return all;
}
/** Each in a transaction of its own. */
const waiting = async () =>
  (await admin.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 2`)).rows.length;
const rowsOf = async (table: string) => (await admin.query(`SELECT * FROM ${table} ORDER BY 1, 2`)).rows;
const writes = async () =>
  (await admin.query<{ rows: number }>('SELECT rows FROM writes WHERE rows > 0 ORDER BY rows DESC')).rows.map(
    (row) => row.rows,
  );
/** Transactions that stored something, in their order. */
const commits = async () =>
  (await admin.query<{ cmd: string }>('SELECT cmd FROM placed GROUP BY cmd ORDER BY length(cmd), cmd')).rows.map(
    ({ cmd }) => cmd,
  );
const values = <T>(ended: readonly PromiseSettledResult<T>[]) =>
  ended.map((one) => (one.status === 'fulfilled' ? one.value : violated(one.reason)));

test('rows of one account are one statement, with what belongs to each, and equal to what one alone writes', async () => {
  const alone = await place(batch(), { id: 9, shelf: 9, notes: ['x'] });
  const ended = await together(
    [1, 2, 3].map((id) => () => place(batch(), { id, shelf: id, notes: id === 2 ? ['one', 'two'] : [] })),
  );
  expect([alone, ...values(ended)]).toEqual([9, 1, 2, 3]);
  const own = { label: ODD, made: MADE, account: ACCOUNTS[0] };
  const things = await rowsOf('placed');
  expect(things).toMatchObject([1, 2, 3, 9].map((id) => ({ ...own, id, shelf: id, sealed: Buffer.from([id, 255]) })));
  expect((await rowsOf('notes')).map(({ id, words }) => `${id} ${words}`)).toEqual(['2 one', '2 two', '9 x']);
  expect(await writes()).toEqual([3, 1]);
});

test('a row that is refused is refused alone: it is asked for once more, and hears for itself', async () => {
  await place(batch(), { id: 1, shelf: 1 });
  const ended = await together([1, 2, 3].map((shelf) => () => place(batch(), { id: 10 + shelf, shelf })));
  expect(values(ended)).toEqual([undefined, 12, 13]);
  expect((await rowsOf('placed')).map(({ id }) => id as number)).toEqual([1, 12, 13]);
});

test('a row that the database refuses takes no neighbour with it, and no row is done twice', async () => {
  await place(batch(), { id: 2, shelf: 9 });
  const ended = await together([1, 2, 3].map((id) => () => place(batch(), { id, shelf: id, notes: ['once'] })));
  expect(values(ended)).toEqual([1, 'placed_pkey', 3]);
  expect((await rowsOf('notes')).map(({ id }) => id as number)).toEqual([1, 3]);
  expect((await rowsOf('shelves')).map(({ room }) => room as number)).toEqual([0, 1, 0, 1, 1, 1, 1, 1, 0]);
});

test('rows that would write the same row go one after the other, each with what the other left', async () => {
  await admin.query('UPDATE shelves SET room = 2 WHERE id = 1');
  const ended = await together([1, 2, 3, 4].map((id) => () => place(batch(), { id, shelf: id === 4 ? 4 : 1 })));
  expect(values(ended)).toEqual([1, 2, undefined, 4]);
  expect((await rowsOf('shelves'))[0]).toEqual({ id: 1, room: 0 });
});

test('a text in a list comes in as it is, wherever its quotes and backslashes stand', async () => {
  const texts = ['', 'plain', '\\', '\\x0f', 'a\\', 'a\\b', '\\a\\', '\\\\', '"', '"a', '\\"', 'a"b\\', ODD];
  const rows = await db.run<{ text: string }>('texts', 'SELECT unnest(:texts::text[]) AS text', { texts });
  expect(rows.map(({ text }) => text)).toEqual(texts);
});

test('rows that would write the same row are apart from the start: none is sent in vain, and one commit holds them all', async () => {
  await admin.query('UPDATE shelves SET room = 9 WHERE id = 1');
  const ended = await together([1, 2, 3, 4].map((id) => () => place(batch(), { id, shelf: id === 4 ? 4 : 1 })));
  expect(values(ended)).toEqual([1, 2, 3, 4]);
  expect(await writes()).toEqual([2, 1, 1]);
  expect(await commits()).toHaveLength(1);
});

test('however many rows of one account would write the same row, few of them go with what others ask for', async () => {
  await admin.query('UPDATE shelves SET room = 99');
  const many = Array.from({ length: 30 }, (_, i) => () => place(batch(0), { id: i + 1, shelf: 1 }));
  const ended = await together([...many, () => place(batch(1), { id: 100, shelf: 2 })]);
  expect(values(ended)).toEqual([...many.map((_, i) => i + 1), 100]);
  const [other] = (await admin.query<{ cmd: string }>('SELECT cmd FROM placed WHERE id = 100')).rows;
  const beside = (await rowsOf('placed')).filter(({ id, cmd }) => id !== 100 && cmd === other?.cmd);
  expect(beside.length).toBeLessThanOrEqual(4);
});

test('an account that asks for much waits for itself: what another asks for behind it goes first or next', async () => {
  await admin.query('INSERT INTO shelves SELECT id, 1 FROM generate_series(10, 400) AS id');
  const many = Array.from({ length: 390 }, (_, i) => () => place(batch(0), { id: i + 1, shelf: i + 1 }));
  await together([...many, () => place(batch(1), { id: 400, shelf: 400 })]);
  const order = await commits();
  const [other] = (await admin.query<{ cmd: string }>('SELECT cmd FROM placed WHERE id = 400')).rows;
  expect(order.length).toBeGreaterThan(5);
  expect(order.indexOf(other?.cmd ?? '')).toBeLessThan(2);
});

test('a row of one account that the database refuses holds up no other account for long: theirs is one commit', async () => {
  await place(batch(0), { id: 5, shelf: 9 });
  const work = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => () => place(batch(id === 5 ? 0 : 1), { id, shelf: id }));
  const ended = await together(work);
  expect(values(ended)).toEqual([1, 2, 3, 4, 'placed_pkey', 6, 7, 8]);
  const { rows } = await admin.query(`SELECT DISTINCT cmd FROM placed WHERE account = $1`, [ACCOUNTS[1]]);
  expect(rows).toHaveLength(1);
});

test('rows of two accounts are never one statement', async () => {
  const ended = await together([1, 2, 3, 4].map((id) => () => place(batch(id % 2), { id, shelf: id })));
  expect(values(ended)).toEqual([1, 2, 3, 4]);
  expect((await rowsOf('placed')).map(({ account }) => account as string)).toEqual(
    [1, 2, 3, 4].map((id) => ACCOUNTS[id % 2]),
  );
  expect(await writes()).toEqual([2, 2]);
});

test('a read gives each its own, and nothing to who asks for what is not there', async () => {
  for (const id of [1, 2]) await place(batch(), { id, shelf: id, label: `label ${id}` });
  const read = (id: number) => askRow<{ label: string }>(db.batch, READ, { id });
  const ended = await together([2, 7, 1].map((id) => async () => (await read(id))?.label));
  expect(values(ended)).toEqual(['label 2', undefined, 'label 1']);
});
