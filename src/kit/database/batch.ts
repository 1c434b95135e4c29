// Group commit: statements that arrive while a batch is on its way wait for it and then go together, in one round trip and
// one commit. A statement that is alone does not wait. The gain is the price of a commit and of a round trip, which cost more
// than a row (decision 11).
import pg from 'pg';
import { histogram } from '../metrics/registry.ts';
import type { Prepared, Row } from './statement.ts';

type Waiting = { readonly statement: Prepared; readonly settle: PromiseWithResolvers<Row[]> };
type Send = (all: readonly Prepared[]) => Promise<Row[][]>;

const sizes = histogram(
  'florin_database_commit_statements',
  'Statements that shared a commit',
  [1, 2, 4, 8, 16, 32, 64],
);

/** Batches under way at once: while one waits for the disk, the next is filled and sent. */
const LANES = 2;
const MOST = 64;

/** So often it is asked whether those that wait for a lane may wait on. */
const LOOK_MS = 250;

export type Batcher = {
  /** Runs a statement with its neighbours. */
  run(statement: Prepared): Promise<Row[]>;
  /** How many wait for a lane. */
  waiting(): number;
};

export type BatcherOptions = {
  /** When the first of a batch goes; absent: at once. */
  begin?(lane: () => void): void;
  /** Throws where nothing more is to wait: what has not been sent is then refused. */
  requireRoom?(waiting: number): void;
};

/**
 * Gives what runs a statement in a batch of its neighbours. What the database refuses takes the whole batch
 * back, so each of it is then run alone: one refused statement does not fail the others. Any other error fails all of them: as with
 * a statement alone, nothing is known of what it did.
 */
export function batcher(send: Send, { begin = atOnce, requireRoom = alwaysRoom }: BatcherOptions = {}): Batcher {
  const queue: Waiting[] = [];
  let lanes = 0;
  let watching = false;

  async function runLane(): Promise<void> {
    for (let batch = queue.splice(0, MOST); batch.length > 0; batch = queue.splice(0, MOST))
      await sendBatch(send, batch);
    lanes--;
  }

  function watch(): void {
    if (watching) return;
    watching = true;
    setTimeout(() => {
      watching = false;
      if (queue.length === 0) return;
      try {
        requireRoom(0);
        watch();
      } catch (error) {
        for (const { settle } of queue.splice(0)) settle.reject(error);
      }
    }, LOOK_MS).unref();
  }

  return {
    waiting: () => queue.length,
    run: async (statement) => {
      requireRoom(queue.length);
      const settle = Promise.withResolvers<Row[]>();
      queue.push({ statement, settle });
      if (lanes < LANES) {
        lanes++;
        begin(() => void runLane());
      } else watch();
      return settle.promise;
    },
  };
}

const atOnce = (lane: () => void) => lane();
const alwaysRoom = () => undefined;

async function sendBatch(send: Send, batch: readonly Waiting[]): Promise<void> {
  sizes.observe({}, batch.length);
  try {
    const rows = await send(batch.map(({ statement }) => statement));
    batch.forEach(({ settle }, i) => settle.resolve(rows[i] ?? []));
  } catch (error) {
    const refused = error instanceof pg.DatabaseError;
    if (batch.length === 1 || !refused) for (const { settle } of batch) settle.reject(error);
    else await Promise.all(batch.map((one) => sendBatch(send, [one])));
  }
}
