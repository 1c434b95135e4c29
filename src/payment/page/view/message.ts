// The pages that say one thing: waiting, the bank, an outcome whose address is missing, and what went wrong. Words that are safe
// for a payer, the order's reference, and no reason a bank has given.
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import { type Sheet, sheet } from './chrome.ts';
import { type Shown, type Subject, amountText, merchantMark, merchantOf, merchantWord } from './form.ts';
import { textAt } from '../load.ts';
import type { AuthenticationState } from '../../order/facts/authentication-facts.ts';
import { type Language, type TextName, fill, textsOf } from './texts.ts';

type Outcome = 'paid' | 'declined' | 'cancelled' | 'expired';

const OUTCOMES: Readonly<Record<Outcome, { title: TextName; more: TextName; mark: 'good' | 'bad' }>> = {
  paid: { title: 'paid', more: 'paid_more', mark: 'good' },
  declined: { title: 'refused', more: 'refused_more', mark: 'bad' },
  cancelled: { title: 'left', more: 'left_more', mark: 'bad' },
  expired: { title: 'expired', more: 'expired_more', mark: 'bad' },
};

const SIGNS = {
  good: 'M14 25l7 7 14-15',
  bad: 'M16 16l16 16M32 16L16 32',
};

function mark(kind: 'good' | 'bad'): string {
  return `<svg class="mark ${kind}" viewBox="0 0 48 48" fill="none" aria-hidden="true"><circle cx="24" cy="24" r="24"/><path d="${SIGNS[kind]}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}

/** Our own result page, where the merchant gave no address for the outcome (contract 10.3). */
export function outcomePage(shown: Shown<Subject>, outcome: Outcome): PublicAnswer {
  const { title, more, mark: sign } = OUTCOMES[outcome];
  const texts = textsOf(shown.language);
  return said(shown, { title: texts[title], above: mark(sign), text: texts[more], below: facts(shown) });
}

/** Another order holds the reference: nothing is guessed of it, and the payer may look again. */
export function heldPage(shown: Shown): PublicAnswer {
  const texts = textsOf(shown.language);
  const below = facts(shown) + lookAgain(shown, `/pay/${shown.page.handle}`);
  return said(shown, { title: texts.held, above: '', text: texts.held_more, below });
}

/** A refusal that no other card changes, where the merchant gave no exception_url (contract 10.3). */
export function unablePage(shown: Shown): PublicAnswer {
  const texts = textsOf(shown.language);
  return said(shown, { title: texts.unable, above: mark('bad'), text: texts.unable_more, below: facts(shown) });
}

/**
 * Ends the redirects of a form and goes on by a plain GET: what a form leads to is held to form-action, and where a merchant's
 * address leads on to is not known here (decision 25). The page takes no place among those to go back to.
 */
export function onPage(shown: Shown<Subject>, here: string): PublicAnswer {
  const texts = textsOf(shown.language);
  return said(shown, {
    title: texts.on,
    above: '<div class="wait"></div>',
    text: texts.on_more,
    below: `<p><a class="go" href="${escapeHtml(here)}">${escapeHtml(texts.on_go)}</a></p>`,
    data: { on: here },
    goes_to: { url: here, after_s: 0 },
  });
}

const LOOK_AGAIN_MS = 1500;
/** Of a browser without a script. */
const REFRESH_S = 5;

function statusUrl(handle: string, seen: AuthenticationState | undefined): string {
  return `/pay/${handle}/status${seen === undefined ? '' : `?seen=${seen}`}`;
}

/** `here`: the page as it is, to look whether there is news. */
function lookAgain({ language }: Shown<Subject>, here: string): string {
  return `<p><a class="go quiet" href="${escapeHtml(here)}">${escapeHtml(textsOf(language).look_again)}</a></p>`;
}

/**
 * Undecided: the page looks again by itself, and the payer may; nothing is guessed. `seen`: the state of the authentication that it
 * was made in, so that it goes on as soon as there is another.
 */
export function waitingPage(shown: Shown<Subject>, seen?: AuthenticationState): PublicAnswer {
  const texts = textsOf(shown.language);
  const { handle } = shown.page;
  // a payer who was at the bank is not led there once more
  const here = `/pay/${handle}${seen === 'challenge' ? '?back' : ''}`;
  return said(shown, {
    title: texts.waiting,
    above: '<div class="wait"></div>',
    text: texts.waiting_more,
    below: facts(shown) + lookAgain(shown, here),
    goes_to: { url: here, after_s: REFRESH_S },
    data: { waiting: { status_url: statusUrl(handle, seen), every_ms: LOOK_AGAIN_MS } },
  });
}

/** The payer's bank wants to see the payer. */
export function challengePage(shown: Shown<Subject>, redirect_url: string): PublicAnswer {
  const texts = textsOf(shown.language);
  return said(shown, {
    title: texts.bank,
    above: '',
    text: texts.bank_more,
    below: `<p><a class="go" href="${escapeHtml(redirect_url)}">${escapeHtml(texts.bank_go)}</a></p>${facts(shown)}`,
  });
}

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
    above: '<div class="wait"></div>',
    text: texts.bank_more,
    below: `<form method="post" action="${escapeHtml(url)}" id="bank">${inputs.join('')}
<button class="go" type="submit">${escapeHtml(texts.bank_go)}</button></form>${facts(shown)}`,
    data: { bank: {} },
    leads_to: url,
  });
}

/** As long as the bank may look at the browser (providers.md 4.1). */
const METHOD_MS = 10_000;

/** Before the bank is asked it wants to see the browser, in a hidden frame (EMV 3-D Secure Method). */
export function methodPage(
  shown: Shown<Subject>,
  { url, data }: { readonly url: string; readonly data: string },
): PublicAnswer {
  const texts = textsOf(shown.language);
  const { handle } = shown.page;
  return said(shown, {
    title: texts.bank,
    above: '<div class="wait"></div>',
    text: texts.bank_more,
    below: `<iframe name="method" hidden title="${escapeHtml(texts.bank)}"></iframe>
<form method="post" action="${escapeHtml(url)}" target="method" id="method"><input type="hidden" name="threeDSMethodData" value="${escapeHtml(data)}"></form>
<form method="post" action="/pay/${handle}/method" id="on"><button class="go" type="submit">${escapeHtml(texts.bank_go)}</button></form>${facts(shown)}`,
    data: { method: { status_url: statusUrl(handle, 'method'), most_ms: METHOD_MS } },
    leads_to: url,
  });
}

export type Saying = {
  readonly title: string;
  readonly above: string;
  readonly text: string;
  readonly below: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** Another origin that a form of this page is sent to, or that it frames. */
  readonly leads_to?: string;
  readonly goes_to?: NonNullable<Sheet['goes_to']>;
};

export function said(shown: Shown<Subject>, { title, above, text, below, ...rest }: Saying): PublicAnswer {
  const { page, language, brand, sandbox } = shown;
  return sheet({
    title: `${title} · ${merchantOf(page)}`,
    language,
    colour: page.account.settings.page_colour,
    brand,
    sandbox,
    body: `<div class="single">
${merchantMark(page)}
<section class="card" role="status">
${above}
<h1 class="state">${escapeHtml(title)}</h1>
<p>${escapeHtml(fill(text, { merchant: merchantWord(page) }))}</p>
${below}
</section>
</div>`,
    ...rest,
  });
}

function facts(shown: Shown<Subject>): string {
  const texts = textsOf(shown.language);
  const reference = textAt(shown.page.checkout.body, 'order_merchant_id') ?? '';
  return `<dl><dt>${escapeHtml(texts.amount)}</dt><dd>${escapeHtml(amountText(shown))}</dd>
<dt>${escapeHtml(texts.reference)}</dt><dd><bdi>${escapeHtml(reference)}</bdi></dd></dl>`;
}

type Plain = { readonly language: Language; readonly brand: string; readonly sandbox: boolean };

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
  /** Where it is tried again. */
  readonly again: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Simple = { readonly title: string; readonly text: string; readonly status: number; readonly below: string };

function simple(plain: Plain, { title, text, status, below }: Simple): PublicAnswer {
  return sheet({
    ...plain,
    title,
    colour: '#0b5d57',
    status,
    body: `<div class="single"><section class="card">
${mark('bad')}
<h1 class="state">${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${below}
</section></div>`,
  });
}
