// The decimals of amounts, where the request does not say of which currency they are, and something else is wrong with
// it too: the order or the checkout that it names says it, so that all is said at once (contract 2.5).
import { isId } from '../../../core/ids.ts';
import type { Repeated } from '../../../kit/http/route.ts';
import { findCheckout } from '../../checkout/store.ts';
import type { Account } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { findOrder } from '../facts/order-store.ts';

type Named = { readonly checkout_id?: string; readonly currency?: string };

export async function checkDecimals(
  tools: Tools,
  { caller, params, body, reading }: Pick<Repeated<Account, object>, 'caller' | 'params' | 'body' | 'reading'>,
): Promise<void> {
  const { currency, checkout_id }: Named = body;
  if (reading.amounts.length === 0 || currency !== undefined) return;
  const db = tools.db.tenant(caller.merchant_account_id);
  const { order_id } = params;
  const [find, id] = order_id === undefined ? [findCheckout, checkout_id] : [findOrder, order_id];
  const named = id !== undefined && isId(id) ? await find(db, id) : undefined;
  if (named) reading.checkAmounts(named.currency);
}
