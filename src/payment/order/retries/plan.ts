// Plans an order's later tries at the end of an authorization: when the next one is, or why there is none. Only the
// commit that proves a decline plans one. Pure.
import { DAY_MS } from '../../../core/durations.ts';
import type { Following } from '../../../core/retries/follow.ts';
import { nextTry } from '../../../core/retries/next-try.ts';
import { type Ending, type RetryCause, policyOf } from '../../../core/retries/policy.ts';
import { sha256 } from '../../../kit/crypto.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import type { OrderFacts, TransactionFacts } from '../facts/order-facts.ts';

export type RetryMove = {
  readonly policy: string;
  readonly began_at: Date;
  readonly until: Date;
} & ({ readonly next_at: Date; readonly cause: RetryCause } | { readonly ending: Ending });

export type EndOfTry = {
  readonly transaction: TransactionFacts;
  readonly is_approved: boolean;
  /** The order is declined by it, and no cancel was asked for meanwhile. */
  readonly is_declined: boolean;
  /** A person said so, and no provider. */
  readonly by_person: boolean;
  readonly following: Pick<Following, 'class' | 'wait_s' | 'schedule'>;
};

export type RetryMeans = {
  readonly now: Date;
  /** The time zone of the payer's banking day. */
  zone(): string;
};

/** Undefined: the order has no policy, or nothing is planned that could end. */
export function retryMove(order: OrderFacts, end: EndOfTry, { now, zone }: RetryMeans): RetryMove | undefined {
  const { retry, body } = order;
  const name = retry?.policy ?? body['retry_policy'];
  const policy = policyOf(name);
  if (!policy || typeof name !== 'string' || retry?.state === 'ended' || initiatorOf(order) !== 'm') return undefined;
  const began_at = retry ? new Date(retry.began_at) : now;
  const until = retry ? new Date(retry.until) : new Date(now.getTime() + policy.days * DAY_MS);
  const about = { policy: name, began_at, until };
  if (end.is_approved) return retry ? { ...about, ending: 'approved' } : undefined;
  if (!end.is_declined) return retry ? { ...about, ending: 'cancelled' } : undefined;
  if (end.by_person) return { ...about, ending: 'undecided' };
  const { transaction, following } = end;
  // of a partner's token no card is known, and so no limit of its scheme can be kept
  if (transaction.foreign) return { ...about, ending: 'not_retryable' };
  const made = retry?.tries ?? 0;
  const next = nextTry({
    policy,
    following,
    made,
    now,
    until,
    draw: drawOf(order.id, made),
    zone: zone(),
    card_ends: endOf(transaction),
  });
  return 'ended' in next ? { ...about, ending: next.ended } : { ...about, next_at: next.due, cause: next.cause };
}

/** The first moment after the card's last month. */
function endOf({ exp_month, exp_year }: TransactionFacts): Date | null {
  return exp_month === null || exp_year === null ? null : new Date(Date.UTC(exp_year, exp_month, 1));
}

const BYTES = 6;

/** A number from 0 to 1; every process draws the same. */
function drawOf(order_id: string, made: number): number {
  return Number.parseInt(sha256(Buffer.from(`${order_id} ${made}`)).slice(0, 2 * BYTES), 16) / 2 ** (8 * BYTES);
}
