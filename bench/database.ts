// What PostgreSQL counts: WAL with and without full-page images, commits, and scans of whole tables.
import pg from 'pg';
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
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  return client;
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
};

/** What was written since a position, read from the WAL itself: exact, and there at once (pg_stat_wal lags a second). */
export async function walSince(admin: pg.Client, from: string): Promise<Wal> {
  // a record that is not on disk yet cannot be read
  await admin.query('SELECT pg_logical_emit_message(true, $1, $1)', ['bench']);
  const { rows: ends } = await admin.query<{ at: string; bytes: string }>(
    'SELECT pg_current_wal_flush_lsn() AS at, pg_current_wal_flush_lsn() - $1::pg_lsn AS bytes',
    [from],
  );
  const { rows } = await admin.query<{ kind: string; count: string; bytes: string; images: string }>(
    `SELECT "resource_manager/record_type" AS kind, count, record_size AS bytes, fpi_size AS images
     FROM pg_get_wal_stats($1, $2, true) WHERE count > 0 ORDER BY record_size DESC`,
    [from, ends[0]?.at],
  );
  return {
    bytes: Number(ends[0]?.bytes),
    page_image_bytes: rows.reduce((sum, row) => sum + Number(row.images), 0),
    commits: Number(rows.find((row) => row.kind === 'Transaction/COMMIT')?.count ?? 0),
    records: rows.map(({ kind, count, bytes }) => ({ kind, count: Number(count), bytes: Number(bytes) })),
  };
}

/** All pages must be written whole once after this. */
export async function checkpoint(admin: pg.Client): Promise<void> {
  await admin.query('CHECKPOINT');
}

export type Scans = ReadonlyMap<string, number>;
export type Scan = { readonly table: string; readonly scans: number; readonly rows: number };

/** Smaller tables are read whole, and that is right. */
const GROWN = 1000;

export async function scansOf(admin: pg.Client): Promise<Scans> {
  const { rows } = await admin.query<{ name: string; scans: string }>(
    `SELECT schemaname || '.' || relname AS name, coalesce(seq_scan, 0) AS scans FROM pg_stat_user_tables WHERE schemaname IN ('payment','vault')`,
  );
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
}

/** Grown tables that were read from end to end since. */
export async function scannedSince(admin: pg.Client, before: Scans): Promise<readonly Scan[]> {
  const { rows } = await admin.query<{ name: string; scans: string; rows: string }>(
    `SELECT schemaname || '.' || relname AS name, coalesce(seq_scan, 0) AS scans, n_live_tup AS rows FROM pg_stat_user_tables
     WHERE schemaname IN ('payment','vault') AND n_live_tup > $1`,
    [GROWN],
  );
  return rows
    .map((row) => ({
      table: row.name,
      scans: Number(row.scans) - (before.get(row.name) ?? 0),
      rows: Number(row.rows),
    }))
    .filter(({ scans }) => scans > 0);
}
