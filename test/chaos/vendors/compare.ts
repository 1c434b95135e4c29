// Our side of the orders at the real providers against the books of their simulators: nothing is shared between the two
// but what was sent.
import { providers } from '../../../src/provider/registry.ts';
import type { Payment } from '../../conformance/at/contract.ts';
import type { OrderMoney } from '../invariants.ts';
import { VENDORS } from './vendors.ts';

const NAMES: ReadonlySet<string> = new Set(VENDORS.map(({ name }) => name));
const CAN = providers();
/** ISO 4217, which is all that the acquirer writes. */
const NUMBERS: Readonly<Record<string, string>> = { '826': 'GBP' };

export const isVendor = (provider: string): boolean => NAMES.has(provider);

const winnerOf = ({ operations, winner_id }: OrderMoney) => operations.find(({ id }) => id === winner_id);
/** The order's money is at one of the vendors. */
export const isAtVendor = (order: OrderMoney): boolean => isVendor(winnerOf(order)?.provider ?? '');

type Books = ReadonlyMap<string, readonly Payment[]>;

/** Answers how many orders each of them won. */
export function compareVendors(
  orders: ReadonlyMap<string, OrderMoney>,
  books: Books,
  violated: (order_id: string, what: string) => void,
): ReadonlyMap<string, number> {
  const of_operation = new Map(
    [...orders.values()].flatMap((order) => order.operations.map(({ id }) => [id, order] as const)),
  );
  const found = new Set<string>();
  for (const [provider, payments] of books)
    for (const payment of payments) {
      const order = of_operation.get(payment.ours);
      if (!order) {
        if (stands(payment)) violated('', `${provider} has a payment that is not ours: ${shown(payment)}`);
        continue;
      }
      if (payment.ours === order.winner_id) found.add(order.order_id);
      const wrong = differences(order, payment, provider);
      if (wrong !== undefined) violated(order.order_id, wrong);
    }
  const won = new Map<string, number>();
  for (const order of orders.values()) {
    const winner = winnerOf(order);
    if (!winner || !isVendor(winner.provider)) continue;
    won.set(winner.provider, (won.get(winner.provider) ?? 0) + 1);
    if (!found.has(order.order_id))
      violated(order.order_id, `we hold ${winner.id}, of which ${winner.provider} knows nothing`);
  }
  return won;
}

const stands = ({ held, captured, refunded }: Payment): boolean => held !== 0n || captured !== refunded;

function differences(order: OrderMoney, payment: Payment, provider: string): string | undefined {
  if (payment.ours !== order.winner_id)
    return stands(payment) ? `${provider} has ${payment.ours} beside what we know: ${shown(payment)}` : undefined;
  const stays = CAN.get(provider)?.can.rest_after_last_capture === 'stays';
  // what a last capture left is no hold of ours any more, and there until it lapses
  const left = stays && payment.captured > 0n && order.hold === '0';
  const there = shown({ ...payment, held: left ? 0n : payment.held });
  const here = `${order.currency} held ${order.hold}, captured ${order.captured}, refunded ${order.refunded}`;
  return here === there ? undefined : `here ${here}; at ${provider} ${there}`;
}

const shown = ({ currency, held, captured, refunded }: Payment): string =>
  `${NUMBERS[currency] ?? currency} held ${held}, captured ${captured}, refunded ${refunded}`;
