// What a database that has lost its standby, or has become one, answers; and what is made of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, DatabaseUnavailable, openDatabase } from '../../src/kit/database.ts';
import { openReads } from '../../src/kit/database/reads.ts';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { openLog } from '../../src/kit/log.ts';
import { until } from '../client.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'florin-answers-'));
let server: Embedded;
let admin: pg.Client;
beforeAll(async () => {
  await start();
  // from a start on: a server that is told later takes a moment
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
  await admin.end();
  await server.stop();
  await start();
  await admin.query('CREATE TABLE public.kept (id text PRIMARY KEY)');
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

/** Commits wait for a standby that never comes. */
const SETTINGS = { wal_level: 'replica', max_wal_senders: '4' };

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

test('commits that do not end refuse the next ones before they are sent, and reads go on; one that ends lets them in again', async () => {
  const db = openDatabase({ at: server, name: 'answers', max: 5, readers: 2, log: openLog('silent') });
  const told = (write: Promise<unknown>) =>
    write.then(
      () => 'done',
      (error: Error) => (error instanceof DatabaseUnavailable ? 'not done' : error.message),
    );
  const waiting = (count: number) =>
    until(async () => {
      const { rowCount } = await admin.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'answers' AND wait_event = 'SyncRep'`,
      );
      return rowCount === count || undefined;
    });
  const under_way: Promise<string>[] = [];
  const send = (id: string) => under_way.push(told(db.batch('keep', keep, { id })));
  // both lanes are taken, and the others wait for one
  send('e');
  await waiting(1);
  send('f');
  await waiting(2);
  send('g');
  send('h');
  expect([await under_way[2], await under_way[3]]).toEqual(['not done', 'not done']);
  const later = [
    () => db.batch('keep', keep, { id: 'i' }),
    () => db.run('keep', keep, { id: 'j' }),
    () => db.begin(undefined, (tx) => tx.run('keep', keep, { id: 'k' })),
  ];
  expect(await Promise.all(later.map((write) => told(write())))).toEqual(['not done', 'not done', 'not done']);
  const count = `SELECT count(*)::int AS kept FROM public.kept WHERE id > 'd' AND length(id) = 1`;
  const reading = db.reading('0'.repeat(24));
  // what is under way is not seen before it ends; of the others nothing was ever sent
  expect(await Promise.all([reading.run('count', count), reading.batchRead('count', count)])).toEqual([
    [{ kept: 0 }],
    [{ kept: 0 }],
  ]);
  await expect(reading.run('keep', keep, { id: 'l' })).rejects.toThrow(/read-only/);
  // what tries whether one ends gives up and tries again, and leaves nothing behind that waits at the server
  const trying = async () =>
    (
      await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%pg_logical_emit_message%'`,
      )
    ).rows.map(({ pid }) => pid);
  const [first] = await until(async () => ((await trying()).length > 0 ? trying() : undefined));
  expect(await until(async () => ((await trying()).some((pid) => pid !== first) ? trying() : undefined))).toHaveLength(
    1,
  );
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = ''`);
  await admin.query('SELECT pg_reload_conf()');
  expect([await under_way[0], await under_way[1]]).toEqual(['done', 'done']);
  expect(
    await until(async () => ((await told(db.batch('keep', keep, { id: 'm' }))) === 'done' ? 'done' : undefined)),
  ).toBe('done');
  expect(await reading.run('count', count)).toEqual([{ kept: 3 }]);
  await db.close();
});

test('reads are refused where too many wait, or too many writes: what moves money goes first', async () => {
  const options = { at: server, name: 'answers', max: 1, log: openLog('silent') };
  const one = { name: 'one', text: 'SELECT 1 AS one', values: [], tenant: undefined };
  let writes = 0;
  const reads = openReads(options, () => writes);
  const all = await Promise.allSettled(Array.from({ length: 300 }, () => reads.run(one)));
  // others may find that a busy machine gave them no answer in time
  const refused = all.filter(
    (read) => read.status === 'rejected' && String(read.reason).includes('too many reads wait'),
  );
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(100);
  writes = 1000;
  await expect(reads.run(one)).rejects.toThrow(DatabaseUnavailable);
  await expect(reads.batch({ statement: one })).rejects.toThrow(DatabaseUnavailable);
  writes = 0;
  expect(await reads.batch({ statement: one })).toEqual([{ one: 1 }]);
  await reads.close();
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
