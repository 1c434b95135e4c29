// Reads by connections of their own: they wait for no commit, and nothing can be written by them. Where too much waits
// they are refused first, so that what moves money goes on. Accounts take turns (decision 193).
import type { DatabaseOptions } from '../database.ts';
import { inTurns } from '../in-turns.ts';
import { refuse } from './backlog.ts';
import { type Batcher, batcher } from './batch.ts';
import { type Behind, withClient } from './behind.ts';
import { DatabaseUnavailable } from './errors.ts';
import { openPool } from './pool.ts';
import { type Prepared, type Row, sendStatement, sendStatements } from './statement.ts';

/** A read is asked again sooner than it is waited for: one by key for its answer, any other for its connection. */
const READ_MS = 2000;
/** Reads that may wait, and writes that may while there are reads. */
const MOST_READS = 256;
const MOST_WRITES = 512;

export type Reads = {
  run(statement: Prepared): Promise<Row[]>;
  readonly batch: Batcher['run'];
  close(): Promise<void>;
};

/** `writesWaiting`: how many writes wait for a connection. */
export function openReads(options: DatabaseOptions, writesWaiting: () => number): Reads {
  const name = `${options.name} reads`;
  const { pool, close } = openPool({ ...options, name, reads: true });
  const behind: Behind = { pool, door: options.door };
  const tooMany = () => refuse(name, 'too many reads wait');
  const requireRoom = (waiting: number) => {
    if (waiting >= MOST_READS || writesWaiting() >= MOST_WRITES) throw tooMany();
  };
  const inTurn = inTurns({
    most: options.max,
    share: MOST_READS,
    waiting: MOST_READS,
    patience_ms: READ_MS,
    refuse: tooMany,
  });
  const batched = batcher((all) => harmless(withClient(behind, (client) => sendStatements(client, all, READ_MS))), {
    requireRoom,
  });
  return {
    run: async (statement) => {
      requireRoom(0);
      const read = () => withClient(behind, (client) => sendStatement(client, statement));
      return harmless(inTurn(statement.tenant ?? '', read));
    },
    batch: batched.run,
    close,
  };
}

/** A read changes nothing, so it may be asked again if no answer came. */
async function harmless<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || !/Query read timeout|terminated|ECONNRESET/.test(error.message)) throw error;
    throw new DatabaseUnavailable('the database gave no answer in time', { cause: error });
  }
}
