// What a connection tells about its server, and the histories (epochs) that are stored in its database.
import type pg from 'pg';

/** The facts that every new connection, and the probe, asks for. */
export type Seen = {
  /** Nothing can be written here, and of the rest nothing is known. */
  readonly is_standby: boolean;
  readonly timeline: number | null;
  readonly system: string;
  readonly now_ms: number;
  readonly synchronous_commit: string;
  /** Which standbys a commit waits for; empty: none. */
  readonly standby_names: string;
  readonly standbys: number;
  /** The youngest epoch; null: none was begun. */
  readonly number: number | null;
  readonly mark: string | null;
  readonly known_timeline: number | null;
  readonly known_system: string | null;
  /** The mark that was asked for is in this history. */
  readonly goes_on: boolean;
};

/** A server is asked no longer than this. */
const LOOK_MS = 1000;

export async function lookAt(client: pg.ClientBase, schema: string, mark: string | undefined): Promise<Seen> {
  const text = `
    SELECT
      pg_is_in_recovery() AS is_standby,
      CASE
        WHEN NOT pg_is_in_recovery()
          THEN ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int
      END AS timeline,
      (SELECT system_identifier::text FROM pg_control_system()) AS system,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms,
      current_setting('synchronous_commit') AS synchronous_commit,
      current_setting('synchronous_standby_names') AS standby_names,
      (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
      e.number,
      encode(e.mark, 'hex') AS mark,
      e.timeline::int AS known_timeline,
      e.system_identifier::text AS known_system,
      EXISTS (SELECT FROM ${schema}.epochs WHERE mark = decode($1, 'hex')) AS goes_on
    FROM (VALUES (true)) AS one (row)
    LEFT JOIN (
      SELECT number, mark, timeline, system_identifier
      FROM ${schema}.epochs
      ORDER BY number DESC
      LIMIT 1
    ) e ON true`;
  const { rows } = await client.query<Seen>(timed(text, [mark ?? '']));
  if (!rows[0]) throw new Error('one row is asked for');
  return rows[0];
}

/**
 * Writes down that a history goes on under a new mark; another process may have been quicker. Where commits wait for a
 * standby, this one does too: so a new primary has proved that it can commit on two machines before anything else is
 * taken.
 */
export async function beginEpoch(
  client: pg.ClientBase,
  schema: string,
  { mark, is_accepted = false }: { readonly mark: string; readonly is_accepted?: boolean },
): Promise<void> {
  const text = `
    INSERT INTO ${schema}.epochs (number, mark, timeline, system_identifier, is_accepted)
    SELECT
      coalesce(max(number), 0) + 1,
      decode($1, 'hex'),
      ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int,
      (SELECT system_identifier FROM pg_control_system()),
      ${is_accepted}
    FROM ${schema}.epochs
    ON CONFLICT DO NOTHING`;
  await client.query(timed(text, [mark]));
}

/**
 * Writes down that this history goes on although what was committed under the mark `lost` is not in it; then begins it
 * anew.
 */
export async function acceptLoss(
  client: pg.ClientBase,
  schema: string,
  { lost, mark }: { readonly lost: string | undefined; readonly mark: string },
): Promise<void> {
  await client.query('BEGIN');
  if (lost !== undefined) await beginEpoch(client, schema, { mark: lost, is_accepted: true });
  await beginEpoch(client, schema, { mark });
  await client.query('COMMIT');
}

/** The driver's types know no limit of one query; the driver does. */
function timed(text: string, values: readonly string[]): pg.QueryConfig & { readonly query_timeout: number } {
  return { text, values: [...values], query_timeout: LOOK_MS };
}
