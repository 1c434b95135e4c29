// The notifications to the merchant, at the end of a run: all are delivered soon after the last fault, and they tell
// what happened, order by order: the events, the histories that the API shows, and the operations that succeeded.
import { EVENTS } from '../../src/payment/notification/events.ts';
import type { Arena } from './arena.ts';
import { type Driver, ask, pause, readOrder } from './ask.ts';
import type { Chance } from './chance.ts';
import type { Receiver } from './receiver.ts';

/** Names the receiver to the service, for every event there is: then no number may be missing. */
export async function subscribe(driver: Driver, chance: Chance, receiver: Receiver): Promise<void> {
  const body = { url: receiver.url, events: EVENTS };
  const made = await ask(driver, chance, { path: '/notification/endpoint', body, key: 'endpoint', wait_s: 0 });
  const endpoint = made?.body['endpoint'];
  if (typeof endpoint !== 'object' || endpoint === null || !('secret' in endpoint))
    throw new Error(`the endpoint of the run was not made: ${made?.status} ${JSON.stringify(made?.body)}`);
  receiver.secret = String(endpoint.secret);
}

const LOOK_MS = 250;
/** So long nothing more is delivered by itself: what is left waits for the clock. */
const QUIET_MS = 2_000;
/** Longer than the lease of a process that was killed while it sent, which no clock of a sandbox ends. */
const LEASED_MS = 25_000;
/** An endpoint that failed is probed every 60 s, and its first success frees the queue (contract 13.3). */
const PROBE_S = 61;
const MOST_PROBES = 4;

type Queue = { readonly waiting: number; readonly leased: number; readonly parked: number };
const QUEUE = `
  SELECT
    count(*) FILTER (WHERE state = 'waiting')::int AS waiting,
    count(*) FILTER (WHERE state = 'waiting' AND leased_until > clock_timestamp())::int AS leased,
    count(*) FILTER (WHERE state = 'parked')::int AS parked
  FROM payment.notifications`;

/**
 * Waits until every notification is delivered; moves the sandbox's clock on by a minute, a few times, if one waits for
 * that.
 */
export async function waitUntilTold(driver: Driver, chance: Chance, { postgres }: Arena): Promise<void> {
  let probes = 0;
  let least = Infinity;
  let since = performance.now();
  for (;;) {
    const [row] = await postgres.sql<Queue>(QUEUE);
    const { waiting = 0, leased = 0, parked = 0 } = row ?? {};
    if (parked > 0) return driver.violated('', `${parked} notifications were given up within the run`);
    if (waiting === 0 || driver.isAborted()) return;
    // a lease that ends is a step as well: the next process may take it now
    if (waiting + leased < least) [least, since] = [waiting + leased, performance.now()];
    if (performance.now() - since > (leased > 0 ? LEASED_MS : QUIET_MS)) {
      if (probes === MOST_PROBES)
        return driver.violated('', `${waiting} notifications still wait ${probes} min after the receiver is well`);
      probes++;
      const path = '/sandbox/clock/advance';
      await ask(driver, chance, { path, body: { seconds: PROBE_S }, key: `probe-${probes}`, wait_s: 0 });
      since = performance.now();
    }
    await pause(LOOK_MS);
  }
}

/** Every event of an order but those that contract 13.2 says make no notification, and what succeeded of its money. */
const HAPPENED = `
  SELECT encode(o.id, 'hex') AS order_id,
    (SELECT coalesce(json_agg(e.type ORDER BY e.seq), '[]') FROM payment.events e WHERE e.subject_id = o.id AND e.type <> 'created'
      AND NOT (e.silent AND e.type IN ('risk_assessment_approved', 'authentication_successful'))) AS events,
    (SELECT coalesce(json_object_agg(s.kind, s.n), '{}') FROM (SELECT p.kind, count(*)::int AS n FROM payment.operations p
      WHERE p.order_id = o.id AND p.state = 'successful' AND p.kind IN ('authorize','capture','refund') GROUP BY p.kind) s) AS done
  FROM payment.orders o`;

type Happened = {
  readonly order_id: string;
  readonly events: readonly string[];
  readonly done: Readonly<Partial<Record<'authorize' | 'capture' | 'refund', number>>>;
};

/** Passed through inside a request (contract 13.2): in the history, and perhaps no event. */
const PASSED = new Set(['created', 'risk_assessment_approved', 'authentication_successful']);
const HISTORIES = 60;

export async function compareTold(
  { driver, chance, receiver }: { driver: Driver; chance: Chance; receiver: Receiver },
  { postgres }: Arena,
): Promise<number> {
  const orders = await postgres.sql<Happened>(HAPPENED);
  for (const { order_id, events, done } of orders) {
    const told = receiver.taken(order_id).map(({ event }) => event);
    if (told.join() !== events.join())
      driver.violated(order_id, `the merchant was told ${told.join(', ')}; it happened: ${events.join(', ')}`);
    for (const [kind, event] of SUCCESSES) {
      const times = told.filter((one) => one === event).length;
      if (times !== (done[kind] ?? 0))
        driver.violated(order_id, `${done[kind] ?? 0} operations ${kind} succeeded, and ${times} events say so`);
    }
  }
  for (const { order_id } of chance.shuffled(orders).slice(0, HISTORIES)) {
    const transactions = (await readOrder(driver, chance, order_id))?.body['transactions'];
    if (!Array.isArray(transactions)) continue;
    const history = transactions.flatMap((one: { status_history: { status: string }[] }) => one.status_history);
    const shown = history.map(({ status }) => status).filter((status) => !PASSED.has(status));
    const told = receiver.taken(order_id).filter(({ event }) => !PASSED.has(event) && !event.includes('.'));
    if (shown.join() !== told.map(({ event }) => event).join())
      driver.violated(
        order_id,
        `status_history is ${shown.join(', ')}; told was ${told.map(({ event }) => event).join(', ')}`,
      );
  }
  return orders.length;
}

const SUCCESSES = [
  ['authorize', 'authorization_successful'],
  ['capture', 'capture_successful'],
  ['refund', 'refund_successful'],
] as const;
