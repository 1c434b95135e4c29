// Our side of an order against the books of the simulated provider: nothing is shared between the two but what was
// sent.
import type { BookRow } from './bank.ts';
import type { OrderMoney } from './invariants.ts';
import { isAtVendor } from './vendors/compare.ts';

/** The differences, in words; empty: all agree. `rows`: all rows of this order, of both providers. */
export function compareBooks(order: OrderMoney, rows: readonly BookRow[]): readonly string[] {
  const payments = rows.filter((row) => row.kind === 'authorize');
  const here = [...doubles(rows), ...standing(order, payments)];
  // its money is in other books: vendors/compare.ts
  if (isAtVendor(order)) return here;
  return [...here, ...winner(order, payments), ...sums(order, rows, payments), ...ended(order, rows)];
}

const stands = ({ state }: BookRow): boolean => state === 'held' || state === 'captured' || state === 'pending';

/** Never more than one effect, over all providers together, that was not undone. */
function doubles(rows: readonly BookRow[]): string[] {
  const undone = (row: BookRow) =>
    rows.find((one) => one.kind === 'reversal' && one.reference === row.reference && one.provider === row.provider)
      ?.effects ?? 0;
  const authorized = rows
    .filter((row) => row.kind === 'authorize')
    .reduce((sum, row) => sum + row.effects - Math.min(row.effects, undone(row)), 0);
  const repeated = rows.filter(
    (row) => (row.kind === 'capture' || row.kind === 'refund') && row.effects - undone(row) > 1,
  );
  return [
    ...(authorized > 1 ? [`authorized ${authorized} times`] : []),
    ...repeated.map((row) => `${row.kind} ${row.reference} took effect ${row.effects} times`),
  ];
}

/** No hold stands that we do not know. */
function standing(order: OrderMoney, payments: readonly BookRow[]): string[] {
  return payments
    .filter((row) => stands(row) && row.reference !== order.winner_id)
    .map((row) => `${row.provider} has ${row.reference} ${row.state}, and here it is ${stateOf(order, row.reference)}`);
}

const stateOf = ({ operations }: OrderMoney, id: string): string =>
  operations.find((operation) => operation.id === id)?.state ?? 'unknown';

/** Checks that the payment that we know stands there, with the state that we know. */
function winner(order: OrderMoney, payments: readonly BookRow[]): string[] {
  if (order.winner_id === null) return [];
  const row = payments.find((one) => one.reference === order.winner_id);
  if (!row) return [`we hold ${order.winner_id}, of which the provider knows nothing`];
  const operation = order.operations.find(({ id }) => id === order.winner_id);
  const state = order.captured !== '0' ? 'captured' : order.hold !== '0' ? 'held' : 'released';
  return [
    ...(row.state === state ? [] : [`${row.reference} is ${row.state} at the provider, and ${state} here`]),
    ...(row.provider === operation?.provider ? [] : [`${row.reference} is at ${row.provider}`]),
    ...(String(row.amount) === order.amount && row.currency === order.currency
      ? []
      : [
          `${row.reference} is ${row.amount} ${row.currency} at the provider, and ${order.amount} ${order.currency} here`,
        ]),
  ];
}

function sums(order: OrderMoney, rows: readonly BookRow[], payments: readonly BookRow[]): string[] {
  const total = (kind: 'capture' | 'refund') =>
    rows
      .filter((row) => row.kind === kind)
      // the capture of a sale that was reversed is gone with it
      .filter((row) => payments.every((payment) => payment.reference !== row.reference || stands(payment)))
      .reduce((sum, row) => sum + BigInt(row.effects) * BigInt(row.amount), 0n)
      .toString();
  const captured = total('capture');
  const refunded = total('refund');
  return [
    ...(captured === order.captured ? [] : [`captured ${captured} at the provider, and ${order.captured} here`]),
    ...(refunded === order.refunded ? [] : [`refunded ${refunded} at the provider, and ${order.refunded} here`]),
  ];
}

/** Each capture and refund by itself: done there and here, or neither. */
function ended(order: OrderMoney, rows: readonly BookRow[]): string[] {
  return order.operations
    .filter(({ kind, target_id }) => kind === 'refund' || (kind === 'capture' && target_id === null))
    .flatMap(({ id, kind, state, amount, target_id }) => {
      const row = rows.find((one) => one.reference === id && one.kind === kind);
      const done = row !== undefined && row.effects > 0;
      if (done !== (state === 'successful'))
        return [`${kind} ${id} is ${state} here, and ${done ? '' : 'not '}done at the provider`];
      if (done && kind === 'refund' && row.parent !== capturedAs(order, target_id))
        return [`refund ${id} is of ${target_id} here, and of ${row.parent} at the provider`];
      return done && String(row.amount) !== amount
        ? [`${kind} ${id} is of ${row.amount} at the provider, and of ${amount} here`]
        : [];
    });
}

/** The reference under which the provider knows a capture: that of a sale is the sale's own. */
function capturedAs({ operations }: OrderMoney, capture_id: string | null): string | null {
  const capture = operations.find(({ id }) => id === capture_id);
  return capture?.target_id ?? capture_id;
}
