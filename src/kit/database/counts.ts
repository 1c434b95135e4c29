// The table in which the processes of a zone tell each other what they have counted (http/counts.ts).
import type pg from 'pg';
import type { Database } from '../database.ts';
import type { CountStore } from '../http/counts.ts';

/** A process that has not reported for this time is gone. */
const SILENT = '6 seconds';

/** How many processes of a zone answer callers now; for who looks from outside. */
export async function countProcesses(client: pg.Client, schema: 'payment' | 'vault'): Promise<number> {
  const { rows } = await client.query<{ living: number }>(
    `SELECT count(*)::int AS living
     FROM ${schema}.processes
     WHERE beat_at > clock_timestamp() - interval '${SILENT}'`,
  );
  return rows[0]?.living ?? 0;
}

/** `db`: commits that do not wait for the disk; the tables are as the zone's schema has them. */
export function countStore(db: Database, schema: 'payment' | 'vault'): CountStore {
  return {
    exchange: async (process, counted) => {
      const rows = await db.run<{ name: string; elsewhere: number }>(
        `${schema}_exchange_counts`,
        `-- any account: who is counted has shown no key yet
         WITH counting AS (
           INSERT INTO ${schema}.counts (name, process, counted, until)
           SELECT c.name, :process, c.counted, clock_timestamp() + c.left_ms * interval '1 ms'
           FROM unnest(:names::bytea[], :counts::int[], :lefts::int[]) AS c (name, counted, left_ms)
           ON CONFLICT (name, process) DO UPDATE
             SET
               counted = EXCLUDED.counted,
               until = EXCLUDED.until
         ),
         ended AS (
           SELECT o.ctid AS place
           FROM ${schema}.counts o
           WHERE o.until < now() - interval '1 minute'
           ORDER BY o.until
           LIMIT 1000
           FOR UPDATE SKIP LOCKED
         ),
         forgetting AS (
           DELETE FROM ${schema}.counts g
           USING ended
           WHERE g.ctid = ended.place
         )
         SELECT
           o.name,
           sum(o.counted)::int AS elsewhere
         FROM ${schema}.counts o
         WHERE o.name = ANY (:names::bytea[])
           AND o.process <> :process
           AND o.until > now()
         GROUP BY o.name`,
        {
          process: `\\x${process}`,
          names: counted.map(({ name }) => `\\x${name}`),
          counts: counted.map(({ count }) => count),
          lefts: counted.map(({ left_ms }) => Math.ceil(left_ms)),
        },
      );
      return new Map(rows.map(({ name, elsewhere }) => [name, elsewhere]));
    },
    beat: async (process) => {
      const [row] = await db.run<{ living: number }>(
        `${schema}_beat`,
        `-- any account: a process works for all of them
         WITH beating AS (
           INSERT INTO ${schema}.processes (id, beat_at)
           VALUES (:process, clock_timestamp())
           ON CONFLICT (id) DO UPDATE SET beat_at = EXCLUDED.beat_at
         ),
         forgetting AS (
           DELETE FROM ${schema}.processes
           WHERE beat_at < clock_timestamp() - interval '1 minute'
         )
         SELECT 1 + count(*)::int AS living
         FROM ${schema}.processes p
         WHERE p.id <> :process
           AND p.beat_at > clock_timestamp() - interval '${SILENT}'`,
        { process: `\\x${process}` },
      );
      return row?.living ?? 1;
    },
    leave: async (process) => {
      await db.run(
        `${schema}_leave`,
        `-- any account: a process works for all of them
         DELETE FROM ${schema}.processes WHERE id = :process`,
        { process: `\\x${process}` },
      );
    },
  };
}
