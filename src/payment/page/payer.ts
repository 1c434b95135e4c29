// The page of a payer whose bank wants to see them: {vault_url}/pay/{handle} as an order's redirect_url (contract
// 10.2). It leads through the bank and back to the merchant. What the browser brings back is never believed: it makes
// us ask the server.
import type { PublicAnswer, PublicPath, PublicRequest } from '../../kit/http/public.ts';
import { DEFAULT_SETTINGS } from '../merchant/settings.ts';
import { findSettings } from '../merchant/store.ts';
import { findCheckout } from '../checkout/store.ts';
import { afterMethod, endWaiting, lookAgain } from '../order/accept/conclude.ts';
import { payerIsBack } from '../order/engine/back.ts';
import {
  type AuthenticationFacts,
  currentOf,
  isOpen,
  openAuthentication,
  waitsForPayer,
} from '../order/facts/authentication-facts.ts';
import { findAuthenticationPage } from '../order/authentication/authentication-store.ts';
import { isToken } from '../../core/ids.ts';
import { type OrderFacts, lastTransaction } from '../order/facts/order-facts.ts';
import { findOrder } from '../order/facts/order-store.ts';
import { isInDoubt } from '../order/show/doubt.ts';
import type { Tools } from '../tools.ts';
import { urlsOf } from './load.ts';
import { isOurs } from './sent.ts';
import { type Showing, shownOf } from './shown.ts';
import { isUnproved } from './unproved.ts';
import { leadTo } from './view/chrome.ts';
import { type Shown, type Subject, hereOf } from './view/shown.ts';
import { bankPage, methodPage, outcomePage, waitingPage } from './view/message.ts';

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

export type PayerAnswering = (made: Showing, page: PayerPage, request: PublicRequest) => Promise<PublicAnswer>;

/** Paths that only such a page has, beside those of every page. */
export const PAYER_PATHS: readonly {
  suffix: string;
  method: NonNullable<PublicPath['method']>;
  answer: PayerAnswering;
}[] = [
  { suffix: '/back', method: 'POST', answer: back },
  { suffix: '/return', method: 'GET', answer: returned },
  { suffix: '/return', method: 'POST', answer: returned },
  { suffix: '/back', method: 'GET', answer: async (_, { handle }) => leadTo(`/pay/${handle}?sent`) },
  { suffix: '/seen', method: 'POST', answer: seen },
  { suffix: '/method', method: 'POST', answer: unseen },
  { suffix: '/leave', method: 'POST', answer: leave },
];

export async function showPayer(made: Showing, page: PayerPage, request: PublicRequest): Promise<PublicAnswer> {
  const { authentication, handle } = page;
  const { authenticator: server, addresses } = made.tools;
  const shown = shownOf(made, page, request);
  if (authentication.provider_run) return showProviderRun(made, page, { shown, request });
  const { state, server_id, acs_url, acs_transaction_id, method_url, version } = authentication;
  if (!server || server_id === null || state === 'requested') return ended(made, page, shown);
  if (state === 'method' && method_url !== null) {
    const notification_url = `${addresses.vault_url}/pay/${handle}/seen`;
    return methodPage(shown, { url: method_url, data: server.methodRequest({ server_id, notification_url }) });
  }
  if (state !== 'challenge') return ended(made, page, shown);
  // back from the bank, which has not told us yet; or the bank reaches the payer by itself
  if (acs_url === null || acs_transaction_id === null || version === null || request.query['back'] !== undefined)
    return waitingPage(shown, { seen: state, leave_url: hereOf(shown, '/leave') });
  return bankPage(shown, {
    url: acs_url,
    fields: { creq: server.challengeRequest({ server_id, acs_transaction_id, version }) },
  });
}

type ShowingRun = { readonly shown: Shown<Subject>; readonly request: PublicRequest };

/** The provider's own page: by a form that posts itself, or by a link; once back, what has become of it. */
function showProviderRun(made: Showing, page: PayerPage, { shown, request }: ShowingRun): Promise<PublicAnswer> {
  const { acs_url, form, state } = page.authentication;
  if (state !== 'challenge' || acs_url === null) return ended(made, page, shown);
  if (request.query['back'] !== undefined)
    return Promise.resolve(waitingPage(shown, { seen: state, leave_url: hereOf(shown, '/leave') }));
  return Promise.resolve(form === null ? leadTo(acs_url) : bankPage(shown, { url: acs_url, fields: form }));
}

/** The payer comes back from the provider's page, with what that page gave them. */
async function returned({ tools }: Showing, page: PayerPage, request: PublicRequest): Promise<PublicAnswer> {
  if (page.authentication.provider_run) await payerIsBack(tools, page.order, broughtBack(request));
  return leadTo(`/pay/${page.handle}?sent&back`);
}

/** The parameters that the payer brought back, in a link or in a form that the provider's page posts. */
function broughtBack({ query, body }: PublicRequest): Readonly<Record<string, unknown>> {
  return { ...query, ...Object.fromEntries(new URLSearchParams(body.toString('utf8'))) };
}

/** The provider had its time: a payer with somewhere to go need not wait here any longer (contract 10.2). */
const PATIENCE_MS = 10_000;

/** Is the attempt of this page undecided? Another attempt may be under way, which has a page of its own. */
function isUndecided({ order, authentication }: PayerPage): boolean {
  return order.live && order.winner_id === null && isOfAttempt(order, authentication, lastTransaction(order).id);
}

