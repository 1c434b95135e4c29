// The payer has pressed pay: the token becomes an order, by the same way as every other order, with the page's attempt
// as its Idempotency-Key. The next page shows the result, never this answer.
import { type JsonObject, JsonNumber } from '../../core/json.ts';
import { isToken } from '../../core/ids.ts';
import { REFUSALS, Refusal } from '../../core/refusals.ts';
import { Reading, readShape } from '../../core/shape.ts';
import type { PublicRequest } from '../../kit/http/public.ts';
import { CVC_FIELD } from '../checkout/methods.ts';
import { createOrder } from '../order/accept/create.ts';
import { ORDER, type OrderRequest } from '../order/accept/request.ts';
import { type Account, findAccount } from '../merchant/account.ts';
import { isTriedTooOften } from '../payment-link/open.ts';
import type { Tools } from '../tools.ts';
import { type Page, loadPage, textAt } from './load.ts';
import { chosenLanguage } from './shown.ts';
import { nonceOf } from './state.ts';

/** How long a payer waits for the outcome before the page says that it is not known yet (contract 10.2). */
const WAIT_S = 10;
const ROUTE = '/pay';

export type Paid =
  /** An order was made, or nothing had to be done: the page tells. */
  | { readonly next: 'page' }
  | { readonly next: 'redirect'; readonly url: string }
  /** The token cannot be used: the payer types the card again. */
  | { readonly next: 'again' }
  /** Too many cards have failed by the payment link that it was opened from. */
  | { readonly next: 'busy' }
  /** Refused whatever card is typed. */
  | { readonly next: 'unable' };

export async function payPage(tools: Tools, page: Page, request: PublicRequest): Promise<Paid> {
  const { handle, checkout, state } = page;
  const fields = new URLSearchParams(request.body.toString('utf8'));
  const nonce = nonceOf(handle, checkout.attempts);
  // of another attempt: something has happened since, in this window or another
  if (state.kind !== 'open' || fields.get('nonce') !== nonce) return { next: 'page' };
  const token = fields.get('token') ?? '';
  if (!isToken(token)) return { next: 'again' };
  if (await isBusy(tools, page)) return { next: 'busy' };
  try {
    const account = await findAccount(tools, page.account.merchant_account_id);
    if (!account) throw new Error('a page has an account');
    const answer = await createOrder(tools, incoming(tools, { page, account, request, fields, nonce }));
    const url = textAt(answer.body, 'redirect_url');
    return url === undefined ? { next: 'page' } : { next: 'redirect', url };
  } catch (error) {
    if (!(error instanceof Refusal) || passes(error)) throw error;
    if (error.refusal === 'token_unusable' || wantsCvc(error)) return { next: 'again' };
    return afterRefusal(error, await loadPage(tools, handle), nonce);
  }
}

async function isBusy({ db, clock }: Tools, { account, checkout: { link_id } }: Page): Promise<boolean> {
  return link_id !== null && isTriedTooOften(db.tenant(account.merchant_account_id), link_id, clock.now());
}

/** The host's trouble and not the payment's: trying again may help. */
function passes({ refusal }: Refusal): boolean {
  const { status } = REFUSALS[refusal];
  return status === 429 || status >= 500;
}

function wantsCvc({ extras }: Refusal): boolean {
  return extras.problems?.some(({ field }) => field === CVC_FIELD) === true;
}

/** `now`: the page as it is since. */
function afterRefusal({ refusal }: Refusal, now: Page | undefined, nonce: string): Paid {
  // another request was quicker, or holds the reference: the next page says so
  if (now?.state.kind !== 'open' || nonceOf(now.handle, now.checkout.attempts) !== nonce) return { next: 'page' };
  // the lease has been given back
  return { next: refusal === 'order_in_process' ? 'again' : 'unable' };
}

type Paying = {
  readonly page: Page;
  /** With its rules. */
  readonly account: Account;
  readonly request: PublicRequest;
  readonly fields: URLSearchParams;
  readonly nonce: string;
};

function incoming(tools: Tools, { page, account, request, fields, nonce }: Paying): Parameters<typeof createOrder>[1] {
  const reading = new Reading(tools.environment === 'production');
  const object = orderFields(page, request, fields);
  const read: Partial<OrderRequest> = readShape(ORDER, object, { reading: new Reading(false) });
  return {
    // the page always asks for the cvc of a saved card (contract 6.3)
    caller: { ...account, settings: { ...account.settings, require_cvc_for_saved_cards: true } },
    body: read,
    query: {},
    params: {},
    path: ROUTE,
    request_id: request.request_id,
    client_ip: request.client_ip,
    headers: request.headers,
    idempotency_key: nonce,
    canonical: () => JSON.stringify([...object]),
    wait_s: WAIT_S,
    reading,
  };
}

/**
 * Token and checkout; the save choice where it was offered; and what the checkout did not say about browser and
 * address.
 */
function orderFields(page: Page, request: PublicRequest, fields: URLSearchParams): JsonObject {
  const { checkout, account } = page;
  const object = new Map<string, string | boolean | JsonNumber>([
    ['token', fields.get('token') ?? ''],
    ['checkout_id', checkout.id],
  ]);
  const chosen = chosenLanguage(account.settings, request);
  // what follows, at the bank and after it, is in the language that was paid in
  if (chosen !== undefined) object.set('locale', chosen);
  if (maySave(page) && fields.get('token_type') === 'recurring') object.set('token_type', 'recurring');
  const known = Object.keys(checkout.body);
  if (!known.includes('customer_ip')) object.set('customer_ip', request.client_ip);
  if (!known.some((name) => name.startsWith(BROWSER)))
    for (const [name, value] of browserFields(request, fields)) if (isGood(name, value)) object.set(name, value);
  return object;
}

/** The page offers to save the card (base, Save card 1). */
export function maySave({ account, checkout }: Page): boolean {
  return account.settings.display_save && textAt(checkout.body, 'customer_id') !== undefined;
}

const BROWSER = 'customer_browser_info_';
const TYPED = ['color_depth', 'screen_height', 'screen_width', 'language', 'time_zone'];

function browserFields(request: PublicRequest, fields: URLSearchParams): readonly (readonly [string, string])[] {
  const said = [
    ...TYPED.map((name) => [name, fields.get(name) ?? ''] as const),
    ['java_enabled', fields.get('java_enabled') ?? ''] as const,
    ['js_enabled', 'true'] as const,
    ['user_agent', request.headers['user-agent'] ?? ''] as const,
    ['accept_header', request.headers['accept'] ?? ''] as const,
  ];
  return said.filter(([, value]) => value !== '').map(([name, value]) => [BROWSER + name, value] as const);
}

/**
 * Is a value that a browser reports about itself good? A bad value is left out, not refused: it must not keep a payer
 * from paying.
 */
function isGood(name: string, value: string): boolean {
  const reading = new Reading(false);
  readShape(ORDER, new Map([[name, value]]), { reading });
  return reading.problems.length === 0;
}
