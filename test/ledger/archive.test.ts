// florin archive: a month of observations goes to a file and leaves the database, and comes back from it, the same to
// the byte; killed at any moment it loses nothing, and goes on.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { timelineText } from '../../src/commands/order/order.ts';
import { idAt } from '../../src/core/ids.ts';
import { sha256 } from '../../src/kit/crypto.ts';
import { type Archiving, archiveMonths, restoreMonth } from '../../src/commands/archive/months.ts';
import { undecidedText } from '../../src/commands/ledger/review.ts';
import { linesOf, tableOf, takeOff, takeTurn } from '../../src/commands/archive/store.ts';
import { findArchives, keepMonths } from '../../src/payment/months-store.ts';
import { timelineOf } from '../../src/payment/order/timeline/read-timeline.ts';
import { findObservations } from '../../src/payment/order/timeline/turns-store.ts';
import { listUndecided } from '../../src/payment/order/review/list.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { connectTo } from '../database/numbered.ts';
import { type Run, runFlorin } from '../start/child.ts';
import { lockWaits } from '../lock-waits.ts';
import { type World, world } from '../world.ts';

const KEPT = 12;
const OLD = 20;
const NOW = new Date();
const monthAt = (ago: number) => new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - ago));
const nameOf = (ago: number) => `observations_${monthAt(ago).toISOString().slice(0, 7).replace('-', '')}`;
const idOf = (ago: number) => idAt(monthAt(ago).getTime() + 86_400_000);
/** What JSON, lines and compression could harm. */
const ANSWER = 'a "b" \\ \r\n\u2028 \t é 😀';
const DETAIL = '{\n  "why": "é\\n",\n "n": 1.10 }';

const silent = { report: () => undefined, end: () => undefined };

let w: World;
let folder: string;
let ada: Person;
const clients: pg.Client[] = [];
beforeAll(async () => {
  w = await world();
  ada = await firstOwner(w);
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await w[Symbol.asyncDispose]();
});
beforeEach(async () => {
  folder = join(w.data_dir, `archive-${Math.random()}`);
  // of the test before: what was put back is left in place for thirty days
  await w.sql(`DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT part FROM payment.months_of('observations') WHERE ends <= now() LOOP
      EXECUTE format('DROP TABLE payment.%I', name);
    END LOOP; END $$`);
  await w.sql('DELETE FROM payment.archives');
});

/** A run has a connection of its own, as a process has. */
async function owner(): Promise<pg.Client> {
  const client = await connectTo(w.database);
  clients.push(client);
  return client;
}
/** Ends as the connection of a process that was killed does: its locks are free. */
async function gone(client: pg.Client): Promise<void> {
  clients.splice(clients.indexOf(client), 1);
  await client.end();
}

async function asOwner<T>(work: (archiving: Archiving) => Promise<T>): Promise<T> {
  const client = await owner();
  try {
    return await work({ client, progress: silent });
  } finally {
    await gone(client);
  }
}
const archive = ({ months }: { readonly months: number | undefined } = { months: KEPT }) =>
  asOwner((archiving) => archiveMonths(archiving, { folder, months }));
const restore = (file: string) => asOwner((archiving) => restoreMonth(archiving, join(folder, file)));

/** The command itself, logged in as an owner. */
function florin(command: readonly string[]): Run {
  const { socket_dir, user } = inject('server');
  return runFlorin({
    cwd: w.data_dir,
    command,
    settings: {
      FLORIN_DATABASE_URL: `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`,
      FLORIN_ARCHIVE_DIR: folder,
      FLORIN_ARCHIVE_AFTER_MONTHS: String(KEPT),
    },
  });
}

/** Observations of a transaction of a past month, written in it. */
async function fill(ago: number, count = 3, written = ago): Promise<void> {
  await w.sql(
    `INSERT INTO payment.observations (at, merchant_account_id, transaction_id, source, outcome, amount_minor, detail, answer)
     SELECT $1, decode($2, 'hex'), decode($3, 'hex'), 'answer', 'approved', 9007199254740993, $4, $5
     FROM generate_series(1, $6::int)`,
    [new Date(monthAt(written).getTime() + 86_400_000), w.account, idOf(ago), DETAIL, ANSWER, count],
  );
  await keepMonths(w.service.tools.db);
}

/** A line break between members of a kept JSON text becomes a blank; nothing else is changed by the way. */
const rowsIn = (ago: number) =>
  w.sql<{ row: string }>(
    `SELECT translate(row_to_json(o)::text, E'\\n', ' ') AS row FROM payment.observations o WHERE transaction_id = decode($1, 'hex') ORDER BY id`,
    [idOf(ago)],
  );

