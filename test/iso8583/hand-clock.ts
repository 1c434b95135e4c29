// A clock that is moved by hand, for lines on real sockets: its timers end when it is moved past them, in their order.
import type { LineClock } from '../../src/provider/send/iso8583/outside.ts';

type Timer = { readonly at: number; end(): void };

export type HandClock = LineClock & {
  advance(ms: number): Promise<void>;
  /** Time that passes while the process stands still: its timers end later. */
  standStill(ms: number): void;
  timers(): number;
  next(): number;
};

export function handClock(from = Date.UTC(2026, 10, 23, 16, 52, 0)): HandClock {
  let passed = 0;
  const timers = new Set<Timer>();
  return {
    now: () => new Date(from + passed),
    ticks: () => passed,
    timers: () => timers.size,
    /** Milliseconds until the next timer ends. */
    next: () => Math.min(...[...timers].map(({ at }) => at)) - passed,
    timer: (ms) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = {
        at: passed + ms,
        end: () => {
          timers.delete(timer);
          resolve();
        },
      };
      timers.add(timer);
      return { done: promise, end: timer.end };
    },
    standStill: (ms) => {
      passed += ms;
    },
    advance: async (ms) => {
      const to = passed + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= to).toSorted((a, b) => a.at - b.at);
        passed = next?.at ?? to;
        if (!next) return;
        next.end();
        await turn();
      }
    },
  };
}

/** Lets everything run that is ready. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Asks again and again; what never comes is an error after some seconds. */
export async function until(what: string, check: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!check()) {
    if (performance.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
