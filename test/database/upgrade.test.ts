// Databases with data are brought to the baseline, and beyond it: rows, rights and all that a payment needs stay.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Zone, migrate, pendingMigrations } from '../../src/kit/migrate.ts';
import { dumpSchema } from '../../src/kit/schema/dump.ts';
import { PAYMENT_ZONE } from '../../src/payment/zone.ts';
import { VAULT_ZONE } from '../../src/vault/zone.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { asAdmin, connectTo, runNumbered } from './numbered.ts';

const ZONES = [PAYMENT_ZONE, VAULT_ZONE];
/** The baseline, and what came after it. */
const made: string[] = [];
const clients: pg.Client[] = [];
const folder = mkdtempSync(join(tmpdir(), 'florin-upgrade-'));
/** Somebody has paid and was refunded here, with a saved card, a customer and an endpoint. */
let w: World;
beforeAll(async () => {
  w = await world();
  await w.shop.checkout({ customer_id: 'ada' });
  const token = await w.shop.token({ token_type: 'recurring' });
  const order = await w.shop.pay({}, { token, customer_id: 'ada', token_type: 'recurring' });
  const order_id = textAt(order, 'order_id');
  await w.shop.decided(order_id);
  await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '1' } });
  await w.shop.pay({ card_number: '4000000000000119' });
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await w[Symbol.asyncDispose]();
  for (const database of made) await asAdmin(`DROP DATABASE ${database}`);
  rmSync(folder, { recursive: true, force: true });
});

async function newDatabase(name: string): Promise<pg.Client> {
  const database = `upgrade_${name}`;
  await asAdmin(`CREATE DATABASE ${database}`);
  made.push(database);
  return await connectHere(database);
}

async function connectHere(database: string): Promise<pg.Client> {
  const client = await connectTo(database);
  clients.push(client);
  return client;
}

/** A database that ran all numbered files. */
async function numberedDatabase(name: string): Promise<pg.Client> {
  const client = await newDatabase(name);
  for (const schema of ['payment', 'vault'] as const) await runNumbered(client, schema);
  return client;
}

async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name
     FROM pg_class c
     WHERE c.relnamespace IN ('payment'::regnamespace, 'vault'::regnamespace)
       AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition
       AND c.relname NOT IN ('request_log', 'cvcs')
       -- what processes tell each other is lost with the server
       AND c.relpersistence <> 'u'
       AND c.relname NOT IN ('migrations', 'functions')
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Every row of every table, as text. */
async function rowsOf(client: pg.Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  for (const table of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM ${table} t`);
    all.set(table, rows.map(({ row }) => row).toSorted());
  }
  return all;
}

/** The world has made days of the request log, and months; what was there before the months is a part of its own. */
const withoutParts = (dump: string) =>
  dump
    .replaceAll(/^.*\b(?:request_log_\d{8}|observations_(?:before_)?\d{6})\b.*\n(?:  .*\n)*/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n');

/** Puts rows into a database of the same columns, past its triggers. */
async function putRows(client: pg.Client, all: ReadonlyMap<string, readonly string[]>): Promise<void> {
  await client.query('SET session_replication_role = replica');
  for (const [table, rows] of all) {
    const { rows: columns } = await client.query<{ list: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list
       FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    );
    const list = columns[0]?.list;
    await client.query(`DELETE FROM ${table}`);
    await client.query(
      `INSERT INTO ${table} (${list}) OVERRIDING SYSTEM VALUE
       SELECT ${list} FROM unnest($1::text[]) AS x (row), json_populate_record(NULL::${table}, x.row::json)`,
      [rows],
    );
  }
  await client.query('SET session_replication_role = origin');
}

/** Functions with their text, owner and rights: what dumpSchema only names. */
async function functionsOf(client: pg.Client): Promise<readonly unknown[]> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT concat_ws(' ', pg_get_functiondef(p.oid), p.proowner::regrole,
       (SELECT string_agg(a::text, ',' ORDER BY a::text) FROM unnest(p.proacl) a)) AS what
     FROM pg_proc p
     WHERE p.pronamespace IN ('payment'::regnamespace, 'vault'::regnamespace)
     ORDER BY p.oid::regprocedure::text`,
  );
  return rows;
}

