// The page of a payment link before a checkout is made from it: what is paid and to whom, the amount where the payer says it, and
// one button. Looking at it makes nothing, so a messenger that fetches a preview opens no payment.
import { toDecimal } from '../../../core/money.ts';
import { moneyText } from '../../../core/payer/language.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import type { LinkRow } from '../../payment-link/store.ts';
import { textAt } from '../load.ts';
import { sheet } from './chrome.ts';
import { type Shown, type Subject, amountText, merchantMark, merchantOf } from './form.ts';
import { said } from './message.ts';
import { fill, textsOf } from './texts.ts';

export type LinkSubject = Subject & { readonly link: LinkRow };

/** `nonce` goes with the form: the same form sent twice opens one payment. */
export function linkPage(
  shown: Shown<LinkSubject>,
  { nonce, wrong }: { readonly nonce: string; readonly wrong: boolean },
): PublicAnswer {
  const { page, language, brand, sandbox } = shown;
  const texts = textsOf(language);
  const { body } = page.checkout;
  const description = textAt(body, 'order_description');
  const fixed = page.link.amount_minor !== null;
  return sheet({
    title: fill(texts.title, { merchant: merchantOf(page) }),
    language,
    colour: page.account.settings.page_colour,
    brand,
    sandbox,
    body: `<div class="single">
${merchantMark(page)}
<section class="card">
<h1>${escapeHtml(fixed ? texts.amount : fill(texts.title, { merchant: merchantOf(page) }))}</h1>
${fixed ? `<p class="sum">${escapeHtml(amountText(shown))}</p>` : ''}
${description === undefined ? '' : `<p class="about"><bdi>${escapeHtml(description)}</bdi></p>`}
<p class="soft">${escapeHtml(texts.reference)}: <bdi>${escapeHtml(textAt(body, 'order_merchant_id') ?? '')}</bdi></p>
<form method="post" action="/pay/${page.handle}">
<input type="hidden" name="nonce" value="${nonce}">
${fixed ? '' : amountField(shown, wrong)}
<button class="go" type="submit">${escapeHtml(texts.go_on)}</button>
</form>
</section>
</div>`,
  });
}

function amountField({ page, language }: Shown<LinkSubject>, wrong: boolean): string {
  const texts = textsOf(language);
  const { currency, least_minor, most_minor } = page.link;
  const money = (minor: bigint | null) => moneyText(toDecimal(minor ?? 0n, currency), currency, language);
  const range = escapeHtml(fill(texts.range, { least: money(least_minor), most: money(most_minor) }));
  return `<p class="amount"><label for="amount">${escapeHtml(texts.amount)} (${currency})</label>
<input id="amount" name="amount" type="text" inputmode="decimal" autocomplete="off" maxlength="16" required aria-describedby="range"${wrong ? ' aria-invalid="true"' : ''}></p>
<p class="${wrong ? 'says' : 'soft'}" id="range"${wrong ? ' role="alert"' : ''}>${range}</p>`;
}

/** Paused, ended or expired: which of them is the merchant's to tell. */
export function shutPage(shown: Shown<LinkSubject>): PublicAnswer {
  const { shut, shut_more } = textsOf(shown.language);
  return said(shown, { title: shut, above: '', text: shut_more, below: '' });
}

/** A link for one payment that was paid, or is being paid by somebody now. */
export function takenPage(shown: Shown<LinkSubject>): PublicAnswer {
  const { held, held_more } = textsOf(shown.language);
  return said(shown, { title: held, above: '', text: held_more, below: '' });
}

/** Too many payments are begun by it, or too many fail. */
export function busyPage(shown: Shown<LinkSubject>): PublicAnswer {
  const { busy, busy_more, try_again } = textsOf(shown.language);
  const below = `<p><a class="go quiet" href="/pay/${shown.page.handle}">${escapeHtml(try_again)}</a></p>`;
  return said(shown, { title: busy, above: '', text: busy_more, below });
}
