// decide(): what an observation means for an operation. A pure function: no I/O, no clock, no randomness. The caller
// has an observation (an answer, an inquiry, a provider's message, a person's word), calls decide() and commits exactly
// the decision that it returns.
import { decideAuthorize } from './authorize.ts';
import type { Decision, Policy, Seen } from './decision.ts';
import { decideFollowUp, decideReversal } from './follow-up.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';

/** The policy of an early observation: the provider may still act, and no person is asked yet. */
export const EARLY: Policy = { in_flight_over: false, review_due: false };

export type DecideInput = { readonly seen: Seen; readonly policy?: Policy };

export function decide(order: OrderFacts, operation: OperationFacts, { seen, policy = EARLY }: DecideInput): Decision {
  switch (operation.kind) {
    case 'authorize':
      return decideAuthorize(order, operation, { seen, policy });
    case 'reversal':
      return decideReversal(order, operation, { seen, policy });
    case 'capture':
    case 'refund':
    case 'cancel':
      return decideFollowUp(order, operation, { seen, policy });
  }
}
