// Which money of an order nobody may use while a contradiction is open (contract 14.2): what the provider may have done already, or
// may have undone. Pure.
import type { ContradictionFacts, OperationFacts, OrderFacts } from '../read/facts.ts';

type Open = { readonly contradiction: ContradictionFacts; readonly operation: OperationFacts };

function openOf({ contradictions, operations }: OrderFacts): readonly Open[] {
  return contradictions.flatMap((contradiction) => {
    const operation = operations.find(({ id }) => id === contradiction.operation_id);
    return operation ? [{ contradiction, operation }] : [];
  });
}

/** Minor units that must not be captured: a capture that may have been done all the same, or the whole hold where it may be gone. */
export function blockedCapture(order: OrderFacts): bigint {
  const held = order.authorized_minor - order.released_minor - order.captured_minor - order.capturing_minor;
  return openOf(order).reduce((blocked, { contradiction: { held: state, said }, operation }) => {
    // what counts as captured or refunded here is blocked as it is
    if (operation.kind === 'refund' || (operation.kind === 'capture' && state === 'successful' && said !== 'differs'))
      return blocked;
    const part = operation.kind === 'capture' && said !== 'differs' ? operation.amount_minor : held;
    return blocked + part < held ? blocked + part : held;
  }, 0n);
}

/** Minor units of a capture that must not be refunded: a refund that may have been done, or all of it where it may have failed. */
export function blockedRefund(order: OrderFacts, capture: OperationFacts): bigint {
  return openOf(order).reduce((blocked, { contradiction: { held, said }, operation }) => {
    if (operation.kind === 'authorize' || operation.kind === 'reversal') return capture.amount_minor;
    if (operation.kind === 'capture') return operation.id === capture.id ? capture.amount_minor : blocked;
    if (operation.kind !== 'refund' || operation.target_id !== capture.id) return blocked;
    if (said === 'differs') return capture.amount_minor;
    return held === 'successful' ? blocked : blocked + operation.amount_minor;
  }, 0n);
}

/** True while it is not known whether the hold stands, or whether something of it was captured. */
export function isCancelBlocked(order: OrderFacts): boolean {
  return openOf(order).some(({ operation }) => operation.kind !== 'refund');
}
