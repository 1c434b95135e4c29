// A person's word on a contradiction: what became of an operation that is final here and that its provider says the
// opposite of.
import type { InCommit } from '../../../kit/database.ts';
import type { Tools } from '../../tools.ts';
import { contradictionOf, endAs, theirs } from './end-contradiction.ts';
import type { Seen } from '../decide/decision.ts';
import type { ContradictionFacts, OperationFacts, OrderFacts } from '../facts/order-facts.ts';

type Said = 'done' | 'not-done';

/** Our own final state, in the words of a ruling. */
const heldAs = ({ held }: ContradictionFacts): Said => (held === 'successful' ? 'done' : 'not-done');

/** Why it cannot be ruled so; undefined: it can. */
export function whyNot(
  order: OrderFacts,
  operation: OperationFacts,
  { as, provider_ref }: { readonly as: Said; readonly provider_ref?: string | undefined },
): { readonly message: string; readonly field?: 'provider_ref' } | undefined {
  const open = contradictionOf(order, operation.id);
  if (!open || as === heldAs(open)) return undefined;
  if (!theirs(order, operation))
    return {
      message: `What the provider says cannot stand here for the ${operation.kind}: it names other money, or something was built on it since. Have it corrected at the provider, then settle it as ${heldAs(open)}.`,
    };
  const reference = operation.provider_ref ?? open.provider_ref ?? provider_ref;
  if (as === 'done' && operation.kind === 'capture' && reference === undefined)
    return {
      message: `The provider's own id of the capture is not known here, and later refunds need it. Give it as the reference.`,
      field: 'provider_ref',
    };
  return undefined;
}

export type Resolution = { readonly as: Said; readonly outcome: Seen; readonly also: InCommit };

/** False: what stands beside it forbids it, for example another order that is live on the checkout by now. */
export function settleContradicted(
  tools: Tools,
  order: OrderFacts,
  { operation, ruling }: { readonly operation: OperationFacts; readonly ruling: Resolution },
): Promise<OrderFacts | false> {
  const open = contradictionOf(order, operation.id);
  const right = !open || ruling.as === heldAs(open) ? 'ours' : 'theirs';
  const observation = { source: 'operator', outcome: ruling.outcome } as const;
  return endAs(tools, order, { operation, right, observation, by_person: true, also: ruling.also });
}