test('a month that is old enough goes to a file and leaves; one that is not stays; the file puts it back', async () => {
  await fill(OLD);
  await fill(KEPT - 1);
  const [before, young] = [await rowsIn(OLD), await rowsIn(KEPT - 1)];
  const [written, ...more] = await archive();
  expect([written?.row_count, more]).toEqual([3, []]);
  const file = written?.file ?? '';
  expect(file).toMatch(new RegExp(String.raw`^${nameOf(OLD)}\.\d+\.jsonl\.gz$`));
  const bytes = readFileSync(join(folder, file));
  expect(sha256(bytes)).toBe(written?.sha256);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  const lines = gunzipSync(bytes).toString('utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
    lines.map(() => expect.objectContaining({ answer: ANSWER, outcome: 'approved' })),
  );
  expect([await rowsIn(OLD), await rowsIn(KEPT - 1)]).toEqual([[], young]);
  expect(await archive()).toEqual([]);
  expect(await restore(file)).toBe(3);
  expect(await rowsIn(OLD)).toEqual(before);
  expect(await w.sql(`SELECT pg_relation_size('payment.observations_default')::int AS size`)).toEqual([{ size: 0 }]);
  await expect(restore(file)).rejects.toThrow('are back already');
  // for thirty days it is left there, then taken again
  expect(await archive()).toEqual([]);
  await w.sql(`UPDATE payment.archives SET back_at = back_at - interval '31 days'`);
  const [again] = await archive();
  expect(again?.row_count).toBe(3);
  // the rows of the first file are in the second one now
  await expect(restore(file)).rejects.toThrow(
    `The rows of ${file} were put back once, and archived again since: they are in ${again?.file}. Put that one back.`,
  );
  expect(await restore(again?.file ?? '')).toBe(3);
  expect(await rowsIn(OLD)).toEqual(before);
});

test('a month that is written to while those before it are archived stays', async () => {
  await fill(OLD + 1);
  await fill(OLD);
  const client = await owner();
  const query = client.query.bind(client);
  let dropped = 0;
  const written = await archiveMonths(
    {
      client: Object.assign(client, {
        query: async (text: string, values?: unknown[]) => {
          const done = await query(text, values);
          // as a refund of an old order does, at any moment of a run that takes hours
          if (text.startsWith('DROP TABLE') && dropped++ === 0) await fill(OLD, 1, 0);
          return done;
        },
      }),
      progress: silent,
    },
    { folder, months: KEPT },
  );
  await gone(client);
  expect(written.map(({ file }) => file.split('.')[0])).toEqual([nameOf(OLD + 1)]);
  expect((await rowsIn(OLD)).length).toBe(4);
});

test('nothing is archived unless it is set', async () => {
  await fill(OLD + 1);
  expect(await archive({ months: undefined })).toEqual([]);
  expect((await rowsIn(OLD + 1)).length).toBe(3);
});

test('nothing is archived, nor put back, on the schema of a newer version', async () => {
  await fill(OLD + 1);
  await w.sql(`INSERT INTO payment.migrations (name, checksum) VALUES ('9999-newer.sql', 'x')`);
  try {
    for (const command of [['archive'], ['archive', 'restore', join(folder, 'a-month')]]) {
      const run = florin(command);
      expect([(await run.ended).code, run.err()]).toEqual([1, expect.stringContaining('migrated by a newer Florin')]);
    }
  } finally {
    await w.sql(`DELETE FROM payment.migrations WHERE name = '9999-newer.sql'`);
  }
  expect((await rowsIn(OLD + 1)).length).toBe(3);
});

test('an old month in which something was seen lately stays whole, and goes when that is old', async () => {
  await fill(OLD + 2);
  await fill(OLD + 2, 1, 0);
  expect((await archive()).map(({ file }) => file).filter((file) => file.startsWith(nameOf(OLD + 2)))).toEqual([]);
  expect((await rowsIn(OLD + 2)).length).toBe(4);
});

test('rows that come late for an archived month are stored and read, and archived on their own', async () => {
  const ago = OLD + 3;
  await fill(ago);
  const [first] = await archive();
  await fill(ago, 2);
  expect((await rowsIn(ago)).length).toBe(2);
  const [second] = await archive();
  expect([first?.row_count, second?.row_count]).toEqual([3, 2]);
  expect(second?.file).not.toBe(first?.file);
  await restore(first?.file ?? '');
  await restore(second?.file ?? '');
  expect((await rowsIn(ago)).length).toBe(5);
});

