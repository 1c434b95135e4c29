// Everything a hosted page is made of, looked up by its handle.
import { isToken } from '../../core/ids.ts';
import type { TenantRunner } from '../../kit/database.ts';
import { type ReturnHosts, mayLeadTo } from '../checkout/return-hosts.ts';
import { type CheckoutWithOrders, findCheckout } from '../checkout/store.ts';
import { type CheckoutStatus, checkoutStatus } from '../checkout/view.ts';
import type { Account } from '../merchant/account.ts';
import { DEFAULT_SETTINGS, type Settings } from '../merchant/settings.ts';
import type { OrderFacts } from '../order/facts/order-facts.ts';
import { isInDoubt } from '../order/show/doubt.ts';
import { redirectMember } from '../order/show/authentication-view.ts';
import { findOrderContext } from '../order/facts/order-context-store.ts';
import { findOrder } from '../order/facts/order-store.ts';
import type { Tools } from '../tools.ts';
import { paymentOf } from '../payment-link/open.ts';
import { findLink } from '../payment-link/store.ts';
import { type PageState, RETURN_URLS, type Urls, stateOf } from './state.ts';
import { findPageOwner } from './store.ts';
import { isUnproved } from './unproved.ts';

export type ShownAccount = Pick<Account, 'merchant_account_id' | 'name' | 'contracts'> & {
  readonly settings: Settings;
};

export type Page = {
  readonly handle: string;
  /** Without the rules in force, so it pays nothing: who pays asks for the whole account (findAccount). */
  readonly account: ShownAccount;
  readonly checkout: CheckoutWithOrders;
  /** The last order made from it. */
  readonly order: OrderFacts | undefined;
  /** The result of an order of here is in doubt. */
  readonly in_doubt: boolean;
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
  const account: ShownAccount = {
    merchant_account_id,
    name,
    contracts,
    settings: { ...DEFAULT_SETTINGS, ...settings },
  };
  const status = checkoutStatus(checkout, checkout.orders);
  const [[order, ...before], elsewhere] = await Promise.all([
    Promise.all(checkout.orders.map(({ order_id }) => findOrder(db, order_id))),
    findElsewhere(db, { checkout, status, account }),
  ]);
  // what is paid speaks for itself, whatever became of a try before it
  const spoken_of = status === 'completed' ? [order] : [order, ...before];
  const unproved = elsewhere === 'doubt' || spoken_of.some((one) => one !== undefined && isUnproved(one));
  return {
    handle,
    account,
    checkout,
    order,
    in_doubt: unproved || (order !== undefined && isInDoubt(order)),
    state: stateOf({
      status,
      held: elsewhere === 'held',
      unproved,
      attempts_remaining: Math.max(0, checkout.max_attempts - checkout.attempts),
      orders: checkout.orders,
      redirect_url: order?.live === true ? redirectMember(order, tools.addresses.vault_url).redirect_url : undefined,
    }),
    urls: urlsOf({ ...checkout.body, ...order?.body }, account),
  };
}

type Standing = {
  readonly checkout: CheckoutWithOrders;
  readonly status: CheckoutStatus;
  readonly account: ShownAccount;
};

/**
 * What has become of the same payment outside this checkout: by another opening of its payment link, or by an order of
 * the same reference. What is paid here, or being paid, speaks for itself.
 */
async function findElsewhere(
  db: TenantRunner,
  { checkout, status, account }: Standing,
): Promise<'held' | 'doubt' | undefined> {
  if (status === 'processing' || status === 'completed') return undefined;
  const link = checkout.link_id === null ? undefined : await findLink(db, checkout.link_id);
  const by_link = link && paymentOf(link);
  if (by_link !== undefined || status !== 'created') return by_link;
  return (await isReferenceHeld(db, checkout.id, account)) ? 'held' : undefined;
}

/**
 * Is an order of this checkout in process, so that another one would be refused (contract 7.3)? The page says so before
 * a card is typed.
 */
async function isReferenceHeld(db: TenantRunner, checkout_id: string, { settings }: ShownAccount): Promise<boolean> {
  const context = await findOrderContext(db, {
    checkout_id,
    token_hash: null,
    order_merchant_id: null,
    route: '',
    key: null,
    unique: settings.unique_order_merchant_id,
  });
  return context.in_process !== null;
}

/** The order's own address wins over the checkout's; one at a host that is allowed no more is none (contract 10.3). */
export function urlsOf(body: Readonly<Record<string, unknown>>, account: ReturnHosts): Urls {
  const read = RETURN_URLS.map((name) => {
    const url = textAt(body, name);
    return [name, url !== undefined && mayLeadTo(url, account) ? url : undefined] as const;
  });
  return Object.fromEntries(read) as Urls;
}

export function textAt(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
