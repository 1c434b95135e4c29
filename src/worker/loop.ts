// The worker: looks for what is due, again and again, and calls the verb. Every process may run one; they do not harm each other.
import type { Log } from '../kit/log.ts';
import { recoverDue } from '../payment/order/recover.ts';
import type { Tools } from '../payment/tools.ts';

const IDLE_MS = 250;
const TROUBLED_MS = 2000;
const ROOM = 20;

export type Worker = { stop(): Promise<void>; wake(): void };

export function startWorker(tools: Tools, log: Log): Worker {
  const stop = new AbortController();
  let pause: { end(): void } | undefined;
  const loop = async () => {
    while (!stop.signal.aborted) {
      const pause_ms = await recoverDue(tools, ROOM).then(
        (found) => (found === ROOM ? 0 : IDLE_MS),
        (error: unknown) => {
          log.warn({ error: String(error) }, 'the worker could not look for work');
          return TROUBLED_MS;
        },
      );
      const timer = tools.clock.timer(pause_ms);
      pause = timer;
      await timer.done;
    }
  };
  const running = loop();
  return {
    wake: () => pause?.end(),
    stop: async () => {
      stop.abort();
      pause?.end();
      await running;
    },
  };
}
