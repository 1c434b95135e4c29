// What looks for rows whose time is over does so all day long: counted in pages, it reads those alone.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase, preparedStatements } from '../../src/kit/database.ts';
import { openLog } from '../../src/kit/log.ts';
import { deleteOld } from '../../src/vault/store.ts';
import { pagesOf } from '../pages.ts';
import { type World, idleWorld } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await idleWorld();
});
afterAll(() => w[Symbol.asyncDispose]());

async function sizeOf(table: string): Promise<number> {
  const [row] = await w.sql<{ pages: number }>(`SELECT (pg_relation_size('${table}') / 8192)::int AS pages`);
  return row?.pages ?? 0;
}

test('checkouts that end in a month are not read with those around them by each look for what has ended', async () => {
  await w.sql(
    `INSERT INTO payment.checkouts (id, merchant_account_id, amount_minor, currency, created_at, expires_at, body)
     SELECT payment.new_id(t, (n % 60)::int), decode($1, 'hex'), 100, 'EUR', t,
       t + CASE WHEN n % 500 = 0 THEN interval '30 days' ELSE interval '15 minutes' END, json_build_object('filler', repeat('x', 300))
     FROM (SELECT n, now() - interval '2 days' + n * interval '5 s' AS t FROM generate_series(1, 20000) n) x`,
    [w.account],
  );
  await w.sql('VACUUM ANALYZE payment.checkouts');
  const look = `SELECT payment.expire_checkouts(now() - interval '65 s', now(), '\\x${'00'.repeat(12)}', 2000)`;
  expect(await sizeOf('payment.checkouts')).toBeGreaterThan(1500);
  expect(await pagesOf(w, look)).toBeLessThan(300);
});

/** As the vault does it, so that its statement is known here. */
async function sweepOnce(): Promise<void> {
  const { socket_dir, user } = inject('server');
  const at = { socket_dir, user, database: w.database };
  const vault = openDatabase({ at, role: 'vault_app', name: 'test', max: 1, log: openLog('silent') });
  await deleteOld(vault);
  await vault.close();
}

const KEYS = `INSERT INTO payment.idempotency_keys (merchant_account_id, route, key, fingerprint, object_id, created_at)
  SELECT decode($1, 'hex'), 'POST /payment/checkout', $2::int || '-' || n, sha256(n::text::bytea), substr(sha256(n::text::bytea), 1, 12), now() - make_interval(hours => $2::int)
  FROM generate_series(1, 10000) n`;
const VAULT_KEYS = `INSERT INTO vault.idempotency_keys (merchant_account_id, key, fingerprint, token_hash, token_sealed, created_at)
  SELECT decode($1, 'hex'), $2::int || '-' || n, sha256(n::text::bytea), sha256(n::text::bytea), sha256(n::text::bytea), now() - make_interval(hours => $2::int)
  FROM generate_series(1, 10000) n`;
const CARDS = `INSERT INTO vault.cards (token_hash, merchant_account_id, environment, kind, sealed, data_key_id, scheme, card_unique_id, first6, last4, exp_month, exp_year, created_at, expires_at, delete_after)
  SELECT sha256(($2::int || '-' || n)::bytea), decode($1, 'hex'), 'sandbox', 'oneshot', sha256(n::text::bytea), 1, 'visa', gen_random_uuid(), '424242', '4242', 12, 2034, now(), now(), now() + make_interval(hours => 80 - $2::int)
  FROM generate_series(1, 10000) n`;
const FORWARDS = `INSERT INTO vault.forwards (operation_id, merchant_account_id, order_id, destination, digest, policy, state, sent_at)
  SELECT substr(sha256(($2::int || '-' || n)::bytea), 1, 12), decode($1, 'hex'), substr(sha256(n::text::bytea), 1, 12), 'simulator', substr(sha256(n::text::bytea), 1, 16),
    'once', 'answered', now() - make_interval(hours => $2::int)
  FROM generate_series(1, 10000) n`;
const COMING_AND_GOING = [
  ['payment.idempotency_keys', KEYS],
  ['vault.idempotency_keys', VAULT_KEYS],
  ['vault.cards', CARDS],
] as const;

test('what is deleted by its age is found without what is young, also where young rows have the room of old ones', async () => {
  await sweepOnce();
  for (const [table, insert] of COMING_AND_GOING) {
    // one that stays behind all of them, so that the table keeps its pages
    await w.sql(insert, [w.account, 100]);
    await w.sql(insert, [w.account, 2]);
    await w.sql(`VACUUM ${table}`);
    const old = table === 'vault.cards' ? 'delete_after < now()' : `created_at < now() - interval '72 h'`;
    await w.sql(`DELETE FROM ${table} WHERE ${old}`);
    await w.sql(`VACUUM ${table}`);
    await w.sql(insert, [w.account, 1]);
    await w.sql(`VACUUM ANALYZE ${table}`);
  }
  // what was sent stays, and has no answer kept
  await w.sql(FORWARDS, [w.account, 100]);
  const forget = `SELECT payment.forget_keys(now() - interval '73 h', now() - interval '72 h', false)`;
  expect(await sizeOf('payment.idempotency_keys')).toBeGreaterThan(300);
  expect(await pagesOf(w, forget)).toBeLessThan(20);
  const sweep = preparedStatements().get('delete_old_cards')?.text ?? '';
  expect(await sizeOf('vault.cards')).toBeGreaterThan(500);
  expect(await sizeOf('vault.forwards')).toBeGreaterThan(200);
  expect(await pagesOf(w, sweep)).toBeLessThan(100);
});

test('an index of ranges is on no table whose rows are deleted, and sums up a range once the next begins', async () => {
  await w.sql('SELECT payment.keep_months(2)');
  const found = await w.sql<{ name: string; deleted: boolean; summed: boolean }>(
    `SELECT i.indexrelid::regclass::text AS name,
       has_table_privilege('payment_app', i.indrelid, 'DELETE') OR has_table_privilege('payment_queue', i.indrelid, 'DELETE')
         OR has_table_privilege('vault_app', i.indrelid, 'DELETE') AS deleted,
       coalesce('autosummarize=on' = ANY (c.reloptions), false) AS summed
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
     -- of a table in parts, the parts' own
     WHERE m.amname = 'brin' AND c.relkind = 'i' ORDER BY 1`,
  );
  expect(found.map(({ name }) => name)).toContain('payment.checkouts_expiry');
  expect(found.filter(({ name }) => name.startsWith('payment.observations_2')).length).toBeGreaterThan(2);
  expect(found.filter(({ deleted, summed }) => deleted || !summed)).toEqual([]);
});
