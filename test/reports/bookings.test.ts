// A report of bookings in a large ledger: it reads what was booked in its time and no more, and each booking once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantRunner } from '../../src/kit/database.ts';
import { listBookings } from '../../src/payment/report/rows-store.ts';
import { tableOf } from '../../src/payment/report/rows.ts';
import { pagesOf } from '../pages.ts';
import { type World, world } from '../world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
  // thirty hours, and the last one has a quarter of it, most of that in one minute
  await book({ many: 30_000, from: '2028-05-01T00:00Z', apart: '3.5 seconds', id: '000000' });
  await book({ many: 8000, from: '2028-05-02T06:00Z', apart: '0.007 seconds', id: '000001' });
  await book({ many: 2000, from: '2028-05-02T06:01Z', apart: '1.7 seconds', id: '000002' });
  // as the database does by itself, a little later
  await w.sql("SELECT brin_summarize_new_values('payment.ledger_entries_by_time')");
  await w.sql('ANALYZE payment.ledger_entries');
});
afterAll(() => w[Symbol.asyncDispose]());

type Booked = { readonly many: number; readonly from: string; readonly apart: string; readonly id: string };

async function book({ many, from, apart, id }: Booked): Promise<void> {
  await w.sql(
    `INSERT INTO payment.ledger_entries (
       source_id, posting, line, merchant_account_id, provider, at, debit, credit, currency, amount_minor)
     SELECT decode($1 || lpad(to_hex(n), 18, '0'), 'hex'), 'book', 1, decode($2, 'hex'), 'simulator',
       $3::timestamptz + n * $4::interval, 'provider_receivable', 'merchant_payable', 'EUR', 5
     FROM generate_series(1, $5::int) n`,
    [id, w.account, from, apart, many],
  );
}

test('what was booked in an hour is found without reading what was booked before', async () => {
  const db = w.service.tools.db.tenant(w.account);
  let text = '';
  const run: TenantRunner['run'] = async (name, statement, parameters) => {
    text = statement;
    return db.run(name, statement, parameters);
  };
  const [from, to] = [new Date('2028-05-02T06:00Z'), new Date('2028-05-02T07:00Z')];
  const after = { source_id: '0'.repeat(24), posting: 'book', line: 0 } as const;
  expect(await listBookings({ ...db, run }, { from, to, after, room: 1000 })).toHaveLength(1000);
  const filled = Object.entries({
    merchant_account_id: `'\\x${w.account}'::bytea`,
    from: `'${from.toISOString()}'::timestamptz`,
    to: `'${to.toISOString()}'::timestamptz`,
    source_id: `'\\x${after.source_id}'::bytea`,
    posting: `'${after.posting}'::text`,
    line: String(after.line),
    room: '1000',
  }).reduce((sql, [name, value]) => sql.replaceAll(`:${name}`, () => value), text);
  const [ledger] = await w.sql<{ pages: number }>(
    `SELECT pg_relation_size('payment.ledger_entries')::int / 8192 AS pages`,
  );
  expect(await pagesOf(w, filled)).toBeLessThan((ledger?.pages ?? 0) / 2);
});

test('an hour with more than is read at once, most of it in one minute, stands in the report once', async () => {
  const { db, origins } = w.service.tools;
  const span = { from: new Date('2028-05-01T00:00Z'), to: new Date('2028-05-03T00:00Z') };
  const table = tableOf({ db: db.tenant(w.account), origins }, { kind: 'bookings', zone: 'UTC', ...span });
  const at = table.columns.indexOf('operation_id');
  const ids: unknown[] = [];
  for await (const portion of table.rows) ids.push(...portion.map((row) => row[at]));
  expect([ids.length, new Set(ids).size]).toEqual([40_000, 40_000]);
});
