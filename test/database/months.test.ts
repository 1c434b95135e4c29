// Tables that are parted by month: what was there before stays as it is, months are made ahead, and nothing is refused
// or hidden where a month is missing.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../../src/commands/doctor/database.ts';
import { idAt } from '../../src/core/ids.ts';
import { preparedStatements } from '../../src/kit/database.ts';
import { migrate } from '../../src/kit/migrate.ts';
import { findQueueFigures } from '../../src/payment/metrics/metrics-store.ts';
import { keepMonths } from '../../src/payment/months-store.ts';
import { findLastSights } from '../../src/payment/order/review/review-store.ts';
import { findObservations } from '../../src/payment/order/timeline/turns-store.ts';
import { PAYMENT_ZONE } from '../../src/payment/zone.ts';
import { type World, idleWorld } from '../world.ts';
import { asAdmin, connectTo } from './numbered.ts';

const ACCOUNT = 'a'.repeat(24);
const NOW = new Date();
const monthAt = (ahead: number) => new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + ahead));
const nameOf = (month: Date) => month.toISOString().slice(0, 7).replace('-', '');
/** A transaction of the middle of a month. */
const inMonth = (ahead: number) => idAt(monthAt(ahead).getTime() + 14 * 86_400_000);

const INSERT = `INSERT INTO payment.observations (merchant_account_id, transaction_id, source, outcome)
  VALUES (decode('${ACCOUNT}', 'hex'), decode($1, 'hex'), 'answer', 'approved') RETURNING id::int`;
const WHERE = `SELECT id::int, tableoid::regclass::text AS part FROM payment.observations ORDER BY id`;
const PARTS = `SELECT inhrelid::regclass::text AS part FROM pg_inherits
  WHERE inhparent = 'payment.observations'::regclass ORDER BY 1`;

type Row = { readonly id: number; readonly part: string };

describe('a database whose observations are one table', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-months-'));
  const made: string[] = [];
  const clients: pg.Client[] = [];
  afterAll(async () => {
    for (const client of clients) await client.end();
    for (const database of made) await asAdmin(`DROP DATABASE ${database}`);
    rmSync(folder, { recursive: true, force: true });
  });

  async function before(name: string): Promise<pg.Client> {
    cpSync(PAYMENT_ZONE.folder, folder, { recursive: true });
    const files = readdirSync(join(folder, 'migrations')).toSorted();
    for (const later of files.slice(files.findIndex((file) => file.endsWith('-observations-by-month.sql'))))
      rmSync(join(folder, 'migrations', later));
    await asAdmin(`CREATE DATABASE months_${name}`);
    made.push(`months_${name}`);
    const client = await connectTo(`months_${name}`);
    clients.push(client);
    await migrate(client, { ...PAYMENT_ZONE, folder: pathToFileURL(`${folder}/`) });
    return client;
  }
  const fileOf = async (client: pg.Client, table: string) =>
    (await client.query<{ file: number }>(`SELECT pg_relation_filenode('payment.${table}')::int AS file`)).rows[0]
      ?.file;

  test('keeps its rows in the same file, as one part below the first month, and goes on counting', async () => {
    const client = await before('data');
    for (const ahead of [-30, -1, 0]) await client.query(INSERT, [inMonth(ahead)]);
    const file = await fileOf(client, 'observations');
    await migrate(client, PAYMENT_ZONE);
    const old = `payment.observations_before_${nameOf(monthAt(1))}`;
    expect(await fileOf(client, old.slice('payment.'.length))).toBe(file);
    await client.query('SELECT payment.keep_months(1)');
    await client.query(INSERT, [inMonth(0)]);
    await client.query(INSERT, [inMonth(1)]);
    expect((await client.query<Row>(WHERE)).rows).toEqual([
      ...[1, 2, 3, 4].map((id) => ({ id, part: old })),
      { id: 5, part: `payment.observations_${nameOf(monthAt(1))}` },
    ]);
  });

  test('whose newest row is ahead of the clock keeps that one there, too', async () => {
    const client = await before('ahead');
    await client.query(INSERT, [inMonth(2)]);
    await migrate(client, PAYMENT_ZONE);
    expect((await client.query<Row>(WHERE)).rows).toEqual([
      { id: 1, part: `payment.observations_before_${nameOf(monthAt(3))}` },
    ]);
  });

  test('and that is empty has no such part', async () => {
    const client = await before('empty');
    await migrate(client, PAYMENT_ZONE);
    expect((await client.query<{ part: string }>(PARTS)).rows).toEqual([{ part: 'payment.observations_default' }]);
    expect((await client.query<{ id: number }>(INSERT, [inMonth(0)])).rows).toEqual([{ id: 1 }]);
  });
});

