// The worker: looks for what is due, again and again, and calls the verb. Every process may run one; they do not harm each other.
import type { Log } from '../kit/log.ts';
import { finishRemovals } from '../payment/customer/remove.ts';
import { endKeys } from '../payment/merchant/keys.ts';
import { endDue } from '../payment/order/lapse/due.ts';
import { probe, recoverDue } from '../payment/order/recover.ts';
import { followSome } from '../payment/order/search/follow.ts';
import { applyWaiting } from '../payment/settlement/inbox.ts';
import type { Tools } from '../payment/tools.ts';

const IDLE_MS = 250;
const TROUBLED_MS = 2000;
const ROOM = 20;

/** Done again after its pause, at once while it says that there may be more. */
type Job = {
  readonly name: string;
  readonly every_ms: number;
  run(): Promise<boolean>;
};

export type Worker = { stop(): Promise<void>; wake(): void };

export function startWorker(tools: Tools, log: Log): Worker {
  const recovery = { name: 'recovery', every_ms: IDLE_MS, run: async () => (await recoverDue(tools, ROOM)) === ROOM };
  const jobs = [
    startJob(tools, log, recovery),
    startJob(tools, log, {
      name: 'health of providers',
      every_ms: 1000,
      run: () => tools.breaker.look((provider) => probe(tools, provider)).then(() => false),
    }),
    startJob(tools, log, {
      name: 'messages of providers',
      every_ms: 5000,
      run: async () => (await applyWaiting(tools, ROOM)) === ROOM,
    }),
    startJob(tools, log, {
      name: 'removal of cards',
      every_ms: IDLE_MS,
      run: async () => (await finishRemovals(tools, ROOM)) === ROOM,
    }),
    startJob(tools, log, {
      name: 'end of rolled keys',
      every_ms: 1000,
      run: async () => (await endKeys(tools, ROOM)) === ROOM,
    }),
    startJob(tools, log, { name: 'search over orders', every_ms: 500, run: () => followSome(tools) }),
    startJob(tools, log, { name: 'jobs of time', every_ms: 5000, run: () => endDue(tools) }),
  ];
  return {
    wake: () => jobs[0]?.wake(),
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

function startJob(tools: Tools, log: Log, job: Job): Worker {
  let stopped = false;
  let pause: { end(): void } | undefined;
  const loop = async () => {
    while (!stopped) {
      const pause_ms = await job.run().then(
        (more) => (more ? 0 : job.every_ms),
        (error: unknown) => {
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
