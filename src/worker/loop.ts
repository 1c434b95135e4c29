// The worker: looks for what is due, again and again, and calls the verb. Every process may run one; they do not harm
// each other.
import type { Log } from '../kit/log.ts';
import { tellerOf } from '../kit/teller.ts';
import { sawJob } from '../payment/metrics/metrics.ts';
import type { Tools } from '../payment/tools.ts';
import { type Job } from './jobs.ts';

const TROUBLED_MS = 2000;
/** So long after the last word about any account, nothing is found but what other processes left. */
const QUIET_AFTER_MS = 5000;
const QUIET_MS = 1000;
/** A job that takes its time at its first turn holds up those behind it no longer. */
const FIRST_TURN_MS = 50;
/** The first jobs are woken when there is work at once. */
const HASTY = 3;

export type Worker = { stop(): Promise<void>; wake(): void };

type Work = {
  readonly jobs: readonly Job[];
  readonly log: Log;
  /** Another process does the work for a while. */
  paused(): boolean;
  /** Requests are answered by other processes: what they leave is looked for as often when it is quiet here. */
  readonly apart?: boolean;
};

/** The tools that the loop itself needs. */
export type Pacing = {
  readonly clock: Pick<Tools['clock'], 'ticks' | 'timer'>;
  readonly db: Pick<Tools['db'], 'stirred'>;
};

export function startWorker(tools: Pacing, { jobs, log, paused, apart = false }: Work): Worker {
  const { ticks } = tools.clock;
  let stirred_at = ticks();
  const quiet = () => !apart && ticks() - stirred_at > QUIET_AFTER_MS;
  const hurried: Worker[] = [];
  // one after the other: together they would open a connection each, when the machine has most to do
  let before = Promise.resolve();
  const running = jobs.map((job) => {
    const run = async () => (paused() ? false : job.run());
    const pauseAfter = () => untilNext(quiet, job.every_ms, ticks());
    const loop = startJob(tools, log, { ...job, run, pauseAfter, before });
    before = loop.had_turn;
    job.begun?.(() => loop.wake());
    if (job.every_ms < QUIET_MS) hurried.push(loop);
    return loop;
  });
  tools.db.stirred(() => {
    const was_quiet = quiet();
    stirred_at = ticks();
    if (was_quiet) for (const job of hurried) job.wake();
  });
  return {
    wake: () => running.slice(0, HASTY).forEach((job) => job.wake()),
    stop: async () => {
      tools.db.stirred(() => undefined);
      await Promise.all(running.map((job) => job.stop()));
      await Promise.all(jobs.map(async (job) => job.stop?.()));
    },
  };
}

/** Jobs look at common moments: so their looks share a round trip. */
function untilNext(quiet: () => boolean, every_ms: number, now: number): number {
  const every = quiet() ? Math.max(every_ms, QUIET_MS) : every_ms;
  return every - (now % every);
}

type Paced = Job & { pauseAfter(): number; readonly before: Promise<void> };

/** `had_turn`: the next job may begin. */
function startJob(tools: Pacing, log: Log, job: Paced): Worker & { readonly had_turn: Promise<void> } {
  let stopped = false;
  let pause: { end(): void } | undefined;
  const { well, troubled } = tellerOf(
    { clock: tools.clock, log },
    {
      about: { job: job.name },
      trouble: 'the worker could not do its work',
      over: 'the worker does its work again',
    },
  );
  const first = job.before.then(() => tools.clock.timer(FIRST_TURN_MS));
  const loop = async () => {
    const turn = await first;
    while (!stopped) {
      const from = tools.clock.ticks();
      const pause_ms = await job.run().then(
        (more) => {
          sawJob(job.name, 'done', tools.clock.ticks() - from);
          well();
          return more ? 0 : job.pauseAfter();
        },
        (error: unknown) => {
          sawJob(job.name, 'failed', tools.clock.ticks() - from);
          troubled(error);
          return Math.max(TROUBLED_MS, job.every_ms);
        },
      );
      turn.end();
      if (stopped) return;
      const timer = tools.clock.timer(pause_ms);
      pause = timer;
      await timer.done;
    }
    turn.end();
  };
  const running = loop();
  return {
    had_turn: first.then(({ done }) => done),
    wake: () => pause?.end(),
    stop: async () => {
      stopped = true;
      pause?.end();
      await running;
    },
  };
}
