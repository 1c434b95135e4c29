// What a database that has lost its standby, or has become one, answers; and what is made of it (failover.md 1 and 2).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, DatabaseUnavailable, openDatabase } from '../../src/kit/database.ts';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'florin-answers-'));
let server: Embedded;
let admin: pg.Client;
beforeAll(async () => {
  await start();
  await admin.query('CREATE TABLE public.kept (id text PRIMARY KEY)');
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

/** From the start on: a server that is told later takes a moment. Commits wait for a standby that never comes. */
const SETTINGS = { wal_level: 'replica', max_wal_senders: '4', synchronous_standby_names: 'nobody' };

async function start(): Promise<void> {
  server = await startEmbedded({
    data_dir,
    settings: SETTINGS,
  });
  admin = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });
  await admin.connect();
  // what a test looks at must not wait for a standby
  await admin.query('SET synchronous_commit = local');
}

function open(): Database {
  return openDatabase({ at: server, name: 'answers', max: 1, log: openLog('silent') });
}

/** Cancels the wait of the commit that is under way. */
async function cancelWait(): Promise<void> {
  await until(async () => {
    const { rowCount } = await admin.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'answers' AND wait_event = 'SyncRep'`,
    );
    return rowCount || undefined;
  });
}

const keep = 'INSERT INTO public.kept VALUES (:id)';

test('a commit whose wait for the standby was cancelled is not told as done, however it was sent', async () => {
  const db = open();
  const [before] = await db.run<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid');
  const ways = {
    'by itself': () => db.run('keep', keep, { id: 'by itself' }),
    'in a batch': () => db.batch('keep', keep, { id: 'in a batch' }),
    'in a transaction': () => db.begin(undefined, (tx) => tx.run('keep', keep, { id: 'in a transaction' })),
  };
  for (const [way, write] of Object.entries(ways)) {
    const told = write().then(
      () => 'done',
      (error: Error) => (error instanceof DatabaseUnavailable ? 'not done' : error.message),
    );
    await cancelWait();
    expect([way, await told]).toEqual([way, expect.stringContaining('on one machine only')]);
  }
  // on this machine they stand: it is for those who asked to find out
  expect((await admin.query('SELECT count(*)::int AS kept FROM public.kept')).rows).toEqual([{ kept: 3 }]);
  const [after] = await db.run<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid');
  expect(after?.pid).not.toBe(before?.pid);
  await db.close();
});

test('a neighbour of the same batch is not told as done either', async () => {
  const db = open();
  // two batches go at once; the third statement and the fourth share the next one
  const told = ['a', 'b', 'c', 'd'].map((id) =>
    db.batch('keep', keep, { id }).then(
      () => 'done',
      (error: Error) => error.message,
    ),
  );
  let open_ends = told.length;
  for (const one of told) void one.then(() => open_ends--);
  while (open_ends > 0) {
    await admin.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = 'answers' AND wait_event = 'SyncRep'`,
    );
  }
  for (const one of await Promise.all(told)) expect(one).toContain('on one machine only');
  await db.close();
});

test('a server that has become a standby did nothing, which is said, and its connections are dropped', async () => {
  await admin.end();
  await server.stop();
  writeFileSync(join(data_dir, 'postgres/standby.signal'), '');
  await start();
  const db = open();
  const pid = async () => (await db.run<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid'))[0]?.pid;
  const before = await pid();
  await expect(db.run('keep', keep, { id: 'standby' })).rejects.toThrow(DatabaseUnavailable);
  expect(await pid()).not.toBe(before);
  await expect(db.batch('keep', keep, { id: 'standby' })).rejects.toThrow(DatabaseUnavailable);
  await expect(db.begin(undefined, (tx) => tx.run('keep', keep, { id: 'standby' }))).rejects.toThrow(
    DatabaseUnavailable,
  );
  await db.close();
});
