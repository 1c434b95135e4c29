// A migration holds the tables that it changes until it commits. One that stands still in the middle, as its machine
// may, holds up nobody for long: the server ends its connection, nothing of it is done, and the next run does it all.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, inject, test } from 'vitest';
import { connectTo as connectAs } from '../../src/hosts/connect.ts';
import { type Zone, migrate } from '../../src/kit/migrate.ts';
import { StartError } from '../../src/kit/start-error.ts';
import { until } from '../client.ts';
import { asAdmin, connectTo } from './numbered.ts';
import { stillBefore } from './stand-still.ts';

const DATABASE = 'migrate_frozen';
const folder = mkdtempSync(join(tmpdir(), 'florin-frozen-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await asAdmin(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
});

const zone: Zone = {
  schema: 'frozen',
  folder: new URL(`${pathToFileURL(folder).href}/`),
  roles: [{ name: 'payment_app', login: true }],
};
for (const part of ['migrations', 'functions']) mkdirSync(join(folder, part));
const file = (name: string, text: string) => writeFileSync(join(folder, 'migrations', name), text);

/** As florin migrate connects. */
const owner = () => connectAs({ ...inject('server'), database: DATABASE }, 'FLORIN_DATABASE_URL');

test('a table is free again though a migration that changed it stands still, and the next run does it', async () => {
  await asAdmin(`CREATE DATABASE ${DATABASE}`);
  file('0001-table.sql', 'CREATE TABLE frozen.things (id int PRIMARY KEY);');
  const first = await owner();
  await migrate(first, zone);
  await first.end();
  file('0002-more.sql', 'ALTER TABLE frozen.things ADD COLUMN more int;');
  const own = await owner();
  const held = stillBefore(own, 'COMMIT');
  const ran = migrate(own, zone).catch((error: unknown) => error);
  await Promise.race([held.there, ran]);
  const payment = await connectTo(DATABASE);
  await payment.query(`SET lock_timeout = '2s'`);
  const read = () => payment.query('INSERT INTO frozen.things (id) VALUES (1)').catch(() => undefined);
  expect(await until(read)).toMatchObject({ rowCount: 1 });
  held.goOn();
  const error = await ran;
  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toMatch(/done as a whole or not at all: run it again/);
  await own.end();
  const again = await owner();
  expect(await migrate(again, zone)).toEqual(['0002-more.sql']);
  expect((await payment.query('SELECT id, more FROM frozen.things')).rows).toEqual([{ id: 1, more: null }]);
  await Promise.all([payment.end(), again.end()]);
});
