// The page of a payment link, at the same kind of address as that of a checkout: looked at, and opened by a form.
import { plainDigits } from '../../core/card.ts';
import { isToken } from '../../core/ids.ts';
import type { PublicAnswer, PublicRequest } from '../../kit/http/public.ts';
import { networkOf } from '../../kit/person/few-at-once.ts';
import { DEFAULT_SETTINGS } from '../merchant/settings.ts';
import { openLink, standing } from '../payment-link/open.ts';
import { findLink } from '../payment-link/store.ts';
import type { Tools } from '../tools.ts';
import { isOurs } from './sent.ts';
import { type Showing, shownOf } from './shown.ts';
import { findLinkOwner } from './store.ts';
import { leadTo } from './view/chrome.ts';
import { hereOf } from './view/shown.ts';
import { type LinkSubject, MOST_AMOUNT, busyPage, linkPage, shutPage, takenPage } from './view/link.ts';
import { waitingPage } from './view/message.ts';

/** How many pages one network may open in a minute, over all links, and over the sessions of wallets on all pages. */
const OPENED_PER_MINUTE = 30;
const NONCE_BYTES = 32;

export type LinkPage = LinkSubject & { readonly merchant_account_id: string };

/** Undefined: there is no such link. */
export async function loadLinkPage(tools: Tools, handle: string): Promise<LinkPage | undefined> {
  const owner = isToken(handle) ? await findLinkOwner(tools.db, handle) : undefined;
  if (!owner) return undefined;
  const { merchant_account_id, link_id, name, settings } = owner;
  const link = await findLink(tools.db.tenant(merchant_account_id), link_id);
  if (!link) throw new Error('a link that has an owner is there');
  const { currency, body, amount_minor } = link;
  return {
    handle,
    merchant_account_id,
    link,
    account: { name, settings: { ...DEFAULT_SETTINGS, ...settings } },
    checkout: { amount_minor: amount_minor ?? 0n, currency, body },
    amount_open: amount_minor === null,
  };
}

export async function showLink(made: Showing, page: LinkPage, request: PublicRequest): Promise<PublicAnswer> {
  const shown = shownOf(made, page, request);
  const stands = standing(page.link, made.tools.clock.now());
  if (stands === 'doubt') return waitingPage(shown, { seen: 'in_doubt' });
  if (stands === 'held') return takenPage(shown);
  // that payments are begun, or fail, too often says nothing of one that was made
  if (request.query['busy'] !== undefined) return busyPage(shown);
  if (stands === 'shut') return shutPage(shown);
  const nonce = made.tools.chance.bytes(NONCE_BYTES).toString('hex');
  const { amount } = request.query;
  return linkPage(shown, { nonce, refused: typeof amount === 'string' ? amount.slice(0, MOST_AMOUNT) : undefined });
}

/** For the script of the page that waits: is the result of the payment still not known? */
export async function linkPageStatus({ tools }: Showing, page: LinkPage): Promise<PublicAnswer> {
  const state = standing(page.link, tools.clock.now());
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify({ next: state === 'doubt' ? 'stay' : 'reload', state }),
  };
}

/** Opens it for this payer, who goes on at the page of their checkout. */
export async function openFromLink(made: Showing, page: LinkPage, request: PublicRequest): Promise<PublicAnswer> {
  const { tools } = made;
  const shown = shownOf(made, page, request);
  const fields = new URLSearchParams(request.body.toString('utf8'));
  const nonce = fields.get('nonce') ?? '';
  if (!isOurs(tools, request) || !isToken(nonce)) return leadTo(hereOf(shown));
  if (!mayOpen(tools, request)) return leadTo(hereOf(shown, '', 'busy'));
  const { merchant_account_id, link } = page;
  const amount = link.amount_minor === null ? typedAmount(fields.get('amount')) : undefined;
  const opened = await openLink(tools, merchant_account_id, { link_id: link.id, amount, nonce });
  if (opened.kind === 'checkout')
    return leadTo(hereOf({ ...shown, page: { ...page, handle: opened.page_handle } }, '', 'sent'));
  if (opened.kind === 'amount') return leadTo(hereOf(shown, '', amountWord(fields.get('amount') ?? '')));
  return leadTo(hereOf(shown, '', ...(opened.kind === 'busy' ? [opened.kind] : [])));
}

/** So few digits are no card number, which a payer may type here by mistake and no address is to hold. */
const MOST_DIGITS = 11;

/** Brings the refused text back into its field. */
function amountWord(text: string): string {
  const digits = plainDigits(text).replace(/\D/g, '');
  return text.length > MOST_AMOUNT || digits.length > MOST_DIGITS ? 'amount' : `amount=${encodeURIComponent(text)}`;
}

/** Each question counts as an opening. */
export function mayOpen({ counts }: Pick<Tools, 'counts'>, { client_ip }: PublicRequest): boolean {
  return counts.count(`links of ${networkOf(client_ip)}`, OPENED_PER_MINUTE) === 'within';
}

/** Latin, Arabic and full-width. */
const POINTS = /[,\u066B\uFF0E]/;

/**
 * With a point or a comma before the decimals, as payers write it. Thousands are not grouped: what could be read in two
 * ways is refused by the decimals of the currency, and the page that follows shows the amount before a card is typed.
 */
function typedAmount(text: string | null): string {
  // a payer's keyboard may have digits and a point of its own
  const plain = plainDigits(text ?? '')
    .trim()
    .replace(POINTS, '.');
  return /^\d{1,13}(?:\.\d{1,4})?$/.test(plain) ? plain : '';
}
