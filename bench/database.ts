// What PostgreSQL counts: WAL with and without full-page images, commits, and scans of whole tables.
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Ask, planNodes, roleOf, scannedTables } from './plans.ts';
import { socketOf } from './florin.ts';

const DATABASE = 'florin';

/** The superuser's connection. It counts itself, a few statements a round. */
export async function openAdmin(data_dir: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: socketOf(data_dir),
    user: 'florin',
    database: DATABASE,
    application_name: 'florin bench',
  });
  // when the server goes, the next statement says so
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  return client;
}

/** The account of a private key; a sandbox has more than one. */
export async function accountOf(admin: pg.Client, private_key: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS id
     FROM payment.api_keys
     WHERE digest = sha256(convert_to($1, 'UTF8'))`,
    [private_key],
  );
  const [first] = rows;
  if (!first) throw new Error('no account has this key');
  return first.id;
}

export async function walPosition(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query<{ at: string }>('SELECT pg_current_wal_insert_lsn() AS at');
  return rows[0]?.at ?? '0/0';
}

export type Wal = {
  readonly bytes: number;
  /** Pages written whole because they were touched for the first time since a checkpoint. */
  readonly page_image_bytes: number;
  readonly commits: number;
  /** Bytes by kind of record, page images left out, largest first. */
  readonly records: readonly { readonly kind: string; readonly count: number; readonly bytes: number }[];
  /** Bytes by table with its indexes, page images left out, largest first. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[];
};

/**
 * What was written since a position, read from the WAL itself: exact, and there at once (pg_stat_wal lags a second).
 */
export async function walSince(admin: pg.Client, from: string): Promise<Wal> {
  // a record that is not on disk yet cannot be read
  await admin.query('SELECT pg_logical_emit_message(true, $1, $1)', ['bench']);
  const { rows: ends } = await admin.query<{ at: string; bytes: string }>(
    'SELECT pg_current_wal_flush_lsn() AS at, pg_current_wal_flush_lsn() - $1::pg_lsn AS bytes',
    [from],
  );
  const { rows } = await admin.query<{ kind: string; count: string; bytes: string; images: string }>(
    `SELECT "resource_manager/record_type" AS kind, count, record_size AS bytes, fpi_size AS images
     FROM pg_get_wal_stats($1, $2, true)
     WHERE count > 0
     ORDER BY record_size DESC`,
    [from, ends[0]?.at],
  );
  return {
    bytes: Number(ends[0]?.bytes),
    page_image_bytes: rows.reduce((sum, row) => sum + Number(row.images), 0),
    commits: Number(rows.find((row) => row.kind === 'Transaction/COMMIT')?.count ?? 0),
    records: rows.map(({ kind, count, bytes }) => ({ kind, count: Number(count), bytes: Number(bytes) })),
    tables: await walByTable(admin, from, ends[0]?.at ?? from),
  };
}

/** A record that changes several pages is counted for the first of them. */
async function walByTable(admin: pg.Client, from: string, to: string): Promise<Wal['tables']> {
  const { rows } = await admin.query<{ name: string; bytes: string }>(
    `SELECT
       coalesce(of_table.oid, relation.oid)::regclass::text AS name,
       sum(block.record_length - block.block_fpi_length) AS bytes
     FROM pg_get_wal_block_info($1, $2, false) AS block
     JOIN pg_class AS relation ON relation.relfilenode = block.relfilenode
     LEFT JOIN pg_index ON pg_index.indexrelid = relation.oid
     LEFT JOIN pg_class AS of_table ON of_table.oid = pg_index.indrelid
     WHERE block.block_id = 0
     GROUP BY 1
     ORDER BY bytes DESC`,
    [from, to],
  );
  return rows.map(({ name, bytes }) => ({ name, bytes: Number(bytes) }));
}

const FOLLOWED_WITHIN_MS = 10_000;

/** The worker has followed all orders of until now for the search: what a line of orders costs is complete. */
export async function followed(admin: pg.Client): Promise<void> {
  const { rows: now } = await admin.query<{ tx: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS tx');
  const until = performance.now() + FOLLOWED_WITHIN_MS;
  for (;;) {
    const { rows } = await admin.query<{ done: boolean }>(
      'SELECT next_tx >= $1::bigint AS done FROM payment.order_search_state',
      [now[0]?.tx],
    );
    if (rows[0]?.done === true) return;
    if (performance.now() > until) throw new Error('the search has not followed the orders');
    await wait(20);
  }
}

/** All pages must be written whole once after this. */
export async function checkpoint(admin: pg.Client): Promise<void> {
  await admin.query('CHECKPOINT');
}

/** How often a table was read from end to end, and how many rows that gave. */
type Reads = { readonly scans: number; readonly rows_read: number; readonly rows: number };
export type Scans = ReadonlyMap<string, Reads>;
export type Scan = { readonly table: string; readonly by: string; readonly rows: number };

/** Smaller tables are read whole, and that is right. */
const GROWN = 1000;
/** VACUUM reads pieces of a table for a BRIN index, and that counts as a scan. */
const MOST_OF_IT = 0.6;

export async function scansOf(admin: pg.Client): Promise<Scans> {
  const { rows } = await admin.query<{ name: string; scans: string; rows_read: string; rows: string }>(
    `SELECT
       schemaname || '.' || relname AS name, coalesce(seq_scan, 0) AS scans,
       coalesce(seq_tup_read, 0) AS rows_read, n_live_tup AS rows
     FROM pg_stat_user_tables
     WHERE schemaname IN ('payment', 'vault')`,
  );
  return new Map(
    rows.map(({ name, ...row }) => [
      name,
      { scans: Number(row.scans), rows_read: Number(row.rows_read), rows: Number(row.rows) },
    ]),
  );
}

/** Grown tables that were read from end to end since, by whatever it was. */
export async function scannedSince(admin: pg.Client, before: Scans): Promise<readonly Scan[]> {
  return [...(await scansOf(admin))].flatMap(([table, { scans, rows_read, rows }]) => {
    const times = scans - (before.get(table)?.scans ?? 0);
    const each = (rows_read - (before.get(table)?.rows_read ?? 0)) / times;
    return rows > GROWN && times > 0 && each > rows * MOST_OF_IT
      ? [{ table, by: `something, ${times} times`, rows }]
      : [];
  });
}

/**
 * Grown tables that a statement would read from end to end as the role that runs it, by the plan it has after a few
 * runs.
 */
export async function plannedScans(
  admin: pg.Client,
  texts: Readonly<Record<string, { readonly text: string }>>,
): Promise<readonly Scan[]> {
  const tables = await scansOf(admin);
  const ask: Ask = async <R extends pg.QueryResultRow>(text: string) => (await admin.query<R>(text)).rows;
  const found: Scan[] = [];
  for (const [name, { text }] of Object.entries(texts)) {
    // the merchant account of a batch is set by a statement that reads no table
    if (!/\b(?:payment|vault)\./.test(text)) continue;
    const nodes = await planNodes(ask, { text, role: roleOf(text) });
    for (const table of scannedTables(nodes)) {
      const rows = tables.get(table)?.rows ?? 0;
      if (rows > GROWN) found.push({ table, by: name, rows });
    }
  }
  return found;
}
