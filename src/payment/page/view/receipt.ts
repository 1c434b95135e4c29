// The receipt of a payment, on screen and on paper: amount, to whom, with which card, when, for which order.
import { SCHEMES, type Scheme, logoFiles } from '../../../core/card.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import { textAt } from '../load.ts';
import { type Shown, type Subject, amountText, merchantOf } from './shown.ts';
import { type Language, fill, textsOf } from './texts.ts';

type Row = readonly [label: string, html: string];

/** What is known, as a list. */
export function receipt(shown: Shown<Subject>): string {
  const { page, language } = shown;
  const texts = textsOf(language);
  const reference = textAt(page.checkout.body, 'order_merchant_id') ?? '';
  const statement = page.order && textAt(page.order.body, 'dynamic_descriptor_authorization');
  const rows: readonly Row[] = [
    [texts.amount, escapeHtml(amountText(shown))],
    [texts.payee, `<bdi>${escapeHtml(merchantOf(page))}</bdi>`],
    ...cardRow(shown),
    ...dateRow(shown),
    [texts.reference, `<bdi>${escapeHtml(reference)}</bdi>`],
    ...(statement === undefined ? [] : [[texts.statement, `<bdi>${escapeHtml(statement)}</bdi>`] as const]),
  ];
  return list(rows);
}

/** Amount and reference: what there is to say of a payment that is none, or not yet. */
export function facts(shown: Shown<Subject>): string {
  const texts = textsOf(shown.language);
  const reference = textAt(shown.page.checkout.body, 'order_merchant_id') ?? '';
  return list([
    [texts.amount, escapeHtml(amountText(shown))],
    [texts.reference, `<bdi>${escapeHtml(reference)}</bdi>`],
  ]);
}

function list(rows: readonly Row[]): string {
  const parts = rows.map(([label, html]) => `<div><dt>${escapeHtml(label)}</dt><dd>${html}</dd></div>`);
  return `<dl class="receipt">${parts.join('\n')}</dl>`;
}

function cardRow({ page: { order }, language }: Shown<Subject>): readonly Row[] {
  const paid = order?.transactions.find(({ id }) => id === order.winner_id);
  if (paid?.last4 === undefined || paid.last4 === null || !isScheme(paid.payment_method_name)) return [];
  const { display_name: scheme } = SCHEMES[paid.payment_method_name];
  const texts = textsOf(language);
  const picture = `<img src="/image/logo/${logoFiles(paid.payment_method_name).logo_colorbg}" alt="" width="38" height="24">`;
  const words = fill(texts.card_of, { scheme, last4: `\u2066${paid.last4}\u2069` });
  return [[texts.card, `<span class="with-mark">${picture}<span>${escapeHtml(words)}</span></span>`]];
}

/** By UTC; the page's script writes it by the payer's clock. */
function dateRow({ page: { order }, language }: Shown<Subject>): readonly Row[] {
  if (!order) return [];
  const at = new Date(order.created_at);
  return [
    [textsOf(language).date, `<time datetime="${at.toISOString()}">${escapeHtml(dateText(at, language))}</time>`],
  ];
}

function dateText(at: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(`${language}-u-nu-latn`, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(at)} UTC`;
}

function isScheme(name: string): name is Scheme {
  return Object.hasOwn(SCHEMES, name);
}