/** Names of all migrations of a zone. */
const migrationsOf = ({ folder: of }: Zone): readonly string[] => readdirSync(new URL('migrations/', of)).toSorted();

/** Members of rows that migrations behind the baseline brought. */
const NEW: Readonly<Record<string, readonly string[]>> = {
  'payment.authentications': ['form', 'provider_run'],
  'payment.checkouts': ['link_id'],
  'payment.sessions': ['sign_on_account', 'sign_out_url'],
  'payment.contracts': ['acceptor', 'checks_sealed', 'checks_set', 'held', 'held_until', 'left_alone'],
  'payment.members': ['role_id'],
  'payment.invitations': ['mailed', 'role_id'],
  'payment.people': ['address_proved_at'],
  'payment.transactions': ['decline', 'fingerprint', 'held', 'network_token', 'otherwise', 'route'],
  'payment.providers': ['held', 'held_until', 'watch', 'watched_to'],
  'payment.order_classes': ['outcome'],
  'payment.order_search': ['country', 'tries'],
  'payment.order_search_state': ['uncounted_account', 'uncounted_order'],
  'vault.cards': ['approved_currency', 'approved_minor', 'is_network_token', 'token_kind'],
  'payment.operations': ['kept', 'key_round', 'money_sent', 'step'],
};

