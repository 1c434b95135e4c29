// What was sent with an attempt. The order has the fields of its last one; an attempt before it keeps what the next one
// was sent with otherwise (contract 7.4, 7.5).
import { isDeepStrictEqual } from 'node:util';
import type { StoredOrder } from '../accept/request.ts';
import type { OrderFacts, TransactionFacts } from './order-facts.ts';

/** By name; null: the attempt was sent without it. */
export type Otherwise = Readonly<Record<string, unknown>>;

/** Groups of fields that a transaction shows as they were sent. */
const CUSTOMER_FIELD = /^(customer_|shipping_|is_customer_registered$|is_return_accepted$)/;
const OTHERS = ['payment_channel', 'payment_method_type', 'authentication_indicator'] as const;

export const isCustomerField = (name: string): boolean => CUSTOMER_FIELD.test(name);

type Sent = Pick<OrderFacts, 'body' | 'order_merchant_id'>;

/** What the commit of another attempt writes on those before it. */
export type Before = {
  /** What the last of them was sent with otherwise; null: nothing. */
  readonly otherwise: Otherwise | null;
  /** A pattern: fields with such names are kept of none of them. Null: all are kept. */
  readonly forgets: string | null;
};

/** Of another customer nothing is kept, of no attempt: who is erased is found by the customer_id of the order. */
export function sentBefore(before: Sent, next: Sent): Before {
  const is_same = before.body.customer_id === next.body.customer_id;
  return { otherwise: sentOtherwise({ before, next, is_same }), forgets: is_same ? null : CUSTOMER_FIELD.source };
}

type Compared = { readonly before: Sent; readonly next: Sent; readonly is_same: boolean };

function sentOtherwise({ before, next, is_same }: Compared): Otherwise | null {
  const [old, now] = [fieldsOf(before), fieldsOf(next)];
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name): [string, unknown][] => {
    if (!is_same && isCustomerField(name)) return [[name, null]];
    return isDeepStrictEqual(old[name], now[name]) ? [] : [[name, old[name] ?? null]];
  });
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function fieldsOf({ body, order_merchant_id }: Sent): Readonly<Record<string, unknown>> {
  const shown = Object.entries(body).filter(([name]) => isCustomerField(name) || OTHERS.some((one) => one === name));
  return { order_merchant_id, ...Object.fromEntries(shown) };
}

/** The order with the fields that this transaction was sent with. */
export function orderAt(order: OrderFacts, { id }: TransactionFacts): OrderFacts {
  const from = order.transactions.findIndex((one) => one.id === id);
  const otherwise = order.transactions.slice(from).flatMap((one) => one.otherwise ?? []);
  // nearly every order
  if (otherwise.length === 0) return order;
  const all: Readonly<Record<string, unknown>> = Object.assign({}, ...otherwise.toReversed());
  const { order_merchant_id = order.order_merchant_id, ...fields } = all;
  const body = Object.fromEntries(
    Object.entries({ ...order.body, ...fields }).filter(([name, value]) => value !== null || !(name in fields)),
  ) as StoredOrder;
  return { ...order, order_merchant_id: String(order_merchant_id), body };
}
