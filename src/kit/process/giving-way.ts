// Long work beside payments: it is done in slices, and what waits goes first. How much others want the processor is
// told from how long a slice waited for one, and from how much longer than its best a read took.
import { openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** A turn that takes more of the processor has done something for others. */
const BUSY_US = 1000;
/** While others work, a tenth of the time is enough. */
const REST = 9;
/** The part of the sums of work and waiting that stays after each slice: the sums reach back over about ten slices. */
const LEFT = 0.9;
/** The work begins as if it had already worked this long alone, as on a machine where nobody else works. */
const BEGINS_MS = 20;
/** With this share of the time waited for a processor, others want all they can get. */
const CROWDED = 0.3;
/** Below this part of it nothing is done: where nobody else works, a slice still waits for some hundredths of it. */
const QUIET = 0.25;
/** A read that takes so many times its best, and this many milliseconds, has waited for the database's processor. */
const SLOWER = 2;
const SLACK_MS = 2;

export type GivingWay = {
  /** Call it before the first slice, and after any other wait. */
  begin(): void;
  /**
   * Call it after each slice of some milliseconds: it rests, the longer the more other work wants the processor; if
   * none does, it does not rest.
   */
  give(): Promise<void>;
  /** Watches a read of this work: what the database does for it is rested for as well. */
  reading<T>(read: Promise<readonly T[]>): Promise<readonly T[]>;
};

type Process = {
  /** The process does only this work, so work in another turn is this work, too. */
  readonly alone?: boolean;
  readonly thread?: Thread;
};

/** In microseconds since it began: processor time, and time in which it was ready to run and had no processor. */
type Thread = { readonly spent: () => number; readonly waited: () => number };

export function givingWay(
  clock: Pick<Clock, 'sleep' | 'ticks'>,
  { alone = false, thread = THIS_THREAD }: Process = {},
): GivingWay {
  let [spent_before, waited_before] = [0, 0];
  const begin = () => {
    [spent_before, waited_before] = [thread.spent(), thread.waited()];
  };
  begin();
  let [worked_lately_ms, waited_lately_ms] = [BEGINS_MS, 0];
  /** The best that a row was read in, and what reads did since the last rest, had they been as quick. */
  let best_ms = Number.POSITIVE_INFINITY;
  let [read_ms, read_late_ms] = [0, 0];
  return {
    begin,
    give: async () => {
      const ended = thread.spent();
      const worked_ms = (ended - spent_before) / 1000 + read_ms;
      const waited_ms = (thread.waited() - waited_before) / 1000 + read_late_ms;
      await nextTurn();
      // by processor time: a process that another one has kept from running has not worked itself
      const others = !alone && thread.spent() - ended > BUSY_US;
      worked_lately_ms = worked_lately_ms * LEFT + worked_ms;
      waited_lately_ms = waited_lately_ms * LEFT + waited_ms;
      const share = waited_lately_ms / (waited_lately_ms + worked_lately_ms + 1);
      const pressure = others ? 1 : Math.min(1, share / CROWDED);
      const rest_ms = (worked_ms * REST * Math.max(0, pressure - QUIET)) / (1 - QUIET);
      [read_ms, read_late_ms] = [0, 0];
      if (rest_ms > 0) await clock.sleep(rest_ms);
      begin();
    },
    reading: async (read) => {
      const [asked, spent] = [clock.ticks(), thread.spent()];
      const rows = await read;
      const took_ms = clock.ticks() - asked;
      const meanwhile_ms = (thread.spent() - spent) / 1000;
      best_ms = Math.min(best_ms, took_ms / Math.max(1, rows.length));
      const usual_ms = best_ms * rows.length;
      read_ms += usual_ms;
      // what this thread did itself while it was read kept its answer waiting, too
      read_late_ms += Math.max(0, took_ms - meanwhile_ms - SLOWER * usual_ms - SLACK_MS);
      return rows;
    },
  };
}

const SCHEDULED = '/proc/thread-self/schedstat';
const SAID = Buffer.alloc(100);
/** Kept open: to open it anew took most of the time of a look. */
let scheduled: number | undefined;

const THIS_THREAD: Thread = {
  spent: () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  },
  waited: () => {
    try {
      scheduled ??= openSync(SCHEDULED, 'r');
      const said = SAID.toString('latin1', 0, readSync(scheduled, SAID, 0, SAID.length, 0));
      return Number(said.split(' ')[1]) / 1000;
    } catch {
      // a system that does not tell: then reads alone say how crowded it is
      return 0;
    }
  },
};