function asAtBaseline(all: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly object[]> {
  return new Map(
    [...all].map(([table, rows]) => {
      const news = NEW[table] ?? [];
      const kept = (row: string) => Object.entries<unknown>(JSON.parse(row)).filter(([name]) => !news.includes(name));
      return [table, rows.map((row) => Object.fromEntries(kept(row)))];
    }),
  );
}

describe('a database that ran all numbered files', () => {
  test('becomes the same as a new one, keeps every row, and is not touched again', async () => {
    const client = await numberedDatabase('data');
    const source = await connectHere(w.database);
    const before = await rowsOf(source);
    // tables of later migrations are not there yet; no row of this world needs them
    const tables = new Set(await tablesOf(client));
    const known = new Map([...before].filter(([table]) => tables.has(table)));
    await putRows(client, known);
    expect(asAtBaseline(await rowsOf(client))).toEqual(asAtBaseline(known));
    expect(before.get('payment.orders')?.length).toBeGreaterThan(1);
    for (const zone of ZONES) expect(await migrate(client, zone)).toEqual(migrationsOf(zone));
    // the worker counts what was there before (test/search/overview.test.ts), and watches what comes
    const counted = ['payment.order_sums', 'payment.decline_watches'].map(
      (table) => [table, before.get(table) ?? []] as const,
    );
    const after = new Map([...(await rowsOf(client)), ...counted]);
    expect(asAtBaseline(after)).toEqual(asAtBaseline(before));
    for (const { schema } of ZONES)
      expect(withoutParts(await dumpSchema(client, schema))).toBe(withoutParts(await dumpSchema(source, schema)));
    expect(await functionsOf(client)).toEqual(await functionsOf(source));
    for (const zone of ZONES) {
      expect(await pendingMigrations(client, zone)).toEqual({ pending: [], newer: undefined });
      expect(await migrate(client, zone)).toEqual([]);
    }
  });

  test('but was changed by hand is refused with what differs, and nothing is done to it', async () => {
    const client = await numberedDatabase('changed');
    await client.query('ALTER TABLE payment.orders ADD COLUMN note text');
    const before = await dumpSchema(client, 'payment');
    await expect(migrate(client, PAYMENT_ZONE)).rejects.toThrow(/not the one that its migrations made: .*note text/);
    expect(await dumpSchema(client, 'payment')).toBe(before);
    await client.query('ALTER TABLE payment.orders DROP COLUMN note');
    expect(await migrate(client, PAYMENT_ZONE)).toEqual(migrationsOf(PAYMENT_ZONE));
  });

  test('keeps its messages of providers: their text to the byte, under the contract that the order was paid with', async () => {
    const client = await numberedDatabase('messages');
    const tables = new Set(await tablesOf(client));
    const rows_here = await rowsOf(await connectHere(w.database));
    await putRows(client, new Map([...rows_here].filter(([table]) => tables.has(table))));
    const { rows: orders } = await client.query<{ order_id: Buffer; account: Buffer; contract_id: Buffer }>(
      `SELECT order_id, merchant_account_id AS account, contract_id FROM payment.transactions WHERE provider = 'simulator' LIMIT 1`,
    );
    const [paid] = orders;
    const body = '{ "é":  1.0, "a": "\\u0000" }';
    const nobody = Buffer.alloc(12, 7);
    for (const [ref, account, order] of [
      ['paid', paid?.account, paid?.order_id],
      ['no order', paid?.account, nobody],
      ['no account', nobody, nobody],
    ])
      await client.query(
        `INSERT INTO payment.provider_events (provider, event_ref, merchant_account_id, order_id, body)
         VALUES ('simulator', $1, $2, $3, $4)`,
        [ref, account, order, body],
      );
    await migrate(client, PAYMENT_ZONE);
    const { rows } = await client.query<{ event_ref: string; contract: string; text: string }>(
      `SELECT event_ref, encode(contract_id, 'hex') AS contract, convert_from(body, 'UTF8') AS text
       FROM payment.provider_events ORDER BY event_ref`,
    );
    const first = await client.query<{ id: string }>(
      `SELECT encode(id, 'hex') AS id FROM payment.contracts WHERE merchant_account_id = $1 AND provider = 'simulator'
       ORDER BY priority LIMIT 1`,
      [paid?.account],
    );
    expect(rows).toEqual([
      { event_ref: 'no account', contract: '0'.repeat(24), text: body },
      { event_ref: 'no order', contract: first.rows[0]?.id, text: body },
      { event_ref: 'paid', contract: paid?.contract_id.toString('hex'), text: body },
    ]);
  });
});

test('a database that ran fewer of the numbered files is told which version comes before', async () => {
  const client = await newDatabase('older');
  await runNumbered(client, 'payment', '0037');
  await expect(migrate(client, PAYMENT_ZONE)).rejects.toThrow(
    /another state of Florin 0\.1\.0 \(payment\/0036-.*\)\. Start commit 8eb38fd on it once/,
  );
  await runNumbered(client, 'payment');
  expect(await migrate(client, PAYMENT_ZONE)).toEqual(migrationsOf(PAYMENT_ZONE));
});

test('a database at the baseline, with data, takes the next migration and a function that has changed', async () => {
  const client = await newDatabase('next');
  for (const zone of ZONES) await migrate(client, zone);
  const source = await connectHere(w.database);
  const rows = await rowsOf(source);
  await putRows(client, rows);
  cpSync(PAYMENT_ZONE.folder, folder, { recursive: true });
  const name = `${String(migrationsOf(PAYMENT_ZONE).length + 1).padStart(4, '0')}-next.sql`;
  writeFileSync(
    join(folder, 'migrations', name),
    `\\ir ../functions/is_next.sql\nALTER TABLE payment.orders ADD COLUMN next boolean NOT NULL DEFAULT payment.is_next();\n`,
  );
  writeFileSync(
    join(folder, 'functions/is_next.sql'),
    'CREATE OR REPLACE FUNCTION payment.is_next() RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;\n',
  );
  const changed = join(folder, 'functions/undecided.sql');
  writeFileSync(
    changed,
    readFileSync(changed, 'utf8').replace('AS $$', () => 'AS $$ -- changed'),
  );
  const next: Zone = { ...PAYMENT_ZONE, folder: pathToFileURL(`${folder}/`) };
  const before = await functionsOf(client);
  expect(await pendingMigrations(client, next)).toEqual({
    pending: [name, 'functions/is_next.sql', 'functions/undecided.sql'],
    newer: undefined,
  });
  expect(await migrate(client, next)).toEqual([name]);
  const orders = await client.query<{ all_next: boolean; count: number }>(
    'SELECT bool_and(next) AS all_next, count(*)::int AS count FROM payment.orders',
  );
  expect(orders.rows).toEqual([{ all_next: true, count: rows.get('payment.orders')?.length }]);
  const after = (await functionsOf(client)).map((row) => JSON.stringify(row).replace(' -- changed', ''));
  // owner and rights are the same too
  expect(after.filter((row) => !row.includes('payment.is_next'))).toEqual(before.map((row) => JSON.stringify(row)));
  await expect(migrate(client, PAYMENT_ZONE)).rejects.toThrow(`migrated by a newer Florin (payment/${name})`);
});
