// The page of a payer whose bank wants to see them: {vault_url}/pay/{handle} as an order's redirect_url (contract 10.2). It leads
// through the bank and back to the merchant. What the browser brings back is never believed: it makes us ask the server.
import type { PublicAnswer, PublicPath, PublicRequest } from '../../kit/http/public.ts';
import { DEFAULT_SETTINGS } from '../merchant/settings.ts';
import { findSettings } from '../merchant/store.ts';
import { findCheckout } from '../checkout/store.ts';
import { afterMethod, lookAgain } from '../order/authentication/conclude.ts';
import type { AuthenticationFacts } from '../order/authentication/facts.ts';
import { findAuthenticationPage } from '../order/authentication/store.ts';
import { isToken } from '../../core/ids.ts';
import type { OrderFacts } from '../order/read/facts.ts';
import { findOrder } from '../order/read/store.ts';
import type { Tools } from '../tools.ts';
import { urlsOf } from './load.ts';
import { leadTo } from './view/chrome.ts';
import type { Shown, Subject } from './view/form.ts';
import { bankPage, methodPage, outcomePage, waitingPage } from './view/message.ts';
import { languageFor } from './view/texts.ts';

export type PayerPage = Subject & {
  readonly order: OrderFacts;
  readonly authentication: AuthenticationFacts;
};

/** Undefined: there is no such page. */
export async function loadPayerPage(tools: Tools, handle: string): Promise<PayerPage | undefined> {
  const found = isToken(handle) ? await findAuthenticationPage(tools.db, handle) : undefined;
  if (!found) return undefined;
  const db = tools.db.tenant(found.merchant_account_id);
  const [order, account] = await Promise.all([findOrder(db, found.order_id), findSettings(db)]);
  const authentication = order?.authentications.find(({ transaction_id }) => transaction_id === found.transaction_id);
  if (!order || !account || !authentication) throw new Error('a page of a payer has an order');
  const { amount_minor, currency, order_merchant_id } = order;
  return {
    handle,
    account: { name: account.name, settings: { ...DEFAULT_SETTINGS, ...account.settings } },
    checkout: { amount_minor, currency, body: { ...order.body, order_merchant_id } },
    order,
    authentication,
  };
}

export type PayerAnswering = (made: Made, page: PayerPage, request: PublicRequest) => Promise<PublicAnswer>;
type Made = { readonly tools: Tools; readonly brand: string };

/** Paths that only such a page has, beside those of every page. */
export const PAYER_PATHS: readonly {
  suffix: string;
  method: NonNullable<PublicPath['method']>;
  answer: PayerAnswering;
}[] = [
  { suffix: '/back', method: 'POST', answer: back },
  { suffix: '/back', method: 'GET', answer: async (_, { handle }) => leadTo(`/pay/${handle}`) },
  { suffix: '/seen', method: 'POST', answer: seen },
  { suffix: '/method', method: 'POST', answer: unseen },
];

export async function showPayer(made: Made, page: PayerPage, request: PublicRequest): Promise<PublicAnswer> {
  const { authentication, handle } = page;
  const { authenticator: server, addresses } = made.tools;
  const shown = shownOf(made, page, request);
  const { state, server_id, acs_url, acs_transaction_id, method_url, version } = authentication;
  if (!server || server_id === null || state === 'requested') return ended(made, page, shown);
  if (state === 'method' && method_url !== null) {
    const notification_url = `${addresses.vault_url}/pay/${handle}/seen`;
    return methodPage(shown, { url: method_url, data: server.methodRequest({ server_id, notification_url }) });
  }
  if (state !== 'challenge') return ended(made, page, shown);
  // back from the bank, which has not told us yet; or the bank reaches the payer by itself
  if (acs_url === null || acs_transaction_id === null || version === null || request.query['back'] !== undefined)
    return waitingPage(shown);
  return bankPage(shown, { url: acs_url, creq: server.challengeRequest({ server_id, acs_transaction_id, version }) });
}

function shownOf({ brand, tools }: Made, page: PayerPage, request: PublicRequest): Shown<Subject> {
  const language = languageFor(
    page.order.body['locale'],
    request.headers['accept-language'],
    page.account.settings.page_languages,
  );
  return { page, language, brand, sandbox: tools.environment === 'sandbox' };
}

/** The provider had its time: a payer with somewhere to go need not wait here any longer (contract 10.2). */
const PATIENCE_MS = 10_000;

function isUndecided({ order }: PayerPage): boolean {
  return order.live && order.winner_id === null;
}

function mayLeave({ order, authentication }: PayerPage): boolean {
  const since = Date.parse(authentication.settled_at ?? order.read_at);
  return Date.parse(order.read_at) - since >= PATIENCE_MS;
}

/** What has become of it: the merchant's address for it byte for byte, or a page of ours (contract 10.3). */
async function ended({ tools }: Made, page: PayerPage, shown: Shown<Subject>): Promise<PublicAnswer> {
  const { order } = page;
  const urls = urlsOf(order.body);
  if (isUndecided(page))
    return mayLeave(page) && urls.pending_url !== undefined ? leadTo(urls.pending_url) : waitingPage(shown);
  // a hosted page knows whether the payer may try again
  const hosted = await hostedPage(tools, order);
  if (hosted !== undefined) return leadTo(`/pay/${hosted}`);
  const paid = order.winner_id !== null && order.status !== 'authorization_cancelled';
  const url = paid ? urls.accept_url : urls.decline_url;
  return url === undefined ? outcomePage(shown, paid ? 'paid' : 'declined') : leadTo(url);
}

async function hostedPage(tools: Tools, order: OrderFacts): Promise<string | undefined> {
  if (order.checkout_id === null) return undefined;
  const checkout = await findCheckout(tools.db.tenant(order.merchant_account_id), order.checkout_id);
  return checkout?.page_handle ?? undefined;
}

/** The payer comes back from the bank. Nothing of what the form holds is read: the server is asked. */
async function back({ tools }: Made, page: PayerPage): Promise<PublicAnswer> {
  const order = await lookAgain(tools, page.order);
  const open = order.status === 'authentication_requested';
  return leadTo(`/pay/${page.handle}${open ? '?back' : ''}`);
}

/** The bank has seen the browser: told by a form in a frame, which nobody looks at. Of the form nothing is read either. */
async function seen({ tools }: Made, { order }: PayerPage): Promise<PublicAnswer> {
  await afterMethod(tools, order, 'Y');
  return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
}

/** It did not come to that in time, or the payer has no script. */
async function unseen({ tools }: Made, { order, handle }: PayerPage): Promise<PublicAnswer> {
  await afterMethod(tools, order, 'N');
  return leadTo(`/pay/${handle}`);
}

/** For the page's script: has anything changed while it waited? */
export async function payerStatus({ tools }: Made, page: PayerPage, request: PublicRequest): Promise<PublicAnswer> {
  const { authentication } = page;
  const { seen: shown_state } = request.query;
  const known = authentication.state === 'challenge' ? await lookAgain(tools, page.order) : page.order;
  const now = { ...page, order: known };
  const waits = known.status === 'authentication_requested' || authentication.state === 'requested';
  // the page that looks at the browser goes on as soon as the bank was asked
  const passed = shown_state === 'method' && authentication.state !== 'method';
  const stays =
    (waits && !passed) || (isUndecided(now) && !(mayLeave(now) && urlsOf(known.body).pending_url !== undefined));
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify({ next: stays ? 'stay' : 'reload', state: authentication.state }),
  };
}
