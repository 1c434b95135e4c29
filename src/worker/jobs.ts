// What the worker does, as rows. What a job waits for is stepped through when a sandbox's clock is moved ahead: a part that waits
// on the clock is one more row here that says, by `due` or by `next`, when it has something to do.
import { finishRemovals } from '../payment/customer/remove.ts';
import { endDue } from '../payment/order/lapse/due.ts';
import { probe, recoverDue } from '../payment/order/recover.ts';
import { type DueSource, forgetKeys } from '../payment/sandbox/clock/store.ts';
import { applyWaiting } from '../payment/settlement/inbox.ts';
import type { Tools } from '../payment/tools.ts';

const IDLE_MS = 250;
const ROOM = 20;

/** Done again after its pause, at once while it says that there may be more. */
export type Job = {
  readonly name: string;
  readonly every_ms: number;
  run(): Promise<boolean>;
  /** What payment.next_due (migration 0012) tells of for it; empty: it waits on no moment that is told there. */
  readonly due: readonly DueSource[];
  /** For a part with a way of its own to know: milliseconds of the deployment's clock until it has work; undefined: nothing waits. */
  next?(): Promise<number | undefined>;
};

/** The first one is woken when there is work at once. */
export function jobsOf(tools: Tools): readonly Job[] {
  return [
    {
      name: 'recovery',
      every_ms: IDLE_MS,
      run: async () => (await recoverDue(tools, ROOM)) === ROOM,
      due: ['operations'],
    },
    {
      name: 'health of providers',
      every_ms: 1000,
      run: () => tools.breaker.look((provider) => probe(tools, provider)).then(() => false),
      due: ['probes'],
    },
    {
      name: 'messages of providers',
      every_ms: 5000,
      run: async () => (await applyWaiting(tools, ROOM)) === ROOM,
      due: ['messages'],
    },
    {
      name: 'removal of cards',
      every_ms: IDLE_MS,
      run: async () => (await finishRemovals(tools, ROOM)) === ROOM,
      due: ['removals'],
    },
    {
      name: 'jobs of time',
      every_ms: 5000,
      run: () => endDue(tools),
      due: ['checkouts', 'lapses', 'authorizations'],
    },
    {
      name: 'old Idempotency-Keys',
      every_ms: 60_000,
      run: () => forgetKeys(tools.db).then(() => false),
      due: [],
    },
  ];
}
