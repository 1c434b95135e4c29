// The worker: looks for what is due, again and again, and calls the verb. Every process may run one; they do not harm each other.
import type { Log } from '../kit/log.ts';
import { finishRemovals } from '../payment/customer/remove.ts';
import { recoverDue } from '../payment/order/recover.ts';
import type { Tools } from '../payment/tools.ts';

const IDLE_MS = 250;
const TROUBLED_MS = 2000;
const ROOM = 20;

export type Worker = { stop(): Promise<void> };

export function startWorker(tools: Tools, log: Log): Worker {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      const pause_ms = await Promise.all([recoverDue(tools, ROOM), finishRemovals(tools, ROOM)]).then(
        (found) => (found.includes(ROOM) ? 0 : IDLE_MS),
        (error: unknown) => {
          log.warn({ error: String(error) }, 'the worker could not look for work');
          return TROUBLED_MS;
        },
      );
      await tools.clock.sleep(pause_ms, stop.signal);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}