describe('months', () => {
  let w: World;
  beforeAll(async () => {
    w = await idleWorld();
  });
  afterAll(() => w[Symbol.asyncDispose]());
  const keep = () => keepMonths(w.service.tools.db);
  const parts = async () => (await w.sql<{ part: string }>(PARTS)).map(({ part }) => part.split('_').at(-1) ?? '');
  const found = async () => judge(await findQueueFigures(w.service.tools.db)).filter(({ level }) => level !== 'ok');

  test('that is missing: its rows are taken, read, and said to wait; then they are brought there', async () => {
    await w.sql(INSERT, [inMonth(0)]);
    await w.sql(INSERT, [inMonth(9)]);
    expect(await parts()).toEqual(['default']);
    expect(await w.sql(WHERE)).toEqual([1, 2].map((id) => ({ id, part: 'payment.observations_default' })));
    expect(await found()).toEqual([
      expect.objectContaining({
        check: 'months of tables',
        says: 'rows of observations wait for the part of their month',
      }),
    ]);
    await keep();
    expect(await w.sql(WHERE)).toEqual([
      { id: 1, part: `payment.observations_${nameOf(monthAt(0))}` },
      { id: 2, part: `payment.observations_${nameOf(monthAt(9))}` },
    ]);
    expect(await found()).toEqual([]);
  });

  test('this one and three ahead are made, once', async () => {
    const wanted = [...[0, 1, 2, 3, 9].map((ahead) => nameOf(monthAt(ahead))), 'default'];
    // the database may have been made in the month before
    const made = async () => (await parts()).filter((part) => part >= nameOf(monthAt(0)));
    expect(await made()).toEqual(wanted);
    await Promise.all([keep(), keep()]);
    expect(await made()).toEqual(wanted);
  });

  test('a part is guarded as the whole is: by account, and no row of it is changed', async () => {
    const part = `payment.observations_${nameOf(monthAt(0))}`;
    await expect(w.sql(`DELETE FROM ${part}`)).rejects.toThrow(/change refused/);
    await expect(w.sql('DELETE FROM payment.observations_default')).rejects.toThrow(/change refused/);
    await expect(w.service.tools.db.run('of_a_part', `SELECT FROM ${part}`)).rejects.toThrow(/permission denied/);
    const open = await w.sql(
      `SELECT relname FROM pg_class WHERE relname LIKE 'observations%' AND relkind = 'r'
       AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
  });

  test('a month whose lock is not free within a second is left for the next time, and payments go on', async () => {
    await w.sql(INSERT, [inMonth(20)]);
    const reader = await connectTo(w.database);
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM payment.observations');
    await expect(keep()).rejects.toThrow(/lock timeout/);
    await w.sql(INSERT, [inMonth(0)]);
    await reader.query('COMMIT');
    await reader.end();
    await keep();
    expect(await found()).toEqual([]);
  });

  test('a read by transaction looks into one part', async () => {
    const { db } = w.service.tools;
    const tenant = db.tenant(ACCOUNT);
    const transaction = inMonth(9);
    const seen = await findObservations(tenant, [transaction], null);
    expect(seen.length).toBe(1);
    const operations = [{ id: transaction, transaction_id: transaction }];
    await findLastSights(tenant, { operations, room: 1 });
    for (const name of ['find_observations', 'find_last_sights'])
      expect([name, await partsRead(w, name, transaction)]).toEqual([name, [`observations_${nameOf(monthAt(9))}`]]);
  });
});

type Node = { readonly 'Relation Name'?: string; readonly 'Actual Loops': number; readonly Plans?: readonly Node[] };

/** The parts that the plan for any values looks into, when it runs with these. */
async function partsRead(w: World, name: string, id: string): Promise<readonly string[]> {
  const { text = '', names = [] } = preparedStatements().get(name) ?? {};
  const values: Readonly<Record<string, string>> = { room: '1', merchant_account_id: `'\\x${ACCOUNT}'` };
  const list = names.map((one) => values[one] ?? `ARRAY['\\x${id}']::bytea[]`).join(', ');
  await w.sql('BEGIN');
  await w.sql('SET LOCAL plan_cache_mode = force_generic_plan');
  await w.sql(`SET LOCAL ROLE payment_app`);
  await w.sql(`SELECT set_config('app.merchant_account_id', '${ACCOUNT}', true)`);
  await w.sql(`PREPARE looked_at AS ${text}`);
  const [row] = await w.sql<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE looked_at (${list})`,
  );
  await w.sql('ROLLBACK');
  await w.sql('DEALLOCATE looked_at');
  const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  return (row?.['QUERY PLAN'] ?? [])
    .flatMap(({ Plan }) => nodesOf(Plan))
    .filter((node) => node['Relation Name']?.startsWith('observations') && node['Actual Loops'] > 0)
    .map((node) => node['Relation Name'] ?? '');
}
