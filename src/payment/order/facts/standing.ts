// The order as the rules of what may be done with it see it.
import type { Standing } from '../../order-rules/standing.ts';
import { openAuthentication } from './authentication-facts.ts';
import { codeOf, isFinal } from '../decide/decision.ts';
import type { OrderFacts } from './order-facts.ts';

export function standingOf(order: OrderFacts): Standing {
  const authorizing = order.operations.some((o) => o.kind === 'authorize' && !isFinal(o));
  return {
    ...order,
    undecided: authorizing || openAuthentication(order) !== undefined,
    ended_by_payer: order.events.at(-1)?.code === codeOf('payer_left_authentication'),
  };
}
