// Which server is believed, with one server that is made to look like each of them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/kit/database.ts';
import { Door } from '../../src/kit/database/door.ts';
import { acceptLoss } from '../../src/kit/database/epochs.ts';
import { addressesOf } from '../../src/kit/database/places.ts';
import { seenFile } from '../../src/kit/database/seen-file.ts';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { type Log, openLog } from '../../src/kit/log.ts';
import { missingOrders } from '../../src/payment/order/facts/missing-store.ts';
import { connectTo, requireServer } from '../../src/hosts/connect.ts';
import { migrate } from '../../src/kit/migrate.ts';
import { PAYMENT_ZONE } from '../../src/payment/zone.ts';
import { until } from '../client.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'florin-door-'));
const file = join(data_dir, 'history-of-payment.json');
let server: Embedded;
let admin: pg.Client;
const failures: Error[] = [];
let marks = 0;
beforeAll(async () => {
  await start();
  await migrate(admin, PAYMENT_ZONE);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

async function start(): Promise<void> {
  server = await startEmbedded({ data_dir, settings: { wal_level: 'replica', max_wal_senders: '4' } });
  admin = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });
  await admin.connect();
}

type Wanted = { readonly ahead_ms?: number; readonly replicated?: boolean; readonly log?: Log };

const makeMark = () => `${++marks}`.padStart(24, '0');

function makeDoor({ ahead_ms = 0, replicated = false, log = openLog('silent') }: Wanted = {}): Door {
  return new Door({
    schema: 'payment',
    file: seenFile(data_dir, 'payment'),
    log,
    replicated,
    production: true,
    now_ms: () => Date.now() + ahead_ms,
    newMark: makeMark,
    failed: (error) => failures.push(error),
    missing: missingOrders,
  });
}

const open = (door: Door): Database =>
  openDatabase({ at: server, name: 'door', role: 'payment_app', max: 1, log: openLog('silent'), door });

const ask = (db: Database) =>
  db.run('one', 'SELECT 1 AS one').then(
    () => 'taken',
    (error: Error) => error.message,
  );

/** Shows a door a connection of its own. */
async function admitOne(door: Door): Promise<void> {
  const client = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });
  await client.connect();
  try {
    await door.admit(client);
  } finally {
    await client.end();
  }
}

/** What a process that begins now is answered. */
async function askAnew(wanted: Wanted = {}): Promise<string> {
  const db = open(makeDoor(wanted));
  const answer = await ask(db);
  await db.close();
  return answer;
}

test('the first connection begins a history, which a restart remembers', async () => {
  expect(await askAnew()).toBe('taken');
  expect(await askAnew()).toBe('taken');
  const { rows } = await admin.query(`SELECT number, encode(mark, 'hex') AS mark, timeline::int FROM payment.epochs`);
  expect(rows).toEqual([{ number: 1, mark: '1'.padStart(24, '0'), timeline: 1 }]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ mark: '1'.padStart(24, '0') });
});

test('a database without the mark that was seen is not used, until somebody accepts it; the lost one never again', async () => {
  const known = readFileSync(file, 'utf8');
  const lost = 'ab'.repeat(12);
  writeFileSync(file, known.replace('1'.padStart(24, '0'), lost));
  const db = open(makeDoor());
  expect(await ask(db)).toContain(`florin accept-timeline payment ${lost}`);
  expect(await db.ready()).toBe(false);
  await acceptLoss(admin, 'payment', { lost, mark: makeMark() });
  expect(await ask(db)).toBe('taken');
  await db.close();
  // a server of the lost history has the lost mark, and not the one that was written when the loss was accepted
  await admin.query(`SET session_replication_role = replica; DELETE FROM payment.epochs WHERE number = 3`);
  expect(await askAnew()).toContain('another history');
  await admin.query(`SET session_replication_role = origin`);
  writeFileSync(file, known);
});

test('the log names, once, commits that this process acknowledged and that are not in the other history', async () => {
  const known = readFileSync(file, 'utf8');
  const lines: object[] = [];
  const log = { ...openLog('silent'), error: (facts: object, said: string) => lines.push({ ...facts, said }) };
  const door = makeDoor({ log });
  const db = open(door);
  expect(await ask(db)).toBe('taken');
  const [account, kept, gone] = ['0a'.repeat(12), '0b'.repeat(12), '0c'.repeat(12)];
  await admin.query('SET session_replication_role = replica');
  await admin.query(
    `INSERT INTO payment.orders (
       id, merchant_account_id, order_merchant_id, amount_minor, currency, body, fingerprint, created_at, updated_at,
       status, live, version, next_seq, max_attempts)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), 'kept', 1, 'EUR', '{}', substr(sha256(''), 1, 16), now(), now(), 'created', true, 1, 1, 1)`,
    [kept, account],
  );
  for (const id of [kept, gone]) db.acknowledged(account, id);
  // as a server that never had the mark which was seen
  await admin.query(`CREATE TABLE payment.epochs_seen AS TABLE payment.epochs; DELETE FROM payment.epochs`);
  await admin.query(
    `INSERT INTO payment.epochs (number, mark, timeline, system_identifier)
     SELECT number, substr(sha256(mark), 1, 12), timeline, system_identifier
     FROM payment.epochs_seen`,
  );
  for (let tries = 0; tries < 3; tries++) await expect(admitOne(door)).rejects.toThrow(/another history/);
  expect(lines).toEqual([
    expect.objectContaining({ said: expect.stringContaining('acknowledged orders may be missing') }),
    expect.objectContaining({ ids: gone }),
    expect.objectContaining({ missing: 1 }),
  ]);
  await admin.query('DELETE FROM payment.epochs; INSERT INTO payment.epochs TABLE payment.epochs_seen');
  await admin.query('DROP TABLE payment.epochs_seen; DELETE FROM payment.orders');
  await admin.query('SET session_replication_role = origin');
  await db.close();
  writeFileSync(file, known);
});

