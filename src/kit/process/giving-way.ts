// Long work beside payments: it is done in slices, and what waits goes first.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** A turn that takes more of the processor has done something for others. */
const BUSY_US = 1000;
/** While others work, a tenth of the time is enough. */
const REST = 9;

/**
 * `give` is called after each slice of some milliseconds. It rests if this process had something else to do, or if the
 * slice waited for a processor longer than it had one: then others want it. Where nobody does it never rests.
 */
export function givingWay(clock: Pick<Clock, 'sleep' | 'ticks'>): { give(): Promise<void> } {
  let [before, began] = [spentUs(), clock.ticks()];
  return {
    give: async () => {
      const ended = spentUs();
      const worked_ms = (ended - before) / 1000;
      const waited = clock.ticks() - began > 2 * worked_ms + 1;
      await nextTurn();
      // by processor time: a process that another one has kept from running has not worked itself
      if (waited || spentUs() - ended > BUSY_US) await clock.sleep(worked_ms * REST);
      [before, began] = [spentUs(), clock.ticks()];
    },
  };
}

function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
