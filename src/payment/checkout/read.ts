// GET /payment/checkout/{checkout_id}: as it stands now.
import { isId } from '../../core/ids.ts';
import { refuseUnknown } from '../../core/refusals.ts';
import type { Answer } from '../../kit/http/route.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import type { CustomerMethods } from './methods.ts';
import { HOSTED_TYPES } from './request.ts';
import { findCheckout, isCheckoutOpen } from './store.ts';
import { checkoutAnswer, checkoutStatus } from './view.ts';

export async function readCheckout(
  tools: Tools,
  { account, customers }: { readonly account: Account; readonly customers: CustomerMethods },
  checkout_id: string,
): Promise<Answer> {
  const row = isId(checkout_id)
    ? await findCheckout(tools.db.reading(account.merchant_account_id), checkout_id)
    : undefined;
  if (!row) throw refuseUnknown('checkout');
  const status = checkoutStatus(row, row.orders);
  const read = { attempts_remaining: Math.max(0, row.max_attempts - row.attempts), orders: row.orders };
  const lists = status === 'created' && !HOSTED_TYPES.includes(String(row.body['type']));
  const known = lists ? await customers(account, row.body, 'read') : { saved: [], used: [] };
  return checkoutAnswer({ row, status, account, known, vault_url: tools.addresses.vault_url, read });
}

/** The vault's question about a checkout it is to bind a token to. */
export async function checkoutState(
  tools: Pick<Tools, 'db'>,
  checkout_id: string,
  merchant_account_id: string,
): Promise<'open' | 'closed'> {
  return (await isCheckoutOpen(tools.db.tenant(merchant_account_id), checkout_id)) ? 'open' : 'closed';
}
