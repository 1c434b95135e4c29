// Dear work that strangers may ask for: a few at a time, so that however many ask, the rest of the process goes on.
import { Refusal } from '../../core/refusals.ts';

/** Runs what it is given, `most` at once, in the order in which they came. Whoever would be behind `waiting` others is refused. */
export function fewAtOnce(most: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running >= most) {
      if (queue.length >= waiting)
        throw new Refusal('unavailable', {
          detail: 'too many are signing in at once: repeat after 5 s',
          headers: { 'retry-after': '5' },
        });
      // who ends hands on its place
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