test('killed between taking a month off and its file: the next run goes on, and reads say that it is being archived', async () => {
  const ago = OLD + 4;
  await fill(ago);
  const killed = await owner();
  await takeTurn(killed);
  await takeOff(killed, nameOf(ago));
  await gone(killed);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'half.unfinished'), gzipSync('half'));
  const db = w.service.tools.db.tenant(w.account);
  expect([await rowsIn(ago), await findArchives(db, [idOf(ago)])]).toEqual([[], ['']]);
  // also where nothing more is to be archived
  const [written] = await archive({ months: undefined });
  expect(written?.row_count).toBe(3);
  expect(await findArchives(db, [idOf(ago)])).toEqual([written?.file]);
  await restore(written?.file ?? '');
  expect([(await rowsIn(ago)).length, await findArchives(db, [idOf(ago)])]).toEqual([3, []]);
});

test('a process that is killed between the file and the drop: nothing is lost, and the file is written anew', async () => {
  const ago = OLD + 5;
  await fill(ago);
  const reader = await owner();
  const killed = await owner();
  await takeTurn(killed);
  const taken = await takeOff(killed, nameOf(ago));
  await gone(killed);
  // the drop has to wait for this one
  await reader.query(`BEGIN; LOCK TABLE payment.archive_${taken?.id} IN ACCESS SHARE MODE`);
  const run = florin(['archive']);
  await until(async () => {
    const waits = await w.sql(
      `SELECT FROM pg_locks WHERE relation = to_regclass($1) AND mode = 'AccessExclusiveLock' AND NOT granted`,
      [`payment.archive_${taken?.id}`],
    );
    return waits.length > 0 ? true : undefined;
  });
  const [file = ''] = readdirSync(folder);
  expect(file).toMatch(/\.jsonl\.gz$/);
  run.child.kill('SIGKILL');
  expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' });
  rmSync(join(folder, file));
  await reader.query('ROLLBACK');
  // the server notices a moment later that nobody waits any more
  const again = await until(async () => {
    const next = florin(['archive']);
    const { code } = await next.ended;
    return code === 0 ? next : undefined;
  });
  expect(again.err()).toContain(`${nameOf(ago)}: pages compared`);
  expect(again.out()).toMatch(new RegExp(`^${file}  3 rows  SHA-256 [0-9a-f]{64}\n\nWritten to ${folder}`));
  expect(existsSync(join(folder, file))).toBe(true);
  expect(await rowsIn(ago)).toEqual([]);
  const back = florin(['archive', 'restore', join(folder, file)]);
  expect([(await back.ended).code, back.out()]).toEqual([0, expect.stringContaining('3 rows are back')]);
  expect((await rowsIn(ago)).length).toBe(3);
});

test('a file that is not the one that was written, or is none of ours, is put back by nobody', async () => {
  const ago = OLD + 6;
  await fill(ago);
  const [written] = await archive();
  const path = join(folder, written?.file ?? '');
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, whole.length - 3));
  await expect(restore(written?.file ?? '')).rejects.toThrow(/is not the file that was written/);
  writeFileSync(join(folder, 'other.jsonl.gz'), whole);
  await expect(restore('other.jsonl.gz')).rejects.toThrow(/no record of a file other\.jsonl\.gz/);
  // a folder has no name that could be asked for: `/` would be asked for as nothing at all
  await expect(restore('')).rejects.toThrow(`${folder} is a folder: name one of the files in it`);
  expect(await rowsIn(ago)).toEqual([]);
  writeFileSync(path, whole);
  expect(await restore(written?.file ?? '')).toBe(3);
});

test('while a month is put back its orders are read, and the worker keeps the months: nothing waits for its end', async () => {
  const ago = OLD + 7;
  await fill(ago);
  const [written] = await archive();
  const holder = await owner();
  // all rows are in, and it waits to say so
  await holder.query('BEGIN');
  await holder.query(`SELECT FROM payment.archives WHERE id = $1 FOR UPDATE`, [Number(written?.file.split('.')[1])]);
  const back = restore(written?.file ?? '');
  try {
    await until(async () => (await lockWaits(w, 'UPDATE payment.archives')) > 0 || undefined);
    const db = w.service.tools.db.tenant(w.account);
    expect(await findObservations(db, [idOf(ago)], null)).toEqual([]);
    await keepMonths(w.service.tools.db);
  } finally {
    await holder.query('ROLLBACK');
  }
  expect(await back).toBe(3);
  expect((await rowsIn(ago)).length).toBe(3);
});

