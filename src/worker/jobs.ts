// What the worker does, as rows. A job that also says when it has something to do next is stepped through when a sandbox's clock
// is moved ahead: a part that waits on the clock is one more row here, and nothing else.
import { finishRemovals } from '../payment/customer/remove.ts';
import { endKeys } from '../payment/merchant/keys.ts';
import { makeCourier } from '../payment/notification/courier.ts';
import { endDue } from '../payment/order/lapse/due.ts';
import { probe, recoverDue } from '../payment/order/recover.ts';
import { follower } from '../payment/order/search/follow.ts';
import { forgetSightings } from '../payment/risk/store.ts';
import { type DueSource, findNextDue, forgetKeys } from '../payment/sandbox/clock/store.ts';
import { applyWaiting } from '../payment/settlement/inbox.ts';
import type { Tools } from '../payment/tools.ts';

const IDLE_MS = 250;
const ROOM = 20;
const HOUR_MS = 3_600_000;
const MANY = 1000;

/** Done again after its pause, at once while it says that there may be more. */
export type Job = {
  readonly name: string;
  readonly every_ms: number;
  run(): Promise<boolean>;
  /** Told once how to have it run at once. */
  started?(wake: () => void): void;
  /** Ends what it has under way. */
  stop?(): Promise<void>;
  /** Milliseconds of the deployment's clock until there is work, 0 or less: now; undefined: nothing waits. Absent: it waits on no moment. */
  next?(): Promise<number | undefined>;
};

/** The first one is woken when there is work at once. */
export function jobsOf(tools: Tools): readonly Job[] {
  const next =
    (...sources: readonly DueSource[]) =>
    async () =>
      earliest(await Promise.all(sources.map((source) => findNextDue(tools.db, source))));
  let wakeNotifications = () => {};
  const courier = makeCourier(tools, { ended: () => wakeNotifications() });
  return [
    {
      name: 'recovery',
      every_ms: IDLE_MS,
      run: async () => (await recoverDue(tools, ROOM)) === ROOM,
      next: next('operations'),
    },
    {
      name: 'health of providers',
      every_ms: 1000,
      run: () => tools.breaker.look((provider) => probe(tools, provider)).then(() => false),
      next: next('probes'),
    },
    {
      name: 'messages of providers',
      every_ms: 5000,
      run: async () => (await applyWaiting(tools, ROOM)) === ROOM,
      next: next('messages'),
    },
    {
      name: 'removal of cards',
      every_ms: IDLE_MS,
      run: async () => (await finishRemovals(tools, ROOM)) === ROOM,
      next: next('removals'),
    },
    {
      name: 'end of rolled keys',
      every_ms: 1000,
      run: async () => (await endKeys(tools, ROOM)) === ROOM,
    },
    {
      name: 'counts of risk that are too old',
      every_ms: HOUR_MS,
      run: async () => (await forgetSightings(tools.db, MANY)) === MANY,
    },
    { name: 'search over orders', every_ms: 500, run: follower(tools) },
    {
      name: 'notifications',
      every_ms: IDLE_MS,
      run: () => courier.look(),
      started: (wake) => {
        wakeNotifications = wake;
      },
      stop: () => courier.stop(),
    },
    {
      name: 'jobs of time',
      every_ms: 5000,
      run: () => endDue(tools),
      next: next('checkouts', 'lapses', 'authorizations'),
    },
    {
      name: 'old Idempotency-Keys',
      every_ms: 60_000,
      run: () => forgetKeys(tools.db).then(() => false),
    },
  ];
}

export function earliest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
