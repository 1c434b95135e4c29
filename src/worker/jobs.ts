// What the worker does, as rows. What a job waits for, by the name under which payment.next_due tells of it (migration 0012), is
// stepped through when a sandbox's clock is moved ahead: a part that waits on the clock is one more row here, and one more WHEN
// there.
import { finishRemovals } from '../payment/customer/remove.ts';
import { endKeys } from '../payment/merchant/keys.ts';
import { makeCourier } from '../payment/notification/courier.ts';
import { authenticateDue } from '../payment/order/authentication/conclude.ts';
import { endDue } from '../payment/order/lapse/due.ts';
import { probe, recoverDue } from '../payment/order/recover.ts';
import { follower } from '../payment/order/search/follow.ts';
import { forgetSightings } from '../payment/risk/store.ts';
import { type DueSource, forgetKeys } from '../payment/sandbox/clock/store.ts';
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
  /** Told once how to have it run at once; it is woken together with the first two. */
  started?(wake: () => void): void;
  /** Ends what it has under way. */
  stop?(): Promise<void>;
  /** What of the database says when it has work; empty: it waits on no moment. */
  readonly due: readonly DueSource[];
};

/** The first two are woken when there is work at once. */
export function jobsOf(tools: Tools): readonly Job[] {
  return [
    {
      name: 'recovery',
      every_ms: IDLE_MS,
      run: async () => (await recoverDue(tools, ROOM)) === ROOM,
      due: ['operations'],
    },
    {
      name: 'authentication of payers',
      every_ms: IDLE_MS,
      run: async () => (await authenticateDue(tools, ROOM)) === ROOM,
      due: [],
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
    ...housekeeping(tools),
    sending(tools),
    {
      name: 'jobs of time',
      every_ms: 5000,
      run: () => endDue(tools),
      due: ['checkouts', 'lapses', 'authorizations'],
    },
  ];
}

/** What nobody waits for. */
function housekeeping(tools: Tools): readonly Job[] {
  return [
    {
      name: 'end of rolled keys',
      every_ms: 1000,
      run: async () => (await endKeys(tools, ROOM)) === ROOM,
      due: [],
    },
    { name: 'search over orders', every_ms: 500, run: follower(tools), due: [] },
    {
      name: 'counts of risk that are too old',
      every_ms: HOUR_MS,
      run: async () => (await forgetSightings(tools.db, MANY)) === MANY,
      due: [],
    },
    {
      name: 'old Idempotency-Keys',
      every_ms: 60_000,
      run: () => forgetKeys(tools.db).then(() => false),
      due: [],
    },
  ];
}

function sending(tools: Tools): Job {
  let wakeNotifications = () => {};
  const courier = makeCourier(tools, { ended: () => wakeNotifications() });
  return {
    name: 'notifications',
    every_ms: IDLE_MS,
    run: () => courier.look(),
    due: [],
    started: (wake) => {
      wakeNotifications = wake;
    },
    stop: () => courier.stop(),
  };
}
