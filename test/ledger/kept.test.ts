// The ledger, the evidence and what people said are only ever added to, by whoever asks; a transfer always has two
// different sides and an amount.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type World, world } from '../world.ts';
import { settled } from './till.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  await w.shop.pay();
  await settled(w);
  await w.sql(
    `INSERT INTO payment.rulings (merchant_account_id, order_id, operation_id, ruling, reason, by_name)
     SELECT merchant_account_id, order_id, id, 'done', 'seen in the bank portal', 'anna' FROM payment.operations LIMIT 1`,
  );
});
afterAll(() => w[Symbol.asyncDispose]());

/** Undone in any case; the SQL state it was refused with, or 'done'. */
async function triedAs(role: string | undefined, ...statements: readonly string[]): Promise<string> {
  await w.sql('BEGIN');
  try {
    if (role !== undefined) await w.sql(`SET LOCAL ROLE ${role}`);
    await w.sql(`SELECT set_config('app.merchant_account_id', '${w.account}', true)`);
    for (const statement of statements) await w.sql(statement);
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    await w.sql('ROLLBACK');
  }
}

const FORBIDDEN = '42501';
const REFUSED = '23514';
const ROLES = ['payment_app', 'payment_queue', 'florin_owner', 'vault_app', undefined];
const TABLES = { ledger_entries: 'amount_minor = 1', observations: `outcome = 'declined'`, rulings: `reason = 'x'` };

for (const [table, set] of Object.entries(TABLES))
  test(`no row of ${table} is changed or removed, by any role`, async () => {
    const before = await w.sql(`SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS sum FROM payment.${table} t`);
    const changes = [`UPDATE payment.${table} SET ${set}`, `DELETE FROM payment.${table}`, `TRUNCATE payment.${table}`];
    for (const role of ROLES)
      for (const change of changes) {
        const allowed_to_try = role === 'florin_owner' || role === undefined;
        expect([role, change, await triedAs(role, change)]).toEqual([
          role,
          change,
          allowed_to_try ? REFUSED : FORBIDDEN,
        ]);
      }
    // not even where no row fits: the statement itself is refused
    expect(await triedAs(undefined, `DELETE FROM payment.${table} WHERE false`)).toBe(REFUSED);
    expect(await triedAs(undefined, `ALTER TABLE payment.${table} DISABLE TRIGGER keep`, changes[1] ?? '')).toBe(
      'done',
    );
    expect(await triedAs('payment_app', `ALTER TABLE payment.${table} DISABLE TRIGGER keep`)).toBe(FORBIDDEN);
    expect(await triedAs('payment_app', 'SET session_replication_role = replica')).toBe(FORBIDDEN);
    expect(await w.sql(`SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS sum FROM payment.${table} t`)).toEqual(
      before,
    );
  });

const BALANCE = { debit: 'fees', credit: 'payouts', amount_minor: '5', account: 'own' };

test.each([
  ['an amount of zero', { amount_minor: '0' }, REFUSED],
  ['an amount below zero', { amount_minor: '-5' }, REFUSED],
  ['the same account on both sides', { credit: 'fees' }, REFUSED],
  ['an account that is none', { debit: 'pocket' }, REFUSED],
  ['no credit', { credit: null }, '23502'],
  ['the account of another merchant', { account: 'other' }, FORBIDDEN],
  ['nothing wrong', {}, 'done'],
])('a transfer with %s', async (_, wrong, state) => {
  const { debit, credit, amount_minor, account } = { ...BALANCE, ...wrong };
  const merchant = account === 'own' ? w.account : 'aa'.repeat(12);
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
  const insert = `INSERT INTO payment.ledger_entries (source_id, posting, line, merchant_account_id, order_id, provider, debit, credit, currency, amount_minor)
    VALUES (decode('${'bb'.repeat(12)}', 'hex'), 'book', 1, decode('${merchant}', 'hex'), decode('${'bb'.repeat(12)}', 'hex'), 'simulator', ${text(debit)}, ${text(credit)}, 'EUR', ${amount_minor})`;
  expect(await triedAs('payment_app', insert)).toBe(state);
  if (state === REFUSED) expect(await triedAs(undefined, insert)).toBe(REFUSED);
});

test('the same ledger entries are not booked twice', async () => {
  const again = `INSERT INTO payment.ledger_entries SELECT * FROM payment.ledger_entries`;
  expect(await triedAs(undefined, again)).toBe('23505');
});
