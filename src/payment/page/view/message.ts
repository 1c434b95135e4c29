// The pages that say one thing: waiting, the bank, an outcome whose address is missing, and what went wrong. Words that
// are safe for a payer, and only those reasons that a payer may know (`reasonOf`).
import { DAY_S } from '../../../core/durations.ts';
import type { PageLanguage } from '../../../core/payer/language.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import { DEFAULT_SETTINGS, coloursOf } from '../../merchant/settings.ts';
import { type AuthenticationState, payerHasLeft } from '../../order/facts/authentication-facts.ts';
import { reasonOf } from '../reason.ts';
import { isGivenUp } from '../unproved.ts';
import { type Sheet, sheet } from './chrome.ts';
import { mark } from './icons.ts';
import { facts, receipt } from './receipt.ts';
import { type Shown, type Subject, hereOf, merchantOf, merchantWord } from './shown.ts';
import { linkTo, pictureOrigins, sides } from './sides.ts';
import { type TextName, fill, textsOf } from '../../payer/texts.ts';

type Outcome = 'paid' | 'declined' | 'cancelled' | 'expired';

const OUTCOMES: Readonly<Record<Outcome, { title: TextName; more: TextName; mark: 'good' | 'bad' }>> = {
  paid: { title: 'paid', more: 'paid_more', mark: 'good' },
  declined: { title: 'refused', more: 'refused_more', mark: 'bad' },
  cancelled: { title: 'left', more: 'left_more', mark: 'bad' },
  expired: { title: 'expired', more: 'expired_more', mark: 'bad' },
};

/** Our own result page, where the merchant gave no address for the outcome (contract 10.3). */
export function outcomePage(shown: Shown<Subject>, ended: Outcome): PublicAnswer {
  const { order } = shown.page;
  const outcome = ended === 'paid' && order !== undefined && isGivenUp(order) ? 'cancelled' : ended;
  const { title, more, mark: sign } = OUTCOMES[outcome];
  const texts = textsOf(shown.language);
  const below = outcome === 'paid' ? receipt(shown) + goOn(shown, { prints: true }) : facts(shown) + goOn(shown, {});
  return said(shown, {
    title: texts[title],
    above: mark(sign),
    text: texts[more],
    // of an order that was tried with the last attempt
    because: outcome === 'declined' ? texts[reasonOf(order)] : undefined,
    below,
    switches: true,
    paid: outcome === 'paid',
    data: outcome === 'paid' ? { receipt: {} } : {},
  });
}

/** The way back to the shop, paper, and where to ask. */
function goOn({ page, language }: Shown<Subject>, { prints = false }: { readonly prints?: boolean }): string {
  const { page_shop_url, page_help_url } = page.account.settings;
  const texts = textsOf(language);
  const back = fill(texts.back_to, { merchant: merchantWord(page) });
  return [
    page_shop_url === '' ? '' : `<p><a class="go" href="${escapeHtml(page_shop_url)}">${escapeHtml(back)}</a></p>`,
    prints ? `<p><button class="go quiet" type="button" id="print" hidden>${escapeHtml(texts.print)}</button></p>` : '',
    page_help_url === '' ? '' : `<p class="soft">${linkTo(page_help_url, texts.help)}</p>`,
  ].join('');
}

/** Another order holds the reference: nothing is guessed of it, and the payer may look again. */
export function heldPage(shown: Shown): PublicAnswer {
  const texts = textsOf(shown.language);
  const below = facts(shown) + lookAgain(shown, hereOf(shown)) + goOn(shown, {});
  return said(shown, {
    title: texts.held,
    above: mark('open'),
    text: texts.held_more,
    below,
    switches: true,
    data: {},
  });
}

/** A refusal that no other card changes, where the merchant gave no exception_url (contract 10.3). */
export function unablePage(shown: Shown): PublicAnswer {
  const texts = textsOf(shown.language);
  const below = facts(shown) + goOn(shown, {});
  return said(shown, { title: texts.unable, above: mark('bad'), text: texts.unable_more, below });
}

/**
 * Ends the redirects of a form and goes on by a plain GET: what a form leads to is held to form-action, and where a
 * merchant's address leads on to is not known here (decision 25). The page takes no place among those to go back to.
 */
