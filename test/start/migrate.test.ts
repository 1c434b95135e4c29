// Migrations: each once, in order, all or nothing, by as many processes at once as like; and databases of the
// operator's own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { type Zone, migrate, pendingMigrations, requireMigrated, requireOwnSchema } from '../../src/kit/migrate.ts';
import { StartError } from '../../src/kit/start-error.ts';
import { type Settings, newFolder, outcomeOf, startFlorin } from './child.ts';

// A start takes a second; on a machine with much else to do, many.

// A server of its own: roles belong to the whole server, and here they are made for the first time.
const folder = newFolder();
let server: Embedded;
let admin: pg.Client;
beforeAll(async () => {
  server = await startEmbedded({ data_dir: join(folder.path, 'server'), settings: { fsync: 'off' } });
  admin = await connect('postgres');
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  folder[Symbol.dispose]();
});

async function connect(database: string, user = server.user): Promise<pg.Client> {
  const client = new pg.Client({ host: server.socket_dir, user, database });
  await client.connect();
  return client;
}

function addressOf(database: string, user = server.user): string {
  return `postgres://${user}@/${database}?host=${encodeURIComponent(server.socket_dir)}`;
}

async function rowsOf(database: string, text: string): Promise<readonly unknown[]> {
  const client = await connect(database);
  return client.query<Record<string, unknown>>(text).then(
    ({ rows }) => client.end().then(() => rows),
    (error: unknown) => client.end().then(() => Promise.reject(error)),
  );
}

function florinMigrate(settings: Settings): Promise<{ code: number | null; said: string }> {
  return outcomeOf({ cwd: folder.path, command: ['migrate'], settings });
}

const ZONE_ROLES = `SELECT rolname FROM pg_roles WHERE rolname IN ('florin_owner', 'payment_app', 'payment_queue', 'vault_app')`;

test('several processes at once, none with a superuser, migrate a new database on a new server, each file once', async () => {
  expect(await rowsOf('postgres', ZONE_ROLES)).toEqual([]);
  await admin.query('CREATE ROLE landlord LOGIN CREATEROLE');
  await admin.query('CREATE DATABASE at_once OWNER landlord');
  const settings = { FLORIN_DATABASE_URL: addressOf('at_once', 'landlord') };
  const runs = await Promise.all([1, 2, 3].map(() => florinMigrate(settings)));
  for (const { code, said } of runs)
    expect([code, said]).toEqual([0, expect.stringMatching(/^.*at the schema of this version\n$/s)]);
  const said = runs.map((run) => run.said).join('');
  for (const schema of ['payment', 'vault']) {
    expect(said.match(new RegExp(`schema ${schema}: \\d+ migrations? run`, 'g'))).toHaveLength(1);
    const ran = await rowsOf('at_once', `SELECT name FROM ${schema}.migrations ORDER BY ran_at, name`);
    expect(ran[0]).toMatchObject({ name: expect.stringMatching(/^0001-/) });
  }
  expect(await rowsOf('postgres', ZONE_ROLES)).toHaveLength(4);
  expect((await florinMigrate(settings)).said).not.toContain('run');
});

