// npm run bench:fresh -- [--windows N] [--seconds N]: the first seconds of a new database, when PostgreSQL knows
// nothing of the tables yet, and of a new process, when Node is still compiling it. Payments are made without a pause,
// and each window says how many there were, what one took of the processors, how many pages PostgreSQL read for it, and
// how many tables were read from end to end. Pages a payment are the figure to compare: a busy machine does not change
// them. With more than two minutes of windows it ends with the ratio of the first two minutes to what follows.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { openAdmin } from './database.ts';
import { type Florin, startFlorin } from './florin.ts';
import type { Played } from './load.ts';
import { cpuOf } from './machine.ts';
import { mean } from './pace.ts';
import { Helper } from './rounds.ts';

const { values: asked } = parseArgs({
  options: { windows: { type: 'string', default: '8' }, seconds: { type: 'string', default: '4' } },
});

const FIRST_S = 120;

/** A scan of a small table is the quickest way to read it. */
const GROWN = 1000;

type Counted = {
  readonly pages: number;
  readonly scanned: number;
  readonly node_us: number;
  readonly postgres_us: number;
};

/** What all connections read since the database was made, and the processor time so far. */
async function count(florin: Florin, admin: pg.Client): Promise<Counted> {
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
  const cpu = cpuOf(florin.pid, undefined);
  return {
    pages: Number(rows[0]?.pages),
    scanned: Number(rows[0]?.scanned),
    node_us: cpu?.service ?? NaN,
    postgres_us: cpu?.postgres ?? NaN,
  };
}

async function play(florin: Florin, admin: pg.Client): Promise<void> {
  const load = new Helper('load.ts');
  const paces: number[] = [];
  let before = await count(florin, admin);
  for (let n = 0; n < Number(asked.windows); n++) {
    const { api_url, vault_url, private_key, public_key } = florin;
    const target = { api_url, vault_url, private_key, public_key };
    const played = await load.tell<Played>({ kind: 'flow', target, connections: 64, seconds: Number(asked.seconds) });
    const now = await count(florin, admin);
    const each = (what: keyof Counted) => ((now[what] - before[what]) / played.count).toFixed(0);
    console.log(
      `window ${n + 1}: ${played.per_second.toFixed(0)} payments/s; each ${each('node_us')} µs of Node and ${each('postgres_us')} of PostgreSQL, ${each('pages')} pages and ${each('scanned')} rows of whole tables; ${played.errors} errors`,
    );
    paces.push(played.per_second);
    before = now;
  }
  const first = Math.ceil(FIRST_S / Number(asked.seconds));
  if (paces.length > first)
    console.log(
      `first two minutes ÷ later ones: ${(mean(paces.slice(0, first)) / mean(paces.slice(first))).toFixed(2)}`,
    );
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
