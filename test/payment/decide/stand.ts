// One operation in one state, with an order around it whose money is where it is then; and decide() asked about it.
import type { OperationState } from '../../../src/core/states.ts';
import { decide } from '../../../src/payment/order/decide/by-kind.ts';
import {
  type Decision,
  type Policy,
  type Seen,
  isFinal,
  postingLines,
} from '../../../src/payment/order/decide/decision.ts';
import type { OperationFacts, OrderFacts } from '../../../src/payment/order/facts/order-facts.ts';
import { AUTHORIZE, EARLY, approval, decline, everythingSeen, freshOrder, operationFacts } from './facts.ts';

export type Kind = OperationFacts['kind'];
export const OPEN = ['requested', 'in_doubt', 'review'] as const;
export const FOLLOW_UPS = ['capture', 'refund', 'cancel'] as const;
export const ALL: readonly Kind[] = ['authorize', 'capture', 'refund', 'cancel', 'reversal'];
/** Without an alert. */
export const IGNORED = { kind: 'ignore' };

/** An order of 4250 with an operation of this kind in this state: the money is where it is then. */
export function stand(kind: Kind, state: OperationState, change: Partial<OrderFacts> = {}) {
  const start = freshOrder({ amount_minor: 4250n, currency: 'EUR', with_capture: false });
  const authorize = (is: OperationState) =>
    operationFacts({ id: AUTHORIZE, kind: 'authorize', amount_minor: 4250n, state: is });
  const held = { ...start, status: 'authorization_successful', winner_id: AUTHORIZE, authorized_minor: 4250n } as const;
  const own = operationFacts({ id: 'own', kind, amount_minor: 1000n, state });
  const open = !isFinal({ state });
  const done = state === 'successful' ? 1000n : 0n;
  const first = operationFacts({ id: 'first', kind: 'capture', amount_minor: 2000n, state: 'successful' });
  switch (kind) {
    case 'authorize': {
      const operation = authorize(state);
      const base = state === 'successful' ? held : start;
      const reversal = operationFacts({
        id: 'undo',
        kind: 'reversal',
        amount_minor: 4250n,
        target_id: AUTHORIZE,
        origin: 'recovery',
      });
      const operations = state === 'reversing' ? [operation, reversal] : [operation];
      return { operation, order: { ...base, operations, ...change } };
    }
    case 'capture': {
      const order = {
        ...held,
        status: 'capture_requested' as const,
        capturing_minor: open ? 1000n : 0n,
        captured_minor: done,
      };
      return { operation: own, order: { ...order, operations: [authorize('successful'), own], ...change } };
    }
    case 'refund': {
      const operation = { ...own, target_id: 'first' };
      const order = { ...held, status: 'refund_requested' as const, captured_minor: 2000n, refunded_minor: done };
      const refunding_minor = open ? 1000n : 0n;
      return {
        operation,
        order: { ...order, refunding_minor, operations: [authorize('successful'), first, operation], ...change },
      };
    }
    case 'cancel': {
      const operation = { ...own, amount_minor: 4250n };
      const released_minor = state === 'successful' ? 4250n : 0n;
      const order = {
        ...held,
        status: 'authorization_cancel_requested' as const,
        cancel_pending: open,
        released_minor,
      };
      return { operation, order: { ...order, operations: [authorize('successful'), operation], ...change } };
    }
    case 'reversal': {
      const operation = { ...own, amount_minor: 4250n, target_id: AUTHORIZE, origin: 'recovery' as const };
      return { operation, order: { ...start, operations: [authorize('reversing'), operation], ...change } };
    }
  }
}

export type Stand = ReturnType<typeof stand>;

export function see({ order, operation }: Stand, seen: Seen, policy: Policy = EARLY): Decision {
  return decide(order, operation, { seen, ...(policy && { policy }) });
}

export const yes = ({ order, operation }: Stand) => approval(order, operation);
export const no = ({ operation }: Stand) => decline(operation);
export const notOurs = ({ order, operation }: Stand) =>
  everythingSeen(order, operation).filter(([name]) => /^approved, (a unit|another)/.test(name));

/** The postings of a settlement, a line each. */
export function linesOf(decision: Decision): readonly string[] {
  if (decision.kind !== 'settle') return [];
  return postingLines(decision, { operation: 'op', follow: 'follow' }).map(
    ({ source, posting, line, debit, credit, amount_minor }) =>
      `${source} ${posting} ${line}: ${debit} <- ${credit} ${amount_minor}`,
  );
}
