// Later tries of payments without a payer: how often, how long and after which wait a declined one is tried again, and
// why that ends.
import { DAY_S, HOUR_S } from '../durations.ts';
import type { ScheduleName } from './classes.ts';

export type RetryPolicy = {
  /** Later tries at most; the first one of the order is none of them. */
  readonly tries: number;
  /** How many days after the first decline tries may be made. */
  readonly days: number;
  /** Seconds from each decline to the next try; no try follows the last of them. Of `funds` whole days. */
  readonly waits_s: Readonly<Record<ScheduleName, readonly number[]>>;
};

export const POLICIES = {
  default: {
    tries: 4,
    days: 30,
    waits_s: {
      funds: [3 * DAY_S, 5 * DAY_S, 7 * DAY_S, 10 * DAY_S],
      technical: [HOUR_S, 6 * HOUR_S, 24 * HOUR_S],
      generic: [24 * HOUR_S, 72 * HOUR_S],
    },
  },
} as const satisfies Readonly<Record<string, RetryPolicy>>;

/** Said in place of a policy: no later tries, whatever the account's own default is. */
export const NO_RETRIES = 'none' as const;

/** The policies that a request, or an account as its default, may name. */
export const POLICY_NAMES = ['default', NO_RETRIES] as const satisfies readonly (
  | keyof typeof POLICIES
  | typeof NO_RETRIES
)[];
export type PolicyName = (typeof POLICY_NAMES)[number];

/** Undefined: no later tries. */
export function policyOf(name: unknown): RetryPolicy | undefined {
  return name === 'default' ? POLICIES[name] : undefined;
}

/** Why a declined payment is tried again when it is: its scheme's advice, or what was the matter. */
export const RETRY_CAUSES = ['advice', 'funds', 'technical', 'generic'] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];

/** Why nothing is tried any more, and what a person reads of it. */
export const ENDINGS = {
  approved: 'A later try was approved',
  stopped: 'The bank or the card scheme said never to try this card again',
  payer_needed: 'The payer must come: authenticate, or correct the card',
  not_retryable: 'Another try would be declined in the same way',
  limit_reached: "A limit of the card's scheme is reached",
  tries_used_up: 'All tries of the policy are made',
  days_over: 'The days of the policy are over',
  card_expired: 'The card expires before the next try',
  card_removed: 'The saved card was removed',
  paid_elsewhere: 'Another order with the same order_merchant_id was paid, or is being paid',
  refused: 'Your own risk rules or routing refused the try',
  cancelled: 'The order was cancelled',
  tried_again: 'You tried the order again yourself',
  stopped_by_merchant: 'You stopped it',
  stopped_by_person: 'A person stopped it in the back office',
  undecided: 'A provider contradicts what is known of the order, or a person had to decide',
} as const;
export type Ending = keyof typeof ENDINGS;
