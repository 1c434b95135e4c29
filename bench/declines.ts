// npm run bench:declines: what the ledger of declines costs: bytes of the write-ahead log for a row, and processor time
// of PostgreSQL for the guard of a card that has none, and of one that has ten. It asserts nothing.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../src/kit/embedded.ts';
import { migrate } from '../src/kit/migrate.ts';
import { heldWhy } from '../src/payment/declines/parts-store.ts';
import { PAYMENT_ZONE } from '../src/payment/zone.ts';
import { checkpoint, walPosition, walSince } from './database.ts';
import { threadsUs } from './machine.ts';

const CARDS = 20_000;
const EACH = 10;
const ACCOUNT = `'\\x${'a'.repeat(24)}'::bytea`;

const folder = mkdtempSync(join(tmpdir(), 'florin-declines-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
const server = await startEmbedded({ data_dir: folder });
const admin = new pg.Client({ host: server.socket_dir, user: server.user, database: server.database });

const ROWS = `
  INSERT INTO payment.declines (
    merchant_account_id, card, at, transaction_id, acceptor, initiator, scheme, amount_minor,
    currency, open)
  SELECT
    ${ACCOUNT}, sha256(n::text::bytea), now() - make_interval(days => i, secs => n % 3600),
    substr(sha256((n || ' ' || i)::text::bytea), 1, 12), 'a', 'm', 'visa', 4250, 'EUR', false
  FROM generate_series(1, ${EACH}) i
  CROSS JOIN generate_series(1, ${CARDS}) n`;

/** The guard that a statement holds, asked for so many cards one after the other; `from` beyond CARDS: fresh ones. */
const GUARD = heldWhy({
  account: ACCOUNT,
  card: 'sha256(n::text::bytea)',
  acceptor: `'a'`,
  initiator: `'m'`,
  amount_minor: '4250',
  currency: `'EUR'`,
  expires: 'NULL',
  now: 'now()',
  limits: {
    rules: `'{reattempts}'`,
    windows: `'{2592000}'`,
    most: `'{18}'`,
    by_amount: `'{f}'`,
    by_initiator: `'{t}'`,
  },
});

async function costOf(text: string): Promise<number> {
  const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  await admin.query(text);
  const before = threadsUs(pid);
  await admin.query(text);
  return (threadsUs(pid) - before) / CARDS;
}

try {
  await admin.connect();
  await migrate(admin, PAYMENT_ZONE);
  await admin.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  await checkpoint(admin);
  const from = await walPosition(admin);
  await admin.query(ROWS);
  const { bytes, page_image_bytes } = await walSince(admin, from);
  console.log(`a row of declines: ${((bytes - page_image_bytes) / (CARDS * EACH)).toFixed(0)} bytes of WAL`);
  await admin.query('VACUUM (ANALYZE) payment.declines');
  const asked = (first: number) => `SELECT count((${GUARD})) FROM generate_series(${first}, ${first + CARDS - 1}) n`;
  const nothing = await costOf(`SELECT count(sha256(n::text::bytea)) FROM generate_series(1, ${CARDS}) n`);
  for (const [name, first] of [
    ['no row', CARDS + 1],
    [`${EACH} rows`, 1],
  ] as const)
    // prettier-ignore
    console.log(`the guard of a card with ${name}: ${((await costOf(asked(first))) - nothing).toFixed(1)} µs of PostgreSQL`);
} finally {
  await admin.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
