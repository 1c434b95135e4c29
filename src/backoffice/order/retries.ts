// Later tries: what is planned, what came of it, and a person who stops one.
import { DAY_MS } from '../../core/durations.ts';
import { toCount, toSum } from '../../core/money.ts';
import { isId } from '../../core/ids.ts';
import { ENDINGS, type Ending, policyOf } from '../../core/retries/policy.ts';
import { areOld } from '../../payment/declines/caps.ts';
import { withTransaction } from '../../kit/database.ts';
import {
  type ListedRetry,
  type RetrySum as SumRow,
  listEnded,
  listPlanned,
  sumRetries,
} from '../../payment/order/retries/list-store.ts';
import { endRetry } from '../../payment/order/retries/store.ts';
import {
  type BackofficeContext,
  type BackofficeRequest,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import type { Retries, RetryRow, RetrySum } from '../wire/retries.ts';

const MOST = 100;
const DAYS = 30;

export function retryRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    backofficeRoute(context, { route: 'GET /retries', right: 'read', handle: (asked) => readRetries(context, asked) }),
    backofficeRoute(context, {
      route: 'POST /orders/:id/stop-retries',
      right: 'money',
      body: { reason: REASON },
      handle: (asked) => stop(context, asked, asked.body.reason),
    }),
  ];
}

async function readRetries({ tools }: BackofficeContext, { db }: BackofficeRequest): Promise<Retries> {
  const now = tools.clock.now();
  const caps = tools.caps.table();
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  const [planned, ended, sums] = await Promise.all([
    listPlanned(db, MOST + 1),
    listEnded(db, { since, room: MOST + 1 }),
    sumRetries(db, since),
  ]);
  return {
    planned: planned.slice(0, MOST).map(viewOf),
    ended: ended.slice(0, MOST).map(viewOf),
    more_planned: planned.length > MOST,
    more_ended: ended.length > MOST,
    caps: { as_of: caps.as_of, old: areOld(caps, now) },
    days: DAYS,
    sums: {
      planned: byCurrency(sums.filter(({ ending }) => ending === null)),
      recovered: byCurrency(sums.filter(({ ending }) => ending === 'approved')),
      not_recovered: byCurrency(sums.filter(({ ending }) => ending !== null && ending !== 'approved')),
      by_reason: byReason(sums),
    },
  };
}

function viewOf({ began_at: _, policy, amount_minor, scheme, last4, ending, ...row }: ListedRetry): RetryRow {
  return {
    ...row,
    amount_minor: toCount(amount_minor),
    scheme: scheme ?? '',
    last4: last4 ?? '',
    most: policyOf(policy)?.tries ?? row.tries,
    ending,
    ending_text: ending && ENDINGS[ending],
  };
}

function byCurrency(rows: readonly SumRow[]): readonly RetrySum[] {
  return [...new Set(rows.map(({ currency }) => currency))].map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    return {
      currency,
      count: own.reduce((sum, { count }) => sum + Number(count), 0),
      amount_minor: toSum(own.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)),
    };
  });
}

function byReason(rows: readonly SumRow[]): Retries['sums']['by_reason'] {
  const counts = new Map<Ending, number>();
  for (const { ending, count } of rows) if (ending) counts.set(ending, (counts.get(ending) ?? 0) + Number(count));
  return [...counts]
    .map(([ending, count]) => ({ ending, text: ENDINGS[ending], count }))
    .toSorted((one, other) => other.count - one.count);
}

async function stop(context: BackofficeContext, asked: BackofficeRequest, reason: string): Promise<Retries> {
  const { account_id: merchant_account_id } = asked;
  const order_id = asked.params['id'] ?? '';
  await withTransaction(context.tools.db, merchant_account_id, async (tx) => {
    const of = { merchant_account_id, order_id };
    if (!isId(order_id) || !(await endRetry(tx, of, { ending: 'stopped_by_person', from: ['waiting'] })))
      throw unknown('later try that waits');
    await asked.record(tx, { action: 'later tries stopped', object: order_id, reason });
  });
  context.tools.wake_up.wake();
  return readRetries(context, asked);
}
