// How Adyen calls an operation of ours: `order-operation`. It comes back in answers, messages and reports.
import { isId } from '../../core/ids.ts';
import type { Facts } from '../contract.ts';

export const referenceOf = ({ order_id }: Pick<Facts, 'order_id'>, operation_id: string): string =>
  `${order_id}-${operation_id}`;

/** Null: it is none of ours, such as a payment that a person made by hand under the same account. */
export function operationOf(reference: string): { readonly order_id: string; readonly operation_id: string } | null {
  const [order_id = '', operation_id = '', ...more] = reference.split('-');
  return isId(order_id) && isId(operation_id) && more.length === 0 ? { order_id, operation_id } : null;
}
