// The page that is open: what is paid and to whom, and beside it the form. Seen without a script; card data need one,
// because they are typed in the frame of the payment element.
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import { coloursOf } from '../../merchant/settings.ts';
import { reasonOf } from '../reason.ts';
import { nonceOf } from '../state.ts';
import { sheet } from './chrome.ts';
import { ICONS } from './icons.ts';
import { type Shown, amountText, hereOf, merchantOf, merchantWord } from './shown.ts';
import type { OfferedWallets } from '../wallets.ts';
import { walletButtons, walletSheet } from './wallets.ts';
import { linkTo, pictureOrigins, sides } from './sides.ts';
import { fill, textsOf } from '../../payer/texts.ts';

export type ElementPart = {
  readonly script: string;
  readonly style: string;
  readonly global: string;
  /** Given to the element's constructor (contract 12.2). */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly expires_in_ms: number;
};

type Offered = {
  readonly element: ElementPart;
  readonly again: boolean;
  readonly wallets: OfferedWallets;
};

/** `again`: the token that came could not be used. */
export function formPage(shown: Shown, { element, again, wallets }: Offered): PublicAnswer {
  const { page, language, brand } = shown;
  const texts = textsOf(language);
  const { paying, not_loaded, no_line, wallet_failed: failed } = texts;
  const { simulated, apple_pay, google_pay } = wallets;
  const { amount_minor, currency } = page.checkout;
  const main = `<div class="form">
${alert(shown, again)}
${walletButtons(shown, wallets)}
${form(shown)}
</div>
${walletSheet(shown, wallets)}`;
  return sheet({
    title: fill(texts.title, { merchant: merchantOf(page) }),
    language,
    colours: coloursOf(page.account.settings),
    brand,
    body: sides(shown, { main, above: 'pay_to', heading: true, leaves_by: 'leave', switches: true }),
    pictures: pictureOrigins(shown),
    data: {
      global: element.global,
      element: element.configuration,
      texts: { paying, not_loaded, no_line },
      status_url: hereOf(shown, '/status'),
      expires_in_ms: element.expires_in_ms,
      ...(simulated.length > 0 && { wallet: { minor: String(amount_minor), currency, failed } }),
      ...(apple_pay && { apple: { request: apple_pay, session_url: hereOf(shown, '/wallet-session'), failed } }),
      ...(google_pay && { google: { ...google_pay, locale: language, failed } }),
    },
    pays: {
      ...(apple_pay && { self: true }),
      ...(google_pay && { frame: new URL(google_pay.frame_url).origin }),
    },
    element,
  });
}

/**
 * The result of the try before. The element is there from the start, empty, so that a screen reader notices when it is
 * filled.
 */
function alert({ page, language }: Shown, again: boolean): string {
  const { state, order } = page;
  const texts = textsOf(language);
  const declined = state.kind === 'open' && state.declined;
  const told = again
    ? [texts.card_again]
    : declined
      ? [texts[reasonOf(order)], texts.declined_more, fill(texts.attempts, { count: String(state.attempts_remaining) })]
      : [];
  const [title = '', ...more] = told;
  const inside =
    told.length === 0
      ? ''
      : `${ICONS.warn}<div><p><b>${escapeHtml(title)}</b></p>${more.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</div>`;
  return `<div class="alert" id="alert" role="alert" tabindex="-1">${inside}</div>`;
}

/** Fields the script fills in: what the element gave, and the browser's own facts. */
const FILLED = [
  'token',
  'token_type',
  'color_depth',
  'screen_height',
  'screen_width',
  'language',
  'java_enabled',
  'time_zone',
];

/** The time left is shown when there is little of it. */
const SHOWN_FROM_S = 300;

function form(shown: Shown): string {
  const { page, language, brand } = shown;
  const { handle, checkout, account } = page;
  const texts = textsOf(language);
  const { page_note, page_terms_url } = account.settings;
  const merchant = merchantWord(page);
  const nonce = `<input type="hidden" name="nonce" value="${nonceOf(handle, checkout.attempts)}">`;
  const terms = page_terms_url === '' ? '' : `${linkTo(page_terms_url, fill(texts.accept, { merchant }))} `;
  return `<form method="post" action="${escapeHtml(hereOf(shown))}" id="pay" aria-label="${escapeHtml(fill(texts.title, { merchant }))}">
<div class="fields" id="${brand}-payment-container"></div>
<noscript><p class="told">${escapeHtml(texts.no_script)}</p></noscript>
<p class="says" id="says" role="alert"></p>
${nonce}${FILLED.map((name) => `<input type="hidden" name="${name}" value="">`).join('')}
<p class="left" id="left" role="timer" hidden data-text="${escapeHtml(texts.time_left)}" data-from="${SHOWN_FROM_S}"></p>
<button class="go" type="submit" id="pay-button" disabled>${ICONS.lock}<span>${escapeHtml(fill(texts.pay, { amount: amountText(shown) }))}</span></button>
</form>
<form method="post" action="${escapeHtml(hereOf(shown, '/cancel'))}" id="leave">
${nonce}
<button class="leave" type="submit">${escapeHtml(texts.cancel)}</button>
</form>
<p class="soft">${terms}${escapeHtml(fill(texts.note, { merchant }))}</p>
${page_note === '' ? '' : `<p class="soft note"><bdi>${escapeHtml(page_note)}</bdi></p>`}`;
}
