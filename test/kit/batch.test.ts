// Statements that share a commit (kit/database/batch.ts): quicker together, and otherwise as if each had been alone.
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type Database, openDatabase, violated } from '../../src/kit/database.ts';
import { batcher } from '../../src/kit/database/batch.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const { socket_dir, user } = inject('server');
const admin = new pg.Client({ host: socket_dir, user, database: 'postgres' });
const ACCOUNTS = ['a'.repeat(24), 'b'.repeat(24)] as const;
let db: Database;
beforeAll(async () => {
  await admin.connect();
  await admin.query('CREATE TABLE gathered (id int PRIMARY KEY, account text NOT NULL, tx text NOT NULL)');
  db = openDatabase({ at: { socket_dir, user, database: 'postgres' }, name: 'batch', max: 4, log: openLog('silent') });
});
afterAll(async () => {
  await db.close();
  await admin.query('DROP TABLE gathered');
  await admin.end();
});
beforeEach(() => admin.query('TRUNCATE gathered'));

const insert = (id: number) =>
  db
    .tenant(ACCOUNTS[id % 2] ?? '')
    .batch<{ id: number; account: string; tx: string }>(
      'gathered',
      `INSERT INTO gathered VALUES (:id, current_setting('app.merchant_account_id'), txid_current()::text) RETURNING *`,
      { id },
    );
/** Its start is the same for all statements of a transaction. */
const WHICH = 'SELECT pg_backend_pid() || now()::text AS tx';
const WHOSE = `SELECT coalesce(current_setting('app.merchant_account_id', true), '') AS account`;
const stored = async () =>
  (await admin.query<{ id: number }>('SELECT id FROM gathered ORDER BY id')).rows.map((row) => row.id);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

test('together they are one transaction or few, each for its own merchant account, each with its own rows', async () => {
  const rows = (await Promise.all(upTo(100).map(insert))).flat();
  expect(rows.map((row) => row.id)).toEqual(upTo(100));
  expect(rows.map((row) => row.account)).toEqual(upTo(100).map((id) => ACCOUNTS[id % 2]));
  expect(new Set(rows.map((row) => row.tx)).size).toBeLessThan(10);
});

test('statements of one moment are one transaction, from the first one on', async () => {
  const rows = (await Promise.all(upTo(3).map(insert))).flat();
  expect(new Set(rows.map((row) => row.tx)).size).toBe(1);
});

test('alone a statement waits for nobody', async () => {
  const txs = [];
  for (const id of upTo(3)) txs.push((await insert(id))[0]?.tx);
  expect(new Set(txs).size).toBe(3);
});

test('looks for work of one moment are one transaction, and wait for no write', async () => {
  await admin.query('SELECT pg_advisory_lock(1)');
  const held = Promise.all(upTo(2).map((i) => db.batch(`held_${i}`, 'SELECT pg_advisory_xact_lock(1)')));
  const rows = (await Promise.all(upTo(3).map(() => db.looks.run<{ tx: string }>('which', WHICH)))).flat();
  expect(new Set(rows.map((row) => row.tx)).size).toBe(1);
  await admin.query('SELECT pg_advisory_unlock(1)');
  await held;
});

test('reads go together too, and none of them waits for a write', async () => {
  await admin.query('SELECT pg_advisory_lock(1)');
  const held = Promise.all(upTo(2).map((i) => db.batch(`held_${i}`, 'SELECT pg_advisory_xact_lock(1)')));
  const read = (id: number) => db.tenant(ACCOUNTS[id % 2] ?? '').batchRead<{ tx: string }>('which', WHICH, {});
  const rows = (await Promise.all(upTo(50).map(read))).flat();
  expect(new Set(rows.map((row) => row.tx)).size).toBeLessThan(10);
  await admin.query('SELECT pg_advisory_unlock(1)');
  await held;
});

test('a statement of no account sees no account, also behind one that has one', async () => {
  const of = (runner: Pick<Database, 'batchRead'>) => runner.batchRead<{ account: string }>('whose', WHOSE, {});
  const rows = await Promise.all(upTo(30).map((id) => of(id % 3 === 2 ? db : db.tenant(ACCOUNTS[id % 3] ?? ''))));
  expect(rows.flat().map((row) => row.account)).toEqual(upTo(30).map((id) => ACCOUNTS[id % 3] ?? ''));
});

test('a statement that the database refuses is refused alone: those gathered with it are done, once', async () => {
  await insert(7);
  const ended = await Promise.allSettled(upTo(20).map(insert));
  const refused = ended.flatMap((end, id) => (end.status === 'rejected' ? [{ id, why: violated(end.reason) }] : []));
  expect(refused).toEqual([{ id: 7, why: 'gathered_pkey' }]);
  expect(await stored()).toEqual(upTo(20));
});

const NO_TIME = new Date(NaN);

test.each([
  ['a time that is none', 'told_a_time', 'SELECT :at::timestamptz', { at: NO_TIME }],
  ['a list with a time that is none', 'told_times', 'SELECT :at::timestamptz[]', { at: [new Date(0), NO_TIME] }],
])('%s is refused at once and by name, and those gathered with it are done', async (_, name, text, parameters) => {
  const refused = `statement ${name} has no valid time in its parameter at`;
  const ended = await Promise.allSettled([insert(1), db.batch(name, text, parameters), insert(2)]);
  expect(ended.map((end) => (end.status === 'rejected' ? String(end.reason) : 'done'))).toEqual([
    'done',
    `Error: ${refused}`,
    'done',
  ]);
  await expect(db.run(name, text, parameters)).rejects.toThrow(refused);
});

test('a statement that a deadlock has rolled back alone is sent once more, and not for ever', async () => {
  const deadlock = Object.assign(new pg.DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' });
  const statement = { name: 'moves', text: 'SELECT 1', values: [], tenant: undefined };
  let sent = 0;
  const meeting = (deadlocks: number) =>
    batcher(async (all) => {
      if (++sent <= deadlocks) throw deadlock;
      return all.map(() => [{ sent }]);
    }).run({ statement });
  expect(await meeting(1)).toEqual([{ sent: 2 }]);
  sent = 0;
  await expect(meeting(2)).rejects.toBe(deadlock);
  expect(sent).toBe(2);
});

test('a lost connection is told to each of them, and nothing of them was done by halves', async () => {
  const first = db.batch('asleep_alone', 'SELECT pg_sleep(4)');
  // in a batch of its own
  await setImmediate();
  const second = db.batch('asleep_too', 'SELECT pg_sleep(4)');
  await setImmediate();
  const together = upTo(10).map((id) => insert(id));
  const ended = Promise.allSettled([first, second, ...together]);
  let ended_now = 0;
  await until(async () => {
    const { rowCount } = await admin.query(
      `SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE application_name = 'batch' AND query LIKE '%pg_sleep%'`,
    );
    ended_now += rowCount ?? 0;
    return ended_now === 2 || undefined;
  });
  const states = (await ended).map((end) => end.status);
  expect(states.slice(0, 2)).toEqual(['rejected', 'rejected']);
  // the batch behind went out on a fresh connection
  expect(await stored()).toEqual(states.slice(2).flatMap((state, id) => (state === 'fulfilled' ? [id] : [])));
});
