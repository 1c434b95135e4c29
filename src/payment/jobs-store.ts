// Statements on jobs that one process does for all.
import type { Runner } from '../kit/database.ts';

/**
 * Takes a round of a job. False: another process took one less than so long ago. One that dies in its round is followed
 * by the next one; a round that is ahead of the clock, which was set back since, holds nobody.
 */
export async function takeRound(db: Runner, name: string, every_s: number): Promise<boolean> {
  const rows = await db.run(
    'take_round',
    `-- any account: the jobs of the deployment
     INSERT INTO payment.jobs (name, at)
     VALUES (:name, payment.now())
     ON CONFLICT (name) DO UPDATE SET at = excluded.at
     WHERE jobs.at <= excluded.at - make_interval(secs => :every_s)
       OR jobs.at > excluded.at
     RETURNING 1`,
    { name, every_s },
  );
  return rows.length > 0;
}
