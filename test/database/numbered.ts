// Databases as they were made before the baseline: by the numbered files that stood in src/*/migrations until then.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { inject } from 'vitest';
import { sha256 } from '../../src/kit/crypto.ts';

type Schema = 'payment' | 'vault';

/** Names and texts; 0001–0037 of the money zone, 0001–0011 of the card zone. */
const FILES = JSON.parse(
  gunzipSync(readFileSync(new URL('numbered.json.gz', import.meta.url))).toString('utf8'),
) as Readonly<Record<Schema, Readonly<Record<string, string>>>>;

/** Runs what did not run yet of the files whose names come before this one. */
export async function runNumbered(client: pg.Client, schema: Schema, before = '9999'): Promise<void> {
  await client.query('BEGIN');
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION florin_owner; SET LOCAL ROLE florin_owner`);
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${schema}.migrations (name text PRIMARY KEY, checksum text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())`,
  );
  await client.query(`GRANT SELECT ON ${schema}.migrations TO ${schema}_app`);
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${schema}.migrations`);
  const done = new Set(rows.map(({ name }) => name));
  for (const [name, text] of Object.entries(FILES[schema])) {
    if (name >= before || done.has(name)) continue;
    await client.query(text);
    await client.query(`INSERT INTO ${schema}.migrations (name, checksum) VALUES ($1, $2)`, [name, sha256(text)]);
  }
  await client.query('COMMIT');
}

/** A database of the run's server, its superuser logged in. */
export async function connectTo(database: string): Promise<pg.Client> {
  const { socket_dir, user } = inject('server');
  const client = new pg.Client({ host: socket_dir, user, database });
  await client.connect();
  return client;
}

/** Runs one statement as the superuser, beside any database of a test. */
export async function asAdmin(text: string): Promise<void> {
  const admin = await connectTo('postgres');
  await admin.query(text);
  await admin.end();
}
