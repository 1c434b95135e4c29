// The facts of an order after a settlement: what a read would find, without the read.
import { isFinal } from '../decide/decision.ts';
import type { SettleFacts } from '../engine/settle-store.ts';
import type { OperationFacts, OrderFacts, TransactionFacts } from './order-facts.ts';
import { newOperation } from './operation-columns.ts';

export function settledFacts(
  order: OrderFacts,
  written: SettleFacts,
  done: { readonly version: number; readonly at: Date },
): OrderFacts {
  const { settlement } = written;
  const { counters } = settlement;
  const at = done.at.toISOString();
  const others = new Map(settlement.others.map((move) => [move.id, move]));
  const operations = order.operations.map((operation) => {
    if (operation.id === written.operation_id) return settledOperation(operation, written, at);
    const move = others.get(operation.id);
    const { state, code } = move ?? operation;
    return move ? { ...operation, state, code: code ?? operation.code, waits_for: 'call', settled_at: at } : operation;
  });
  return {
    ...order,
    status: settlement.status,
    live: settlement.live,
    version: done.version,
    winner_id: winnerOf(order, written),
    cancel_pending: settlement.cancel_pending,
    authorized_minor: order.authorized_minor + counters.authorized,
    released_minor: order.released_minor + counters.released,
    capturing_minor: order.capturing_minor + counters.capturing,
    captured_minor: order.captured_minor + counters.captured,
    refunding_minor: order.refunding_minor + counters.refunding,
    refunded_minor: order.refunded_minor + counters.refunded,
    above_minor: order.above_minor + settlement.above,
    updated_at: at,
    transactions: order.transactions.map((t) => (t.id === written.transaction_id ? triedTransaction(t, written) : t)),
    operations: [...operations, ...followOf(order, written, at)],
    events: [...order.events, ...settlement.events.map((event) => ({ ...event, at, request_id: written.request_id }))],
  };
}

function triedTransaction(transaction: TransactionFacts, { risk_score, counting }: SettleFacts): TransactionFacts {
  return {
    ...transaction,
    risk_score: risk_score ?? transaction.risk_score,
    decline: counting?.note ?? transaction.decline,
    held: counting?.held ?? transaction.held,
  };
}

function winnerOf({ winner_id }: OrderFacts, { settlement, transaction_id }: SettleFacts): string | null {
  if (settlement.attempt_dead && winner_id === transaction_id) return null;
  return settlement.wins ? transaction_id : winner_id;
}

function settledOperation(operation: OperationFacts, written: SettleFacts, at: string): OperationFacts {
  const { settlement } = written;
  return {
    ...operation,
    state: settlement.state,
    code: settlement.code ?? operation.code,
    waits_for: settlement.state === 'reversing' && operation.waits_for === 'payer' ? 'payer' : 'call',
    settled_at: isFinal(settlement) ? (operation.settled_at ?? at) : null,
    authorization_code: written.authorization_code ?? operation.authorization_code,
    provider_ref: written.provider_ref ?? operation.provider_ref,
    provider_code: written.provider_code ?? operation.provider_code,
    provider_text: written.provider_text ?? operation.provider_text,
  };
}

function followOf(order: OrderFacts, written: SettleFacts, at: string): readonly OperationFacts[] {
  const { follow } = written.settlement;
  const parent = order.operations.find((operation) => operation.id === written.operation_id);
  if (!follow || written.follow_id === null || !parent) return [];
  return [
    newOperation({
      ...follow,
      id: written.follow_id,
      transaction_id: parent.transaction_id,
      request_id: written.request_id,
      created_at: at,
      settled_at: follow.state === 'requested' ? null : at,
    }),
  ];
}
