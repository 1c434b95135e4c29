// The page that is open: what is paid and to whom, and beside it the form. Seen without a script; card data need one, because
// they are typed in the frame of the payment element.
import { moneyText } from '../../../core/payer/language.ts';
import { toDecimal } from '../../../core/money.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import type { PublicAnswer } from '../../../kit/http/public.ts';
import { sheet } from './chrome.ts';
import type { Page } from '../load.ts';
import { textAt } from '../load.ts';
import { nonceOf } from '../state.ts';
import { type Language, fill, textsOf } from './texts.ts';

/** What every page says: who is paid, and how much. */
export type Subject = {
  readonly handle: string;
  readonly account: Pick<Page['account'], 'name' | 'settings'>;
  readonly checkout: Pick<Page['checkout'], 'amount_minor' | 'currency' | 'body'>;
};

export type Shown<P extends Subject = Page> = {
  readonly page: P;
  readonly language: Language;
  readonly brand: string;
  readonly sandbox: boolean;
};

export type ElementPart = {
  readonly script: string;
  readonly style: string;
  readonly global: string;
  /** Given to the element's constructor (contract 12.2). */
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly expires_in_ms: number;
};

/** `again`: the token that came could not be used. */
export function formPage(shown: Shown, { element, again }: { element: ElementPart; again: boolean }): PublicAnswer {
  const { page, language, brand, sandbox } = shown;
  const texts = textsOf(language);
  const merchant = merchantOf(page);
  const { paying, not_loaded } = texts;
  return sheet({
    title: fill(texts.title, { merchant }),
    language,
    colour: page.account.settings.page_colour,
    brand,
    sandbox,
    body: `<div class="two">
<section aria-labelledby="what">
${summary(shown)}
</section>
<section class="card" aria-label="${escapeHtml(fill(texts.title, { merchant }))}">
${form(shown, again)}
</section>
</div>`,
    data: {
      global: element.global,
      element: element.configuration,
      texts: { paying, not_loaded },
      status_url: `/pay/${page.handle}/status`,
      expires_in_ms: element.expires_in_ms,
    },
    element,
  });
}

export function merchantOf({ account }: Subject): string {
  return account.settings.page_name || account.name;
}

/** The same inside a sentence: kept apart from it, whichever direction either has (Unicode isolates). */
export function merchantWord(page: Subject): string {
  return `\u2068${merchantOf(page)}\u2069`;
}

/** Logo and name of the merchant, amount, order lines. */
function summary(shown: Shown): string {
  const { page, language } = shown;
  const { body } = page.checkout;
  const texts = textsOf(language);
  const reference = textAt(body, 'order_merchant_id') ?? '';
  const description = textAt(body, 'order_description');
  return `${merchantMark(page)}
<h1 id="what">${escapeHtml(texts.amount)}</h1>
<p class="sum">${escapeHtml(amountText(shown))}</p>
${description === undefined ? '' : `<p class="about"><bdi>${escapeHtml(description)}</bdi></p>`}
${orderLines(shown)}
<p class="soft">${escapeHtml(texts.reference)}: <bdi>${escapeHtml(reference)}</bdi></p>`;
}

export function merchantMark(page: Subject): string {
  const { page_logo } = page.account.settings;
  const name = `<bdi>${escapeHtml(merchantOf(page))}</bdi>`;
  const logo = page_logo === '' ? '' : `<img src="${escapeHtml(page_logo)}" alt="">`;
  return `<p class="merchant">${logo}${name}</p>`;
}

export function amountText({ page: { checkout }, language }: Pick<Shown<Subject>, 'page' | 'language'>): string {
  return moneyText(toDecimal(checkout.amount_minor, checkout.currency), checkout.currency, language);
}

const MAX_LINES = 30;

function orderLines({ page, language }: Shown): string {
  const { body, currency } = page.checkout;
  const texts = textsOf(language);
  const money = (value: unknown) =>
    typeof value === 'number' && value > 0 ? escapeHtml(moneyText(String(value), currency, language)) : '';
  const line = (what: string, price: string) =>
    `<li><span class="what">${what}</span><span class="price">${price}</span></li>`;
  const basket: readonly unknown[] = Array.isArray(body['basket_content']) ? body['basket_content'] : [];
  const items = basket.filter(isItem).flatMap((item) => {
    const name = textAt(item, 'product_name') ?? textAt(item, 'product_sku');
    if (name === undefined) return [];
    const count = item['product_quantity'];
    const times = typeof count === 'number' && count > 1 ? ` <span class="count">× ${count}</span>` : '';
    return [line(`<bdi>${escapeHtml(name)}</bdi>${times}`, money(item['total_amount'] ?? item['product_price']))];
  });
  const more = items.length > MAX_LINES ? [line(`+ ${items.length - MAX_LINES}`, '')] : [];
  const delivery = money(body['shipping_price']);
  const tax = money(body['order_tax_amount']);
  const rows = [
    ...items.slice(0, MAX_LINES),
    ...more,
    ...(delivery === '' ? [] : [line(escapeHtml(texts.delivery), delivery)]),
    ...(tax === '' ? [] : [line(escapeHtml(texts.tax), tax)]),
  ];
  return rows.length === 0 ? '' : `<ul class="lines">\n${rows.join('\n')}\n</ul>`;
}

function isItem(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
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

function form({ page, language, brand }: Shown, again: boolean): string {
  const { state, handle, checkout } = page;
  const texts = textsOf(language);
  const attempts = state.kind === 'open' ? state.attempts_remaining : 0;
  const declined = state.kind === 'open' && state.declined;
  const { page_note } = page.account.settings;
  const nonce = `<input type="hidden" name="nonce" value="${nonceOf(handle, checkout.attempts)}">`;
  const said = [
    ...(again ? [texts.card_again] : declined ? [texts.declined] : []),
    ...(declined ? [fill(texts.attempts, { count: String(attempts) })] : []),
  ];
  return `${said.length === 0 ? '' : `<div class="alert" role="alert">${said.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</div>\n`}<form method="post" action="/pay/${handle}" id="pay">
<div class="fields" id="${brand}-payment-container"></div>
<noscript><p class="alert">${escapeHtml(texts.no_script)}</p></noscript>
<p class="says" id="says" role="alert"></p>
${nonce}${FILLED.map((name) => `<input type="hidden" name="${name}" value="">`).join('')}
<button class="go" type="submit" id="pay-button" disabled>${escapeHtml(fill(texts.pay, { amount: amountText({ page, language }) }))}</button>
</form>
<form method="post" action="/pay/${handle}/cancel">
${nonce}
<button class="leave" type="submit">${escapeHtml(texts.cancel)}</button>
</form>
<p class="soft">${escapeHtml(fill(texts.note, { merchant: merchantWord(page) }))}</p>
${page_note === '' ? '' : `<p class="soft note"><bdi>${escapeHtml(page_note)}</bdi></p>`}`;
}
