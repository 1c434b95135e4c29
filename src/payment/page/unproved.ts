// Orders that ended unpaid, but whose provider has said something else since: no page may say that nothing was charged.
import type { OrderFacts } from '../order/facts/order-facts.ts';
import { heldMinor } from '../order-rules/amounts.ts';
import { isInDoubt } from '../order/show/doubt.ts';

/**
 * "Nothing was charged" is not proved of this order: the bank may hold the money, or have taken it (contract 7.2,
 * 14.2). Of one that is paid that is not said.
 */
export function isUnproved(order: OrderFacts): boolean {
  return isInDoubt(order) && (order.winner_id === null || isGivenUp(order));
}

/** The merchant has released all that was held, or it has lapsed: nothing was taken, so there is nothing to receipt. */
export function isGivenUp(order: OrderFacts): boolean {
  return order.released_minor > 0n && order.captured_minor <= 0n && heldMinor(order) <= 0n;
}
