// Plans of statements are as good as the statistics of their tables: a fresh, a restored and a growing database get
// theirs within seconds, without waiting for PostgreSQL's own round of once a minute.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { keepStatistics, pausesAfter } from '../../src/kit/database/statistics.ts';
import { type Database, openDatabase } from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { analyzePayment } from '../../src/payment/metrics/metrics-store.ts';
import { analyzeVault } from '../../src/vault/metrics/metrics-store.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';

const log = openLog('silent');
let w: World;
let payment: Database;
let vault: Database;

beforeAll(async () => {
  w = await world();
  const at = { ...inject('server'), database: w.database };
  payment = openDatabase({ at, role: 'payment_app', name: 'test', max: 1, log });
  vault = openDatabase({ at, role: 'vault_app', name: 'test', max: 1, log });
});
afterAll(async () => {
  await Promise.all([payment.close(), vault.close()]);
  await w[Symbol.asyncDispose]();
});

/** A table that nothing else writes to, with rows beyond what its statistics know. */
async function grows(schema: 'payment' | 'vault', rows: number): Promise<string> {
  const name = `${schema}.growing`;
  await w.sql(`CREATE TABLE IF NOT EXISTS ${name} (n integer) WITH (autovacuum_enabled = off)`);
  await w.sql(`ALTER TABLE ${name} OWNER TO florin_owner`);
  await w.sql(`INSERT INTO ${name} SELECT generate_series(1, ${rows})`);
  await w.sql('SELECT pg_stat_force_next_flush()');
  return name;
}

/** Rows of a table as its statistics know them; -1: never looked at. */
async function knownRows(name: string): Promise<number> {
  const [row] = await w.sql<{ rows: number }>(`SELECT reltuples AS rows FROM pg_class WHERE oid = '${name}'::regclass`);
  return Number(row?.rows);
}

async function all(analyze: () => Promise<boolean>): Promise<void> {
  while (await analyze());
}

/** The service of this world looks by itself as well, and while it does nobody else analyzes. */
async function analyzed(name: string, rows: number, analyze: () => Promise<boolean>): Promise<void> {
  await until(async () => {
    await all(analyze);
    return (await knownRows(name)) === rows || undefined;
  });
}

test.each([
  ['payment', () => analyzePayment(payment)],
  ['vault', () => analyzeVault(vault)],
] as const)('a table of %s is analyzed once it has doubled, by the role of the service', async (schema, analyze) => {
  const name = await grows(schema, 300);
  await analyzed(name, 300, analyze);
  await grows(schema, 200);
  await all(analyze);
  expect(await knownRows(name), 'not doubled').toBe(300);
  await grows(schema, 200);
  await analyzed(name, 700, analyze);
});

test('a restored table, of which nothing counts changes, is analyzed', async () => {
  const name = await grows('payment', 5000);
  await w.sql(`UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid = '${name}'::regclass`);
  await w.sql(`SELECT pg_stat_reset_single_table_counters('${name}'::regclass)`);
  await analyzed(name, 5700, () => analyzePayment(payment));
});

test('one of several processes analyzes the tables, and the others do not wait for it', async () => {
  await w.sql('BEGIN');
  await w.sql("SELECT pg_advisory_xact_lock(hashtext('payment.analyze_grown'))");
  const name = await grows('payment', 9000);
  expect(await analyzePayment(payment)).toBe(false);
  await w.sql('ROLLBACK');
  expect(await knownRows(name)).toBe(5700);
});

test('the look at the statistics comes again and again until it is ended, whatever one look met', async () => {
  const seen: string[] = [];
  const looked = Promise.withResolvers<void>();
  const answers = [
    async () => true,
    async () => false,
    async () => Promise.reject(new Error('the database is away')),
    async () => (looked.resolve(), false),
  ];
  const end = keepStatistics(
    () => {
      seen.push('look');
      return answers[seen.length - 1]?.() ?? Promise.resolve(false);
    },
    { log, commits: () => 0, pause_ms: 1 },
  );
  await looked.promise;
  await end();
  const { length } = seen;
  expect(length).toBeGreaterThanOrEqual(4);
  await new Promise((done) => setImmediate(done));
  expect(seen.length).toBe(length);
});

test('the look is rare while the process writes nothing, and as often as before once it does', () => {
  const seen: number[] = [];
  let pauses = 1;
  for (const wrote of [true, false, false, false, true, false]) seen.push((pauses = pausesAfter(pauses, { wrote })));
  expect(seen).toEqual([1, 2, 4, 4, 1, 2]);
});

test('a write of the process is one that is counted, in a batch or in a transaction', async () => {
  const before = payment.commits();
  await payment.batch('one', 'SELECT 1 AS one');
  await payment.begin(undefined, (tx) => tx.run('one', 'SELECT 1 AS one'));
  await payment.batchRead('one', 'SELECT 1 AS one');
  expect(payment.commits() - before).toBe(2);
});

test('a service that has just started keeps them so', async () => {
  const name = await grows('payment', 20_000);
  await until(async () => ((await knownRows(name)) > 20_000 ? true : undefined));
});
