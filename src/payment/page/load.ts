// Everything a hosted page is made of, looked up by its handle.
import { isToken } from '../../core/ids.ts';
import { type CheckoutWithOrders, findCheckout } from '../checkout/store.ts';
import { checkoutStatus } from '../checkout/view.ts';
import type { Account } from '../merchant/account.ts';
import { DEFAULT_SETTINGS } from '../merchant/settings.ts';
import type { OrderFacts } from '../order/read/facts.ts';
import { redirectMember } from '../order/read/authentication-view.ts';
import { findOrder } from '../order/read/store.ts';
import type { Tools } from '../tools.ts';
import { type PageState, RETURN_URLS, type Urls, stateOf } from './state.ts';
import { findPageOwner } from './store.ts';

export type Page = {
  readonly handle: string;
  readonly account: Account;
  readonly checkout: CheckoutWithOrders;
  /** The last order made from it. */
  readonly order: OrderFacts | undefined;
  readonly state: PageState;
  readonly urls: Urls;
};

/** Undefined: there is no such page. */
export async function loadPage(tools: Tools, handle: string): Promise<Page | undefined> {
  const owner = isToken(handle) ? await findPageOwner(tools.db, handle) : undefined;
  if (!owner) return undefined;
  const { merchant_account_id, name, settings, contracts } = owner;
  const db = tools.db.tenant(merchant_account_id);
  const checkout = await findCheckout(db, owner.checkout_id);
  if (!checkout) throw new Error('a page has a checkout');
  const [last] = checkout.orders;
  const order = last && (await findOrder(db, last.order_id));
  return {
    handle,
    account: { merchant_account_id, kind: 'private', name, settings: { ...DEFAULT_SETTINGS, ...settings }, contracts },
    checkout,
    order,
    state: stateOf({
      status: checkoutStatus(checkout, checkout.orders),
      attempts_remaining: Math.max(0, checkout.max_attempts - checkout.attempts),
      orders: checkout.orders,
      redirect_url: order?.live === true ? redirectMember(order, tools.addresses.vault_url).redirect_url : undefined,
    }),
    urls: urlsOf({ ...checkout.body, ...order?.body }),
  };
}

/** The order's own address wins over the checkout's (contract 10.3). */
export function urlsOf(body: Readonly<Record<string, unknown>>): Urls {
  const read = RETURN_URLS.map((name) => [name, textAt(body, name)] as const);
  return Object.fromEntries(read) as Urls;
}

export function textAt(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
