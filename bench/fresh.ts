// npm run bench:fresh -- [--windows N] [--seconds N]: the first seconds of a new database, when PostgreSQL knows
// nothing of the tables yet. Payments are made without a pause, and each window says how many there were, how many
// pages PostgreSQL read for one, and how many tables were read from end to end. Pages a payment are the figure to
// compare: a busy machine does not change them.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { openAdmin } from './database.ts';
import { type Florin, startFlorin } from './florin.ts';
import type { Played } from './load.ts';
import { Helper } from './rounds.ts';

const { values: asked } = parseArgs({
  options: { windows: { type: 'string', default: '8' }, seconds: { type: 'string', default: '4' } },
});

/** A scan of a small table is the quickest way to read it. */
const GROWN = 1000;

type Counted = { readonly pages: number; readonly scanned: number };

/** What all connections read since the database was made. */
async function count(admin: pg.Client): Promise<Counted> {
  const { rows } = await admin.query<{ pages: string; scanned: string }>(
    `SELECT
       d.blks_hit + d.blks_read AS pages,
       (
         SELECT coalesce(sum(seq_tup_read), 0)
         FROM pg_stat_user_tables
         WHERE n_live_tup > $1
       ) AS scanned
     FROM pg_stat_database d
     WHERE d.datname = current_database()`,
    [GROWN],
  );
  return { pages: Number(rows[0]?.pages), scanned: Number(rows[0]?.scanned) };
}

async function play(florin: Florin, admin: pg.Client): Promise<void> {
  const load = new Helper('load.ts');
  let before = await count(admin);
  for (let n = 0; n < Number(asked.windows); n++) {
    const { api_url, vault_url, private_key, public_key } = florin;
    const target = { api_url, vault_url, private_key, public_key };
    const played = await load.tell<Played>({ kind: 'flow', target, connections: 64, seconds: Number(asked.seconds) });
    const now = await count(admin);
    const pages = ((now.pages - before.pages) / played.count).toFixed(0);
    const scanned = ((now.scanned - before.scanned) / played.count).toFixed(0);
    console.log(
      `window ${n + 1}: ${played.per_second.toFixed(0)} payments/s, ${pages} pages and ${scanned} rows of whole tables a payment, ${played.errors} errors`,
    );
    before = now;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'florin-fresh-'));
// PostgreSQL may run as another account, which must be able to walk through
chmodSync(folder, 0o711);
try {
  const data_dir = join(folder, 'data');
  const florin = await startFlorin({ data_dir });
  try {
    const admin = await openAdmin(data_dir);
    await play(florin, admin);
    await admin.end();
  } finally {
    await florin.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
