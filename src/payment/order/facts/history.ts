// The statuses an order went through (contract 7.5, 14.2). What is passed inside the accepting request makes no event:
// it is known from the attempt, and is counted in the order's version all the same.
import { result } from '../../../core/results.ts';
import type { OrderStatus } from '../../../core/states.ts';
import type { RiskNote } from '../../risk/note.ts';
import type { OrderFacts } from './order-facts.ts';

type Beginning = { readonly status: OrderStatus; readonly risk: RiskNote | null };

/** Every status that the commit of a new attempt passes, in order: `created` first, its own last. */
export function passedStatuses({ status, risk }: Beginning): readonly OrderStatus[] {
  const approved = isApproved(risk) ? (['risk_assessment_approved'] as const) : [];
  return status === 'created' ? ['created', ...approved] : ['created', ...approved, status];
}

function isApproved(risk: RiskNote | null): boolean {
  return risk?.assessed?.code === result('risk_accepted').code;
}

/** The whole history, oldest first. Each attempt that the merchant asked for begins at `created`. */
export function historyOf({ events, transactions }: OrderFacts) {
  const begun = transactions.filter(({ cascade_of }) => cascade_of === null);
  const { code } = result('authorization_pending');
  return events.flatMap((event, i) => {
    const own = { status: event.type, code: event.code, date: event.at, request_id: event.request_id };
    const first = event.at === events[i - 1]?.at ? undefined : begun.find(({ created_at }) => created_at === event.at);
    if (!first) return [own];
    const passed = passedStatuses({ status: event.type as OrderStatus, risk: first.risk });
    return passed.map((status) => (status === event.type ? own : { ...own, status, code }));
  });
}
