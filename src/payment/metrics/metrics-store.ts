// The statement behind the metrics of the money zone, and the one that keeps PostgreSQL's own figures of its tables
// young.
import type { Runner } from '../../kit/database.ts';
import { LEAST_CHANGES } from '../../kit/database/statistics.ts';

export type QueueFigure = {
  readonly queue: string;
  /** What tells the entries of a queue apart: a provider, or a table; empty: nothing does. */
  readonly part: string;
  readonly state: string;
  readonly waiting: bigint;
  readonly oldest_s: number;
};

export async function findQueueFigures(db: Runner): Promise<readonly QueueFigure[]> {
  return db.run<QueueFigure>(
    'find_queue_figures',
    `-- any account: counts and ages without names
     SELECT queue, part, state, waiting, oldest_s FROM payment.queue_figures()`,
  );
}

/** Analyzes the table of the money zone that has grown most since it was last analyzed; false: none has doubled. */
export async function analyzePayment(db: Runner): Promise<boolean> {
  const rows = await db.run<{ analyzed: boolean }>(
    'analyze_payment',
    `-- any account: statistics are of whole tables
     SELECT payment.analyze_grown(:least_changes) AS analyzed`,
    { least_changes: LEAST_CHANGES },
  );
  return rows[0]?.analyzed === true;
}