describe('a folder of migrations', () => {
  let count = 0;
  let client: pg.Client;
  beforeAll(async () => {
    await admin.query('CREATE DATABASE zones');
    client = await connect('zones');
  });
  afterAll(() => client.end());

  /** A zone with these files, of migrations/ where they name no folder; the same one again when it is given. */
  function zoneWith(files: Settings, schema = `zone_${count++}`): Zone {
    const at = join(folder.path, `${schema}-${count++}`);
    for (const part of ['migrations', 'functions']) mkdirSync(join(at, part), { recursive: true });
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(at, name.includes('/') ? name : `migrations/${name}`), text);
    return { schema, folder: new URL(`${pathToFileURL(at).href}/`), roles: [{ name: `${schema}_app`, login: true }] };
  }
  const TABLE = { '0001-table.sql': 'CREATE TABLE SCHEMA.things (id int PRIMARY KEY);' };
  const table = (schema: string) => ({ '0001-table.sql': TABLE['0001-table.sql'].replace('SCHEMA', schema) });

  async function exists(name: string): Promise<boolean> {
    const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [name]);
    return rows[0]?.there ?? false;
  }

  test('is run in the order of the names, each file once', async () => {
    const files = {
      '0002-row.sql': 'INSERT INTO ordered.things VALUES (1);',
      ...table('ordered'),
      'notes.txt': 'this is no migration',
    };
    expect(await migrate(client, zoneWith(files, 'ordered'))).toEqual(['0001-table.sql', '0002-row.sql']);
    expect(await migrate(client, zoneWith(files, 'ordered'))).toEqual([]);
    const more = { ...files, '0003-row.sql': 'INSERT INTO ordered.things VALUES (2);' };
    expect(await migrate(client, zoneWith(more, 'ordered'))).toEqual(['0003-row.sql']);
    expect((await client.query('SELECT id FROM ordered.things ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('with a file that was changed after it ran is refused by its name', async () => {
    await migrate(client, zoneWith(table('changed'), 'changed'));
    const other = { '0001-table.sql': `${table('changed')['0001-table.sql']} -- better`, '0002-more.sql': 'SELECT 1' };
    await expect(migrate(client, zoneWith(other, 'changed'))).rejects.toThrow(
      'Migration changed/0001-table.sql was changed after it ran',
    );
    expect((await client.query('SELECT name FROM changed.migrations')).rows).toEqual([{ name: '0001-table.sql' }]);
  });

  test('that lacks a file which ran here belongs to an older version, and is refused', async () => {
    const newer = { ...table('newer'), '0002-newer.sql': 'CREATE TABLE newer.more (id int)' };
    await migrate(client, zoneWith(newer, 'newer'));
    await expect(migrate(client, zoneWith(table('newer'), 'newer'))).rejects.toThrow(
      'migrated by a newer Florin (newer/0002-newer.sql)',
    );
  });

  test('with a file that fails leaves nothing behind, and runs when it is mended', async () => {
    const broken = { ...table('broken'), '0002-bad.sql': 'CREATE TABLE broken.more (id int); SELECT 1 / 0;' };
    await expect(migrate(client, zoneWith(broken, 'broken'))).rejects.toThrow('division by zero');
    expect([await exists('broken.things'), await exists('broken.more'), await exists('broken.migrations')]).toEqual([
      false,
      false,
      false,
    ]);
    const mended = { ...broken, '0002-bad.sql': 'CREATE TABLE broken.more (id int);' };
    const second = await connect('zones');
    expect(await migrate(second, zoneWith(mended, 'broken')), 'no lock is left').toHaveLength(2);
    await second.end();
  });

  test('holds up nobody for as long as a payment waits, and is done when the long transaction is', async () => {
    await migrate(client, zoneWith(table('behind'), 'behind'));
    const [long, payment, owner] = await Promise.all([connect('zones'), connect('zones'), connect('zones')]);
    await long.query('BEGIN; SELECT * FROM behind.things');
    const more = { ...table('behind'), '0002-more.sql': 'ALTER TABLE behind.things ADD COLUMN more int;' };
    const done = migrate(owner, zoneWith(more, 'behind'));
    await payment.query(`SET lock_timeout = '2s'`);
    // until it has waited for the table twice
    for (let held = 0; held < 2;) {
      const before = performance.now();
      await payment.query('SELECT * FROM behind.things');
      if (performance.now() - before > 300) held++;
    }
    await long.query('ROLLBACK');
    expect(await done).toEqual(['0002-more.sql']);
    await Promise.all([long, payment, owner].map((one) => one.end()));
  });

  test('by a process that was killed within a long statement leaves no lock behind', async () => {
    const long = { ...table('killed'), '0002-long.sql': 'SELECT pg_sleep(600);' };
    const socket = new Socket();
    const killed = new pg.Client({
      host: server.socket_dir,
      user: server.user,
      database: 'zones',
      stream: () => socket,
    });
    await killed.connect();
    killed.on('error', () => undefined);
    const ended = migrate(killed, zoneWith(long, 'killed')).catch((error: unknown) => error);
    await expect
      .poll(() => rowsOf('zones', `SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600);'`))
      .toHaveLength(1);
    socket.destroy();
    expect(await ended).toBeInstanceOf(StartError);
    expect(await migrate(client, zoneWith(table('killed'), 'killed'))).toEqual(['0001-table.sql']);
  });

  test('whose connection ends in the middle says so, and that it is run again', async () => {
    const ended = { ...table('cut'), '0002-cut.sql': 'RESET ROLE; SELECT pg_terminate_backend(pg_backend_pid());' };
    const other = await connect('zones');
    other.on('error', () => undefined);
    const error: unknown = await migrate(other, zoneWith(ended, 'cut')).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(
      /The connection to the database ended during the migration of schema cut \(.*\)\. A migration is done as a whole or not at all: run it again/,
    );
    await other.end().catch(() => undefined);
    expect(await migrate(client, zoneWith({ ...table('cut') }, 'cut'))).toEqual(['0001-table.sql']);
  });

  test('makes everything the property of florin_owner, and shows the zone what ran only', async () => {
    await migrate(client, zoneWith(table('owned'), 'owned'));
    const owners = `SELECT DISTINCT relowner::regrole::text AS owner FROM pg_class WHERE relnamespace = 'owned'::regnamespace`;
    expect((await client.query(owners)).rows).toEqual([{ owner: 'florin_owner' }]);
    const rights = `SELECT table_name AS name, privilege_type AS may FROM information_schema.role_table_grants WHERE grantee = 'owned_app'`;
    expect((await client.query(`${rights} ORDER BY 1`)).rows).toEqual([
      { name: 'functions', may: 'SELECT' },
      { name: 'migrations', may: 'SELECT' },
    ]);
  });

  /** A function that answers a number. */
  const answering = (schema: string, number: number) =>
    `CREATE OR REPLACE FUNCTION ${schema}.answer() RETURNS int LANGUAGE sql AS $$ SELECT ${number} $$;`;
  const answerOf = async (schema: string) =>
    (await client.query<{ answer: number }>(`SELECT ${schema}.answer()`)).rows[0]?.answer;

  test('has functions beside it, each run again when its file has changed and not otherwise', async () => {
    const withAnswer = (number: number) =>
      zoneWith({ ...table('functional'), 'functions/answer.sql': answering('functional', number) }, 'functional');
    expect(await migrate(client, withAnswer(1))).toEqual(['0001-table.sql']);
    expect(await answerOf('functional')).toBe(1);
    await migrate(client, withAnswer(2));
    expect(await answerOf('functional')).toBe(2);
    await client.query(answering('functional', 3));
    await migrate(client, withAnswer(2));
    expect(await answerOf('functional')).toBe(3);
  });

  test('of an older version does not bring the older text of a function back', async () => {
    const withAnswer = (number: number) =>
      zoneWith({ ...table('rolled'), 'functions/answer.sql': answering('rolled', number) }, 'rolled');
    await migrate(client, withAnswer(1));
    await migrate(client, withAnswer(2));
    for (const run of [migrate, requireOwnSchema])
      await expect(run(client, withAnswer(1))).rejects.toThrow(
        'migrated by a newer Florin (rolled/functions/answer.sql)',
      );
    expect(await requireMigrated(client, withAnswer(1))).toBe('rolled/functions/answer.sql');
    expect(await answerOf('rolled')).toBe(2);
  });

  test('of a newer version leaves the version before able to start, and lacks none of its files', async () => {
    const before = { ...table('ahead'), 'functions/answer.sql': answering('ahead', 1) };
    await migrate(client, zoneWith(before, 'ahead'));
    expect(await requireMigrated(client, zoneWith(before, 'ahead'))).toBeUndefined();
    // the newer one has no file for the function any more, and forgets it
    await migrate(
      client,
      zoneWith({ ...table('ahead'), '0002-more.sql': 'CREATE TABLE ahead.more (id int)' }, 'ahead'),
    );
    const newer = 'ahead/0002-more.sql';
    expect(await requireMigrated(client, zoneWith(before, 'ahead'))).toBe(newer);
    expect(await pendingMigrations(client, zoneWith(before, 'ahead'))).toEqual({ pending: [], newer });
    await expect(requireOwnSchema(client, zoneWith(before, 'ahead'))).rejects.toThrow('migrated by a newer Florin');
    // of another line of versions: what this one needs did not run
    const other = { ...before, '0002-other.sql': 'SELECT 1' };
    await expect(requireMigrated(client, zoneWith(other, 'ahead'))).rejects.toThrow('Run florin migrate');
  });

  test('names a function that it needs, and is the same migration when the function changes', async () => {
    const needing = (number: number) => ({
      '0001-needs.sql':
        '\\ir ../functions/answer.sql\nCREATE TABLE needing.things (id int DEFAULT needing.answer());\n',
      'functions/answer.sql': answering('needing', number),
    });
    expect(await migrate(client, zoneWith(needing(1), 'needing'))).toEqual(['0001-needs.sql']);
    expect(await migrate(client, zoneWith(needing(2), 'needing'))).toEqual([]);
    expect(await answerOf('needing')).toBe(2);
  });

  test('makes a function again that was gone for a while', async () => {
    const files = { ...table('gone'), 'functions/answer.sql': answering('gone', 1) };
    await migrate(client, zoneWith(files, 'gone'));
    const without = { ...table('gone'), '0002-drop.sql': 'DROP FUNCTION gone.answer();' };
    await migrate(client, zoneWith(without, 'gone'));
    await migrate(client, zoneWith({ ...without, 'functions/answer.sql': answering('gone', 1) }, 'gone'));
    expect(await answerOf('gone')).toBe(1);
  });

  test('must have been run before a login that may not run it can work', async () => {
    const files = { '0001-open.sql': 'GRANT USAGE ON SCHEMA asked TO asked_app;' };
    const asked = zoneWith(files, 'asked');
    await expect(requireMigrated(client, asked)).rejects.toThrow('Run florin migrate');
    await migrate(client, asked);
    const app = await connect('zones', 'asked_app');
    await requireMigrated(app, asked);
    await expect(requireMigrated(app, zoneWith({ ...files, '0002.sql': 'SELECT 1' }, 'asked'))).rejects.toThrow(
      'older',
    );
    await app.end();
  });
});

describe("a database server of the operator's own", () => {
  /** A new database for each zone. */
  async function twoDatabases(name: string, owner = server.user): Promise<{ payment: string; vault: string }> {
    const names = { payment: `${name}_money`, vault: `${name}_cards` };
    for (const each of Object.values(names)) await admin.query(`CREATE DATABASE ${each} OWNER ${owner}`);
    return names;
  }

  async function paysWith(settings: Settings): Promise<void> {
    using other = newFolder();
    await using florin = await startFlorin(other.path, settings);
    expect((await florin.shop.pay()).code).toBe('955555');
    expect(
      florin
        .tree()
        .map(({ command }) => command)
        .join('\n'),
    ).not.toContain('postgres -D');
    expect((await florin.stop('SIGTERM')).code).toBe(0);
  }

  test('holds each zone in a database of its own', async () => {
    const { payment, vault } = await twoDatabases('apart');
    await paysWith({ FLORIN_DATABASE_URL: addressOf(payment), FLORIN_VAULT_DATABASE_URL: addressOf(vault) });
    const schemas = `SELECT nspname FROM pg_namespace WHERE nspname IN ('payment', 'vault')`;
    expect([await rowsOf(payment, schemas), await rowsOf(vault, schemas)]).toEqual([
      [{ nspname: 'payment' }],
      [{ nspname: 'vault' }],
    ]);
  });

  test('takes payments from the logins of the zones, once it is migrated', async () => {
    const { payment, vault } = await twoDatabases('direct');
    const owner = { FLORIN_DATABASE_URL: addressOf(payment), FLORIN_VAULT_DATABASE_URL: addressOf(vault) };
    const direct = {
      FLORIN_DATABASE_URL: addressOf(payment, 'payment_app'),
      FLORIN_VAULT_DATABASE_URL: addressOf(vault, 'vault_app'),
    };
    const early = await outcomeOf({ cwd: folder.path, settings: { ...direct, FLORIN_DATA_DIR: 'early' } });
    expect([early.code, early.said]).toEqual([1, expect.stringContaining('Run florin migrate')]);
    expect((await florinMigrate(owner)).code).toBe(0);
    await paysWith(direct);
  });

  test('is refused where it may lose what was acknowledged, or where a role may pass the borders', async () => {
    const { payment, vault } = await twoDatabases('careless');
    const settings = { FLORIN_DATABASE_URL: addressOf(payment), FLORIN_VAULT_DATABASE_URL: addressOf(vault) };
    const careless = { ...settings, FLORIN_DATABASE_DURABLE: 'required' };
    const lossy = await outcomeOf({ cwd: folder.path, settings: careless });
    expect([lossy.code, lossy.said]).toEqual([
      1,
      expect.stringContaining('may lose what was acknowledged: fsync = off'),
    ]);
    const inside = await connect(payment);
    await inside.query(
      'ALTER TABLE payment.orders NO FORCE ROW LEVEL SECURITY; ALTER TABLE payment.jobs OWNER TO payment_app',
    );
    const open = await outcomeOf({ cwd: folder.path, settings });
    await inside.end();
    expect(open.code).toBe(1);
    expect(open.said).toContain('the role payment_app owns tables');
    expect(open.said).toContain('not enabled and forced on orders');
  });

  test('is migrated by the owner of its databases, who is no superuser', async () => {
    const { payment, vault } = await twoDatabases('rented', 'landlord');
    await paysWith({
      FLORIN_DATABASE_URL: addressOf(payment, 'landlord'),
      FLORIN_VAULT_DATABASE_URL: addressOf(vault, 'landlord'),
    });
  });

  test('is left alone by a login that may not migrate it, with a message', async () => {
    await admin.query('CREATE ROLE guest LOGIN');
    await admin.query('CREATE ROLE tenant LOGIN CREATEROLE');
    for (const role of ['payment_queue', 'payment_app', 'vault_app', 'florin_owner'])
      await admin.query(`GRANT ${role} TO tenant WITH ADMIN TRUE, SET FALSE`);
    await admin.query('CREATE DATABASE untouched');
    for (const [login, says] of [
      ['guest', 'The login guest of FLORIN_DATABASE_URL may not create roles and schemas'],
      ['tenant', 'The login tenant of FLORIN_DATABASE_URL may not do what the migration of schema payment needs'],
    ] as const) {
      const { code, said } = await florinMigrate({ FLORIN_DATABASE_URL: addressOf('untouched', login) });
      expect([code, said]).toEqual([1, expect.stringContaining(says)]);
      expect(said).not.toMatch(/^ +at /m);
    }
    expect(await rowsOf('untouched', `SELECT 1 FROM pg_namespace WHERE nspname IN ('payment', 'vault')`)).toEqual([]);
  });

  test('that is not there, or has no such database, is named by its setting', async () => {
    const { code, said } = await florinMigrate({
      FLORIN_DATABASE_URL: addressOf('at_once'),
      FLORIN_VAULT_DATABASE_URL: addressOf('nowhere'),
    });
    expect([code, said]).toEqual([
      1,
      expect.stringContaining('The database of FLORIN_VAULT_DATABASE_URL is not reachable'),
    ]);
    expect(said).toContain('"nowhere" does not exist');
  });
});