export function onPage(shown: Shown<Subject>, here: string): PublicAnswer {
  const texts = textsOf(shown.language);
  return said(shown, {
    title: texts.on,
    above: RING,
    text: texts.on_more,
    below: `<p><a class="go" href="${escapeHtml(here)}">${escapeHtml(texts.on_go)}</a></p>`,
    data: { on: here },
    goes_to: { url: here, after_s: 0 },
  });
}

const LOOK_AGAIN_MS = 1500;
/** How often a browser without a script loads the page again. */
const REFRESH_S = 5;

/** `seen`: what the page was made for, so that it goes on as soon as that is another. */
const statusUrl = (shown: Shown<Subject>, seen: string) => hereOf(shown, '/status', `seen=${seen}`);

/** `here`: the page as it is, to look whether there is news. */
function lookAgain({ language }: Shown<Subject>, here: string): string {
  return `<p><a class="go quiet" href="${escapeHtml(here)}">${escapeHtml(textsOf(language).look_again)}</a></p>`;
}

type Waiting = {
  /** At the bank the authentication's state, elsewhere whether the outcome is known to be unknown. */
  readonly seen: AuthenticationState | 'waiting' | 'in_doubt';
  /** The address at which a payer may give up while the bank still waits; undefined: there is none. */
  readonly leave_url?: string;
};

/**
 * Undecided: the page looks again by itself, and the payer may; nothing is guessed. An outcome in doubt is a state of
 * its own.
 */
export function waitingPage(shown: Shown<Subject>, { seen, leave_url }: Waiting): PublicAnswer {
  const texts = textsOf(shown.language);
  const doubt = seen === 'in_doubt';
  // a payer who was at the bank is not led there once more
  const here = hereOf(shown, '', ...(seen === 'challenge' ? ['back'] : []));
  return said(shown, {
    title: doubt ? texts.doubt : texts.waiting,
    above: (seen === 'challenge' ? steps(shown) : '') + (doubt ? mark('open') : RING),
    text: doubt ? texts.doubt_more : texts.waiting_more,
    below: bankTime(shown) + facts(shown) + lookAgain(shown, here) + leaveForm(shown, leave_url),
    goes_to: { url: here, after_s: REFRESH_S },
    data: { waiting: { status_url: statusUrl(shown, seen), every_ms: LOOK_AGAIN_MS }, ...bankLeft(shown) },
  });
}

const RING = '<div class="wait"></div>';

/** The steps of the payer's way: card, bank, receipt. */
function steps({ language }: Shown<Subject>): string {
  const texts = textsOf(language);
  return `<ol class="steps"><li class="done">${escapeHtml(texts.step_card)}</li><li aria-current="step">${escapeHtml(texts.step_bank)}</li><li>${escapeHtml(texts.step_done)}</li></ol>`;
}

function leaveForm({ language }: Shown<Subject>, leave_url: string | undefined): string {
  if (leave_url === undefined) return '';
  const texts = textsOf(language);
  return `<form method="post" action="${escapeHtml(leave_url)}"><button class="leave" type="submit">${escapeHtml(texts.bank_leave)}</button></form>
<p class="soft">${escapeHtml(texts.bank_safe)}</p>`;
}

/** The payer's bank wants to see the payer. */
export function challengePage(shown: Shown<Subject>, redirect_url: string): PublicAnswer {
  const texts = textsOf(shown.language);
  return said(shown, {
    title: texts.bank,
    above: steps(shown),
    text: texts.bank_more,
    below: `${bankTime(shown)}<p><a class="go" href="${escapeHtml(redirect_url)}">${escapeHtml(texts.bank_go)}</a></p>${leaveForm(shown, `${redirect_url}/leave`)}`,
    switches: true,
    data: bankLeft(shown),
  });
}

/** How long the payer has left to act, where an authentication waits for them; the page's script counts it down. */
function bankLeft({ page }: Shown<Subject>): { readonly expires_in_ms?: number } {
  const { order, account } = page;
  const left = order && payerHasLeft(order, account.settings.challenge_minutes);
  return left === undefined ? {} : { expires_in_ms: left };
}

function bankTime(shown: Shown<Subject>): string {
  if (bankLeft(shown).expires_in_ms === undefined) return '';
  const text = escapeHtml(textsOf(shown.language).bank_time);
  return `<p class="left" id="left" role="timer" hidden data-text="${text}" data-from="${ALWAYS_S}"></p>`;
}

/** Longer than any bank check has: the time is shown from the beginning. */
const ALWAYS_S = DAY_S;

