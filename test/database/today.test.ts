// schema/today.sql of each zone is the schema that the migrations and functions make, and makes it again in an empty
// database. It is derived: npm run schema writes it.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type pg from 'pg';
import { dumpSchema } from '../../src/kit/schema/dump.ts';
import { functionsIn, stepsOf } from '../../src/kit/schema/files.ts';
import { runFiles } from '../../src/kit/schema/run.ts';
import { PAYMENT_ZONE } from '../../src/payment/zone.ts';
import { VAULT_ZONE } from '../../src/vault/zone.ts';
import { TEMPLATE } from '../global-setup.ts';
import { asAdmin, connectTo } from './numbered.ts';

describe.each([PAYMENT_ZONE, VAULT_ZONE])('the schema $schema', ({ schema, folder, roles }) => {
  const file = new URL('today.sql', folder);
  const [copy, empty] = [`today_${schema}`, `today_${schema}_again`];
  const makers = roles.filter(({ owned }) => owned).map(({ name }) => name);
  let migrated: pg.Client;
  beforeAll(async () => {
    await asAdmin(`CREATE DATABASE ${copy} TEMPLATE ${TEMPLATE}`);
    await asAdmin(`CREATE DATABASE ${empty}`);
    migrated = await connectTo(copy);
  });
  afterAll(async () => {
    await migrated.end();
    await asAdmin(`DROP DATABASE ${copy}`);
    await asAdmin(`DROP DATABASE ${empty}`);
  });

  test('is what today.sql says', async () => {
    const dump = await dumpSchema(migrated, schema);
    await expect(`-- Written by npm run schema; it is not edited.\n\n${dump}`).toMatchFileSnapshot(file.pathname);
  });

  test('is made again by today.sql in an empty database', async () => {
    const client = await connectTo(empty);
    await client.query(`CREATE SCHEMA ${schema} AUTHORIZATION florin_owner`);
    await client.query('BEGIN; SET LOCAL ROLE florin_owner');
    await runFiles(client, {
      schema,
      makers,
      migrations: [{ name: 'today', steps: stepsOf(file), checksum: '' }],
      functions: functionsIn(folder),
      run: (sql) => client.query(sql),
    });
    await client.query('COMMIT');
    const text = await dumpSchema(client, schema);
    await client.end();
    expect(readFileSync(file, 'utf8')).toBe(`-- Written by npm run schema; it is not edited.\n\n${text}`);
  });

  test('has one file for each of its functions, whose text PostgreSQL accepts now that all tables are there', async () => {
    const { rows } = await migrated.query<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace`,
    );
    const files = functionsIn(folder);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(files.map(({ name }) => name).toSorted());
    await migrated.query('SET check_function_bodies = on');
    for (const { name, text } of files) {
      expect(text.match(/^CREATE OR REPLACE FUNCTION (\w+\.\w+)\(/gm)).toEqual([
        `CREATE OR REPLACE FUNCTION ${schema}.${name}(`,
      ]);
      await migrated.query(text);
    }
  });

  test('names every constraint for the rule that it keeps', async () => {
    const { rows } = await migrated.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE connamespace = '${schema}'::regnamespace AND contype = 'c' AND conname ~ '_check[0-9]*$'`,
    );
    expect(rows).toEqual([]);
  });
});
