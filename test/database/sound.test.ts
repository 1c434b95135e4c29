// No database is worked with that may lose what was acknowledged, or whose roles may pass the borders of their zone.
// Whole processes that are refused so: test/start/migrate.test.ts.
import { expect, inject, test } from 'vitest';
import { openPaymentDatabase, openVaultDatabase } from '../../src/hosts/databases.ts';
import { openLog } from '../../src/kit/log.ts';
import { readConfig } from '../../src/settings/config.ts';
import { type World, idleWorld } from '../world.ts';

/** The tests' server waits for no disk. */
function optionsOf(w: World, durable: 'required' | 'unchecked') {
  const { socket_dir, user } = inject('server');
  const url = `postgres://${user}@/${w.database}?host=${encodeURIComponent(socket_dir)}`;
  const config = readConfig({
    FLORIN_DATABASE_URL: url,
    FLORIN_VAULT_DATABASE_URL: url,
    FLORIN_DATA_DIR: w.data_dir,
    FLORIN_DATABASE_DURABLE: durable,
  });
  const nothing = () => undefined;
  return [{ config, log: openLog('silent'), say: nothing, failed: nothing }, { url }] as const;
}

test('a database that may lose what was acknowledged is refused, in both zones', async () => {
  await using w = await idleWorld();
  const lossy = optionsOf(w, 'required');
  const said = /may lose what was acknowledged: .*fsync = off/;
  await expect(openPaymentDatabase(...lossy)).rejects.toThrow(said);
  await expect(openVaultDatabase(...lossy)).rejects.toThrow(said);
});

test('a database is refused where a role of a zone owns a table of it, or rows of other accounts are not held back', async () => {
  await using w = await idleWorld();
  const open = optionsOf(w, 'unchecked');
  const whole = await openPaymentDatabase(...open);
  await whole.close();
  await w.sql('ALTER TABLE payment.orders NO FORCE ROW LEVEL SECURITY');
  await expect(openPaymentDatabase(...open)).rejects.toThrow('not enabled and forced on orders');
  await w.sql('ALTER TABLE payment.orders FORCE ROW LEVEL SECURITY; ALTER TABLE payment.jobs OWNER TO payment_app');
  await expect(openPaymentDatabase(...open)).rejects.toThrow('the role payment_app owns tables');
});

test('a row is found by its index also where the table was small when the plan was made', async () => {
  await using w = await idleWorld();
  await w.sql('ANALYZE payment.merchant_accounts');
  const plan = await w.service.tools.db.run<{ 'QUERY PLAN': string }>(
    'plan_of_a_small_table',
    `EXPLAIN SELECT 1
     FROM payment.merchant_accounts
     WHERE merchant_account_id = :merchant_account_id`,
    { merchant_account_id: Buffer.alloc(12) },
  );
  const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('Scan using merchant_accounts_pkey');
  expect(lines).not.toContain('Seq Scan');
});
