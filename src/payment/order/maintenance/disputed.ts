// The words about money that a payer's bank has taken back (contract 8.2); which money that is, order-rules/blocked.ts
// says.
import { standingDisputes } from '../../order-rules/blocked.ts';
import type { DisputeFacts, OrderFacts } from '../facts/order-facts.ts';
import { withCurrency } from './reasons.ts';

/** Names the dispute, and the way out. */
export function disputedDetail(order: OrderFacts, capture_id: string): string {
  const named = standingDisputes(order)
    .filter(({ operation_id }) => operation_id === capture_id)
    .map(({ id, state, amount_minor }) => {
      return `dispute ${id} of ${withCurrency(order, amount_minor)}, ${state === 'opened' ? 'open' : 'lost'}`;
    });
  return `the payer's bank has taken this money back (${named.join('; ')}): a refund would pay the payer twice. To refund it all the same, send even_if_disputed true`;
}

/** The state of the most important dispute: an open one, then a lost one, then a won one. Null: there is none. */
export function disputeState({ disputes }: Pick<OrderFacts, 'disputes'>): DisputeFacts['state'] | null {
  const states = new Set(disputes.map(({ state }) => state));
  return (['opened', 'lost', 'won'] as const).find((state) => states.has(state)) ?? null;
}
