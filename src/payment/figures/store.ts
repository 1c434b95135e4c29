// The statement behind the metrics of the money zone.
import type { Runner } from '../../kit/database.ts';

export type QueueFigure = {
  readonly queue: string;
  /** What tells entries of a queue apart: a provider; empty where nothing does. */
  readonly part: string;
  readonly state: string;
  readonly waiting: bigint;
  readonly oldest_s: number;
};

export async function findQueueFigures(db: Runner): Promise<readonly QueueFigure[]> {
  return db.run<QueueFigure>(
    'find_queue_figures',
    `-- any account: counts and ages that name nobody
     SELECT queue, part, state, waiting, oldest_s FROM payment.queue_figures()`,
  );
}
