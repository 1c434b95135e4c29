// Time and chance, so that tests of retries neither sleep nor guess.

export type Clock = {
  /** Milliseconds that only grow. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Runs later; what it answers calls it off. */
  after(milliseconds: number, run: () => void): () => void;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  random: () => Math.random(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Waits, or ends at once when the signal does: the caller looks at it. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = () => {
      stop();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const stop = clock.after(milliseconds, done);
    signal?.addEventListener('abort', done);
  });
}
