// How a contradiction ends (contract 14.2): by proof or by a person, who say what became of the operation. Either what
// is held here stays, or the operation goes from one end to the other, with counters, ledger and events in one commit.
import type { InCommit } from '../../../kit/database.ts';
import { withTransaction, violated } from '../../../kit/database.ts';
import { receiptDue } from '../receipt/due.ts';
import { writeReceipt } from '../receipt/write.ts';
import type { Tools } from '../../tools.ts';
import { reversalOf } from '../decide/authorize.ts';
import { type Observation, type Settlement, settlement } from '../decide/decision.ts';
import { doneAfterAll, needsNobody, takenBack } from '../decide/overturn.ts';
import type { ContradictionFacts, OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { findOrder } from '../facts/order-store.ts';
import { noteSeen } from '../engine/record.ts';
import { settleFacts } from '../engine/record-plan.ts';
import { settleIn } from '../engine/settle-store.ts';
import { endContradiction } from '../engine/contradiction-store.ts';

/** The result of an operation that is declined, if no better reason is known. */
export const NOT_DONE = {
  authorize: 'provider_unreachable',
  capture: 'capture_declined',
  refund: 'refund_declined',
  cancel: 'cancel_declined',
  reversal: 'cancel_declined',
} as const;

/** The open contradiction of an operation. */
export function contradictionOf(order: OrderFacts, operation_id: string): ContradictionFacts | undefined {
  return order.contradictions.find((one) => one.operation_id === operation_id);
}

/** The settlement if the provider was right. Undefined: no operation here can stand for what it said. */
export function theirs(order: OrderFacts, operation: OperationFacts): Settlement | undefined {
  const open = contradictionOf(order, operation.id);
  // another amount, currency or reference is nothing that was asked for
  if (!open || open.said === 'differs') return undefined;
  if (operation.kind === 'reversal')
    // the hold stands after all: it is undone once more
    return settlement(order, operation.state, {
      follow: reversalOf({ id: operation.target_id ?? '', amount_minor: operation.amount_minor }),
    });
  return operation.state === 'successful'
    ? takenBack(order, operation, NOT_DONE[operation.kind])
    : doneAfterAll(order, operation);
}

export type Ending = {
  readonly operation: OperationFacts;
  /** The side that was right. */
  readonly right: 'ours' | 'theirs';
  readonly observation: Observation;
  /** Only a person may let the provider have gone beyond what the counters allow, or be right about disputed money. */
  readonly by_person: boolean;
  /** Done in the commit that ends it. */
  readonly also?: InCommit;
};

const MAX_ROUNDS = 20;

/**
 * False: it cannot end so, because something that stands beside it forbids it. Throws where the order never stands
 * still.
 */
export async function endAs(tools: Tools, first: OrderFacts, ending: Ending): Promise<OrderFacts | false> {
  const { merchant_account_id, id: order_id } = first;
  const db = tools.db.tenant(merchant_account_id);
  let order = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const operation = order.operations.find(({ id }) => id === ending.operation.id);
    if (!operation || !contradictionOf(order, operation.id)) return order;
    const done = await commit(tools, order, { ...ending, operation });
    if (done === 'forbidden') return false;
    order = (await findOrder(db, order_id)) ?? order;
    if (!done) continue;
    tools.wake_up.wake();
    return order;
  }
  throw new Error(`order ${order_id} moved ${MAX_ROUNDS} times while a contradiction was ended`);
}

/** False: the order has moved. */
async function commit(tools: Tools, order: OrderFacts, ending: Ending): Promise<boolean | 'forbidden'> {
  const { operation, right, observation, also } = ending;
  const { merchant_account_id, id: order_id, version } = order;
  const named = { order_id, operation_id: operation.id };
  const settled = right === 'theirs' ? theirs(order, operation) : undefined;
  if (right === 'theirs' && (!settled || !(ending.by_person || needsNobody(order, operation, settled))))
    return 'forbidden';
  try {
    return await withTransaction(tools.db, merchant_account_id, async (tx) => {
      if (settled) {
        const written = settleFacts({ order, operation, observation, settlement: settled }, tools.chance.id());
        const done = await settleIn(tx, merchant_account_id, written);
        if (!done) return false;
        const receipt = receiptDue(tools, order, written);
        if (receipt) await writeReceipt(tools, tx, { ...receipt, at: done.at });
        await endContradiction(tx, merchant_account_id, { ...named, version: null, state: 'theirs' });
      } else {
        if (!(await endContradiction(tx, merchant_account_id, { ...named, version, state: 'ours' }))) return false;
        await noteSeen(tx, order, { operation, observation });
      }
      await also?.(tx);
      return true;
    });
  } catch (error) {
    if (FORBIDDING.has(violated(error) ?? '')) return 'forbidden';
    throw error;
  }
}

/** Another order of the checkout is live by now; or it was booked and booked back before. */
const FORBIDDING: ReadonlySet<string> = new Set(['one_live_order', 'ledger_entries_pkey']);
