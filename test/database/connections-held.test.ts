// How many connections a process holds to the database of a zone: as many as it says where there is no further one. A
// role that was given one less than that was refused again and again under load, and its payments with it: the look at
// the server found no connection left.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../../src/hosts/connect.ts';
import { openPaymentDatabase, openVaultDatabase } from '../../src/hosts/databases.ts';
import { type Embedded, startEmbedded } from '../../src/kit/embedded.ts';
import { openLog } from '../../src/kit/log.ts';
import { readConfig } from '../../src/settings/config.ts';
import { until } from '../client.ts';

const HELD = 4;
/** Two whose commits wait for no disk, and the one that looks at the server. */
const BESIDE = 3;
const data_dir = mkdtempSync(join(tmpdir(), 'florin-held-'));
let server: Embedded;
let admin: pg.Client;
beforeAll(async () => {
  server = await startEmbedded({ data_dir });
  admin = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

const urlOf = (user: string) => `postgres://${user}@/${server.database}?host=${encodeURIComponent(server.socket_dir)}`;

/** How many more than the setting, by the refusal. */
async function said(): Promise<number> {
  await admin.query('CREATE ROLE crowded LOGIN CONNECTION LIMIT 0');
  const refusal = await connectTo({ url: urlOf('crowded') }, 'FLORIN_DATABASE_URL').then(
    () => '',
    (error: Error) => error.message,
  );
  return Number(/each process holds so many for each of its zones, and (\d+) more/.exec(refusal)?.[1]);
}

async function connectionsOf(zone: 'payment' | 'vault'): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name LIKE 'florin ${zone}%'`,
  );
  return rows[0]?.n ?? 0;
}

test('a process holds as many connections of each zone as the refusal says', async () => {
  const url = urlOf(server.user);
  const config = readConfig({
    FLORIN_DATA_DIR: data_dir,
    FLORIN_DATABASE_URL: url,
    FLORIN_VAULT_DATABASE_URL: url,
    FLORIN_DATABASE_CONNECTIONS: `${HELD}`,
  });
  const options = { config, log: openLog('silent'), say: () => undefined, failed: () => undefined };
  const [money, cards] = [await openPaymentDatabase(options), await openVaultDatabase(options)];
  const nap = ['a nap', 'SELECT pg_sleep(0.2)'] as const;
  const many = (run: () => Promise<unknown>) => Array.from({ length: 2 * HELD }, run);
  await Promise.all([
    ...many(() => money.payment.run(...nap)),
    ...many(() => money.payment.reading('0'.repeat(24)).run(...nap)),
    ...many(() => money.payment_relaxed.run(...nap)),
    ...many(() => cards.vault.run(...nap)),
    ...many(() => cards.vault_relaxed.run(...nap)),
  ]);
  const more = await said();
  expect(more).toBeGreaterThan(0);
  // the look at the server begins a second later, and what was opened stays open
  for (const zone of ['payment', 'vault'] as const)
    await until(async () => (await connectionsOf(zone)) === HELD + BESIDE || undefined);
  expect(more).toBe(BESIDE);
  await Promise.all([money.close(), cards.close()]);
});
