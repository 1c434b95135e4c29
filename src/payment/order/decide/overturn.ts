// An operation changes from one final state to the other: it was successful and has failed, or it failed and was done.
// Providers take back a capture or a refund by themselves (decision 56). Every other change needs a contradiction, and
// a proof or a person (contract 14.2).
import { bookAuthorization, bookCapture, bookRefund, bookRelease, unbook } from '../../../core/ledger-accounts.ts';
import type { ResultName } from '../../../core/results.ts';
import { type OrderStatus, TAKEN_BACK } from '../../../core/states.ts';
import { chargedBack } from '../../order-rules/blocked.ts';
import type { OperationFacts, OrderFacts } from '../facts/order-facts.ts';
import { type Counters, type Settlement, NOTHING, codeOf, isFinal, settlement } from './decision.ts';

const DONE_AFTER_ALL = 'done after all';

/** The operation was reported as done and has failed. Undefined: there is nothing that could be booked back. */
export function takenBack(order: OrderFacts, operation: OperationFacts, name: ResultName): Settlement | undefined {
  const { amount_minor, kind } = operation;
  const base = { reason: TAKEN_BACK } as const;
  switch (kind) {
    case 'capture':
      return moved(order, 'declined', {
        ...base,
        ...told('capture_declined', name),
        counters: { ...NOTHING, captured: -amount_minor },
        // the captured amount is on hold again, also after a sale, which had no hold before
        postings: [{ source: 'operation', posting: 'unbook', transfers: unbook(bookCapture(amount_minor)) }],
      });
    case 'refund':
      return moved(order, 'declined', {
        ...base,
        ...told('refund_declined', name),
        counters: { ...NOTHING, refunded: -amount_minor },
        postings: [{ source: 'operation', posting: 'unbook', transfers: unbook(bookRefund(amount_minor)) }],
      });
    case 'cancel':
      return isOfWinner(order, operation)
        ? moved(order, 'declined', {
            ...base,
            ...(order.live ? { code: codeOf(name) } : told('authorization_cancel_declined', name)),
            counters: { ...NOTHING, released: -amount_minor },
            postings: [{ source: 'operation', posting: 'unbook', transfers: unbook(bookRelease(amount_minor)) }],
          })
        : undefined;
    case 'authorize':
      return isUntouched(order, operation)
        ? moved(order, 'declined', {
            ...base,
            ...told('authorization_declined', name),
            attempt_dead: true,
            counters: { ...NOTHING, authorized: -amount_minor },
            postings: [{ source: 'operation', posting: 'unbook', transfers: unbook(bookAuthorization(amount_minor)) }],
          })
        : undefined;
    case 'reversal':
      return undefined;
  }
}

/** The operation failed here and was done at the provider. Undefined: there is nothing that could be booked. */
export function doneAfterAll(order: OrderFacts, operation: OperationFacts): Settlement | undefined {
  const { amount_minor, kind } = operation;
  const base = { reason: DONE_AFTER_ALL } as const;
  switch (kind) {
    case 'capture':
      return moved(order, 'successful', {
        ...base,
        ...told('capture_successful', 'capture_successful'),
        counters: { ...NOTHING, captured: amount_minor },
        postings: [{ source: 'operation', posting: 'book', transfers: bookCapture(amount_minor) }],
      });
    case 'refund':
      return moved(order, 'successful', {
        ...base,
        ...told('refund_successful', 'refund_successful'),
        counters: { ...NOTHING, refunded: amount_minor },
        postings: [{ source: 'operation', posting: 'book', transfers: bookRefund(amount_minor) }],
      });
    case 'cancel':
      return isOfWinner(order, operation)
        ? moved(order, 'successful', {
            ...base,
            ...(order.captured_minor > 0n
              ? { code: codeOf('cancel_successful') }
              : told('authorization_cancelled', 'cancel_successful')),
            counters: { ...NOTHING, released: amount_minor },
            postings: [{ source: 'operation', posting: 'book', transfers: bookRelease(amount_minor) }],
          })
        : undefined;
    case 'authorize':
    case 'reversal':
      return undefined;
  }
}

/**
 * Needs no person: it is within the limits of the counters, and the payer's bank has none of the money. What is charged
 * back and booked back as well would be gone twice.
 */
export function needsNobody(order: OrderFacts, { id }: OperationFacts, { above }: Settlement): boolean {
  return above === 0n && chargedBack(order, id) === 0n;
}

/** A cancel can only release the authorization that holds the order's money. */
function isOfWinner({ winner_id }: OrderFacts, { transaction_id }: OperationFacts): boolean {
  return winner_id === transaction_id;
}

/** True while nothing was built on the authorization: no capture, no release, nothing under way. */
function isUntouched({ operations }: OrderFacts, authorize: OperationFacts): boolean {
  const others = operations.filter(({ id, kind }) => id !== authorize.id && kind !== 'reversal');
  return others.every((o) => isFinal(o) && o.state !== 'successful');
}

type Change = Partial<Settlement> & { readonly counters: Counters };

/**
 * A settlement with `above`: the amount by which it would exceed the limits of the counters. The caller looks at
 * `above` and may refuse.
 */
function moved(order: OrderFacts, state: 'successful' | 'declined', change: Change): Settlement {
  const { counters } = change;
  const authorized = order.authorized_minor + counters.authorized;
  const captured = order.captured_minor + counters.captured;
  const held = captured + order.capturing_minor + order.released_minor + counters.released;
  const refunded = order.refunded_minor + counters.refunded + order.refunding_minor;
  const over = [held - authorized, refunded - captured, 0n].reduce((most, one) => (one > most ? one : most));
  return settlement(order, state, { ...change, above: over > order.above_minor ? over - order.above_minor : 0n });
}

/** A status, with its code and its event. */
export function told(status: OrderStatus, name: ResultName) {
  const code = codeOf(name);
  return { status, code, events: [{ type: status, code }] } as const;
}
