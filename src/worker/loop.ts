// The worker: looks for what is due, again and again, and calls the verb. Every process may run one; they do not harm each other.
import type { Log } from '../kit/log.ts';
import { sawJob } from '../payment/metrics/metrics.ts';
import type { Tools } from '../payment/tools.ts';
import { type Job } from './jobs.ts';

const TROUBLED_MS = 2000;
/** The first jobs are woken when there is work at once. */
const HASTY = 3;

export type Worker = { stop(): Promise<void>; wake(): void };

type Work = {
  readonly jobs: readonly Job[];
  readonly log: Log;
  /** Somebody else does the work for a while. */
  paused(): boolean;
};

export function startWorker(tools: Tools, { jobs, log, paused }: Work): Worker {
  const running = jobs.map((job) => {
    const run = async () => (paused() ? false : job.run());
    const loop = startJob(tools, log, { ...job, run });
    job.begun?.(() => loop.wake());
    return loop;
  });
  return {
    wake: () => running.slice(0, HASTY).forEach((job) => job.wake()),
    stop: async () => {
      await Promise.all(running.map((job) => job.stop()));
      await Promise.all(jobs.map(async (job) => job.stop?.()));
    },
  };
}

function startJob(tools: Tools, log: Log, job: Job): Worker {
  let stopped = false;
  let pause: { end(): void } | undefined;
  const loop = async () => {
    while (!stopped) {
      const from = tools.clock.ticks();
      const pause_ms = await job.run().then(
        (more) => {
          sawJob(job.name, 'done', tools.clock.ticks() - from);
          return more ? 0 : job.every_ms;
        },
        (error: unknown) => {
          sawJob(job.name, 'failed', tools.clock.ticks() - from);
          log.warn({ job: job.name, error: String(error) }, 'the worker could not do its work');
          return Math.max(TROUBLED_MS, job.every_ms);
        },
      );
      if (stopped) return;
      const timer = tools.clock.timer(pause_ms);
      pause = timer;
      await timer.done;
    }
  };
  const running = loop();
  return {
    wake: () => pause?.end(),
    stop: async () => {
      stopped = true;
      pause?.end();
      await running;
    },
  };
}
