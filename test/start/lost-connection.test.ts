// A database connection that is lost rejects what is asked of it and nothing else: the process lives on.
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type Database, DatabaseUnavailable, type Runner, openDatabase } from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';
import { overTcp, standStillUntilGone } from '../database/stand-still.ts';

const { socket_dir, user } = inject('server');
const admin = new pg.Client({ host: socket_dir, user, database: 'postgres' });
let db: Database;
const uncaught: unknown[] = [];
const keep = (error: unknown) => uncaught.push(error);
beforeAll(async () => {
  // Here instead of vitest, which would say so only at the end.
  process.prependListener('uncaughtException', keep);
  await admin.connect();
  db = openDatabase({ at: { socket_dir, user, database: 'postgres' }, name: 'lost', max: 2, log: openLog('silent') });
});
afterAll(async () => {
  await db.close();
  await admin.end();
  process.removeListener('uncaughtException', keep);
});

beforeEach(() => {
  uncaught.length = 0;
});

async function pidOf(runner: Runner): Promise<number> {
  const [row] = await runner.run<{ pid: number }>('backend', 'SELECT pg_backend_pid() AS pid');
  return row?.pid ?? 0;
}

async function end(runner: Runner): Promise<void> {
  await admin.query('SELECT pg_terminate_backend($1, 2000)', [await pidOf(runner)]);
}

test('while it is held between two statements', async () => {
  const work = db.begin(undefined, async (tx) => {
    await end(tx);
    // Long enough for the end to be noticed with nothing under way.
    for (let turns = 0; turns < 5; turns++) await admin.query('SELECT 1');
    await tx.run('one', 'SELECT 1 AS one');
  });
  await expect(work).rejects.toThrow(/terminat|not queryable/i);
  expect(uncaught).toEqual([]);
});

test('while the process stands still within a transaction: nothing of it is done, and that is known', async () => {
  await using opened = new AsyncDisposableStack();
  const tcp = await overTcp();
  opened.defer(() => tcp.end());
  const at = { url: `postgres://${user}@127.0.0.1:${tcp.port}/postgres` };
  const far = openDatabase({ at, name: 'lost far', max: 2, log: openLog('silent') });
  opened.defer(() => far.close());
  const work = far.begin(undefined, async (tx) => {
    const pid = await pidOf(tx);
    await tx.run('soon', 'SET LOCAL idle_in_transaction_session_timeout = 100');
    standStillUntilGone(pid);
    await tx.run('one', 'SELECT 1 AS one');
  });
  await expect(work).rejects.toThrow(DatabaseUnavailable);
  await expect(work).rejects.toThrow(/idle-in-transaction timeout/);
  expect(await far.run('one', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(uncaught).toEqual([]);
});

test('while a statement is under way', async () => {
  const asleep = db.run('asleep', 'SELECT pg_sleep(4)');
  asleep.catch(() => undefined);
  await until(async () => {
    const { rowCount } = await admin.query(
      `SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE application_name = 'lost' AND query LIKE '%pg_sleep%'`,
    );
    return rowCount || undefined;
  });
  await expect(asleep).rejects.toThrow(/terminat|not queryable/i);
  expect(uncaught).toEqual([]);
});

test('while nobody holds it: the next statement gets another one', async () => {
  await end(db);
  expect(await until(() => db.run('one', 'SELECT 1 AS one').catch(() => undefined))).toEqual([{ one: 1 }]);
  expect(uncaught).toEqual([]);
});