test('a file of that name with other rows is not overwritten: nothing is dropped, and it says what to do', async () => {
  const ago = OLD + 8;
  await fill(ago);
  const [first] = await archive();
  const kept = readFileSync(join(folder, first?.file ?? ''));
  // as a database that was restored to a moment before, or another one: its count begins anew
  await w.sql('DELETE FROM payment.archives');
  await w.sql(`ALTER TABLE payment.archives ALTER COLUMN id RESTART WITH ${first?.file.split('.')[1]}`);
  await fill(ago, 2);
  await expect(archive()).rejects.toThrow(
    /is there already and holds other rows.*Set FLORIN_ARCHIVE_DIR to a folder of this database's own/,
  );
  expect(readFileSync(join(folder, first?.file ?? '')).equals(kept)).toBe(true);
  expect(readdirSync(folder)).toEqual([first?.file]);
  renameSync(join(folder, first?.file ?? ''), join(folder, 'of-another'));
  expect((await archive()).map(({ row_count }) => row_count)).toEqual([2]);
});

test('a file of a run that was killed holds the same rows, however they were compressed: the next run goes on', async () => {
  const ago = OLD + 10;
  await fill(ago);
  const killed = await owner();
  await takeTurn(killed);
  const taken = await takeOff(killed, nameOf(ago));
  if (!taken) throw new Error('nobody held it');
  let text = '';
  for await (const lines of linesOf(killed, tableOf(taken), () => undefined)) text += `${lines.join('\n')}\n`;
  await gone(killed);
  mkdirSync(folder, { recursive: true });
  const file = `${taken.part}.${taken.id}.jsonl.gz`;
  // another version of Node brings another zlib
  writeFileSync(join(folder, file), gzipSync(text, { level: 0 }));
  const [written] = await archive();
  expect([written?.file, written?.row_count]).toEqual([file, 3]);
  expect(readdirSync(folder)).toEqual([file]);
  expect(await restore(file)).toBe(3);
});

test('a file of that name that cannot be unpacked is in the way, too, and stays', async () => {
  const ago = OLD + 11;
  await fill(ago);
  const killed = await owner();
  await takeTurn(killed);
  const taken = await takeOff(killed, nameOf(ago));
  await gone(killed);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${taken?.part}.${taken?.id}.jsonl.gz`);
  writeFileSync(path, gzipSync('{}\n').subarray(0, 12));
  await expect(archive()).rejects.toThrow(/is there already and holds other rows/);
  expect(readdirSync(folder)).toHaveLength(1);
  rmSync(path);
  expect((await archive()).map(({ row_count }) => row_count)).toEqual([3]);
});

test('a run whose connection ends says that nothing is lost, and the next one goes on', async () => {
  const ago = OLD + 9;
  await fill(ago);
  const holder = await owner();
  await takeTurn(holder);
  const taken = await takeOff(holder, nameOf(ago));
  await gone(holder);
  const reader = await owner();
  await reader.query(`BEGIN; LOCK TABLE payment.archive_${taken?.id} IN ACCESS SHARE MODE`);
  const run = florin(['archive']);
  await until(async () => {
    const ended = await w.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = to_regclass($1) AND mode = 'AccessExclusiveLock' AND NOT granted`,
      [`payment.archive_${taken?.id}`],
    );
    return ended.length > 0 ? true : undefined;
  });
  expect((await run.ended).code).toBe(1);
  expect(run.err()).toMatch(
    /The database of FLORIN_DATABASE_URL did not go on: .*terminat.*\. No row is lost: run the command again/,
  );
  expect(run.err()).not.toMatch(/^ +at /m);
  await reader.query('ROLLBACK');
  const [written] = await archive();
  expect(written?.row_count).toBe(3);
  // a file that is not there is no matter of the database
  const absent = florin(['archive', 'restore', join(folder, 'elsewhere', written?.file ?? '')]);
  expect([(await absent.ended).code, absent.err()]).toEqual([
    1,
    expect.stringContaining('that it should be in, is not'),
  ]);
});

test('two runs at once: one works, the other says so', async () => {
  const one = await owner();
  await takeTurn(one);
  await expect(archive()).rejects.toThrow('Another florin archive is at work');
  await gone(one);
});

test('an order whose calls are archived says in which file they are', async () => {
  const paid = await w.shop.pay();
  const order_id = textAt(paid, 'order_id');
  await w.shop.decided(order_id);
  const db = w.service.tools.db.tenant(w.account);
  const order = await timelineOf(db, order_id);
  expect(order?.archives).toEqual([]);
  await w.sql(
    `INSERT INTO payment.archives (part, low, high, state, file, row_count, sha256, dropped_at)
     SELECT 'observations_x', id, decode(repeat('f', 24), 'hex'), 'dropped', 'x.jsonl.gz', 1, sha256(''), now()
     FROM payment.transactions WHERE order_id = decode($1, 'hex')`,
    [order_id],
  );
  const archived = await timelineOf(db, order_id);
  expect(archived?.archives).toEqual(['x.jsonl.gz']);
  if (archived) expect(timelineText(archived)).toContain('x.jsonl.gz: florin archive restore puts them back');
});

