// Every answer that the driver was given, in its own file, on the disk before the driver goes on: what was acknowledged
// must be there in the end. The comparison reads the file, not the driver's memory.
import { closeSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

export type Ack = {
  readonly did: 'order' | 'capture' | 'refund' | 'cancel';
  readonly key: string;
  readonly status: number;
  /** result.code. */
  readonly code: string;
  readonly order_id: string;
  /** capture_id or refund_id, where the answer has one. */
  readonly id: string;
  /** Minor units asked for; of a cancel 0. */
  readonly minor: string;
  readonly currency: string;
  /** Milliseconds since the run began. */
  readonly at: number;
};

export type Acks = {
  /** Done when the line is on the disk. */
  keep(ack: Ack): Promise<void>;
  readonly count: number;
  read(): readonly Ack[];
  close(): void;
};

const sync = promisify(fdatasync);

export function openAcks(file: string): Acks {
  const descriptor = openSync(file, 'a');
  let count = 0;
  // those that come while one sync is under way share the next
  let under_way: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const flush = (): Promise<void> => {
    if (under_way === undefined) {
      under_way = sync(descriptor).finally(() => (under_way = undefined));
      return under_way;
    }
    next ??= under_way.then(() => {
      next = undefined;
      return flush();
    });
    return next;
  };
  return {
    keep: async (ack) => {
      writeSync(descriptor, `${JSON.stringify(ack)}\n`);
      count++;
      await flush();
    },
    get count() {
      return count;
    },
    read: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line): Ack => JSON.parse(line)),
    close: () => closeSync(descriptor),
  };
}
