// The members about the order in every refusal of a request for it.
import type { ProblemMembers } from '../../../core/refusals.ts';
import { type OrderFacts, lastTransaction } from '../facts/order-facts.ts';

/** The ids of a refusal and where its order stands (contract 2.5). */
export function membersOf(order: OrderFacts): ProblemMembers {
  return { order_id: order.id, transaction_id: lastTransaction(order).id, order_status: order.status };
}
