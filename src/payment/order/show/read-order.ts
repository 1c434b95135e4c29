// GET /payment/order/{order_id}: the flat answer and transactions[], as they stand now.
import { isId } from '../../../core/ids.ts';
import { refuseUnknown } from '../../../core/refusals.ts';
import type { Answer } from '../../../kit/http/route.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { orderRead } from './transaction-view.ts';
import { findOrder } from '../facts/order-store.ts';

export async function readOrder(tools: Tools, account: Account, order_id: string): Promise<Answer> {
  const order = isId(order_id) ? await findOrder(tools.db.reading(account.merchant_account_id), order_id) : undefined;
  if (!order) throw refuseUnknown('order');
  return { body: orderRead(order, tools) };
}
