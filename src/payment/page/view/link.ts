// The page of a payment link before a checkout is made from it: what is paid and to whom, the amount where the payer
// says it, and one button. Looking at it makes nothing, so a messenger that fetches a preview opens no payment.
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import { coloursOf } from '../../merchant/settings.ts';
import type { LinkRow } from '../../payment-link/store.ts';
import { sheet } from './chrome.ts';
import { said } from './message.ts';
import { type Shown, type Subject, hereOf, merchantOf, minorText } from './shown.ts';
import { sides } from './sides.ts';
import { fill, textsOf } from '../../payer/texts.ts';

export type LinkSubject = Subject & { readonly link: LinkRow };

/** Characters that the amount may have. */
export const MOST_AMOUNT = 16;

/** `nonce` goes with the form: the same form sent twice opens one payment. `refused`: an amount that was not taken. */
export function linkPage(
  shown: Shown<LinkSubject>,
  { nonce, refused }: { readonly nonce: string; readonly refused: string | undefined },
): PublicAnswer {
  const { page, language, brand } = shown;
  const texts = textsOf(language);
  const main = `<form class="form" method="post" action="${escapeHtml(hereOf(shown))}">
<input type="hidden" name="nonce" value="${nonce}">
${page.link.amount_minor === null ? amountField(shown, refused) : ''}
<button class="go" type="submit">${escapeHtml(texts.go_on)}</button>
</form>`;
  return sheet({
    title: fill(texts.title, { merchant: merchantOf(page) }),
    language,
    colours: coloursOf(page.account.settings),
    brand,
    body: sides(shown, { main, above: 'pay_to', heading: true, switches: true }),
    data: {},
  });
}

/** An amount that was not taken: the field has the keyboard, so that a screen reader says what is wrong with it. */
function amountField({ page, language }: Shown<LinkSubject>, refused: string | undefined): string {
  const wrong = refused !== undefined;
  const texts = textsOf(language);
  const { currency, least_minor, most_minor } = page.link;
  const money = (minor: bigint | null) => minorText(minor ?? 0n, currency, language);
  const range = escapeHtml(fill(texts.range, { least: money(least_minor), most: money(most_minor) }));
  return `<p class="amount"><label for="amount">${escapeHtml(texts.amount)} (${currency})</label>
<input id="amount" name="amount" type="text" inputmode="decimal" autocomplete="off" maxlength="${MOST_AMOUNT}" value="${escapeHtml(refused ?? '')}" required aria-describedby="range"${wrong ? ' aria-invalid="true" autofocus' : ''}></p>
<p class="${wrong ? 'says' : 'soft'}" id="range"${wrong ? ' role="alert"' : ''}>${range}</p>`;
}

/** Paused, ended or expired: which of them is the merchant's to tell. Who looks may have paid, where many pay. */
export function shutPage(shown: Shown<LinkSubject>): PublicAnswer {
  const { shut, shut_more } = textsOf(shown.language);
  return said(shown, { title: shut, above: '', text: shut_more, below: '', switches: true, data: {} });
}

/** A link for one payment that was paid, or is being paid now, maybe by who looks at it. */
export function takenPage(shown: Shown<LinkSubject>): PublicAnswer {
  const { held, taken_more } = textsOf(shown.language);
  return said(shown, { title: held, above: '', text: taken_more, below: '', switches: true, data: {} });
}

/** Too many payments are begun by it, or too many fail. Also the page of one that was begun by it before. */
export function busyPage(shown: Shown<Subject>): PublicAnswer {
  const { busy, busy_more, try_again } = textsOf(shown.language);
  const below = `<p><a class="go quiet" href="${escapeHtml(hereOf(shown))}">${escapeHtml(try_again)}</a></p>`;
  return said(shown, { title: busy, above: '', text: busy_more, below });
}