test('a process whose clock is far away does nothing in production', async () => {
  expect(await askAnew({ ahead_ms: 40_000 })).toContain('40 s apart');
  expect(await askAnew({ ahead_ms: 5000 })).toBe('taken');
});

test('if commits must be on two machines, a server without standbys is not used', async () => {
  expect(await askAnew({ replicated: true })).toContain('synchronous_standby_names is empty');
});

test('if commits must be on two machines, a server that does not wait for the other is not used', async () => {
  await admin.query('SET synchronous_commit = local');
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
  await admin.query('SELECT pg_reload_conf()');
  const connect = async (wait: string) => {
    const at = { host: server.socket_dir, user: server.user, database: server.database };
    const client = new pg.Client({ ...at, options: `-c synchronous_commit=${wait}` });
    await client.connect();
    return client;
  };
  await until(async () => {
    const client = await connect('local');
    const { rows } = await client.query<{ names: string }>(
      `SELECT current_setting('synchronous_standby_names') AS names`,
    );
    await client.end();
    return rows[0]?.names === 'nobody' || undefined;
  });
  const answers: string[] = [];
  for (const wait of ['local', 'remote_write', 'on']) {
    const client = await connect(wait);
    const answer = await makeDoor({ replicated: true })
      .admit(client)
      .then(
        () => 'taken',
        (error: Error) => error.message,
      );
    answers.push(answer);
    await client.end();
  }
  expect(answers).toEqual([
    'synchronous_commit is local: a commit would be on one machine only',
    'synchronous_commit is remote_write: a commit would be on one machine only',
    'taken',
  ]);
  await admin.query('ALTER SYSTEM RESET synchronous_standby_names');
  await admin.query('SELECT pg_reload_conf()');
  await until(async () => {
    const { rows } = await admin.query<{ names: string }>(
      `SELECT current_setting('synchronous_standby_names') AS names`,
    );
    return rows[0]?.names === '' || undefined;
  });
});

test('connections of before another server was primary are not used any more', async () => {
  const door = makeDoor();
  const db = open(door);
  const pid = async () => (await db.run<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid'))[0]?.pid;
  const before = await pid();
  expect(await pid()).toBe(before);
  // what the first connection to a new primary writes
  await admin.query(
    `INSERT INTO payment.epochs (number, mark, timeline, system_identifier)
     SELECT max(number) + 1, decode('cd', 'hex') || substr((SELECT mark FROM payment.epochs ORDER BY number DESC LIMIT 1), 2), max(timeline), max(system_identifier)
     FROM payment.epochs`,
  );
  await admitOne(door);
  expect(await pid()).not.toBe(before);
  await db.close();
});

test('rows of another cluster end the process', async () => {
  await admin.query(`SET session_replication_role = replica; UPDATE payment.epochs SET system_identifier = 7`);
  expect(await askAnew()).toContain('is another one than before');
  expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining('florin accept-timeline payment')]);
  await acceptLoss(admin, 'payment', { lost: undefined, mark: makeMark() });
  expect(await askAnew()).toBe('taken');
});

test('a start against a standby says so, and names the setting; it is never ready', async () => {
  await admin.end();
  await server.stop();
  writeFileSync(join(data_dir, 'postgres/standby.signal'), '');
  await start();
  await expect(connectTo(server, 'FLORIN_DATABASE_URL')).rejects.toThrow(/FLORIN_DATABASE_URL names a standby/);
  await expect(requireServer(admin, { door: makeDoor(), setting: 'FLORIN_DATABASE_URL' })).rejects.toThrow(
    /The database of FLORIN_DATABASE_URL cannot be used: the server is a standby/,
  );
  const db = openDatabase({ at: server, name: 'standby', max: 1, log: openLog('silent') });
  expect(await db.ready()).toBe(false);
  await db.close();
});

test('an address of several servers is one address a server', () => {
  expect(addressesOf('postgres://a:b@one:1,two:2/florin?target_session_attrs=read-write&sslmode=verify-full')).toEqual([
    'postgres://a:b@one:1/florin?sslmode=verify-full',
    'postgres://a:b@two:2/florin?sslmode=verify-full',
  ]);
  expect(addressesOf('postgres://one:1,two/florin?target_session_attrs=read-write')).toEqual([
    'postgres://one:1/florin',
    'postgres://two/florin',
  ]);
  const alone = 'postgres://a@/florin?host=%2Ftmp%2Fa';
  expect(addressesOf(alone)).toEqual([alone]);
});
