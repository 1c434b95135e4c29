// The next provider, inside the same order and attempt (contract 3, cascade rule): only when the try before is proved dead,
// by the answer of the call itself. The dying transaction and its successor are one commit.
import { type ResultName, result, findResult } from '../../../core/results.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import type { Contract } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import type { Settlement } from '../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import type { SettleFacts } from './settle-store.ts';
import { settleIn } from './settle-store.ts';
import { insertFallback } from './attempt-store.ts';

/** Answered with authentication, not with another provider (contract 3). */
export const WANTS_AUTHENTICATION: ReadonlySet<ResultName> = new Set([
  'authentication_required',
  'issuer_soft_decline',
  'acquirer_authentication_required',
]);

/** The code allows another provider, and it is the provider's or the acquirer's own trouble: an issuer says the same again. */
export function mayCascade(name: ResultName): boolean {
  const { fallback_allowed = false, side } = findResult(result(name).code) ?? {};
  return fallback_allowed && (side === 'psp' || side === 'acquirer') && !WANTS_AUTHENTICATION.has(name);
}

export type Cascading = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly written: SettleFacts;
  readonly to: Contract;
};

/** Ends the try and begins the next in one transaction. Undefined: the order moved, and nothing was done. */
export async function cascade(tools: Tools, { order, operation, written, to }: Cascading): Promise<string | undefined> {
  const transaction_id = tools.chance.id();
  const lease_s = (tools.providers.get(to.provider)?.can.answer_deadline_s ?? 0) + 5;
  return tools.db.begin(order.merchant_account_id, async (tx) => {
    const done = await settleIn(tx, order.merchant_account_id, { ...written, settlement: goingOn(order, written) });
    if (!done) return undefined;
    await insertFallback(tx, {
      merchant_account_id: order.merchant_account_id,
      order_id: order.id,
      from_id: operation.transaction_id,
      transaction_id,
      provider: to.provider,
      contract_id: to.id,
      with_capture: operation.with_capture,
      request_id: operation.request_id,
      lease_s,
      authorizes: true,
    });
    return transaction_id;
  });
}

/** The order stays where it is: a decline that is followed at once by a fallback makes no event (contract 13.2). */
export function goingOn({ status }: OrderFacts, { settlement }: SettleFacts): Settlement {
  return { ...settlement, status, live: ORDER_STATUSES[status].live, events: [] };
}
