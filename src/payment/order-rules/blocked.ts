// Which money of an order may not be used, though it is left: what an open contradiction is about, because the provider
// may have done or undone it already (contract 14.2), and what the payer's bank has taken back (contract 8.2).
import { atLeastNothing, capturableMinor } from './amounts.ts';
import type { Standing, StandingContradiction, StandingDispute, StandingOperation } from './standing.ts';

type Order = Pick<Standing, 'operations' | 'contradictions'>;
type Open = { readonly contradiction: StandingContradiction; readonly operation: StandingOperation };

function openOf({ contradictions, operations }: Order): readonly Open[] {
  return contradictions.flatMap((contradiction) => {
    const operation = operations.find(({ id }) => id === contradiction.operation_id);
    return operation ? [{ contradiction, operation }] : [];
  });
}

/**
 * Minor units that must not be captured: a capture that may have been done all the same, or the whole hold where it may
 * be gone.
 */
export function blockedCapture(order: Standing): bigint {
  const left = capturableMinor(order);
  return openOf(order).reduce((blocked, { contradiction: { held, said }, operation }) => {
    // what counts as captured or refunded here is blocked as it is
    if (operation.kind === 'refund' || (operation.kind === 'capture' && held === 'successful' && said !== 'differs'))
      return blocked;
    const part = operation.kind === 'capture' && said !== 'differs' ? operation.amount_minor : left;
    return blocked + part < left ? blocked + part : left;
  }, 0n);
}

/**
 * Minor units of a capture that must not be refunded: a refund that may have been done, or all of it where it may have
 * failed.
 */
export function blockedRefund(order: Order, capture: StandingOperation): bigint {
  return openOf(order).reduce((blocked, { contradiction: { held, said }, operation }) => {
    if (operation.kind === 'authorize' || operation.kind === 'reversal') return capture.amount_minor;
    if (operation.kind === 'capture') return operation.id === capture.id ? capture.amount_minor : blocked;
    if (operation.kind !== 'refund' || operation.target_id !== capture.id) return blocked;
    if (said === 'differs') return capture.amount_minor;
    return held === 'successful' ? blocked : blocked + operation.amount_minor;
  }, 0n);
}

/** True while it is not known whether the hold stands, or whether something of it was captured. */
export function isCancelBlocked(order: Order): boolean {
  return openOf(order).some(({ operation }) => operation.kind !== 'refund');
}

/** Disputes that hold money: open, or lost. */
export function standingDisputes<D extends StandingDispute>({
  disputes,
}: {
  readonly disputes: readonly D[];
}): readonly D[] {
  return disputes.filter(({ state }) => state !== 'won');
}

/** Minor units of a capture that are charged back; without one, of the whole order. */
export function chargedBack(order: Pick<Standing, 'disputes'>, capture_id?: string): bigint {
  return standingDisputes(order)
    .filter(({ operation_id }) => capture_id === undefined || operation_id === capture_id)
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0n);
}

/**
 * Minor units that went back to the payer beyond what was captured: a refund and a dispute, or several disputes, took
 * the money of one capture.
 */
export function wentBackTwice({ operations, disputes }: Pick<Standing, 'operations' | 'disputes'>): bigint {
  const done = operations.filter(({ state }) => state === 'successful');
  return done
    .filter(({ kind }) => kind === 'capture')
    .map(({ id, amount_minor }) => {
      const refunds = done.filter(({ kind, target_id }) => kind === 'refund' && target_id === id);
      const refunded = refunds.reduce((sum, refund) => sum + refund.amount_minor, 0n);
      return atLeastNothing(refunded + chargedBack({ disputes }, id) - amount_minor);
    })
    .reduce((sum, beyond) => sum + beyond, 0n);
}
