// What the statements `accept_operation`, `settle` and `note` do to an order, in memory: the model that histories are
// played on. A constraint of the tables that would refuse the commit is an error here.
import { Refusal } from '../../../src/core/refusals.ts';
import { toDecimal } from '../../../src/core/money.ts';
import { decide } from '../../../src/payment/order/decide/by-kind.ts';
import {
  type Decision,
  type Note,
  type OperationMove,
  type Policy,
  type PostingLine,
  type Seen,
  type Settlement,
  codeOf,
  isFinal,
  postingLines,
} from '../../../src/payment/order/decide/decision.ts';
import {
  type ValidatedOperation,
  planCancel,
  planCapture,
  planRefund,
} from '../../../src/payment/order/maintenance/plan.ts';
import type { OperationFacts, OrderFacts } from '../../../src/payment/order/facts/order-facts.ts';
import { operationFacts } from './facts.ts';

/** An order with its ledger; `next` numbers the operations. */
export type Model = {
  readonly order: OrderFacts;
  readonly ledger: readonly PostingLine[];
  readonly next: number;
  /** False once an operation was accepted, or spoken of, while another one was open or had come after it. */
  readonly one_at_a_time: boolean;
};

export const modelOf = (order: OrderFacts): Model => ({ order, ledger: [], next: 1, one_at_a_time: true });

export type Command =
  | { readonly do: 'capture'; readonly amount_minor: bigint; readonly final: boolean }
  | { readonly do: 'refund'; readonly amount_minor: bigint }
  | { readonly do: 'cancel' }
  | { readonly do: 'lapse' };

/** The merchant, or the schedule, wants something: the order after the intent, or undefined where it is refused. */
export function accept(model: Model, command: Command): Model | undefined {
  const { order } = model;
  const wish = wishOf(order, command);
  if (!wish) return undefined;
  const origin = command.do === 'lapse' ? 'schedule' : 'merchant';
  if (!guard(order, wish, origin)) {
    if (origin === 'merchant') throw new Error(`${wish.kind} is planned, but the statement never accepts it`);
    return undefined;
  }
  const { kind, amount_minor, target_id, final, waits_for } = wish;
  const own = { id: `${kind}${model.next}`, kind, amount_minor, target_id, final, waits_for, origin } as const;
  const status = origin === 'merchant' ? wish.status : order.status;
  return {
    ...model,
    next: model.next + 1,
    one_at_a_time: model.one_at_a_time && order.operations.every(isFinal),
    order: {
      ...order,
      version: order.version + 1,
      status,
      capturing_minor: order.capturing_minor + (kind === 'capture' ? amount_minor : 0n),
      refunding_minor: order.refunding_minor + (kind === 'refund' ? amount_minor : 0n),
      cancel_pending: order.cancel_pending || kind === 'cancel',
      operations: [...order.operations, operationFacts(own)],
      events:
        origin === 'merchant' ? [...order.events, eventOf(order, status, codeOf(`${kind}_pending`))] : order.events,
    },
  };
}

