// What a velocity rule costs where much was seen: how each attempt ended is asked where it decides, and only there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type World, world } from '../world.ts';

const MEASURES = ['attempts', 'successes', 'declines', 'amount'] as const;
type Measure = (typeof MEASURES)[number];

let w: World;
beforeAll(async () => {
  w = await world();
  const account = w.account;
  // 300 orders within 50 minutes, of which every other one is paid
  await w.sql(
    `INSERT INTO payment.orders (id, merchant_account_id, order_merchant_id, amount_minor, currency, body, fingerprint, created_at, updated_at, status, live, version, next_seq, max_attempts, winner_id, authorized_minor)
     SELECT id, decode($1, 'hex'), 'ref-' || n, 100, 'EUR', '{}', substr(sha256(id), 1, 16), now(), now(), CASE WHEN n % 2 = 0 THEN 'authorization_successful' ELSE 'authorization_declined' END, n % 2 = 0, 2, 3, 3,
       CASE WHEN n % 2 = 0 THEN id END, CASE WHEN n % 2 = 0 THEN 100 ELSE 0 END
     FROM (SELECT n, payment.new_id(now() - interval '5 minutes' - n * interval '9 s', 1) AS id FROM generate_series(1, 300) n) x`,
    [account],
  );
  // and as many that were counted and never became an order
  await w.sql(
    `WITH attempt AS (
       INSERT INTO payment.transactions (id, order_id, merchant_account_id, provider, payment_method_name, created_at)
       SELECT id, id, merchant_account_id, 'simulator', 'visa', created_at FROM payment.orders RETURNING id)
     INSERT INTO payment.risk_sightings (merchant_account_id, subject, at, transaction_id, order_id, amount_minor, currency)
     SELECT decode($1, 'hex'), substr(sha256('all'), 1, 16), payment.id_moment(id), which, which, 100, 'EUR'
     FROM attempt, LATERAL (VALUES (id::bytea), (substr(sha256(id), 1, 12))) seen (which)`,
    [account],
  );
});
afterAll(() => w[Symbol.asyncDispose]());

const seenOf = (measure: Measure, room: number) =>
  `SELECT payment.risk_seen(decode('${w.account}', 'hex'), substr(sha256('all'), 1, 16), '${measure}', 3600, 'EUR', now(), ${room}) AS seen`;

async function seen(measure: Measure, room: number): Promise<number> {
  const [row] = await w.sql<{ seen: string }>(seenOf(measure, room));
  return Number(row?.seen);
}

test.each([
  ['attempts', 300],
  ['successes', 150],
  ['declines', 150],
  ['amount', 15_000],
] as const)('%s are counted exactly where they are above what a rule lets stand', async (measure, exact) => {
  for (const room of [-1, 0, exact - 1]) expect(await seen(measure, room)).toBe(exact);
  // all that was seen is more, and what counts of it is not
  for (const room of [exact, exact + 1]) expect(await seen(measure, room)).toBe(exact);
});

/** How often the tables of orders and their attempts were looked into by this connection. */
async function scans(): Promise<number> {
  const [row] = await w.sql<{ scans: number }>(
    `SELECT sum(seq_scan + idx_scan)::int AS scans FROM pg_stat_xact_user_tables WHERE schemaname = 'payment' AND relname IN ('orders', 'transactions')`,
  );
  return row?.scans ?? -1;
}

async function looks(measure: Measure, room: number): Promise<number> {
  // in one transaction, as what was counted is taken away behind it
  await w.sql('BEGIN');
  const before = await scans();
  await w.sql(seenOf(measure, room));
  const after = await scans();
  await w.sql('ROLLBACK');
  return after - before;
}

test.each(MEASURES)(
  '%s that are far below the limit of a rule are told without a look at any order',
  async (measure) => {
    expect(await looks(measure, 60_000)).toBe(0);
    expect(await seen(measure, 60_000)).toBeLessThanOrEqual(60_000);
    expect(await looks(measure, 0)).toBeGreaterThan(0);
  },
);
