// The money zone's own key fits its database, or nothing starts (docs/decisions/0053), and what an earlier version left
// in the tables is put under it before anything is served (docs/decisions/0052).
import { createSecretKey } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { lookAtDatabase } from '../../src/commands/doctor/database.ts';
import { readConfig } from '../../src/settings/config.ts';
import { openPaymentDatabase } from '../../src/hosts/databases.ts';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { seal } from '../../src/kit/crypto.ts';
import { openLog } from '../../src/kit/log.ts';
import { cardDigest } from '../../src/payment/card-digest.ts';
import { listEntries } from '../../src/payment/risk/lists.ts';
import { savedCardSealing, signOnSealing } from '../../src/payment/sealings.ts';
import { openSecretKey } from '../../src/payment/secret-key.ts';
import { findSealedSamples } from '../../src/payment/store.ts';
import { startService } from '../../src/hosts/service.ts';
import { asAdmin, connectTo, runNumbered } from '../database/numbered.ts';
import { type World, world } from '../world.ts';

let w: World;
const folder = mkdtempSync(join(tmpdir(), 'florin-keys-'));
beforeAll(async () => {
  w = await world();
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const chance = systemChance(systemClock());
const log = openLog('silent');
const nothing = () => undefined;
const KEY = 'payment-key.json';

/** A data folder with the vault's keys; `key`: 64 hex of the money zone's in it, none: no file. */
function dataFolder(key?: string, environment = 'sandbox'): string {
  const data_dir = mkdtempSync(join(folder, 'data-'));
  mkdirSync(keyFolderOf(data_dir));
  for (const name of readdirSync(keyFolderOf(w.data_dir)))
    if (name !== KEY) cpSync(join(keyFolderOf(w.data_dir), name), join(keyFolderOf(data_dir), name));
  if (key !== undefined)
    writeFileSync(join(keyFolderOf(data_dir), KEY), `${JSON.stringify({ environment, key })}\n`, { mode: 0o400 });
  return data_dir;
}

const hasKey = (data_dir: string) => existsSync(join(keyFolderOf(data_dir), KEY));
const keyFolderOf = (data_dir: string) => join(data_dir, 'keys');
const place = (data_dir: string) => ({ data_dir, environment: 'sandbox' as const });

function configOf(data_dir: string, database: string) {
  const { socket_dir, user } = inject('server');
  return readConfig({
    FLORIN_API_PORT: '0',
    FLORIN_VAULT_PORT: '0',
    FLORIN_BACKOFFICE_PORT: '0',
    FLORIN_LOG_LEVEL: 'silent',
    FLORIN_DATA_DIR: data_dir,
    FLORIN_DATABASE_DURABLE: 'unchecked',
    FLORIN_DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(socket_dir)}`,
  });
}

/** The whole service on this database with this data folder. */
function begin(data_dir: string, database: string) {
  const config = configOf(data_dir, database);
  return startService({ config, version: '0.0.0', say: nothing, failed: nothing });
}

/**
 * A database as an earlier version left it: filled when it knew cards by their ids, then at the last state before the
 * baseline.
 */
async function oldDatabase(fill: (client: pg.Client) => Promise<void>): Promise<string> {
  const database = `keys_${chance.id()}`;
  await asAdmin(`CREATE DATABASE ${database}`);
  const client = await connectTo(database);
  await runNumbered(client, 'payment', '0026');
  await fill(client);
  await runNumbered(client, 'payment');
  await client.end();
  return database;
}

async function query<R extends pg.QueryResultRow>(database: string, text: string): Promise<readonly R[]> {
  const { socket_dir, user } = inject('server');
  const client = new pg.Client({ host: socket_dir, user, database });
  await client.connect();
  const { rows } = await client.query<R>(text);
  await client.end();
  return rows;
}

const ACCOUNT = '0a'.repeat(12);
const CARD = '3f0a5c8e-6d1b-4b7a-9a52-0c4e7d2b91f6';
const OTHER = 'c2b6f0de-0d3c-4e0f-8a3b-2f6a1c9d7e55';
const FIRST = '11'.repeat(32);
const SECOND = '22'.repeat(32);
const keyOf = (hex: string) => createSecretKey(hex, 'hex');

/** A customer's saved card of an earlier version, its token sealed under `key`. */
async function saveOld(client: pg.Client, key: string, customer: string, card = CARD): Promise<void> {
  const sealing = savedCardSealing(keyOf(key), ACCOUNT, customer);
  const sealed = seal(Buffer.alloc(32, 1), chance.bytes(12), sealing);
  const row = [Buffer.from(ACCOUNT, 'hex'), customer, card, chance.bytes(12), chance.bytes(32), sealed];
  await client.query(
    `INSERT INTO payment.saved_cards (merchant_account_id, customer_id, card_unique_id, id, token_hash, token_sealed, scheme, first6, last4, exp_month, exp_year, saved_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'visa', '400005', '5556', 12, 2034, now())`,
    row,
  );
  await client.query(
    `INSERT INTO payment.saved_card_tokens (merchant_account_id, customer_id, card_unique_id, token_hash) VALUES ($1, $2, $3, $4)`,
    [row[0], row[1], row[2], row[4]],
  );
}

test('a host with another key, or with none, does not start on a database that was used with one', async () => {
  const [other, none] = [dataFolder(SECOND), dataFolder()];
  await expect(begin(other, w.database)).rejects.toThrow('is not the one this database is used with');
  await expect(begin(none, w.database)).rejects.toThrow('is missing, and this database was used with one before');
  expect([hasKey(other), hasKey(none)]).toEqual([true, false]);
});

test('in production a key that does not fit stops the start just the same, and none is ever made', async () => {
  const production = (data_dir: string) => ({ data_dir, environment: 'production' as const });
  const { db } = w.service.tools;
  const opened = (data_dir: string) => openSecretKey({ db, log, chance }, production(data_dir));
  await expect(opened(dataFolder(SECOND, 'production'))).rejects.toThrow('is not the one this database is used with');
  const none = dataFolder();
  await expect(opened(none)).rejects.toThrow('is missing, and this database was used with one before');
  const fresh = await oldDatabase(async () => undefined);
  const config = configOf(none, fresh);
  const databases = await openPaymentDatabase({ config, log, say: nothing, failed: nothing });
  const first = openSecretKey({ db: databases.payment, log, chance }, production(none));
  await expect(first).rejects.toThrow('needs its key file');
  await databases.close();
  expect(hasKey(none)).toBe(false);
});

test('if two hosts start for the first time at once, with folders of their own, one wins and the other leaves no key', async () => {
  const database = await oldDatabase(async () => undefined);
  const folders = Array.from({ length: 4 }, () => dataFolder());
  const databases = await openPaymentDatabase({
    config: configOf(dataFolder(), database),
    log,
    say: nothing,
    failed: nothing,
  });
  const { payment: db } = databases;
  const tried = await Promise.allSettled(folders.map((one) => openSecretKey({ db, log, chance }, place(one))));
  const won = tried.flatMap(({ status }, at) => (status === 'fulfilled' ? [folders[at] ?? ''] : []));
  expect(won).toHaveLength(1);
  expect(folders.filter(hasKey)).toEqual(won);
  const shared = await Promise.all([1, 2, 3].map(() => openSecretKey({ db, log, chance }, place(won[0] ?? ''))));
  expect(new Set(shared.map((key) => key.export().toString('hex'))).size).toBe(1);
  await databases.close();
});

test('processes that share a folder make one key, however many start at once', async () => {
  const database = await oldDatabase(async () => undefined);
  const data_dir = dataFolder();
  const databases = await openPaymentDatabase({
    config: configOf(dataFolder(), database),
    log,
    say: nothing,
    failed: nothing,
  });
  const all = Array.from({ length: 6 }, () => openSecretKey({ db: databases.payment, log, chance }, place(data_dir)));
  expect(new Set((await Promise.all(all)).map((key) => key.export().toString('hex'))).size).toBe(1);
  expect(readdirSync(keyFolderOf(data_dir)).filter((name) => name.startsWith('payment'))).toEqual([KEY]);
  await databases.close();
});

test('a database without a check value takes the key that opens what is sealed there, and no other one', async () => {
  const database = await oldDatabase((client) => saveOld(client, FIRST, 'ada'));
  await expect(begin(dataFolder(), database)).rejects.toThrow('is missing, and this database was used with one before');
  await expect(begin(dataFolder(SECOND), database)).rejects.toThrow('is not the one this database is used with');
  await (await begin(dataFolder(FIRST), database)).close();
  await expect(begin(dataFolder(SECOND), database)).rejects.toThrow('is not the one this database is used with');
});

test('the secret of single sign-on is one of the values that a key must open', async () => {
  await using own = await world();
  const { tools, demo } = own.service;
  const account = demo?.merchant_account_id ?? '';
  const sealed = seal(Buffer.from('a secret'), chance.bytes(12), signOnSealing(keyOf(FIRST), account));
  await own.sql(
    `INSERT INTO payment.sign_on (merchant_account_id, issuer, client_id, secret_sealed, passwords)
     VALUES (decode($1, 'hex'), 'https://id.example', 'x', decode($2, 'hex'), true)`,
    [account, sealed.toString('hex')],
  );
  await own.sql(`UPDATE payment.contracts SET credentials_sealed = NULL, checks_sealed = NULL`);
  expect((await findSealedSamples(tools.db, 5)).map(({ kind }) => kind)).toEqual(['sign-on']);
  // a database that kept no check value
  await own.sql(`ALTER TABLE payment.secret_key DISABLE TRIGGER USER`);
  await own.sql(`DELETE FROM payment.secret_key`);
  const openBy = (key: string) => openSecretKey({ db: tools.db, log, chance }, place(dataFolder(key)));
  await expect(openBy(SECOND)).rejects.toThrow('is not the one');
  expect((await openBy(FIRST)).equals(keyOf(FIRST))).toBe(true);
});

test('if two hosts worked with two keys before, the first to start wins and the other stops', async () => {
  const database = await oldDatabase(async (client) => {
    await saveOld(client, FIRST, 'ada');
    await saveOld(client, SECOND, 'bob', OTHER);
  });
  await (await begin(dataFolder(SECOND), database)).close();
  await expect(begin(dataFolder(FIRST), database)).rejects.toThrow('is not the one this database is used with');
});

test('the first start puts digests in the place of every id that an earlier version kept, and keeps what they stand for', async () => {
  const database = await oldDatabase(async (client) => {
    for (const customer of ['ada', 'bob']) await saveOld(client, FIRST, customer);
    await client.query(
      `INSERT INTO payment.transactions (id, order_id, merchant_account_id, attempt, provider, payment_method_name, card_unique_id, first6, last4, created_at)
       SELECT substring(sha256(n::text::bytea) FROM 1 FOR 12), substring(sha256(n::text::bytea) FROM 1 FOR 12), $1, 1, 'simulator', 'visa', CASE WHEN n % 2 = 0 THEN $2::uuid ELSE gen_random_uuid() END, '400005', '5556', now()
       FROM generate_series(1, 3000) n`,
      [Buffer.from(ACCOUNT, 'hex'), CARD],
    );
    await client.query(
      `INSERT INTO payment.risk_entries (merchant_account_id, subject, id, kind, verdict, shown, by_name) VALUES ($1, $2, $3, 'card', 'block', $4, 'ada')`,
      [Buffer.from(ACCOUNT, 'hex'), chance.bytes(16), chance.bytes(12), CARD],
    );
  });
  const service = await begin(dataFolder(FIRST), database);
  const digest = cardDigest(keyOf(FIRST), ACCOUNT, CARD);
  const counts = await query(
    database,
    `SELECT (SELECT count(*)::int FROM payment.transactions WHERE card_digest = '\\x${digest}') AS paid,
       (SELECT count(*)::int FROM payment.transactions WHERE octet_length(card_digest) <> 32) AS open,
       (SELECT count(*)::int FROM payment.saved_cards WHERE card_digest = '\\x${digest}') AS saved,
       (SELECT count(*)::int FROM payment.saved_card_tokens WHERE card_digest = '\\x${digest}') AS tokens,
       (SELECT count(*)::int FROM payment.risk_entries WHERE shown <> '') AS shown`,
  );
  expect(counts).toEqual([{ paid: 1500, open: 0, saved: 2, tokens: 2, shown: 0 }]);
  expect(await listEntries(service.tools, ACCOUNT)).toMatchObject([{ kind: 'card', shown: CARD }]);
  await service.close();
});

test('the doctor says that the key does not fit, that it is missing, and that it is well', async () => {
  const saysOf = async (data_dir: string) => {
    const config = configOf(data_dir, w.database);
    const found = await lookAtDatabase(config, 'payment', systemClock());
    return found.filter(({ check }) => check.endsWith('key')).map(({ level, says }) => `${level}: ${says}`);
  };
  expect(await saysOf(w.data_dir)).toEqual(['ok: is the one this database is used with']);
  expect((await saysOf(dataFolder(SECOND)))[0]).toMatch(/^problem: .* is not the one this database is used with/);
  expect((await saysOf(dataFolder()))[0]).toMatch(
    /^problem: .* is missing, and this database was used with one before/,
  );
  expect(readFileSync(join(keyFolderOf(w.data_dir), KEY), 'utf8')).toContain('"environment":"sandbox"');
});
