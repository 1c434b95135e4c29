// What callers are told of the state of an operation (contract 14.1), and of an order whether it is in doubt (7.2).
import type { OperationState } from '../../../core/states.ts';
import { isFinal } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';

/** Our states as the contract names them (14.1). */
export const WIRE_STATES: Readonly<Record<OperationState, 'requested' | 'in_doubt' | 'successful' | 'declined'>> = {
  requested: 'requested',
  in_doubt: 'in_doubt',
  reversing: 'in_doubt',
  review: 'in_doubt',
  successful: 'successful',
  declined: 'declined',
  not_sent: 'declined',
};

/**
 * An outcome is unknown, or a provider contradicts what is final here (contract 7.2, 14.2). Until a reversal has ended
 * the provider may hold the money: also that of an authorization that it approved after its end here. The search has
 * the same rule as SQL.
 */
export function isInDoubt({ operations, contradictions }: OrderFacts): boolean {
  return contradictions.length > 0 || operations.some((one) => WIRE_STATES[one.state] === 'in_doubt' || isUndoing(one));
}

const isUndoing = (operation: OperationFacts) => operation.kind === 'reversal' && !isFinal(operation);
