// The issuer declined and wants the payer authenticated first (420150 and its like). The same order goes on with the
// same provider after the authentication (contract 10.1). The failed transaction and its successor are one commit, as
// in a cascade.
import type { Tools } from '../../tools.ts';
import { newAuthentication } from '../authentication/begin.ts';
import { insertAuthentication } from '../authentication/authentication-store.ts';
import { hasCardNumber } from '../authentication/demand.ts';
import { authenticationOf } from '../facts/authentication-facts.ts';
import type { Seen } from '../decide/decision.ts';
import { isPayerThere } from '../facts/payer.ts';
import { type OperationFacts, type OrderFacts, lastTransaction, transactionOf } from '../facts/order-facts.ts';
import { type SettleFacts, settleIn } from './settle-store.ts';
import { WANTS_AUTHENTICATION, goingOn } from './cascade.ts';
import { insertFallback } from './attempt-store.ts';

type Ended = { readonly operation: OperationFacts; readonly outcome: Seen };

/** May the payer be asked to authenticate? Yes, if a payer is present and was not asked yet in this attempt. */
export function mayAskPayer(order: OrderFacts, { operation, outcome }: Ended): boolean {
  return (
    operation.kind === 'authorize' &&
    operation.state !== 'reversing' &&
    outcome.kind === 'declined' &&
    WANTS_AUTHENTICATION.has(outcome.result) &&
    isPayerThere(order) &&
    hasCardNumber(lastTransaction(order)) &&
    order.body['3ds_data'] === undefined &&
    !order.cancel_pending &&
    authenticationOf(order, operation.transaction_id) === undefined
  );
}

export type AskingPayer = {
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly written: SettleFacts;
  /** The caller asks directory and bank; otherwise the worker does it, at once. */
  readonly continued: boolean;
};

/** False: the order changed, and nothing was done. */
export async function askPayer(tools: Tools, { order, operation, written, continued }: AskingPayer): Promise<boolean> {
  const before = transactionOf(order, operation);
  if (!before?.contract_id) throw new Error('a transaction that was sent has a contract');
  const { merchant_account_id, id: order_id } = order;
  const transaction_id = tools.chance.id();
  const lease_s = continued ? (tools.authenticator?.answer_deadline_s ?? 0) + 5 : 0;
  const attempt = {
    merchant_account_id,
    order_id,
    transaction_id,
    request_id: operation.request_id,
    lease_s,
  };
  const done = await tools.db.begin(merchant_account_id, async (tx) => {
    if (!(await settleIn(tx, merchant_account_id, { ...written, settlement: goingOn(order, written) }))) return false;
    await insertFallback(tx, {
      ...attempt,
      from_id: operation.transaction_id,
      provider: before.provider,
      contract_id: before.contract_id ?? '',
      with_capture: operation.with_capture,
      authorizes: false,
    });
    await insertAuthentication(tx, { ...attempt, ...newAuthentication(tools, 'soft_decline') });
    return true;
  });
  if (done && !continued) tools.wake_up.wake();
  return done;
}
