// Other orders of the same customer, and of the same card or one that ends alike.
import { isId } from '../../core/ids.ts';
import { lastTransaction } from '../../payment/order/facts/order-facts.ts';
import { findOrder } from '../../payment/order/facts/order-store.ts';
import { type OrderFilters, searchOrders } from '../../payment/order/search/rows.ts';
import { type BackofficeRequest, unknown } from '../context.ts';
import type { RelatedOrders } from '../wire/orders.ts';
import { viewRow } from './list.ts';

const FEW = 5;

export async function readRelated({ db }: BackofficeRequest, order_id: string): Promise<RelatedOrders> {
  const order = isId(order_id) ? await findOrder(db, order_id) : undefined;
  if (!order) throw unknown('order');
  const { last4, payment_method_name } = lastTransaction(order);
  const { customer_id } = order.body;
  const others = async (filters: OrderFilters) => {
    // one more than is shown: it may be among them itself
    const { rows } = await searchOrders(db, { filters, limit: FEW + 1 });
    return rows
      .filter(({ id }) => id !== order_id)
      .slice(0, FEW)
      .map(viewRow);
  };
  const [customer, card] = await Promise.all([
    customer_id === undefined || customer_id === '' ? [] : others({ customer_id }),
    last4 === null ? [] : others({ last4, payment_method_name }),
  ]);
  return { customer, card };
}
