// Every page of a payer has two sides: the merchant's, with name, amount and what is paid for, and the one with the
// thing to do. On a phone the merchant's comes first and its lines are folded.
import { type PageLanguage, colonIn } from '../../../core/payer/language.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import { textAt } from '../load.ts';
import { ICONS } from './icons.ts';
import { type Line, billOf } from './lines.ts';
import { type Shown, type Subject, merchantOf, merchantWord, minorText, sumLine } from './shown.ts';
import { type TextName, fill, textsOf } from '../../payer/texts.ts';

type Sides = {
  /** HTML of the side with the thing to do. */
  readonly main: string;
  /** The words above the amount; on the page with the form they are its heading. */
  readonly above: TextName;
  readonly heading: boolean;
  /** The form that leads back to the shop, as the merchant's name at the top does too; undefined: there is none. */
  readonly leaves_by?: string;
  /** Whether another language may be chosen now. */
  readonly switches: boolean;
};

export function sides(shown: Shown<Subject>, made: Sides): string {
  return `<div class="page">
<header class="top">${merchantMark(shown, made.leaves_by)}${made.switches ? languageForm(shown) : ''}</header>
${summary(shown, made)}
<main class="pay">
${made.main}
</main>
${foot(shown)}
</div>`;
}

/** Logo and name; where there is a way back to the shop, they are its button. */
function merchantMark({ page, language }: Shown<Subject>, leaves_by: string | undefined): string {
  const { page_logo } = page.account.settings;
  const logo = page_logo === '' ? '' : `<img src="${escapeHtml(page_logo)}" alt="">`;
  const name = `<bdi class="name">${escapeHtml(merchantOf(page))}</bdi>`;
  if (leaves_by === undefined) return `<p class="merchant">${logo}${name}</p>`;
  const says = escapeHtml(fill(textsOf(language).back_to, { merchant: merchantWord(page) }));
  return `<button class="merchant back" type="submit" form="${leaves_by}" aria-label="${says}">${ICONS.back}${logo}${name}</button>`;
}

/** With a script the choice is enough, without one its button is there. */
function languageForm({ page, language, languages }: Shown<Subject>): string {
  if (languages.length < 2) return '';
  const texts = textsOf(language);
  const options = languages.map(
    (one) =>
      `<option value="${one}" lang="${one}"${one === language ? ' selected' : ''}>${escapeHtml(nameOf(one))}</option>`,
  );
  return `<form class="lang" method="get" action="/pay/${page.handle}"><label class="vh" for="lang">${escapeHtml(texts.language)}</label><select id="lang" name="lang">${options.join('')}</select>${ICONS.down}<button class="vh" type="submit">${escapeHtml(texts.change_language)}</button></form>`;
}

/** A language in its own words. */
function nameOf(language: PageLanguage): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

function summary(shown: Shown<Subject>, { above, heading }: Sides): string {
  const { page, language, sandbox } = shown;
  const { body } = page.checkout;
  const texts = textsOf(language);
  const tag = heading ? 'h1' : 'p';
  const description = textAt(body, 'order_description');
  return `<section class="summary" aria-labelledby="what">
<div class="who"><${tag} id="what">${escapeHtml(fill(texts[above], { merchant: merchantWord(page) }))}</${tag}>${sandbox ? `<span class="test">${escapeHtml(texts.sandbox)}</span>` : ''}</div>
${page.amount_open === true ? '' : sumLine(shown)}
<p class="soft">${escapeHtml(texts.reference)}${colonIn(language)} <bdi>${escapeHtml(textAt(body, 'order_merchant_id') ?? '')}</bdi></p>
${description === undefined ? '' : `<p class="about"><bdi>${escapeHtml(description)}</bdi></p>`}
${details(shown)}
</section>`;
}

const MAX_LINES = 30;

/** Lines, and what leads from them to the amount; nothing where the checkout carries neither. */
function details(shown: Shown<Subject>): string {
  const { page, language } = shown;
  const { currency } = page.checkout;
  const { lines, sums, tax_included } = billOf(page.checkout, page.account.settings.page_picture_hosts);
  if (lines.length + sums.length === 0 && tax_included === undefined) return '';
  const texts = textsOf(language);
  const money = (minor: bigint) => escapeHtml(minorText(minor, currency, language));
  const rows = sums.map(({ name, minor }) => sumRow(texts[name], money(minor)));
  const more = lines.length - MAX_LINES;
  const tax = tax_included === undefined ? '' : sumRow(texts.tax, money(tax_included), 'tax');
  return `<details class="lines"><summary>${escapeHtml(texts.details)}${ICONS.down}</summary>
${
  lines.length === 0
    ? ''
    : `<ul>${lines
        .slice(0, MAX_LINES)
        .map((line) => lineRow(line, money))
        .join('')}${more > 0 ? `<li>+ ${more}</li>` : ''}</ul>`
}
<dl>${rows.join('')}${sumRow(texts.total, money(page.checkout.amount_minor), 'total')}${tax}</dl></details>`;
}

/** The origins of a page's pictures, which the page's policy must allow. */
export function pictureOrigins({ page }: Shown<Subject>): readonly string[] {
  const { lines } = billOf(page.checkout, page.account.settings.page_picture_hosts);
  const shown = lines.slice(0, MAX_LINES).flatMap(({ picture }) => (picture === undefined ? [] : [picture]));
  return [...new Set(shown.map((picture) => new URL(picture).origin))];
}

function lineRow({ name, picture, count, minor, was }: Line, money: (minor: bigint) => string): string {
  const times = count > 1 ? ` <span class="count">× ${count}</span>` : '';
  const before = was === undefined ? '' : `<s>${money(was)}</s> `;
  const price = minor === undefined ? '' : `<span class="price">${before}${money(minor)}</span>`;
  // its name stands beside it
  const image =
    picture === undefined
      ? ''
      : `<img src="${escapeHtml(picture)}" alt="" width="48" height="48" loading="lazy" decoding="async">`;
  return `<li>${image}<span class="what"><bdi>${escapeHtml(name)}</bdi>${times}</span>${price}</li>`;
}

function sumRow(name: string, amount: string, kind?: string): string {
  return `<div${kind === undefined ? '' : ` class="${kind}"`}><dt>${escapeHtml(name)}</dt><dd>${amount}</dd></div>`;
}

const LINKS = [
  ['terms', 'page_terms_url'],
  ['privacy', 'page_privacy_url'],
  ['help', 'page_help_url'],
] as const;

/**
 * The foot of a page: who keeps the card safe, and the merchant's own texts; they open in a new window, so that typed
 * text stays.
 */
function foot({ page, language, brand }: Shown<Subject>): string {
  const texts = textsOf(language);
  const name = brand.charAt(0).toUpperCase() + brand.slice(1);
  const links = LINKS.flatMap(([text, setting]) => {
    const url = page.account.settings[setting];
    return url === '' ? [] : [linkTo(url, texts[text])];
  });
  return `<footer class="foot"><p>${ICONS.lock}${escapeHtml(fill(texts.secured, { brand: name }))}</p>${links.length === 0 ? '' : `<div class="links">${links.join('')}</div>`}</footer>`;
}

export function linkTo(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener">${escapeHtml(text)}</a>`;
}