/** What became of the payment is not to be said yet. */
const isOpenEnded = (page: PayerPage) => isUndecided(page) || (!isPaid(page) && isUnprovedEnd(page.order));

/** Another attempt that is under way goes on at its own page. */
const isUnprovedEnd = (order: OrderFacts) => !order.live && isUnproved(order);

/** Also when it was cancelled later: a page that has ended keeps its end. */
function isPaid({ order, authentication }: PayerPage): boolean {
  return order.winner_id !== null && isOfAttempt(order, authentication, order.winner_id);
}

/** Is the transaction, or a try before it within its attempt, the one that the authentication belongs to? */
function isOfAttempt(order: OrderFacts, authentication: AuthenticationFacts, transaction_id: string): boolean {
  if (authentication.transaction_id === transaction_id) return true;
  const before = order.transactions.find(({ id }) => id === transaction_id)?.cascade_of;
  return before ? isOfAttempt(order, authentication, before) : false;
}

/**
 * The page at which the attempt of this one goes on: the next provider wants to see the payer, too. Undefined: there is
 * none.
 */
function nextPage(page: PayerPage): string | undefined {
  const next = isUndecided(page) ? openAuthentication(page.order) : undefined;
  return next && next.id !== page.authentication.id && waitsForPayer(next) ? `/pay/${next.handle}` : undefined;
}

function mayLeave({ order, authentication }: PayerPage): boolean {
  const since = Date.parse(authentication.settled_at ?? order.read_at);
  return Date.parse(order.read_at) - since >= PATIENCE_MS;
}

/** The end of the payer's way: the merchant's address for it, byte for byte, or a page of ours (contract 10.3). */
async function ended({ tools }: Showing, page: PayerPage, shown: Shown<Subject>): Promise<PublicAnswer> {
  const { order, authentication } = page;
  const urls = urlsOf(order.body, page.account);
  const next = nextPage(page);
  if (next !== undefined) return leadTo(next);
  if (isOpenEnded(page)) {
    const leaves = mayLeave(page) && urls.pending_url !== undefined;
    if (leaves) return leadTo(urls.pending_url);
    return waitingPage(shown, { seen: isInDoubt(order) ? 'in_doubt' : authentication.state });
  }
  // a hosted page knows whether the payer may try again
  const hosted = await hostedPage(tools, order);
  if (hosted !== undefined) return leadTo(`/pay/${hosted}`);
  const paid = isPaid(page);
  const url = paid ? urls.accept_url : urls.decline_url;
  return url === undefined ? outcomePage(shown, paid ? 'paid' : 'declined') : leadTo(url);
}

async function hostedPage(tools: Tools, order: OrderFacts): Promise<string | undefined> {
  if (order.checkout_id === null) return undefined;
  const checkout = await findCheckout(tools.db.tenant(order.merchant_account_id), order.checkout_id);
  return checkout?.page_handle ?? undefined;
}

/** The payer comes back from the bank. Nothing of what the form holds is read: the server is asked. */
async function back({ tools }: Showing, page: PayerPage): Promise<PublicAnswer> {
  const order = await lookAgain(tools, page);
  const open = isOpen(currentOf(order, page.authentication));
  return leadTo(`/pay/${page.handle}?sent${open ? '&back' : ''}`);
}

/** The bank's hidden frame posts here when its browser check is done. The body of the post is not read. */
async function seen({ tools }: Showing, page: PayerPage): Promise<PublicAnswer> {
  await afterMethod(tools, page, 'Y');
  return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
}

/** The bank's look at the browser did not happen in time, or the payer has no script. */
async function unseen({ tools }: Showing, page: PayerPage): Promise<PublicAnswer> {
  await afterMethod(tools, page, 'N');
  return leadTo(`/pay/${page.handle}?sent`);
}

/**
 * The payer gives up at the bank: the order ends as one whose payer has left, and the page that began it offers another
 * try. What the bank said before that counts, and what it says after is about an authentication that has ended.
 */
async function leave({ tools }: Showing, page: PayerPage, request: PublicRequest): Promise<PublicAnswer> {
  const { order, authentication, handle } = page;
  if (isOurs(tools, request) && isOpen(authentication)) await endWaiting(tools, order.merchant_account_id, [order.id]);
  return leadTo(`/pay/${handle}?sent`);
}

/**
 * For the page's script: may the payer go on? `seen` is the state that the page was made in: another one is always
 * shown at once, whatever else is still undecided.
 */
export async function payerStatus({ tools }: Showing, page: PayerPage, request: PublicRequest): Promise<PublicAnswer> {
  const { seen: shown_state } = request.query;
  const order = await lookAgain(tools, page);
  const authentication = currentOf(order, page.authentication);
  const now = { ...page, order, authentication };
  const seen_now = !isOpen(authentication) && isInDoubt(order) ? 'in_doubt' : authentication.state;
  const passed = shown_state !== undefined && shown_state !== seen_now;
  const leaves = mayLeave(now) && urlsOf(order.body, page.account).pending_url !== undefined;
  const goes_on = leaves || nextPage(now) !== undefined;
  const stays = !passed && (isOpen(authentication) || (isOpenEnded(now) && !goes_on));
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify({ next: stays ? 'stay' : 'reload', state: authentication.state }),
  };
}
