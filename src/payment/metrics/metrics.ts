// The metrics of the money zone: what waits, for how long, and what providers answer.
import type { Clock } from '../../kit/clock.ts';
import type { Runner } from '../../kit/database.ts';
import { type Gauge, type Reading, counter, gauge, histogram } from '../../kit/metrics/registry.ts';
import { type QueueFigure, findQueueFigures } from './metrics-store.ts';

type Label = 'provider' | 'state' | 'table';

const GAUGES: Readonly<
  Record<string, { readonly waiting: Gauge; readonly oldest?: Gauge; readonly labels: readonly Label[] }>
> = {
  operations: {
    waiting: gauge('florin_operations_open', 'Operations that are not final, by provider and state'),
    oldest: gauge('florin_operations_open_oldest_seconds', 'Age of the oldest of them'),
    labels: ['provider', 'state'],
  },
  'overdue operations': {
    waiting: gauge('florin_operations_overdue', 'Operations that a worker should have taken by now'),
    oldest: gauge(
      'florin_operations_overdue_oldest_seconds',
      'For how long the oldest of them has waited for a worker',
    ),
    labels: ['provider'],
  },
  'provider messages': {
    waiting: gauge('florin_provider_messages_open', 'Messages of providers that are stored and not applied'),
    oldest: gauge('florin_provider_messages_open_oldest_seconds', 'Age of the oldest of them'),
    labels: ['provider', 'state'],
  },
  'stray findings': {
    waiting: gauge(
      'florin_findings_stray',
      "Open differences from providers' books whose merchant account is not here",
    ),
    labels: ['provider'],
  },
  'card removals': {
    waiting: gauge('florin_card_removals_open', 'Tokens that are ended and whose cards the vault has still to delete'),
    oldest: gauge('florin_card_removals_open_oldest_seconds', 'Age of the oldest of them'),
    labels: [],
  },
  notifications: {
    waiting: gauge('florin_notifications_waiting', 'Notifications that no endpoint has taken yet'),
    oldest: gauge('florin_notifications_waiting_oldest_seconds', 'Age of the oldest of them'),
    labels: [],
  },
  'overdue notifications': {
    waiting: gauge('florin_notifications_overdue', 'Notifications that a worker should have sent by now'),
    oldest: gauge(
      'florin_notifications_overdue_oldest_seconds',
      'For how long the oldest of them has waited for a worker',
    ),
    labels: [],
  },
  'failing endpoints': {
    waiting: gauge('florin_endpoints_failing', 'Endpoints that are on and did not take what was sent last'),
    oldest: gauge('florin_endpoints_failing_oldest_seconds', 'For how long the first of them has failed'),
    labels: [],
  },
  search: {
    waiting: gauge('florin_search_behind_transactions', 'Database transactions that the search has still to follow'),
    labels: [],
  },
  'without a month': {
    waiting: gauge('florin_without_month_bytes', 'Bytes of rows that wait for the part of their month to be made'),
    labels: ['table'],
  },
  'providers down': {
    waiting: gauge('florin_provider_down', 'Providers that are left alone because they do not answer'),
    labels: ['provider'],
  },
};

/** Reads of the queues no more often than this, however many ask. */
const FRESH_MS = 2000;

/** The figures of the queues, from now on until what is answered is called. */
export function watchQueues({ db, clock }: { readonly db: Runner; readonly clock: Clock }): () => void {
  let read: { readonly at: number; readonly figures: Promise<readonly QueueFigure[]> } | undefined;
  const figures = () => {
    if (!read || clock.ticks() - read.at > FRESH_MS) read = { at: clock.ticks(), figures: findQueueFigures(db) };
    return read.figures;
  };
  const ends = Object.entries(GAUGES).flatMap(([queue, { waiting, oldest, labels }]) => {
    const readings = (value: (figure: QueueFigure) => number) => async () =>
      (await figures())
        .filter((figure) => figure.queue === queue)
        .map((figure): Reading => [labelsOf(figure, labels), value(figure)]);
    return [
      waiting.from(readings((figure) => Number(figure.waiting))),
      ...(oldest ? [oldest.from(readings((figure) => figure.oldest_s))] : []),
    ];
  });
  return () => {
    for (const end of ends) end();
  };
}

function labelsOf({ part, state }: QueueFigure, names: readonly Label[]) {
  const all = { provider: part, state, table: part };
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

const calls = counter('florin_provider_calls_total', 'Calls to providers, by what they were for and what was learnt');
const seconds = histogram('florin_provider_call_seconds', 'How long providers were waited for');

/** Told after every call; what for: the kind of the operation, or inquiry. */
export function sawCall(call: {
  readonly provider: string;
  readonly kind: string;
  readonly outcome: string;
  readonly ms: number;
}): void {
  const { provider, kind, outcome, ms } = call;
  calls.add({ provider, kind, outcome });
  seconds.observe({ provider, kind }, ms / 1000);
}

const jobs = histogram('florin_worker_job_seconds', 'Rounds of the jobs of a worker, by how they ended');

export function sawJob(job: string, outcome: 'done' | 'failed', ms: number): void {
  jobs.observe({ job, outcome }, ms / 1000);
}
