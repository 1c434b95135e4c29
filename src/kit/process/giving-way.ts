// Long work in a process that has payments to make: it is done in slices, and what waits goes first.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** A turn that takes more of the processor has done something for others. */
const BUSY_US = 1000;
/** While others work, a tenth of the time is enough. */
const REST = 9;

/** `give` is called after each slice of some milliseconds; in a process that does nothing else it never rests. */
export function givingWay(clock: Pick<Clock, 'sleep'>): { give(): Promise<void> } {
  let before = spentUs();
  return {
    give: async () => {
      const ended = spentUs();
      await nextTurn();
      // by processor time: a process that another one has kept from running has not worked itself
      if (spentUs() - ended > BUSY_US) await clock.sleep(((ended - before) * REST) / 1000);
      before = spentUs();
    },
  };
}

function spentUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
