// The forms of the hosted page, and where they lead. A browser holds every redirect of a form to form-action, also
// those of the merchant's own address, which are not known here: so what a form leads to is asked for with `sent`, and
// ends at a page of ours.
import type { PublicAnswer, PublicRequest } from '../../kit/http/public.ts';
import { cancelCheckout } from '../checkout/store.ts';
import type { Tools } from '../tools.ts';
import { leadTo } from './view/chrome.ts';
import { type Subject, hereOf, withWords } from './view/shown.ts';
import type { Page } from './load.ts';
import { onPage } from './view/message.ts';
import { payPage } from './pay.ts';
import { type Showing, shownOf } from './shown.ts';
import { nonceOf } from './state.ts';

export async function pay(made: Showing, page: Page, request: PublicRequest): Promise<PublicAnswer> {
  const shown = shownOf(made, page, request);
  const here = hereOf(shown, '', 'sent');
  if (!isOurs(made.tools, request)) return leadTo(here);
  const paid = await payPage(made.tools, page, request);
  if (paid.next === 'redirect') return leadTo(`${paid.url}?sent`);
  return leadTo(paid.next === 'page' ? here : withWords(here, [paid.next]));
}

export async function cancel(made: Showing, page: Page, request: PublicRequest): Promise<PublicAnswer> {
  const { account, checkout, handle } = page;
  const { id, attempts } = checkout;
  const nonce = new URLSearchParams(request.body.toString('utf8')).get('nonce');
  if (isOurs(made.tools, request) && nonce === nonceOf(handle, attempts))
    await cancelCheckout(made.tools.db.tenant(account.merchant_account_id), { id, attempts });
  return leadTo(hereOf(shownOf(made, page, request), '', 'sent'));
}

/** The result of a form, in the address that is asked for next. */
const WORDS = ['again', 'unable', 'back'] as const;

/**
 * The answer to a form that leads elsewhere. A browser does not follow a redirect any further after a form, so the way
 * to another page of ours is marked as one after a form, and the way to the merchant leads over a page that comes here
 * once more, by a plain GET.
 */
export function afterForm<P extends Subject, M extends Showing>(
  answer: (made: M, page: P, request: PublicRequest) => Promise<PublicAnswer>,
): typeof answer {
  return async (made, page, request) => {
    const found = await answer(made, page, request);
    const { location } = found.headers;
    if (location === undefined || request.query['sent'] === undefined) return found;
    if (location.startsWith('/pay/')) return leadTo(withWords(location, ['sent']));
    const word = WORDS.filter((name) => request.query[name] !== undefined).slice(0, 1);
    const shown = shownOf(made, page, request);
    return onPage(shown, hereOf(shown, '', ...word));
  };
}

/** A form of our own page, and not one that another site sends in the payer's name. */
export function isOurs({ addresses }: Tools, { headers }: PublicRequest): boolean {
  const { origin } = headers;
  const form = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  return form && (origin === undefined || origin === URL.parse(addresses.vault_url)?.origin);
}