/** The page of the bank, or of the provider, by a form that is sent there (EMV 3-D Secure: `creq` goes by POST). */
export function bankPage(
  shown: Shown<Subject>,
  { url, fields }: { readonly url: string; readonly fields: Readonly<Record<string, string>> },
): PublicAnswer {
  const texts = textsOf(shown.language);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return said(shown, {
    title: texts.bank,
    above: steps(shown) + RING,
    text: texts.bank_more,
    below: `<form method="post" action="${escapeHtml(url)}" id="bank">${inputs.join('')}
<button class="go" type="submit">${escapeHtml(texts.bank_go)}</button></form>${facts(shown)}`,
    data: { bank: {} },
    leads_to: url,
  });
}

/** How long the bank may look at the browser. */
const METHOD_MS = 10_000;

/** A page with a hidden frame, in which the bank looks at the browser before it is asked (EMV 3-D Secure Method). */
export function methodPage(
  shown: Shown<Subject>,
  { url, data }: { readonly url: string; readonly data: string },
): PublicAnswer {
  const texts = textsOf(shown.language);
  return said(shown, {
    title: texts.bank,
    above: steps(shown) + RING,
    text: texts.bank_more,
    below: `<iframe name="method" hidden title="${escapeHtml(texts.bank)}"></iframe>
<form method="post" action="${escapeHtml(url)}" target="method" id="method"><input type="hidden" name="threeDSMethodData" value="${escapeHtml(data)}"></form>
<form method="post" action="${escapeHtml(hereOf(shown, '/method'))}" id="on"><button class="go" type="submit">${escapeHtml(texts.bank_go)}</button></form>${facts(shown)}`,
    data: { method: { status_url: statusUrl(shown, 'method'), most_ms: METHOD_MS } },
    leads_to: url,
  });
}

export type Saying = {
  readonly title: string;
  readonly above: string;
  readonly text: string;
  readonly because?: string | undefined;
  readonly below: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly paid?: boolean;
  /** Another language may be chosen: nothing is under way that a look at the page would disturb. */
  readonly switches?: boolean;
  /** Another origin that a form of this page is sent to, or that it frames. */
  readonly leads_to?: string;
  readonly goes_to?: NonNullable<Sheet['goes_to']>;
};

export function said(shown: Shown<Subject>, saying: Saying): PublicAnswer {
  const { title, above, text, because, below, paid = false, switches = false, ...rest } = saying;
  const { page, language, brand } = shown;
  const main = `<section class="step" role="status">
${above}
<h1 class="state">${escapeHtml(title)}</h1>
${because === undefined ? '' : `<p><b>${escapeHtml(because)}</b></p>`}
<p>${escapeHtml(fill(text, { merchant: merchantWord(page) }))}</p>
</section>
<div class="step">
${below}
</div>`;
  return sheet({
    title: `${title} · ${merchantOf(page)}`,
    language,
    colours: coloursOf(page.account.settings),
    brand,
    body: sides(shown, { main, above: paid ? 'paid_to' : 'pay_to', heading: false, switches }),
    pictures: pictureOrigins(shown),
    ...rest,
  });
}

type Plain = { readonly language: PageLanguage; readonly brand: string };

/** There is no page under this handle. */
export function unknownPage(plain: Plain): PublicAnswer {
  const texts = textsOf(plain.language);
  return simple(plain, { title: texts.unknown, text: texts.unknown_more, status: 404, below: '' });
}

/** Something of ours failed: nothing is known, so nothing is said to be paid or not, and trying again is safe. */
export function failedPage(plain: Plain, { status, again, headers }: Failure): PublicAnswer {
  const texts = textsOf(plain.language);
  const below = `<p><a class="go" href="${escapeHtml(again)}">${escapeHtml(texts.try_again)}</a></p>`;
  const page = simple(plain, { title: texts.failed, text: texts.failed_more, status, below });
  return { ...page, headers: { ...page.headers, ...headers } };
}

type Failure = {
  readonly status: number;
  /** The address of the next try. */
  readonly again: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Simple = { readonly title: string; readonly text: string; readonly status: number; readonly below: string };

function simple(plain: Plain, { title, text, status, below }: Simple): PublicAnswer {
  return sheet({
    ...plain,
    title,
    colours: coloursOf(DEFAULT_SETTINGS),
    status,
    body: `<main class="single"><section class="step">
${mark('bad')}
<h1 class="state">${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${below}
</section></main>`,
  });
}
