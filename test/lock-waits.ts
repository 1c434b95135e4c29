// Waits for locks in a test's own database, so that a test goes on once one has begun; other tests' do not count.
import type { World } from './world.ts';

type Asked = Pick<World, 'sql'>;

/** How many backends wait for a lock, those whose statement has `part` in it. */
export async function lockWaits(w: Asked, part = ''): Promise<number> {
  const waits = await w.sql(
    `SELECT 1 FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0`,
    [part],
  );
  return waits.length;
}

/**
 * How many wait for what the transaction of `w.sql` holds; asked within it, where PostgreSQL shows activity as it was
 * first seen.
 */
export async function waitsForOurs(w: Asked): Promise<number> {
  const waits = await w.sql(
    'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  );
  return waits.length;
}