function wishOf(order: OrderFacts, command: Command): ValidatedOperation | undefined {
  try {
    switch (command.do) {
      case 'capture': {
        const amount = toDecimal(command.amount_minor, order.currency);
        return planCapture(order, { amount, final: command.final }, undefined);
      }
      case 'refund':
        return planRefund(order, { amount: toDecimal(command.amount_minor, order.currency) });
      case 'cancel':
        return planCancel(order, {});
      case 'lapse':
        return lapseOf(order);
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A cancel of origin schedule for all that is still on hold. */
function lapseOf(order: OrderFacts): ValidatedOperation | undefined {
  const amount_minor = order.authorized_minor - order.released_minor - order.captured_minor;
  if (amount_minor <= 0n) return undefined;
  const own = { target_id: null, final: false, refund_reason: null, operation_merchant_id: null } as const;
  return { kind: 'cancel', amount_minor, ...own, status: order.status, waits_for: 'call' };
}

/**
 * The guard of `accept_operation` (engine/guard.ts), which test/maintenance/guard.test.ts holds against the rules.
 */
function guard(
  order: OrderFacts,
  { kind, amount_minor }: ValidatedOperation,
  origin: 'merchant' | 'schedule',
): boolean {
  const { capturing_minor, captured_minor, released_minor, authorized_minor } = order;
  switch (kind) {
    case 'capture':
      return (
        !order.cancel_pending && capturing_minor + captured_minor + released_minor + amount_minor <= authorized_minor
      );
    case 'refund':
      return order.refunding_minor + order.refunded_minor + amount_minor <= captured_minor;
    case 'cancel': {
      const held = authorized_minor - released_minor - captured_minor;
      const whole = amount_minor === (order.winner_id === null ? order.amount_minor : held);
      const free = !order.cancel_pending && capturing_minor === 0n;
      return order.live && free && (captured_minor === 0n || origin === 'schedule') && whole;
    }
  }
}

export type Sight = { readonly operation_id: string; readonly seen: Seen; readonly policy: Policy };

/** Something is learnt: what decide() says is committed. */
export function see(model: Model, sight: Sight): { readonly decision: Decision; readonly after: Model } {
  const { order } = model;
  const operation = order.operations.find(({ id }) => id === sight.operation_id);
  if (!operation) throw new Error(`there is no operation ${sight.operation_id}`);
  const decision = decide(order, operation, sight);
  const one_at_a_time = model.one_at_a_time && isLast(order, operation);
  // a contradiction is kept beside the order, and moves nothing
  if (decision.kind === 'ignore' || decision.kind === 'contradict') return { decision, after: model };
  const after = decision.kind === 'note' ? note(model, operation, decision) : settle(model, operation, decision);
  return { decision, after: { ...after, one_at_a_time } };
}

/** No operation came later, but one that its own end brought or that waits for it. */
function isLast({ operations }: OrderFacts, operation: OperationFacts): boolean {
  const later = operations.slice(operations.indexOf(operation) + 1);
  const waits = (o: OperationFacts) => operation.kind === 'authorize' && o.kind === 'cancel';
  return later.every((o) => (o.target_id === operation.id && o.kind !== 'refund') || waits(o));
}

function note(model: Model, operation: OperationFacts, { state, waits_for }: Note): Model {
  if (!['requested', 'in_doubt', 'review'].includes(operation.state)) return model;
  const moves = operation.state === 'requested' || state === 'review';
  const after = { ...operation, state: moves ? state : operation.state, waits_for };
  return { ...model, order: { ...model.order, operations: replaced(model.order, [after]) } };
}

function settle(model: Model, operation: OperationFacts, settlement: Settlement): Model {
  const { order } = model;
  const { counters, follow } = settlement;
  const follow_id = follow ? `${follow.kind}${model.next}` : null;
  const lines = postingLines(settlement, { operation: operation.id, follow: follow_id });
  const moved = [moveOf(operation, settlement), ...settlement.others.map((move) => moveOf(find(order, move.id), move))];
  const followed = follow && follow_id !== null ? [operationFacts({ ...follow, id: follow_id })] : [];
  return {
    ...model,
    ledger: [...model.ledger, ...lines],
    next: model.next + (follow ? 1 : 0),
    order: {
      ...order,
      version: order.version + Math.max(1, settlement.events.length),
      status: settlement.status,
      live: settlement.live,
      winner_id: settlement.wins ? operation.transaction_id : order.winner_id,
      cancel_pending: settlement.cancel_pending,
      authorized_minor: order.authorized_minor + counters.authorized,
      released_minor: order.released_minor + counters.released,
      capturing_minor: order.capturing_minor + counters.capturing,
      captured_minor: order.captured_minor + counters.captured,
      refunding_minor: order.refunding_minor + counters.refunding,
      refunded_minor: order.refunded_minor + counters.refunded,
      operations: [...replaced(order, moved), ...followed],
      events: [...order.events, ...settlement.events.map(({ type, code }) => eventOf(order, type, code))],
    },
  };
}

type Moved = Pick<OperationMove, 'state' | 'code'>;

function moveOf(operation: OperationFacts, { state, code }: Moved): OperationFacts {
  return { ...operation, state, code: code ?? operation.code, waits_for: 'call' };
}

function find({ operations }: OrderFacts, id: string): OperationFacts {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`a settlement moves ${id}, which is not there`);
  return found;
}

function replaced({ operations }: OrderFacts, changed: readonly OperationFacts[]): readonly OperationFacts[] {
  return operations.map((operation) => changed.find(({ id }) => id === operation.id) ?? operation);
}

function eventOf({ created_at }: OrderFacts, type: string, code: string): OrderFacts['events'][number] {
  return { type, code, at: created_at, request_id: null };
}
