// The receipt of a payment as a list of the page: what it says stands in payer/receipt.ts.
import { logoFiles } from '../../../core/card.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import { type Paid, type ReceiptFact, cardPaid, receiptFacts, returnedOf } from '../../payer/receipt.ts';
import { textsOf } from '../../payer/texts.ts';
import { textAt } from '../load.ts';
import { type Shown, type Subject, amountOf, amountText, merchantOf } from './shown.ts';

type Row = readonly [label: string, html: string];

export function receipt({ page, language }: Shown<Subject>): string {
  const paid = paidOf(page);
  return list(receiptFacts(paid, language).map((fact): Row => [fact.label, htmlOf(paid, fact)]));
}

function paidOf(page: Subject): Paid {
  const { checkout, order } = page;
  return {
    merchant: merchantOf(page),
    amount_minor: amountOf(page),
    returned: order && returnedOf(order, order.refunded_minor),
    currency: checkout.currency,
    card: order && cardPaid(order.transactions, order.winner_id),
    at: order && new Date(order.created_at),
    reference: textAt(checkout.body, 'order_merchant_id') ?? '',
    statement: order && textAt(order.body, 'dynamic_descriptor_authorization'),
  };
}

const MONEY: readonly ReceiptFact['name'][] = ['amount', 'refunded', 'charged_back', 'refund_left', 'payment_left'];

function htmlOf({ card, at }: Paid, { name, text }: ReceiptFact): string {
  const html = escapeHtml(text);
  if (MONEY.includes(name)) return html;
  if (name === 'card' && card) {
    const picture = `<img src="/image/logo/${logoFiles(card.scheme).logo_colorbg}" alt="" width="38" height="24">`;
    return `<span class="with-mark">${picture}<span>${html}</span></span>`;
  }
  // by UTC; the page's script writes it by the payer's clock
  if (name === 'date' && at) return `<time datetime="${at.toISOString()}">${html}</time>`;
  return `<bdi>${html}</bdi>`;
}

/** Amount and reference: what there is to say of a payment that is none, or not yet. */
export function facts(shown: Shown<Subject>): string {
  const texts = textsOf(shown.language);
  const reference = textAt(shown.page.checkout.body, 'order_merchant_id') ?? '';
  return list([
    ...(shown.page.amount_open === true ? [] : [[texts.amount, escapeHtml(amountText(shown))] as const]),
    [texts.reference, `<bdi>${escapeHtml(reference)}</bdi>`],
  ]);
}

function list(rows: readonly Row[]): string {
  const parts = rows.map(([label, html]) => `<div><dt>${escapeHtml(label)}</dt><dd>${html}</dd></div>`);
  return `<dl class="receipt">${parts.join('\n')}</dl>`;
}
