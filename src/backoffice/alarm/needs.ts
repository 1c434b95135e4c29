// Everything that needs a person, in one list: the overview shows it, and alarms by mail are made from it.
import { DAY_MS } from '../../core/durations.ts';
import { toCount, toSum } from '../../core/money.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { sumUnanswered } from '../../payment/dispute/desk/store.ts';
import { sumOpenFindings } from '../../payment/ledger/reconcile/finding-store.ts';
import { listKeys } from '../../payment/merchant/store.ts';
import { listEndpoints } from '../../payment/notification/endpoint/store.ts';
import { sumInDoubt } from '../../payment/overview/store.ts';
import { findOpenProviders } from '../../payment/routing/health-store.ts';
import type { Tools } from '../../payment/tools.ts';
import { countOpenRefundRequests } from '../order/refunds/store.ts';
import type { Needs } from '../wire/overview.ts';

type Needing = Pick<Tools, 'db' | 'clock' | 'providers'>;

/** A rolled key that ends by then stands here: programs that still use it must take the new one. */
const KEYS_END_IN_MS = 3 * DAY_MS;

export async function needsOf(tools: Needing, db: TenantRunner): Promise<Needs> {
  const [doubt, disputes, refunds_waiting, endpoints, down, keys, findings] = await Promise.all([
    sumInDoubt(db),
    sumUnanswered(db),
    countOpenRefundRequests(db),
    listEndpoints(db),
    findOpenProviders(tools.db),
    listKeys(db),
    sumOpenFindings(db),
  ]);
  const soon = tools.clock.now().getTime() + KEYS_END_IN_MS;
  return {
    in_doubt: doubt.map(({ currency: of, operations, amount_minor, oldest_at }) => ({
      currency: of,
      amount_minor: toSum(amount_minor),
      count: toCount(operations),
      oldest_at: oldest_at.toISOString(),
    })),
    disputes: disputes.map(({ currency: of, disputes: count, amount_minor, next_due_at }) => ({
      currency: of,
      amount_minor: toSum(amount_minor),
      count: toCount(count),
      next_due_at: next_due_at.toISOString(),
    })),
    findings: findings.map(({ currency: of, findings: count, amount_minor, oldest_at }) => ({
      currency: of,
      amount_minor: toSum(amount_minor),
      count: toCount(count),
      oldest_at: oldest_at.toISOString(),
    })),
    refunds_waiting,
    notifications: {
      endpoints: endpoints.length,
      waiting: endpoints.reduce((sum, { waiting }) => sum + toCount(waiting), 0),
      failing_endpoints: endpoints.filter(({ failing_since }) => failing_since !== null).length,
    },
    providers: [...tools.providers.keys()].map((name) => ({ name, health: down.includes(name) ? 'down' : 'well' })),
    keys_ending: keys.flatMap(({ label, ends_at, revoked_at }) =>
      revoked_at === null && ends_at !== null && ends_at.getTime() <= soon
        ? [{ label, ends_at: ends_at.toISOString() }]
        : [],
    ),
  };
}
