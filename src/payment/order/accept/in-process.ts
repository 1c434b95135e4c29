// 409, 111035 (contract 7.3): another order holds the checkout or the order_merchant_id. Which one it is, and what to
// do.
import { Refusal } from '../../../core/refusals.ts';
import type { TenantRunner } from '../../../kit/database.ts';
import { membersOf } from '../show/refusal-members.ts';
import type { OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';

/** Refuses a new order, or another attempt, where the order `in_process` is in its way; null: none is. */
export async function refuseInProcess(
  db: TenantRunner,
  in_process: string | null,
  checkout_id: string | null,
): Promise<void> {
  if (in_process === null) return;
  const order = await findOrder(db, in_process);
  if (!order) throw new Error(`order ${in_process} is in process and cannot be read`);
  throw new Refusal('order_in_process', { detail: reasonOf(order, checkout_id), members: membersOf(order) });
}

function reasonOf(order: OrderFacts, checkout_id: string | null): string {
  const same = order.checkout_id !== null && order.checkout_id === checkout_id;
  const [held, what] = same ? ['this checkout', 'checkout'] : ['this order_merchant_id', 'order_merchant_id'];
  if (order.winner_id !== null)
    return `${held} has a successful order (${order.status}): a new payment needs a new ${what}`;
  if (order.live) return `${held} has an order under way (${order.status}): read it for its outcome`;
  return `${held} had an order that has just ended (${order.status}): send the request again`;
}
