// May an operation that was sent be sent once more, and under which key?
import type { Provider } from '../../../../provider/contract.ts';
import type { Policy } from '../../decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../../facts/order-facts.ts';
import { againOf, canAskAbout, keyIsKept } from '../provider-call.ts';

/** An operation that is not decided, with what its waiting time proves. */
export type Found = {
  readonly provider: Provider;
  readonly order: OrderFacts;
  readonly operation: OperationFacts;
  readonly policy: Policy;
};

export const maySend = ({ waits_for, state }: OperationFacts): boolean => waits_for === 'call' && state !== 'review';

/**
 * May the operation be sent again without a proof that the first call had no effect? Yes, if its key prevents a second
 * effect, or if a second time does no harm.
 */
export function isRepeatable(step: Found): boolean {
  return step.operation.kind === 'reversal' || (keyedStep(step) && keyIsKept(step));
}

/**
 * Does the operation take another key, once the provider says that it is not there? A reversal does not: it takes
 * another key after each failure.
 */
export function takesNewKey({ provider, order, operation }: Found): boolean {
  return operation.kind !== 'reversal' && canAskAbout(provider.can, order, operation);
}

export function keyedStep(step: Found): boolean {
  const again = againOf(step);
  return again === 'same_key' || again === 'freely';
}