/** Archives the month that an order was made in, as it will be one day; returns its file. */
async function archiveMonthOf(order_id: string): Promise<string> {
  const [month] = await w.sql<{ part: string }>(
    `SELECT m.part FROM payment.months_of('observations') m, payment.transactions t
     WHERE t.order_id = decode($1, 'hex')
       AND t.id >= payment.id_at(m.begins AT TIME ZONE 'UTC') AND t.id < payment.id_at(m.ends AT TIME ZONE 'UTC')`,
    [order_id],
  );
  const client = await owner();
  await takeTurn(client);
  expect(await takeOff(client, month?.part ?? '')).toBeDefined();
  await gone(client);
  const [written] = await archive({ months: undefined });
  await keepMonths(w.service.tools.db);
  return written?.file ?? '';
}

test('an order whose calls are archived is refunded and disputed as any other, and erased: its file brings nothing of the person back', async () => {
  const person = { customer_id: 'zebulon-9', customer_email: 'zebulon@mail.example' };
  const sale = { operation_type: 'direct_capture', order_merchant_id: 'cart-archived' };
  const paid = await w.shop.pay({ card_number: '4000009906000016' }, { ...person, ...sale });
  const order_id = textAt(paid, 'order_id');
  await w.shop.decided(order_id);
  const db = w.service.tools.db.tenant(w.account);
  const seen = async () => {
    const order = await timelineOf(db, order_id);
    return { ...order, seen: order?.moments.filter(({ what }) => what === 'call' || what === 'seen').length };
  };
  const { seen: before } = await seen();
  const file = await archiveMonthOf(order_id);
  expect(await seen()).toMatchObject({ seen: 0, archives: [file] });
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '1.00' } });
  await until(async () => ((await w.shop.read(order_id)).at('status') === 'refund_successful' ? true : undefined));
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 40 * 86_400 } });
  await until(async () => ((await seen()).order?.disputes.length === 1 ? true : undefined));
  const late = await seen();
  expect(late.archives).toEqual([file]);

  const erased = await ada.post('/api/customers/erase', {
    customer_id: person.customer_id,
    reason: 'they wrote to us',
  });
  expect(erased.status, erased.text).toBe(200);
  await until(async () =>
    (await ada.get('/api/customers/erasures')).at('erasures.0.state') === 'done' ? true : undefined,
  );
  await restore(file);
  expect(await seen()).toMatchObject({ seen: (before ?? 0) + (late.seen ?? 0), archives: [] });
  const [row] = await w.sql(`SELECT count(*)::int AS n FROM payment.observations o WHERE o::text LIKE '%zebulon%'`);
  expect(row).toEqual({ n: 0 });
});

test('what is in doubt and was seen before its month was archived names the file: it is not said that nothing was seen', async () => {
  const order_merchant_id = 'cart-in-doubt';
  for (const fault of [
    { operation: 'authorize', fault: 'http_500_after', match: { order_merchant_id } },
    { operation: 'inquiry', fault: 'http_500_before', times: 100 },
  ])
    expect((await w.shop.api('/sandbox/scenario', { body: fault })).status).toBe(200);
  const asked = { operation_type: 'authorize', amount: '25.00', currency: 'EUR', order_merchant_id };
  const order_id = textAt(await w.shop.order({ token: await w.shop.token(), ...asked }), 'order_id');
  const mine = async () => (await listUndecided(w.service.tools.db, 100)).find((one) => one.order_id === order_id);
  await until(async () => ((await mine())?.sights.length ?? 0) > 0 || undefined);
  // nobody looks again meanwhile
  await w.sql(`UPDATE payment.operations SET due_at = due_at + interval '1 day' WHERE order_id = decode($1, 'hex')`, [
    order_id,
  ]);
  const file = await archiveMonthOf(order_id);
  const one = await mine();
  expect([one?.sights, one?.archives]).toEqual([[], [file]]);
  expect(undecidedText(one ? [one] : [])).toContain(`in ${file}`);
  const shown = await ada.get('/api/in-doubt');
  expect(shown.at('operations.0')).toMatchObject({ order_id, sights: [], archives: [file] });
});
