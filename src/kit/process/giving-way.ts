// Long work beside payments: it is done in slices, and what waits goes first. How much others want the processor is
// told from what is seen here: how long a slice waited for one, and how much longer than its best a read took.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** A turn that takes more of the processor has done something for others. */
const BUSY_US = 1000;
/** While others work, a tenth of the time is enough. */
const REST = 9;
/** Slices over which pressure is told, and for how long it is remembered: some tens of milliseconds of work. */
const SLICES = 10;
/** With this share of a slice waited for a processor, others want all they can get. */
const CROWDED = 0.3;
/** Below this part of it nothing is done: where nobody else works, a slice still waits for some hundredths of it. */
const QUIET = 0.25;
/** A read that takes so many times its best, and this many milliseconds, has waited for the database's processor. */
const SLOWER = 2;
const SLACK_MS = 2;

export type GivingWay = {
  /** Before the first slice, and after anything else that was waited for. */
  begin(): void;
  /** After each slice of some milliseconds: rests by how much others want the processor; never where none does. */
  give(): Promise<void>;
  /** Watches a read of this work: what the database does for it is rested for as well. */
  reading<T>(read: Promise<readonly T[]>): Promise<readonly T[]>;
};

type Process = {
  /** It does nothing but this work, so what is done in another turn is this work's own. */
  readonly alone?: boolean;
  /** Processor time of this thread. */
  readonly spentUs?: () => number;
};

export function givingWay(
  clock: Pick<Clock, 'sleep' | 'ticks'>,
  { alone = false, spentUs = ofThisThread }: Process = {},
): GivingWay {
  let [before, began] = [0, 0];
  const begin = () => {
    [before, began] = [spentUs(), clock.ticks()];
  };
  begin();
  let pressure = 0;
  /** The best that a row was read in, and what reads did since the last rest, had they been as quick. */
  let best_ms = Number.POSITIVE_INFINITY;
  let [read_ms, read_late_ms] = [0, 0];
  return {
    begin,
    give: async () => {
      const ended = spentUs();
      const worked_ms = (ended - before) / 1000;
      const waited_ms = Math.max(0, clock.ticks() - began - worked_ms) + read_late_ms;
      await nextTurn();
      // by processor time: a process that another one has kept from running has not worked itself
      const others = !alone && spentUs() - ended > BUSY_US;
      const seen = Math.min(1, waited_ms / (waited_ms + worked_ms + 1) / CROWDED);
      pressure = others || waited_ms > worked_ms + 1 ? 1 : pressure + (seen - pressure) / SLICES;
      const rest_ms = ((worked_ms + read_ms) * REST * Math.max(0, pressure - QUIET)) / (1 - QUIET);
      [read_ms, read_late_ms] = [0, 0];
      if (rest_ms > 0) await clock.sleep(rest_ms);
      begin();
    },
    reading: async (read) => {
      const asked = clock.ticks();
      const rows = await read;
      const took_ms = clock.ticks() - asked;
      best_ms = Math.min(best_ms, took_ms / Math.max(1, rows.length));
      const usual_ms = best_ms * rows.length;
      read_ms += usual_ms;
      read_late_ms += Math.max(0, took_ms - SLOWER * usual_ms - SLACK_MS);
      return rows;
    },
  };
}

function ofThisThread(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
