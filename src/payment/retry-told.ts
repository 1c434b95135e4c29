// The facts of an order's later tries, and how answers and notifications tell them (contract 7.7).
import { longDate } from '../core/dates.ts';
import { ENDINGS, type Ending, POLICY_NAMES, RETRY_CAUSES, type RetryCause, policyOf } from '../core/retries/policy.ts';
import { integer, longDate as dateSchema, object, word } from '../kit/http/schema.ts';

export type RetryFacts = {
  /** The policy's name. */
  readonly policy: string;
  readonly state: 'waiting' | 'running' | 'ended';
  /** Later tries that were begun. */
  readonly tries: number;
  readonly cause: RetryCause | null;
  readonly next_at: string | null;
  readonly until: string;
  readonly began_at: string;
  readonly ending: Ending | null;
  readonly ended_at: string | null;
};

/** `reason`: why it is tried again; of what has ended, why it ended. */
export function retryView({ policy, state, tries, cause, next_at, ending }: RetryFacts) {
  return {
    state,
    policy,
    tries,
    tries_left: state === 'ended' ? 0 : Math.max(0, (policyOf(policy)?.tries ?? 0) - tries),
    next_try_date: next_at && longDate(new Date(next_at)),
    reason: ending ?? cause ?? '',
  };
}

const REASONS = [...RETRY_CAUSES, ...Object.keys(ENDINGS)];

export const RETRY = {
  ...object({
    state: word('waiting for the next try, running, or ended for good', ['waiting', 'running', 'ended'], 'waiting'),
    policy: word('The policy that holds', POLICY_NAMES, 'default'),
    tries: integer('Later tries that were made', 1),
    tries_left: integer('How many the policy still allows', 3),
    next_try_date: dateSchema('When the next one is made; null while none is planned'),
    reason: word('Why it is tried again; once it has ended, why', REASONS, 'funds'),
  }),
  description: 'Later tries of a payment without the payer, once a decline has put its retry_policy to work',
};
