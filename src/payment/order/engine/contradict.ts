// A provider says the opposite of a final state (contract 14.2). From this commit on the order is in doubt, its money
// is blocked, the merchant is notified, and the worker asks the provider.
import type { Tools } from '../../tools.ts';
import type { Contradiction } from '../decide/decision.ts';
import { type OperationFacts, type OrderFacts, providerNameOf } from '../facts/order-facts.ts';
import { WIRE_KINDS } from '../show/operation-view.ts';
import type { Observed } from './record-plan.ts';
import { insertContradiction } from './contradiction-store.ts';

export type Contradicting = {
  readonly operation: OperationFacts;
  readonly decision: Contradiction;
  readonly seen: Observed;
};

/** False: the order changed, and nothing was kept. */
export async function contradict(
  tools: Tools,
  order: OrderFacts,
  { operation, decision, seen }: Contradicting,
): Promise<boolean> {
  const { id: operation_id, transaction_id, kind, state: held, amount_minor, request_id } = operation;
  const kept = await insertContradiction(tools.db.tenant(order.merchant_account_id), {
    ...seen,
    id: tools.chance.id(),
    order_id: order.id,
    version: order.version,
    operation_id,
    transaction_id,
    kind,
    held,
    about: WIRE_KINDS[kind],
    said: decision.said,
    amount_minor,
    currency: order.currency,
    request_id,
    provider: providerNameOf(order, operation),
  });
  if (kept) tools.wake_up.wake();
  return kept;
}
