// Works out what the ledger must contain of an order, from the order's operations alone: a second opinion on the
// engine's postings.
import { TAKEN_BACK } from '../../../core/states.ts';
import {
  type Transfer,
  bookAuthorization,
  bookCapture,
  bookChargeback,
  bookRefund,
  bookRelease,
  bookSale,
  unbook,
} from '../../../core/ledger-accounts.ts';
import type { CheckedOperation } from './store.ts';

export type Posting = {
  readonly source: CheckedOperation;
  readonly posting: 'book' | 'unbook';
  readonly transfers: readonly Transfer[];
};

type Order = { readonly winner_id: string | null; readonly operations: readonly CheckedOperation[] };

/** Every posting the operations of an order must have, by operation. */
export function expectedPostings(order: Order): readonly Posting[] {
  return order.operations.flatMap((source) => {
    const booked = bookedFor(order, source);
    if (booked.length === 0) return [];
    const book = { source, posting: 'book', transfers: booked } as const;
    if (source.state === 'successful' || (source.kind === 'dispute' && source.state !== 'won')) return [book];
    return [book, { source, posting: 'unbook', transfers: unbookedFor(source) } as const];
  });
}

function bookedFor(order: Order, operation: CheckedOperation): readonly Transfer[] {
  const { kind, state, reason } = operation;
  const amount_minor = BigInt(operation.amount_minor);
  const was_done =
    kind === 'dispute' ||
    state === 'successful' ||
    (state === 'declined' && kind !== 'reversal' && reason === TAKEN_BACK);
  if (!was_done) return [];
  switch (kind) {
    case 'authorize':
      // of a sale nothing was ever on hold: its capture is booked instead
      return captureAtOnce(order, operation) ? [] : bookAuthorization(amount_minor);
    case 'capture': {
      const sale = order.operations.find(({ id }) => id === operation.target_id);
      return sale && captureAtOnce(order, sale) === operation ? bookSale(amount_minor) : bookCapture(amount_minor);
    }
    case 'refund':
      return bookRefund(amount_minor);
    case 'cancel':
      // an authorization that was never made has nothing to release
      return operation.transaction_id === order.winner_id ? bookRelease(amount_minor) : [];
    case 'dispute':
      return bookChargeback(amount_minor);
    case 'reversal':
      return [];
  }
}

/** Taken back, a capture is on hold again, also where it never was; a dispute that is won gives its amount back. */
function unbookedFor({ kind, amount_minor }: CheckedOperation): readonly Transfer[] {
  const amount = BigInt(amount_minor);
  switch (kind) {
    case 'dispute':
      return unbook(bookChargeback(amount));
    case 'refund':
      return unbook(bookRefund(amount));
    case 'cancel':
      return unbook(bookRelease(amount));
    case 'authorize':
      return unbook(bookAuthorization(amount));
    case 'capture':
    case 'reversal':
      return unbook(bookCapture(amount));
  }
}

/** The capture that came with its authorization, in one commit and so at one moment. */
function captureAtOnce({ operations }: Order, authorize: CheckedOperation): CheckedOperation | undefined {
  if (authorize.kind !== 'authorize' || !authorize.with_capture) return undefined;
  return operations.find(
    (o) =>
      o.kind === 'capture' &&
      o.target_id === authorize.id &&
      o.settled_at === authorize.settled_at &&
      (o.state === 'successful' || o.reason === TAKEN_BACK),
  );
}
